package import Artifacts
import Documents
package import Findings
import ObjectFiles

/// The `Info.plist` of an app extension is one that iOS starts and the App Store accepts.
///
/// Source: Apple's App Extension Programming Guide, and its Information Property List Key Reference.
package enum ExtensionInfo: ExtensionRule {
  package static let id: RuleID = "extension-info"
  package static let facts: [any Facts.Type] = [CodeFacts.self, CodeNames.self, PropertyListFacts.self]
  package static let parameters = [
    RuleParameter(
      name: "points", kind: .table,
      summary: "extension points: a name, its identifier, and what may start it: class, storyboard, nothing"),
    RuleParameter(
      name: "attributes", kind: .table, summary: "keys that NSExtensionAttributes must have, by the point's name"),
    RuleParameter(name: "refused", kind: .map, summary: "keys that an extension cannot have, and why"),
    RuleParameter(name: "device-family", kind: .list, summary: "the device families that it is for: 1 iPhone, 2 iPad"),
  ]

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    let extensions = AppExtension.all(of: inventory)
    if extensions.isEmpty, inventory.role == .appExtension {
      return [finding(judging, "there is no app extension (.appex) in it", at: inventory.place)]
    }
    return extensions.flatMap { one -> [Finding] in
      let defects =
        one.info.map { info in
          variables(info.list, inventory) + basics(one, info.list, judging) + start(one, inventory, judging)
            + attributes(one, judging) + comparison(one, judging.app)
        } ?? missingInfo(one)
      return defects.map { finding(judging, $0, in: inventory, whole: one.site(in: inventory)) }
    }
  }

  private static func missingInfo(_ one: AppExtension) -> [Defect] {
    guard let item = one.items["Info.plist"] else { return [Defect("\(one.name) has no Info.plist", about: [])] }
    // Another rule reports a broken one.
    if item.facts(PropertyListFacts.self) != nil { return [] }
    return [
      Defect(
        "Info.plist is no property list with a dictionary, in XML or binary", about: [],
        hint: "'plutil -convert xml1' makes one of other forms", of: item)
    ]
  }

  private static func problem(
    _ key: String, _ message: String, _ hint: String? = nil, notes: [String] = []
  ) -> Defect {
    Defect(message, about: key, hint: hint, notes: notes)
  }

  /// Variables that a build in Xcode would have replaced. A folder of sources may have them.
  private static func variables(_ info: PropertyList, _ inventory: Inventory) -> [Defect] {
    guard inventory.role != .tree, let map = info.map else { return [] }
    return map.filter { $0.value.text?.hasVariable == true }.map { key, value in
      problem(
        key, "\(key) is '\(value.shown)', which a build in Xcode would have replaced", "pack what the build has made")
    }
  }

  private static func basics(_ one: AppExtension, _ info: PropertyList, _ judging: Judging) -> [Defect] {
    var problems: [Defect] = []
    let type = info["CFBundlePackageType"]?.shown
    if type != "XPC!", type?.hasVariable != true {
      problems.append(
        problem(
          "CFBundlePackageType", "CFBundlePackageType is \(type.map { "'\($0)'" } ?? "missing")",
          "an extension has XPC!"))
    }
    for key in ["CFBundleIdentifier", "CFBundleShortVersionString", "CFBundleVersion"] where info[key]?.text == nil {
      problems.append(problem(key, "\(key) is missing"))
    }
    problems += [executable(one)].compactMap(\.self)
    let wanted = judging.lists["device-family"] ?? []
    let families = (info["UIDeviceFamily"]?.list ?? []).compactMap {
      if case .integer(let n) = $0 { "\(n)" } else { nil }
    }
    let missing = wanted.filter { !families.contains($0) }
    if !missing.isEmpty {
      problems.append(
        problem(
          "UIDeviceFamily", "UIDeviceFamily has no \(missing.joined(separator: " and no "))",
          "an extension is for iPhone (1) and iPad (2), whatever its app is for"))
    }
    for (key, why) in judging.tables["refused"] ?? [] where info[key] != nil || one.settings?[key] != nil {
      problems.append(problem(key, "it has \(key): \(why.joined())", "remove the key"))
    }
    return problems
  }

  private static func executable(_ one: AppExtension) -> Defect? {
    let key = "CFBundleExecutable"
    guard let name = one.text(key) else { return problem(key, "\(key) is missing") }
    // The value of a variable is known only to a build in Xcode.
    if name.hasVariable { return nil }
    guard let item = one.binary else { return problem(key, "'\(name)', which \(key) names, is not there") }
    guard let code = item.facts(CodeFacts.self) else {
      return problem(key, "'\(name)', which \(key) names, is no machine code")
    }
    let arePrograms = code.slices.allSatisfy { if case .machO(.executable) = $0.form { true } else { false } }
    if arePrograms, !code.slices.isEmpty { return nil }
    return problem(key, "'\(name)' is \(code.kind.named), and no executable", "link it as one")
  }

  // MARK: Starting

  private static let starters = "NSExtensionPrincipalClass or NSExtensionMainStoryboard"

  private static func start(_ one: AppExtension, _ inventory: Inventory, _ judging: Judging) -> [Defect] {
    guard let own = one.settings, own.map != nil else {
      return [problem("NSExtension", "there is no dictionary NSExtension")]
    }
    guard let point = one.point else {
      return [problem("NSExtensionPointIdentifier", "NSExtensionPointIdentifier is missing")]
    }
    var problems: [Defect] = []
    let points = judging.tables["points"] ?? []
    let known = points.first { $0.values.first == point }
    if !points.isEmpty, known == nil {
      let identifiers = points.compactMap { $0.values.first }
      problems.append(
        problem(
          "NSExtensionPointIdentifier", "the extension point '\(point)' is not known",
          didYouMean(point, among: identifiers) ?? "known are \(identifiers.joined(separator: ", "))"))
    }
    let (name, storyboard) = (own["NSExtensionPrincipalClass"]?.text, own["NSExtensionMainStoryboard"]?.text)
    switch (name, storyboard) {
    case (nil, nil) where known?.values.contains("nothing") == true: break
    case (nil, nil):
      problems.append(
        problem(
          starters, "there is neither NSExtensionPrincipalClass nor NSExtensionMainStoryboard", "one of them starts it")
      )
    case (.some, .some):
      problems.append(
        problem(
          starters, "there are both NSExtensionPrincipalClass and NSExtensionMainStoryboard", "remove one of them"))
    default: break
    }
    // A point that lists no ways of starting allows any.
    if let known, known.values.count > 1 {
      let ways = known.values.dropFirst().filter { $0 != "nothing" }
      let starter = ways.isEmpty ? "its own entry" : "a " + ways.joined(separator: " or a ")
      for (way, isThere) in [("class", name != nil), ("storyboard", storyboard != nil)]
      where isThere && !ways.contains(way) {
        problems.append(
          problem(
            starters, "an extension of the point '\(known.key)' is started by \(starter), not by a \(way)"))
      }
    }
    if let name, let problem = missingClass(name, one, inventory) { problems.append(problem) }
    if let storyboard, let problem = missingStoryboard(storyboard, one) { problems.append(problem) }
    return problems
  }

  private static func missingClass(_ name: String, _ one: AppExtension, _ inventory: Inventory) -> Defect? {
    guard let binary = one.binary, let names = binary.facts(CodeNames.self), !name.hasVariable else { return nil }
    let entry = EntryClassName(name)
    // A class of iOS itself is in no code of the extension.
    if name.hasPrefix("UI") || name.hasPrefix("NS") { return nil }
    let place = names.lack { slice in slice.classes.contains { entry.candidates.contains($0.name.text) } }
    guard let place else { return nil }
    return problem(
      "NSExtensionPrincipalClass",
      "\(binary.lastPart) does not define the class \(name) that NSExtensionPrincipalClass names\(place)",
      entry.suggestion(among: names.slices.flatMap { $0.classes.map(\.name.text) }) ?? "compile its file into it")
  }

  /// iOS reads compiled storyboards, in the folder of any language.
  private static func missingStoryboard(_ name: String, _ one: AppExtension) -> Defect? {
    let compiled = one.items.keys.contains { path in
      path.pathParts.contains { $0 == "\(name).storyboardc" }
    }
    if compiled { return nil }
    let isSource = one.items.keys.contains { $0.lastPathPart == "\(name).storyboard" }
    return problem(
      "NSExtensionMainStoryboard",
      "the storyboard '\(name)' that NSExtensionMainStoryboard names is not \(isSource ? "compiled" : "there")",
      isSource ? "'ibtool --compile' makes a .storyboardc of it on a Mac" : "add \(name).storyboardc to its resources")
  }

  // MARK: Attributes and the app

  private static func attributes(_ one: AppExtension, _ judging: Judging) -> [Defect] {
    let name = one.pointName(judging)
    let own = one.settings?["NSExtensionAttributes"]
    var problems = (judging.tables["attributes"]?.first { $0.key == name }?.values ?? [])
      .filter { own?[$0] == nil }
      .map { problem($0, "NSExtensionAttributes has no \($0), which the point '\(name ?? "")' needs") }
    if own?["NSExtensionActivationRule"]?.text?.trimmed.uppercased() == "TRUEPREDICATE" {
      problems.append(
        problem(
          "NSExtensionActivationRule",
          "NSExtensionActivationRule is TRUEPREDICATE, which is for development: the App Store refuses it",
          "name the types of content, as NSExtensionActivationSupportsImageWithMaxCount does"))
    }
    return problems
  }

  private static func comparison(_ one: AppExtension, _ app: ContainingApp?) -> [Defect] {
    guard let app else { return [] }
    var problems: [Defect] = []
    if let own = one.text("CFBundleIdentifier"), let theirs = app.text("CFBundleIdentifier"),
      !own.hasPrefix(theirs + ".")
    {
      problems.append(
        problem(
          "CFBundleIdentifier", "the bundle identifier '\(own)' does not begin with that of its app, '\(theirs).'",
          notes: ["the app: \(app.place)"]))
    }
    for key in ["CFBundleShortVersionString", "CFBundleVersion"] {
      guard let own = one.text(key), let theirs = app.text(key), own != theirs else { continue }
      problems.append(
        problem(
          key, "\(key) is \(own), and \(theirs) in its app", "both have one version", notes: ["the app: \(app.place)"])
      )
    }
    return problems
  }
}
