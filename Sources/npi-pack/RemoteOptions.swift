import ArgumentParser
import Findings
import Packaging
import Remote
import RemoteClients

extension RemoteOption {
  /// In a list of options.
  fileprivate func help(_ valueName: String) -> ArgumentHelp {
    ArgumentHelp("\(summary.prefix(1).uppercased())\(summary.dropFirst()).", valueName: valueName)
  }
}

/// A cache on another machine.
struct RemoteOptions: ParsableArguments {
  @Option(name: .customLong("remote-cache"), help: RemoteOption.cache.help("url")) var cache: String?
  @Option(name: .customLong("remote-upload"), help: RemoteOption.upload.help("when")) var upload: String?
  @Option(name: .customLong("remote-header"), help: RemoteOption.header.help("name=value")) var header: [String] = []
  @Option(
    name: .customLong("remote-token-file"), help: RemoteOption.tokenFile.help("file"), completion: .file())
  var tokenFile: String?
  @Option(name: .customLong("remote-netrc"), help: RemoteOption.netrc.help("file"), completion: .file())
  var netrc: String?
  @Option(name: .customLong("remote-ca"), help: RemoteOption.ca.help("file"), completion: .file()) var ca: String?
  @Option(
    name: .customLong("remote-certificate"), help: RemoteOption.certificate.help("file"), completion: .file())
  var certificate: String?
  @Option(name: .customLong("remote-key"), help: RemoteOption.key.help("file"), completion: .file()) var key: String?
  @Option(name: .customLong("remote-executor"), help: RemoteOption.executor.help("url")) var executor: String?
  @Option(name: .customLong("remote-property"), help: RemoteOption.property.help("name=value"))
  var property: [String] = []
  @Option(name: .customLong("remote-program"), help: RemoteOption.program.help("name")) var program: [String] = []
  @Option(name: .customLong("remote-timeout"), help: RemoteOption.timeout.help("seconds")) var timeout: String?
  @Option(name: .customLong("remote-retries"), help: RemoteOption.retries.help("number")) var retries: String?
  @Flag(name: .customLong("remote-cache-required"), help: "A failure of the remote cache is one of the command.")
  var required = false

  var layer: RemoteLayer {
    let texts: [RemoteOption: String?] = [
      .cache: cache, .upload: upload, .tokenFile: tokenFile, .netrc: netrc, .ca: ca, .certificate: certificate,
      .key: key, .executor: executor, .timeout: timeout, .retries: retries, .required: required ? "true" : nil,
    ]
    var values = texts.compactMapValues { $0.map { [$0] } }
    for (option, texts) in [(RemoteOption.header, header), (.property, property), (.program, program)]
    where !texts.isEmpty { values[option] = texts }
    return RemoteLayer(options: values)
  }
}

/// The cache of a plugin's manifest, or of the command line alone where there is no manifest.
struct CacheOptions: ParsableArguments {
  @OptionGroup var manifest: ManifestOptions
  @OptionGroup var remote: RemoteOptions

  func settings() async throws(Mistakes) -> RemoteSettings? {
    try await CacheReport.settings(remote.layer, manifest.options, client: RemoteClients.client)
  }
}
