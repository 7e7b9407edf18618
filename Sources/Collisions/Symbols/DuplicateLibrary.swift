import Artifacts
package import Findings

/// Two plugins that carry different builds of one library. No linker reports it as long as each name is taken once, and
/// yet it is the worst finding: code of one build works on data of the other. It is derived from the names that
/// collide.
package enum DuplicateLibrary: CollisionRule, CollisionFamily {
  package static let id: RuleID = "duplicate-library"
  package static let noun = (one: "library in different builds", many: "libraries in different builds")
  package static let isInCommon = false
  package static let leads = true
  package static let name = "libraries"
  package static var rules: [any CollisionRule.Type] { [Self.self] }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    let what = collision.name.text.isEmpty ? "copies of one library" : "copies of \(collision.name.text)"
    return (
      "\(CollisionGroup.together(collision.examples)) carry different \(what) (\(collision.count) of their names differ): "
        + "the app may crash, and no linker says so",
      [],
      "let the plugins share one build of it, leave one of them out, or ask a vendor to hide its own"
    )
  }

  /// This many names that differ are no coincidence.
  private static let maxByChance = 100
  /// The same limit for libraries that keep keys and connections.
  private static let maxOfSecurityByChance = 10

  /// Libraries that are recognized by the prefixes of their functions.
  private static let securityLibraries: [(name: String, prefixes: [String])] = [
    ("OpenSSL", ["_OPENSSL_", "_EVP_", "_SSL_CTX_", "_CRYPTO_"]), ("Mbed TLS", ["_mbedtls_"]),
    ("wolfSSL", ["_wolfSSL_"]),
    ("GnuTLS", ["_gnutls_"]), ("libgcrypt", ["_gcry_"]), ("libsodium", ["_sodium_", "_crypto_secretbox"]),
    ("SQLCipher", ["_sqlcipher_"]),
  ]

  /// One collision for each set of plugins and slice. Names for which the link fails do not count, because there will
  /// be no app.
  package static func judge(_ context: CheckContext) -> Judgement<Collision> {
    if context.links.isEmpty { return .cannot("no plugin has code for Apple's platforms") }
    let all = context.links.flatMap(\.collisions)
    var groups: [[String]: Group] = [:]
    // Many consecutive collisions are of the same files: comparing files is cheaper than hashing plugins for each name.
    var run: (first: Int, key: [String])?
    var members: [Int] = []
    func end() {
      if let run { groups[run.key, default: Group()].add(members, of: all) }
      members = []
    }
    for index in all.indices
    where all[index].rule == DuplicateSymbol.id && all[index].verdict != .error && all[index].identical == false {
      if let run, all[index].isOfFiles(of: all[run.first]) {
        members.append(index)
        continue
      }
      end()
      let plugins = Set(
        all[index].sites.map { site in site.plugin.map { context[$0].name.shown } ?? site.artifact.parts.first ?? "" })
      run = plugins.count > 1 ? (index, [all[index].sliceName] + plugins.sorted()) : nil
      if run != nil { members = [index] }
    }
    end()
    let found = groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.compactMap { key, group -> Collision? in
      let library = group.library
      guard group.count >= (library == nil ? maxByChance : maxOfSecurityByChance) else { return nil }
      var collision = Collision(id, .silent, group.slice, library ?? "", group.sites, identical: false)
      (collision.count, collision.examples) = (group.count, Array(key.dropFirst()))
      return collision
    }
    return .found(found)
  }

  /// The collisions of the same plugins in one slice.
  private struct Group {
    var count = 0
    var slice: Slice?
    var sites: [Collision.Site] = []
    /// The index of the first of `securityLibraries` that a name belongs to.
    private var number: Int?
    var library: String? { number.map { securityLibraries[$0].name } }

    /// `members` are of the same files.
    mutating func add(_ members: [Int], of all: [Collision]) {
      guard let first = members.first else { return }
      count += members.count
      slice = all[first].slice
      for site in all[first].sites where !sites.contains(where: { $0.artifact == site.artifact }) {
        sites.append(Collision.Site(site.artifact, of: site.plugin, .library))
      }
      for index in members {
        let name = all[index].name.text
        let found = securityLibraries.prefix(number ?? securityLibraries.count)
          .firstIndex { $0.prefixes.contains(where: name.hasPrefix) }
        number = found ?? number
      }
    }
  }
}

extension Collision {
  /// Whether it is of the same slice and files as another.
  fileprivate func isOfFiles(of other: Collision) -> Bool {
    sites.count == other.sites.count && slice == other.slice
      && zip(sites, other.sites).allSatisfy { $0.artifact == $1.artifact }
  }
}
