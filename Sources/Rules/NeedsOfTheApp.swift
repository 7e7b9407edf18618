package import Artifacts
package import Findings
import ObjectFiles

/// Nothing works only if the app is linked with a flag: a linker loads a member of a static library for a symbol that it
/// defines, and a category has none.
package enum NeedsLinkerFlag: Rule {
  package static let entry = RuleEntry(
    "needs-linker-flag", .warning, "no code that works only with a linker flag in the app")
  package static let isOfHosts = true
  package static let kinds: Set<ArtifactKind>? = .apple
  package static let facts: [any Facts.Type] = [CodeNames.self]
  package static let parameters = [
    RuleParameter(name: "flags", kind: .list, summary: "the flags that the host's apps are linked with, such as -ObjC")
  ]

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    if ["-ObjC", "-all_load"].contains(where: (judging.lists["flags"] ?? []).contains) { return [] }
    let found = Dictionary(grouping: inventory.sightings { $0.categoryOnly }) { $0.item.name }
    return found.sorted { $0.key < $1.key }.compactMap { _, members in
      guard let first = members.first else { return nil }
      let count = members.count == 1 ? "1 category is" : "\(members.count) categories are"
      return finding(
        judging, "\(count) left out of the app unless it is linked with -ObjC", about: members.map(\.text),
        at: first.site(in: inventory),
        notes: ["a member with nothing but categories: \(listed(members.map(\.text)))"],
        hint: "put each beside a class that is used, or define a function in its file and call it"
      ).identified(by: [first.item.name])
    }
  }
}

/// No API that ends the app, or does nothing, unless the app's Info.plist says what it is used for.
package enum NeedsInfoPlist: Rule {
  package static let entry = RuleEntry(
    "needs-info-plist", .warning, "no API that needs an entry in the app's Info.plist")
  package static let isOfHosts = true
  package static let kinds: Set<ArtifactKind>? = .apple
  package static let facts: [any Facts.Type] = [CodeNames.self]
  package static let parameters = [
    RuleParameter(
      name: "keys", kind: .table,
      summary: "keys of Info.plist by the classes, and functions as nm prints them, that need them"),
    RuleParameter(name: "present", kind: .list, summary: "the keys that the host's apps have"),
  ]

  package static func check(_ inventory: Inventory, _ judging: Judging) throws(CannotJudge) -> [Finding] {
    let present = Set(judging.lists["present"] ?? [])
    let table = try judging.table("keys", or: "no keys are listed")
    let keys = NameTable(table.filter { !present.contains($0.key) })
    let uses = inventory.unresolved { keys.key(of: $0.classOfSymbol ?? $0) != nil }
    // By file and key; some need two.
    var groups: [[String]: [CodeSighting]] = [:]
    for use in uses {
      for key in keys.keys(of: use.text.classOfSymbol ?? use.text) {
        groups[[use.item.name, key], default: []].append(use)
      }
    }
    return groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.compactMap { place, group in
      guard let first = group.first, let key = place.last else { return nil }
      let names = group.map(\.shown)
      return finding(
        judging, "\(first.item.lastPart) uses \(listed(names)): the app's Info.plist needs \(key)",
        about: [key], at: first.site(in: inventory),
        hint: "a plugin of this host cannot add it: do without, or ask the host to have it"
      ).identified(by: [first.item.name])
    }
  }
}

extension NeedsLinkerFlag {
  package static let explanation = RuleExplanation(
    why: """
      A linker loads a member of a static library for a symbol that it defines, and a category defines
      none. A member with nothing but categories is left out, unless the app is linked with `-ObjC`. The
      app builds, and ends at the call: `-[… rc_trimmed]: unrecognized selector sent to instance`. A
      plugin cannot change the app's linker flags.
      """,
    bad: """
      // NSString+RC.m: a member of its own, with nothing else in it
      @implementation NSString (RC)
      - (NSString *)rc_trimmed { return [self stringByTrimmingCharactersInSet:RCSpaces()]; }
      @end
      """,
    good: """
      // RCStory.m: the category is loaded together with the class
      @implementation RCStory
      @end
      @implementation NSString (RC)
      - (NSString *)rc_trimmed { return [self stringByTrimmingCharactersInSet:RCSpaces()]; }
      @end
      """,
    mend: """
      Put the category into the file of a class that is used, or define a function of C in its file, and
      call it. Of a library that is not yours, ask the host whether it links with the flag. If it does:
      `rules: {needs-linker-flag: {flags: [-ObjC]}}`.
      """)
}

extension NeedsInfoPlist {
  package static let explanation = RuleExplanation(
    why: """
      iOS ends an app that comes to such a call without the key: `This app has crashed because it
      attempted to access privacy-sensitive data without a usage description` (iOS 10 and later). For
      some, it only does nothing. The key stands in the Info.plist of the app, which a plugin cannot
      change.
      """,
    bad: """
      AVCaptureDeviceInput *input = [AVCaptureDeviceInput deviceInputWithDevice:camera error:NULL];
      """,
    good: """
      # npi.yml, if the host's apps have the key
      rules:
        needs-info-plist: { present: [NSCameraUsageDescription] }
      """,
    mend: """
      Do without the API, or ask the host to have the key in its apps; then list it under `present`. Of a
      library that is not yours, ask its vendor for a build without that part.
      """)
}
