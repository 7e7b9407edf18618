package import Artifacts
package import Findings
package import Linking
import ObjectFiles

/// Two libraries with one name. Xcode links a library by its name (`-lX`, `-framework X`): the first that is found is
/// taken, and no linker looks at the others. By their paths both are linked, and what both define is a duplicate.
///
/// Xcode copies the libraries of XCFrameworks to one place before it links anything: two of one name are an error.
package enum ShadowedLibrary: CollisionRule {
  package static let id: RuleID = "shadowed-library"
  package static let noun = (one: "library of the same name", many: "libraries of the same names")

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    let names = Place.toldApart(collision.sites.map(\.artifact))
    let same =
      switch collision.identical {
      case true: "the copies are the same"
      case false: "the copies differ"
      case nil: "whether the copies are the same is not known"
      }
    let byPath =
      collision.count == 0
      ? "linked by path (--link-by path), whether the link fails depends on what the app uses"
      : "linked by path (--link-by path), the link fails: \(counted(collision)) twice, such as "
        + listed(collision.examples, limit: 1)
    let hint =
      "leave \(names.count == 2 ? "one" : "all but one") out; if both are needed, ask a vendor to rename its own"
    if collision.verdict == .error {
      return (
        "\(collision.name.text) is there \(collision.times): \(outcome(collision) ?? "")",
        ["Xcode prints: Multiple commands produce '…/\(collision.name.text)'", same, byPath], hint
      )
    }
    return (
      "\(collision.name.text) is there \(collision.times), and Xcode links by name: \(names[0]) is taken, and "
        + "\(enumerated(Array(names.dropFirst()))) never looked at; \(same)",
      [byPath], hint
    )
  }

  package static func outcome(_ collision: Collision) -> String? {
    collision.verdict == .error
      ? "Xcode copies all of them to one place" : "the first are linked, and the others are not"
  }

  private static func counted(_ collision: Collision) -> String {
    Findings.counted(collision.count, "symbol is there", "symbols are there")
  }

  private static let maxExamples = 3

  /// `libraries` have the paths of the files that share a name, in the order of the line. `whole` is the link of all of
  /// them by their paths.
  package static func collisions(
    _ libraries: [(name: String, paths: [String])], in whole: LinkResult, _ slice: Slice,
    origin: (String) -> FileOrigin
  ) -> [Collision] {
    let set = whole.symbols.set
    let numbers = Dictionary(
      whole.files.named.map { (set.files[$0].path, $0) }, uniquingKeysWith: { first, _ in first })
    return libraries.compactMap { name, paths in
      let sites = paths.map { path in
        let origin = origin(path)
        return Collision.Site(origin.place, of: origin.plugin, .library)
      }
      let copied = sites.filter { XCFramework.split($0.artifact.parts.last ?? "") != nil }
      let files = paths.compactMap { numbers[$0] }
      // `duplicate-framework` tells of frameworks that Xcode copies, as it does those with a dynamic library.
      if name.hasSuffix(".framework"), copied.count > 1 || files.allSatisfy(set.isLibrary) { return nil }
      let isSame = files.count == paths.count ? files.dropFirst().allSatisfy { set.areSame(files[0], $0) } : nil
      var collision =
        copied.count > 1
        ? Collision(id, .error, slice, name, copied, identical: isSame)
        : Collision(id, .silent, slice, name, sites, winner: paths[0], identical: isSame)
      let own = Set(paths)
      let twice = whole.verdict.duplicates.filter { duplicate in
        duplicate.isError && duplicate.pairs.contains { pair in pair.allSatisfy { own.contains($0.file) } }
      }
      (collision.count, collision.examples) = (twice.count, twice.prefix(maxExamples).map(\.name))
      return collision
    }
  }
}

extension LinkSet {
  /// Whether a file is a dynamic library.
  fileprivate func isLibrary(_ file: FileID) -> Bool {
    if case .library = content(of: file) { true } else { false }
  }

  /// Whether two files have the same object files in the same order; dynamic libraries are compared whole.
  fileprivate func areSame(_ one: FileID, _ other: FileID) -> Bool {
    let (mine, others) = (objects(of: one), objects(of: other))
    if mine.isEmpty || others.isEmpty {
      return files[one].bytes.withReader { a in files[other].bytes.withReader { b in a.equals(a.range, b, b.range) } }
    }
    return mine.count == others.count
      && zip(mine, others).allSatisfy { a, b in
        let (a, b) = (bytes(of: a), bytes(of: b))
        return a.bytes.withReader { one in b.bytes.withReader { one.equals(a.range, $0, b.range) } }
      }
  }
}
