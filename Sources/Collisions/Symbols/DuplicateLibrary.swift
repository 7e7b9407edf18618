package import Findings

/// Two plugins that carry different builds of one library. No linker says anything, as long as each name is taken once, and yet
/// it is the worst that a report has: code of the one build works on data of the other. It is made of the names that collide.
package enum DuplicateLibrary: CollisionRule {
  package static let id: RuleID = "duplicate-library"
  package static let noun = (one: "library in different builds", many: "libraries in different builds")
  package static let isInCommon = false
  package static let leads = true

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    let what = collision.name.text.isEmpty ? "copies of one library" : "copies of \(collision.name.text)"
    return (
      "\(CollisionGroup.together(collision.examples)) carry different \(what) (\(collision.count) of their names differ): "
        + "the app may crash, and no linker says so",
      [],
      "let the plugins share one build of it, leave one of them out, or ask a vendor to hide its own"
    )
  }

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

  /// One for each set of plugins and slice. Names for which the link fails are no danger: there will be no app.
  static func collisions(in all: [Collision], plugins: [String]) -> [Collision] {
    let groups = grouped(all.filter { $0.rule == DuplicateSymbol.id && $0.verdict != .error }, plugins: plugins)
      .filter { $0.plugins.count > 1 }
    let names = CollisionGroup.shortNames(Set(groups.flatMap(\.plugins)))
    let byPlugins = Dictionary(grouping: groups, by: \.plugins).sorted { $0.key.lexicographicallyPrecedes($1.key) }
    return byPlugins.flatMap { plugins, groups -> [Collision] in
      let bySlice = Dictionary(grouping: groups.lazy.flatMap(\.all), by: \.slice).map { ($0, $1) }
      return bySlice.sorted { $0.1[0].sliceName < $1.1[0].sliceName }.compactMap { slice, all in
        let different = Set(all.lazy.filter { $0.identical == false }.map(\.name.text))
        let library = securityLibraries.first { library in
          all.contains { one in library.prefixes.contains(where: one.name.text.hasPrefix) }
        }?.name
        guard different.count >= (library == nil ? mostByChance : mostOfSecurityByChance) else { return nil }
        var seen: Set<Place> = []
        let sites = all.flatMap(\.sites).filter { seen.insert($0.artifact).inserted }.map { site in
          var file = Collision.Site(site.artifact, .library)
          file.plugin = site.plugin
          return file
        }
        var collision = Collision(id, .silent, slice, library ?? "", sites, identical: false)
        collision.count = different.count
        collision.examples = plugins.map { names[$0] ?? $0 }
        return collision
      }
    }
  }
}

extension DuplicateLibrary {
  package static let explanation: RuleExplanation? = RuleExplanation(
    why: """
      Two plugins carry one library, OpenSSL for example, in different builds. Of each function the app
      gets one, now from the one build and now from the other, whose structures need not be the same.
      The app builds, and crashes or, worse, does not check what it should. Only a comparison of the
      bytes finds it.
      """,
    bad: """
      RallyConnector-1.4.0-ios.zip › libcrypto.a     OpenSSL 1.1.1
      Scanner-2.0.0-ios.zip › libcrypto.a            OpenSSL 3.0.2
      """,
    good: """
      RallyConnector-1.4.0-ios.zip › libcrypto.a     OpenSSL 3.0.2
      Scanner-2.0.0-ios.zip                          says in its papers that it needs it
      """,
    mend: """
      Let the plugins share one build of the library, or leave one of the plugins out. A vendor can hide
      its own copy: link the objects into one and keep only the plugin's own names visible.
      """)
}
