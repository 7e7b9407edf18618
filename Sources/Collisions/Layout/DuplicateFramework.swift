package import Artifacts
package import Findings
import Linking

/// Two frameworks that an app can have only once, by their names, install names or bundle identifiers; and Swift
/// modules and debug symbols that Xcode copies to one place.
package enum DuplicateFramework: LayoutFamily {
  package static let id: RuleID = "duplicate-framework"
  package static let noun = (one: "framework", many: "frameworks")
  package static let isInCommon = false
  package static let name = "frameworks"
  package static let kinds: Set<LayoutItem.Kind> = [.framework, .swiftModule, .debugSymbols]

  package static func collisions(_ context: CheckContext) -> [Collision] {
    let byName = clashes(context) { [$0.destination] }
    let known = Set(byName.map(\.name))
    let copies = byName.compactMap { clash -> Collision? in
      // Debug symbols lie beside their framework.
      if clash.name.hasSuffix(".dSYM"), known.contains(String(clash.name.dropLast(".dSYM".count))) { return nil }
      // `shadowed-library` tells of static frameworks that nothing copies.
      return clash.only { $0.isCopied }.map { compared($0, .error) }
    }
    let others = clashes(context) { item in
      guard item.code?.isDynamic == true else { return [] }
      return [item.code?.installName, item.identifier].compactMap(\.self)
    }.filter { clash in Set(clash.members.map(\.item.destination)).count > 1 }
    return copies + others.map { compared($0, .warning) }
  }

  /// The collision, with what tells the copies apart.
  private static func compared(_ clash: LayoutClash, _ verdict: Collision.Verdict) -> Collision {
    var collision = clash.collision(id, verdict)
    let codes = clash.members.compactMap(\.item.code)
    guard codes.count == clash.members.count, let first = codes.first else { return collision }
    let versions = clash.members.map { $0.item.version ?? "none" }
    var notes: [String] = []
    if Set(versions).count > 1 { notes.append("versions: \(versions.joined(separator: ", "))") }
    if let others = codes.dropFirst().map({ first.isSameBuild($0) }) as [Bool?]?, first.isDynamic {
      collision.identical = others.contains(false) ? false : others.contains(nil) ? nil : true
      switch collision.identical {
      case true?: notes.append("they are one build: their UUIDs are equal")
      case false?:
        let isSame = codes.dropFirst().allSatisfy { first.exportsSame(as: $0) }
        notes.append(
          "they are different builds (\(codes.map(\.shownUUID).joined(separator: ", "))), and what they export "
            + (isSame ? "is the same" : "differs"))
      case nil: break
      }
    }
    if Set(codes.map(\.isDynamic)).count > 1 { notes.append("one is dynamic, the other static") }
    collision.examples = notes
    return collision
  }

  package static func edit(_ all: [Collision]) -> Edit? { all.first?.removal }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    let name = collision.name.text
    let share = "let the plugins share one copy, or leave one of them out"
    switch collision.verdict {
    case .error where collision.sites.allSatisfy({ $0.kind == .framework }):
      return (
        "\(name) is there \(collision.times): Xcode stops, for an app has one of that name",
        [xcodeMessage(name)] + collision.examples, share
      )
    case .error:
      return (
        "\(name) is there \(collision.times): Xcode copies all of them to one place", [xcodeMessage(name)],
        "\(share); two vendors' own modules need different names"
      )
    case .warning, .possible, .silent:
      let (what, outcome) =
        name.utf8.contains(UInt8(ascii: "/"))
        ? ("install name", "the app loads one image for all of them")
        : ("bundle identifier", "the store refuses the app")
      return (
        "\(collision.sites.count) frameworks have the \(what) \(name): \(outcome)",
        collision.examples + ["reported, not measured"], "\(share); different frameworks need different ones"
      )
    }
  }
}

extension FrameworkCode {
  /// Compares the architectures that both have. Nil if they have none in common, or one without a UUID.
  fileprivate func isSameBuild(_ other: FrameworkCode) -> Bool? {
    let pairs = pairs(other)
    if pairs.isEmpty || pairs.contains(where: { $0.uuid.isEmpty || $1.uuid.isEmpty }) { return nil }
    return pairs.allSatisfy { $0.uuid == $1.uuid }
  }

  fileprivate func exportsSame(as other: FrameworkCode) -> Bool {
    pairs(other).allSatisfy { $0.exports == $1.exports }
  }

  private func pairs(_ other: FrameworkCode) -> [(Image, Image)] {
    images.compactMap { own in other.images.first { $0.architecture == own.architecture }.map { (own, $0) } }
  }

  /// The first image's, as tools print it.
  fileprivate var shownUUID: String {
    let digits = (images.first?.uuid ?? []).map { byte in
      let text = String(byte, radix: 16, uppercase: true)
      return text.utf8.count == 1 ? "0" + text : text
    }
    let ends = [4, 6, 8, 10, 16]
    return zip([0] + ends, ends).map { digits[min($0, digits.count)..<min($1, digits.count)].joined() }
      .joined(separator: "-")
  }
}
