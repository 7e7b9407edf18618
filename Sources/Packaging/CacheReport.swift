import Artifacts
package import Findings
package import Remote
import Store
import SystemPackage

/// The reports of `npi-pack cache` on the user's store and on a remote cache.
package enum CacheReport {
  package struct Text: Sendable {
    package var lines: [String] = []
    package var isWell = true

    fileprivate mutating func add(_ answer: CacheProbe.Answer) {
      lines.append(answer.text)
      isWell = isWell && answer.isWell
    }
  }

  /// The settings of the command line, the environment, and the manifest if there is one.
  package static func settings(
    _ commandLine: RemoteLayer, _ options: Project.Options, client: @escaping RemoteClient
  ) async throws(Mistakes) -> RemoteSettings? {
    let isThere = try explained { try FileSystem.status(of: options.manifestPath, followingLinks: true) != nil }
    return isThere
      ? try await Project.open(options).remote(commandLine, client: client)
      : try RemoteSettings.resolved(commandLine, client: client)
  }

  package static func status(_ settings: RemoteSettings?) async throws(Mistakes) -> Text {
    var text = Text()
    if let own = try explained({ try UserStore.contents() }) {
      let size = "\(RemoteTally.byteText(own.bytes)) of at most \(RemoteTally.byteText(own.limit))"
      text.lines.append("store: \(own.folder), \(counted(own.files, "file")), \(size)")
    } else {
      text.lines.append("store: none: set HOME, or NPI_PACK_STORE")
    }
    guard let settings else {
      text.lines.append("remote: none: --remote-cache, NPI_PACK_REMOTE_CACHE or the manifest's 'remote' names one")
      return text
    }
    text.lines.append("remote: \(settings.summary)")
    text.add(try await CacheProbe(settings).reach())
    let runs = UserStore.prepared.store.map { RemoteHistory($0).runs } ?? []
    let sum = runs.reduce(into: RemoteTally()) { $0.add($1) }
    if !runs.isEmpty { text.lines.append("last \(counted(runs.count, "run")): \(sum.rate)") }
    return text
  }

  package static func verify(_ settings: RemoteSettings?) async throws(Mistakes) -> Text {
    guard let settings else {
      throw Mistakes("there is no remote cache to verify", hint: "name one: --remote-cache https://…")
    }
    var text = Text(lines: ["remote: \(settings.summary)"])
    let probe = try CacheProbe(settings)
    text.add(await probe.reach())
    // A server that cannot be reached would give the same reason six times.
    if text.isWell { for answer in await probe.verify() { text.add(answer) } }
    return text
  }

  /// - Parameter size: how much may be left, in bytes, or with K, M or G behind it.
  package static func trim(_ size: String) throws(Mistakes) -> Text {
    guard let bytes = bytes(size) else {
      throw Mistakes("'\(size)' is no size", hint: "for example 500M or 2G")
    }
    guard let done = try explained({ try UserStore.trim(to: bytes) }) else {
      throw Mistakes("there is no store to trim", hint: "set HOME, or NPI_PACK_STORE")
    }
    if done.isBusy { return Text(lines: ["another npi-pack trims the store now"]) }
    let left = "\(RemoteTally.byteText(done.remaining)) are left"
    return Text(lines: [
      done.files == 0
        ? "nothing to remove: \(left)"
        : "removed \(counted(done.files, "file")), \(RemoteTally.byteText(done.bytes)): \(left)"
    ])
  }

  private static func bytes(_ text: String) -> Int64? {
    let units: [UInt8: Int64] = [
      UInt8(ascii: "K"): 1000, UInt8(ascii: "M"): 1_000_000, UInt8(ascii: "G"): 1_000_000_000,
    ]
    let unit = text.utf8.last.flatMap { units[$0] }
    let digits = unit == nil ? text : String(text.dropLast())
    guard let number = Int64(digits), number >= 0 else { return nil }
    let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: unit ?? 1)
    return isTooLarge ? nil : bytes
  }
}
