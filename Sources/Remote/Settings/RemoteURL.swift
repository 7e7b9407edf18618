/// The address of a remote cache, checked.
package struct RemoteURL: Sendable {
  /// Without a slash at its end.
  package let text: String
  /// With the port, if there is one; for messages.
  package let host: String
  /// Without the port, and without the brackets of an address of IPv6.
  package let hostName: String
  package let port: Int?
  /// Whether the connection is encrypted.
  package let isSecure: Bool
  /// Whether it names a server with gRPC.
  package let isForGRPC: Bool
  /// The part behind the host, without slashes at its ends. With gRPC it is the name of the server's instance.
  package let path: String

  /// Throws the reason, after the address: `is for another kind of server`.
  init(_ text: String) throws(RemoteURLError) {
    let bytes = Array(text.utf8)
    guard bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw RemoteURLError("has a space or another sign that no address has", hint: "escape it, as %20 for a space")
    }
    guard let scheme = RemoteURL.schemes.first(where: { text.lowercased().hasPrefix($0 + "://") }) else {
      throw RemoteURLError("is no address of a cache", hint: "it begins with https:// or http://")
    }
    isForGRPC = scheme.hasPrefix("grpc")
    isSecure = scheme.hasSuffix("s")
    guard !isForGRPC || RemoteURL.speaksGRPC else {
      throw RemoteURLError(
        "is for a server with gRPC, which this npi-pack does not speak",
        hint: "name the address of its cache over HTTP, or build npi-pack with make install REAPI=1")
    }
    let rest = bytes.dropFirst(scheme.utf8.count + 3)
    let authority = rest.prefix { !"/?#".utf8.contains($0) }
    guard !authority.contains(UInt8(ascii: "@")) else {
      throw RemoteURLError(
        "has a name and a password in it, which lists of processes would show",
        hint: "use --remote-netrc, --remote-token-file or --remote-header")
    }
    guard !authority.isEmpty, authority.first != UInt8(ascii: ":") else {
      throw RemoteURLError("names no host", hint: "for example https://cache.example.com/npi-pack")
    }
    guard !rest.contains(where: { "?#".utf8.contains($0) }) else {
      throw RemoteURLError("has a ? or # in it", hint: "a cache is a folder: /ac/… and /cas/… are put behind it")
    }
    var whole = bytes[...]
    while whole.last == UInt8(ascii: "/") { whole.removeLast() }
    self.text = String(decoding: whole, as: UTF8.self)
    host = String(decoding: authority, as: UTF8.self)
    let end = authority.lastIndex(of: UInt8(ascii: "]")).map { $0 + 1 } ?? authority.startIndex
    let colon = authority[end...].lastIndex(of: UInt8(ascii: ":"))
    let name = authority[..<(colon ?? authority.endIndex)]
    hostName = String(decoding: end > authority.startIndex ? name.dropFirst().dropLast() : name, as: UTF8.self)
    let number = colon.map { String(decoding: authority[($0 + 1)...], as: UTF8.self) }
    port = number.flatMap { Int($0) }
    guard number == nil || (1...65535).contains(port ?? 0) else {
      throw RemoteURLError(
        "has a port that is no number of 1 to 65535", hint: "for example https://cache.example.com:8443")
    }
    path = String(
      decoding: whole.dropFirst(scheme.utf8.count + 3 + authority.count).drop { $0 == UInt8(ascii: "/") },
      as: UTF8.self)
  }

  #if REAPI
    private static let speaksGRPC = true
  #else
    private static let speaksGRPC = false
  #endif

  private static let schemes = ["https", "http", "grpcs", "grpc"]

  /// The host of an address that a server names; it is for a message.
  package static func host(of text: String) -> String {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 3, omittingEmptySubsequences: false)
    return parts.count > 2 && parts[1].isEmpty ? String(decoding: parts[2], as: UTF8.self) : text
  }
}

struct RemoteURLError: Error {
  package let reason: String
  package let hint: String

  init(_ reason: String, hint: String) { (self.reason, self.hint) = (reason, hint) }
}
