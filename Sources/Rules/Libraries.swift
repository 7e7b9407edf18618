package import Artifacts
package import Findings
import ObjectFiles

/// An iOS zip has at least one static library at its root: the host links what it finds there.
package enum MissingLibrary: Rule {
  package static let id: RuleID = "missing-library"
  package static let kinds: Set<ArtifactKind>? = [.iosZip]
  package static let facts: [any Facts.Type] = [CodeFacts.self]

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    let named = inventory.items.filter { $0.isFile && $0.parts.count == 1 && $0.name.hasSuffix(".a") }
    if named.isEmpty {
      return [
        finding(
          judging, "there is no static library (.a) at the root", at: inventory.place,
          hint: "list the library itself under 'items', not a folder that holds it")
      ]
    }
    // The host links each of them. A library that cannot be read is reported by another rule.
    let isOneThere = named.contains { $0.isStaticLibrary }
    let wrong = named.filter { item in
      !item.isStaticLibrary && !(isOneThere && item.facts(CodeFacts.self)?.errors.isEmpty == false)
    }
    return wrong.map { item in
      var why = "it holds no machine code"
      if let code = item.facts(CodeFacts.self) {
        let isThin = code.kind == .thinArchive
        why = isThin ? "it is a thin one, which only names its object files and does not hold them" : item.why(code)
      } else if let reason = item.damage {
        why = "it cannot be read: \(reason)"
      }
      return finding(judging, "\(item.lastPart) is not a static library: \(why)", at: inventory.site(item))
    }
  }
}

/// Every library has a slice for each architecture that the host builds for.
package enum MissingArchitecture: HostRule {
  package static let id: RuleID = "missing-architecture"
  package static let kinds: Set<ArtifactKind>? = .apple
  package static let facts: [any Facts.Type] = [CodeFacts.self]
  package static let parameters = [
    RuleParameter(name: "architectures", kind: .list, summary: "the architectures that every library must have")
  ]

  package static func check(_ inventory: Inventory, _ judging: Judging) throws(CannotJudge) -> [Finding] {
    let wanted = try judging.list("architectures", or: "the host's architectures are not set")
    return inventory.facts(CodeFacts.self).compactMap { item, code in
      // Code in a resource bundle is another rule's concern; an XCFramework's libraries are for one platform each.
      guard code.kind != .elf, !inventory.isInXCFramework(item) else { return nil }
      guard inventory.bundle(of: item) == nil else { return nil }
      if let error = code.errors.first {
        return finding(
          judging, "\(item.lastPart) cannot be read: \(error)", at: inventory.site(item), hint: "build it again")
      }
      let present = code.architectures.map(\.name).filter { !code.bitcodeOnly.contains($0) }
      let missing = wanted.filter { !present.contains($0) }
      guard !missing.isEmpty else { return nil }
      let has = present.isEmpty ? "it has none" : "it has \(present.joined(separator: ", "))"
      let bitcode = code.bitcodeOnly.isEmpty ? "" : "; bitcode only for \(listed(code.bitcodeOnly))"
      return finding(
        judging, "\(item.lastPart) has no code for \(missing.joined(separator: ", "))", about: missing,
        at: inventory.site(item),
        notes: [has + bitcode],
        hint: "compile for each architecture and join the results with a 'universal-library' step"
          + ofOthers(wanted.filter(present.contains)), edit: accepted(wanted.filter(present.contains)))
    }
  }

  private static func accepted(_ present: [String]) -> Edit? {
    let names = present.map { "\($0)" as Edit.Line }
    return present.isEmpty
      ? nil : Edit(.manifest, "rules: {missing-architecture: {architectures: [\(names, separator: ", ")]}}")
  }

  /// The part of the hint for libraries of others, which the user cannot compile.
  private static func ofOthers(_ present: [String]) -> String {
    guard !present.isEmpty else { return "" }
    return "; of a library that is not yours, ask its vendor, or say that it is meant: "
      + "rules: {missing-architecture: {architectures: [\(present.joined(separator: ", "))]}}"
  }
}

extension Inventory {
  /// Whether it is in an XCFramework of the artifact, or the artifact is one.
  func isInXCFramework(_ item: Item) -> Bool {
    rootName.hasSuffix(".xcframework") || item.parts.contains { $0.hasSuffix(".xcframework") }
  }
}

extension Item {
  /// Decided by content: an archive of objects, thin or one in each slice of a fat file.
  var isStaticLibrary: Bool {
    guard let code = facts(CodeFacts.self), code.errors.isEmpty, !code.slices.isEmpty else { return false }
    return code.slices.allSatisfy { if case .archive = $0.form { true } else { false } }
  }

  /// The reason why code is no static library for iOS.
  fileprivate func why(_ code: CodeFacts) -> String {
    if let error = code.errors.first { return "\(error)" }
    for slice in code.slices where code.kind == .fat || code.kind == .fat64 {
      switch slice.form {
      case .archive: continue
      case .machO(let type): return "its \(slice.architecture.name) slice is \(FileKind.machO(type).named)"
      case .other(let kind): return "its \(slice.architecture.name) slice is \(kind.named)"
      }
    }
    guard code.kind == .archive else { return "it is \(code.kind.named)" }
    return "none of its members is a Mach-O file: it is empty, or was made for another platform"
  }
}
