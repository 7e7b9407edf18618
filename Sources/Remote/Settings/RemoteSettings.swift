package import Findings
import Store
import SystemPackage

/// Makes the client for the server that the settings name.
package typealias RemoteClient = @Sendable (RemoteSettings) -> any RemoteCache

/// A remote cache and how it is used, checked before anything is asked of it.
package struct RemoteSettings: Sendable {
  package let url: RemoteURL
  /// The option that names it: `--remote-cache`, `NPI_PACK_REMOTE_CACHE`, `remote.cache`.
  let option: String
  let uploads: Bool
  /// In milliseconds.
  package let timeout: Int
  package let retries: Int
  /// Whether a build without the cache is worth nothing.
  let isRequired: Bool
  package let access: HTTPAccess
  /// Whether steps may be carried out by the server's workers, and what those are to be.
  package let executes: Bool
  package let properties: [(name: String, value: String)]
  /// The programs that every worker has.
  package let programs: Set<String>
  private let client: RemoteClient

  /// In seconds.
  private static let usualTimeout = 10
  private static let usualRetries = 2

  /// Nil if no source names a cache. Of each option the first source that has it counts.
  ///
  /// - Parameters:
  ///   - layers: the command line, the environment and the manifest.
  ///   - variable: a variable of the environment; nil if it is not set.
  package init?(
    _ layers: [RemoteLayer], client: @escaping RemoteClient, variable: (String) -> String?
  ) throws(Mistakes) {
    // An executor has a cache of its own, with the inputs and the outputs of what it carries out.
    guard let home = layers.first(where: { $0.values[.cache] ?? $0.values[.executor] != nil }),
      let cache = (home.values[.cache] ?? home.values[.executor])?.last
    else { return nil }
    option = cache.name
    url = try RemoteSettings.address(cache)
    // A manifest may be a stranger's: it does not decide what is sent to the cache that the user named.
    let trusted = layers.filter { home.source == .manifest || $0.source != .manifest }
    func values(_ option: RemoteOption) -> [RemoteLayer.Value] {
      (option.decidesTrust ? trusted : layers).compactMap { $0.values[option] }.first ?? []
    }
    executes = try RemoteSettings.executes(values(.executor).last, cache, url)
    properties = try values(.property).map { value throws(Mistakes) in try RemoteSettings.property(value) }
    programs = Set(values(.program).map(\.text))
    timeout = 1000 * (try RemoteSettings.number(values(.timeout).last, 1...3600) ?? RemoteSettings.usualTimeout)
    retries = try RemoteSettings.number(values(.retries).last, 0...20) ?? RemoteSettings.usualRetries
    isRequired = try RemoteSettings.choice(values(.required).last, ["false", "true"]) == "true"
    var access = HTTPAccess()
    for header in values(.header) { access.headers.append(try RemoteSettings.header(header, variable)) }
    let token = variable("NPI_PACK_REMOTE_TOKEN").flatMap { $0.isEmpty ? nil : $0 }
    if let token {
      access.headers.append(try RemoteSettings.bearer(token, .init(token, name: "NPI_PACK_REMOTE_TOKEN")))
    } else if let file = values(.tokenFile).last {
      access.headers.append(try RemoteSettings.bearer(RemoteSettings.text(file.text, file), file))
    }
    access.authority = try RemoteSettings.readable(values(.ca).last)
    access.certificate = try RemoteSettings.readable(values(.certificate).last)
    access.key = try RemoteSettings.readable(values(.key).last)
    access.netrc = try RemoteSettings.readable(values(.netrc).last)
    if url.isForGRPC, let netrc = values(.netrc).last {
      throw netrc.mistake(
        "a server with gRPC is sent no name and password", hint: "use --remote-token-file or --remote-header")
    }
    if access.certificate == nil, let key = values(.key).last {
      throw key.mistake("a key is of use only with its certificate", hint: "add \(RemoteOption.certificate.option)")
    }
    let isKnown = !access.headers.isEmpty || access.certificate != nil || access.netrc != nil
    // The commands of a tree run as this user, and could read the environment of this process.
    if isKnown { HostProcess.hideFromOthers() }
    switch try RemoteSettings.choice(values(.upload).last, ["never", "auto", "always"]) ?? "never" {
    case "always": uploads = true
    case "auto": uploads = isKnown && variable("CI").map { !$0.isEmpty && $0 != "false" } == true
    default: uploads = false
    }
    (self.access, self.client) = (access, client)
  }

  /// Reads the environment of this process, which comes after its command line and before a manifest.
  package static func resolved(
    _ layers: RemoteLayer..., client: @escaping RemoteClient
  ) throws(Mistakes) -> RemoteSettings? {
    let variable = { (name: String) in HostProcess.variable(name).map { String(decoding: $0, as: UTF8.self) } }
    return try RemoteSettings(
      layers.prefix(1) + [RemoteLayer(environment: variable)] + layers.dropFirst(), client: client,
      variable: variable)
  }

  package var cache: any RemoteCache { client(self) }

  /// The error for a user without a store, in which fetched results are kept.
  package static var noStore: Mistakes {
    Mistakes(
      "a remote cache needs the user's own store, and there is no place for it",
      hint: "set HOME, or NPI_PACK_STORE to a folder that can be written")
  }

  private static func address(_ value: RemoteLayer.Value) throws(Mistakes) -> RemoteURL {
    do throws(RemoteURLError) { return try RemoteURL(value.text) } catch {
      throw value.mistake("'\(value.text)' \(error.reason)", hint: error.hint)
    }
  }

  private static func number(_ value: RemoteLayer.Value?, _ range: ClosedRange<Int>) throws(Mistakes) -> Int? {
    guard let value else { return nil }
    guard let number = Int(value.text), range.contains(number) else {
      throw value.mistake("'\(value.text)' is no number of \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private static func choice(_ value: RemoteLayer.Value?, _ choices: [String]) throws(Mistakes) -> String? {
    guard let value else { return nil }
    guard choices.contains(value.text) else {
      throw value.mistake("'\(value.text)' is none of \(choices.joined(separator: ", "))")
    }
    return value.text
  }

  private static func readable(_ value: RemoteLayer.Value?) throws(Mistakes) -> String? {
    guard let value else { return nil }
    _ = try text(value.text, value)
    return value.text
  }

  /// In bytes. Certificates of a whole system are some hundred thousand.
  private static let maxFileSize = 4 << 20

  private static func text(_ path: String, _ value: RemoteLayer.Value) throws(Mistakes) -> String {
    do throws(FileError) {
      return String(decoding: try FileSystem.read(FilePath(path), limit: maxFileSize), as: UTF8.self)
    } catch {
      throw value.mistake("\(error)", hint: error.hint)
    }
  }

  private static func bearer(_ token: String, _ value: RemoteLayer.Value) throws(Mistakes) -> Secret {
    let bytes = token.utf8.filter { ![0x0A, 0x0D].contains($0) }
    guard !bytes.isEmpty, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw value.mistake("this is no token: it is empty, or has a space or another sign that none has")
    }
    return Secret("Authorization: Bearer " + String(decoding: bytes, as: UTF8.self))
  }

  /// `NAME=VALUE`, `NAME=env:VARIABLE`, `NAME=file:PATH`. No message has the value.
  private static func header(
    _ value: RemoteLayer.Value, _ variable: (String) -> String?
  ) throws(Mistakes) -> Secret {
    let parts = value.text.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(decoding: parts[0], as: UTF8.self)
    guard parts.count == 2, !name.isEmpty, name.utf8.allSatisfy(isNameByte) else {
      throw value.mistake(
        "this is not NAME=VALUE with the name of a header",
        hint: "for example Authorization=env:CACHE_AUTHORIZATION")
    }
    var text = String(decoding: parts[1], as: UTF8.self)
    if text.hasPrefix("env:") {
      let own = String(text.dropFirst(4))
      guard value.place == nil || own.hasPrefix("NPI_PACK_") else {
        throw value.mistake(
          "a manifest may send no variable of the environment but those that begin with NPI_PACK_",
          hint: "set NPI_PACK_\(own), or use --remote-header")
      }
      guard let found = variable(own) else {
        throw value.mistake("the variable of the header '\(name)' is not set: \(own)")
      }
      text = found
    } else if text.hasPrefix("file:") {
      guard value.place == nil else {
        throw value.mistake("a manifest may send no file", hint: "use --remote-header, or env:NPI_PACK_…")
      }
      let content = try self.text(String(text.dropFirst(5)), value)
      text = String(decoding: content.utf8.prefix { ![0x0A, 0x0D].contains($0) }, as: UTF8.self)
    }
    guard text.utf8.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }) else {
      throw value.mistake("the value of the header '\(name)' has a line break or another sign that none has")
    }
    return Secret("\(name): \(text)")
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || "-_.".utf8.contains(byte)
  }
}
