package import Findings

/// The settings of a remote cache: on the command line (`--remote-NAME`), in the environment (`NPI_PACK_REMOTE_NAME`) and
/// in a manifest (`remote: {NAME: …}`).
package enum RemoteOption: String, CaseIterable, Sendable {
  case cache, header, upload, timeout, retries, required, ca, certificate, key, netrc
  case tokenFile = "token-file"
  case executor, property, program

  package var option: String { "--remote-\(rawValue)" }

  /// `NPI_PACK_REMOTE_TOKEN_FILE`
  package var variable: String {
    "NPI_PACK_REMOTE_"
      + String(rawValue.unicodeScalars.map { $0 == "-" ? "_" : Character($0.properties.uppercaseMapping) })
  }

  package var summary: String {
    switch self {
    case .cache:
      "the address of a cache on another machine, where results are looked up: https://… or http://…"
    case .header: "a header of each request: NAME=VALUE, NAME=env:VARIABLE or NAME=file:PATH"
    case .upload: "whether new results are given to the cache: never, auto (in CI, with a credential) or always (never)"
    case .timeout: "how long one request may take or stand still, in seconds (10)"
    case .retries: "how often a request is tried again after a failure that may pass (2)"
    case .required: "whether a failure of the cache is one of the command (false)"
    case .ca: "a file of certificates in place of the system's"
    case .certificate: "the client's certificate, a PEM file"
    case .key: "the key of that certificate"
    case .netrc: "a netrc file with the name and the password for the cache's host"
    case .executor:
      "the address of a server with workers, whose cache is used, too: grpcs://… or grpc://…"
    case .property: "what a worker must be, as the server calls it: NAME=VALUE"
    case .program: "a program that every worker has, so that a step may run it there"
    case .tokenFile: "a file with a bearer token; NPI_PACK_REMOTE_TOKEN has one itself"
    }
  }

  /// Whether it names a file with a secret. A manifest, which may be a stranger's, must not choose files that are sent away.
  package var isSecretFile: Bool {
    switch self {
    case .certificate, .key, .netrc, .tokenFile: true
    default: false
    }
  }

  /// Whether it decides what the cache gets and whom the user trusts. A manifest, which may be a stranger's, says such a
  /// thing only of a cache that it names itself.
  var decidesTrust: Bool {
    switch self {
    case .timeout, .retries, .required: false
    default: true
    }
  }
}

/// The settings of one source.
package struct RemoteLayer: Sendable {
  package enum Source: Sendable { case commandLine, environment, manifest }

  package struct Value: Sendable {
    let text: String
    /// For messages: `--remote-cache`, `NPI_PACK_REMOTE_CACHE`, `remote.cache`.
    let name: String
    /// In a manifest.
    let place: Place?

    package init(_ text: String, name: String, at place: Place? = nil) {
      (self.text, self.name, self.place) = (text, name, place)
    }

    func mistake(_ text: String, hint: String? = nil) -> Mistakes {
      Mistakes("\(name): \(text)", at: place, hint: hint)
    }
  }

  let source: Source
  let values: [RemoteOption: [Value]]

  package init(_ source: Source, _ values: [RemoteOption: [Value]]) { (self.source, self.values) = (source, values) }

  package init(options: [RemoteOption: [String]]) {
    self.init(
      .commandLine,
      Dictionary(uniqueKeysWithValues: options.map { key, texts in (key, texts.map { Value($0, name: key.option) }) }))
  }

  /// - Parameter variable: a variable of the environment; nil if it is not set.
  package init(environment variable: (String) -> String?) {
    var values: [RemoteOption: [Value]] = [:]
    for option in RemoteOption.allCases {
      guard let text = variable(option.variable), !text.isEmpty else { continue }
      // A variable has one header on each line.
      let texts =
        option == .header ? text.utf8.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) } : [text]
      values[option] = texts.map { Value($0, name: option.variable) }
    }
    self.init(.environment, values)
  }
}
