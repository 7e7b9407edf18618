import Findings

/// Two plugins that carry different builds of one library. No linker says anything, as long as each name is taken once, and yet
/// it is the worst that a report has: code of the one build works on data of the other.
extension CollisionGroup {
  /// As many names that differ are no chance.
  private static let mostByChance = 100
  /// Of libraries that keep keys and connections.
  private static let mostOfSecurityByChance = 10

  /// Known by how their functions are called.
  private static let securityLibraries: [(name: String, prefixes: [String])] = [
    ("OpenSSL", ["_OPENSSL_", "_EVP_", "_SSL_CTX_", "_CRYPTO_"]), ("Mbed TLS", ["_mbedtls_"]),
    ("wolfSSL", ["_wolfSSL_"]),
    ("GnuTLS", ["_gnutls_"]), ("libgcrypt", ["_gcry_"]), ("libsodium", ["_sodium_", "_crypto_secretbox"]),
    ("SQLCipher", ["_sqlcipher_"]),
  ]

  /// A line for each set of plugins; `names`: how plugins are called.
  static func copies(_ groups: [CollisionGroup], _ names: [String: String]) -> [String] {
    let ofNames = groups.filter { $0.rule.id == DuplicateSymbol.id && $0.plugins.count > 1 }
    return Dictionary(grouping: ofNames, by: \.plugins).compactMap { plugins, groups -> (count: Int, text: String)? in
      var all: Set<String> = []
      var different: Set<String> = []
      for collision in groups.lazy.flatMap(\.all) {
        all.insert(collision.name.text)
        if collision.identical == false { different.insert(collision.name.text) }
      }
      let library = securityLibraries.first { library in
        all.contains { name in library.prefixes.contains(where: name.hasPrefix) }
      }?.name
      guard different.count >= (library == nil ? mostByChance : mostOfSecurityByChance) else { return nil }
      let what = library.map { "copies of \($0)" } ?? "copies of one library"
      return (
        different.count,
        "\(together(plugins.map { names[$0] ?? $0 })) carry different \(what) (\(all.count) names, \(different.count) of them "
          + "different): the app may crash, and no linker says so"
      )
    }.sorted { ($0.count, $1.text) > ($1.count, $0.text) }.map(\.text)
  }
}
