import Android
package import Artifacts
package import Findings
import ObjectFiles

/// The class that the configuration names is there, in every slice, and is one that the host can show.
package enum EntryClass: HostRule {
  package static let id: RuleID = "entry-class"
  package static let kinds: Set<ArtifactKind>? = [.iosZip, .aar]
  package static let facts: [any Facts.Type] = [CodeNames.self, JarClasses.self]
  package static let parameters = [
    RuleParameter(
      name: "ios", kind: .text, summary: "the key that names the class of Objective-C, or Module.Class of Swift"),
    RuleParameter(name: "ios-superclasses", kind: .list, summary: "the classes of iOS that it is to descend from"),
    RuleParameter(name: "android", kind: .text, summary: "the key that names the class of Java, with its package"),
    RuleParameter(
      name: "android-superclasses", kind: .list,
      summary: "the classes of Android and its libraries that it is to descend from"),
  ]

  package static func configurationKeys(_ settings: RuleSettings) -> [String] {
    ["ios", "android"].compactMap { settings.lists[$0]?.first }
  }

  package static func check(_ inventory: Inventory, _ judging: Judging) throws(CannotJudge) -> [Finding] {
    let isJava = inventory.role == .aar
    let (key, name) = try judging.configured(isJava ? "android" : "ios")
    return isJava
      ? java(name, key, inventory, judging) : try objc(EntryClassName(name), key, inventory, judging)
  }

  // MARK: iOS

  private static func objc(
    _ name: EntryClassName, _ key: String, _ inventory: Inventory, _ judging: Judging
  ) throws(CannotJudge) -> [Finding] {
    let slices = EntrySlice.all(of: inventory)
    guard !slices.isEmpty else { throw CannotJudge("there is no code that can be read") }
    let with = slices.filter { $0.entry(name) != nil }
    // An architecture that only some libraries have, such as a vendor's simulators, is not one that apps are built for.
    let owners = Set(with.compactMap { $0.entry(name)?.item.path })
    let libraries = slices.reduce(into: Set()) { $0.formUnion($1.libraries) }
    let without = slices.filter { slice in
      slice.entry(name) == nil && (slice.libraries == libraries || !slice.libraries.isDisjoint(with: owners))
    }
    guard !with.isEmpty else {
      let all = slices.flatMap { $0.classes.keys }
      return [
        finding(
          judging, "no library defines the class \(name) that \(key) names", about: [key], at: inventory.place,
          hint: name.suggestion(among: all) ?? "compile its file into the library, or correct \(key)")
      ]
    }
    var findings: [Finding] = []
    if !without.isEmpty {
      let missing = without.map(\.architecture).joined(separator: ", ")
      findings.append(
        finding(
          judging, "the class \(name) that \(key) names is not there for \(missing)",
          about: without.map { "\(key) \($0.architecture)" }, at: with[0].site(of: with[0].entry(name), in: inventory),
          notes: ["it is there for \(with.map(\.architecture).joined(separator: ", "))"],
          hint: "compile its file for every architecture"
        ).identified(by: []))
    }
    let superclasses = Set(judging.lists["ios-superclasses"] ?? [])
    guard !superclasses.isEmpty else { return findings }
    var said: Set<String> = []
    for slice in with {
      guard let entry = slice.entry(name), entry.found.isRead else { continue }
      let chain = slice.chain(from: entry)
      guard let problem = refused(chain, superclasses), said.insert(problem).inserted else { continue }
      findings.append(
        finding(
          judging, "the class \(name) that \(key) names is \(problem)", about: ["\(key) superclass"],
          at: slice.site(of: entry, in: inventory),
          notes: chain.count > 1 ? ["its superclasses: \(chain.joined(separator: ", "))"] : [],
          hint: "it is to extend \(judging.lists["ios-superclasses"]?.prefix(2).joined(separator: " or ") ?? "")"
        ).identified(by: []))
    }
    return findings
  }

  /// The last class of a chain without any of `superclasses`; nil if the chain has one, or leads to another library.
  private static func refused(_ chain: [String], _ superclasses: Set<String>) -> String? {
    if chain.contains(where: superclasses.contains) { return nil }
    guard let last = chain.last else { return "a class without a superclass" }
    let isSystem = ["NS", "UI"].contains(where: last.hasPrefix)
    if last.hasSuffix("_SwiftObject") { return "a Swift class without a superclass of Objective-C" }
    return isSystem ? "a plain \(last)" : nil
  }

  // MARK: Android

  private static func java(
    _ name: String, _ key: String, _ inventory: Inventory, _ judging: Judging
  ) -> [Finding] {
    let jars = inventory.facts(JarClasses.self)
    var classes: [String: (item: Item, found: JarClasses.Class)] = [:]
    for (item, jar) in jars {
      for found in jar.classes where classes[found.name] == nil { classes[found.name] = (item, found) }
    }
    guard let (item, entry) = classes[name] else {
      let simple = simpleName(name)
      let elsewhere = classes.keys.filter { simpleName($0) == simple }.sorted().first
      return [
        finding(
          judging, "no jar has the class \(name) that \(key) names", about: [key], at: inventory.place,
          hint: elsewhere.map { "did you mean '\($0)'?" } ?? didYouMean(name, among: Array(classes.keys))
            ?? "compile it into the AAR, or correct \(key)")
      ]
    }
    let site = inventory.site(item).inside(name.with("/", for: ".") + ".class")
    func problem(_ message: String, _ hint: String, notes: [String] = []) -> Finding {
      finding(judging, "the class \(name) that \(key) names \(message)", at: site, notes: notes, hint: hint)
    }
    var findings: [Finding] = []
    if entry.isAbstract {
      findings.append(problem("is abstract: nothing can be made of it", "name the class that extends it"))
    } else if !entry.isPublic || !entry.isMadeByName {
      let what = entry.isPublic ? "has no public constructor without parameters" : "is not public"
      findings.append(problem(what, "Android makes a fragment by its name: public class X { public X() {} }"))
    }
    let superclasses = judging.lists["android-superclasses"] ?? []
    guard !superclasses.isEmpty else { return findings }
    let chain = ancestors(from: entry.superclass) { classes[$0]?.found.superclass }
    guard !chain.contains(where: superclasses.contains), let last = chain.last, isSystem(last, superclasses) else {
      return findings
    }
    return findings + [
      problem(
        "is a plain \(last)", "it is to extend \(superclasses[0])",
        notes: chain.count > 1 ? ["its superclasses: \(chain.joined(separator: ", "))"] : [])
    ]
  }

  /// Whether a class is Java's or Android's, or AndroidX's where the host knows none: no class of the host is above it.
  private static func isSystem(_ name: String, _ superclasses: [String]) -> Bool {
    // An activity of any library is not a fragment.
    if name.hasPrefix("android"), name.hasSuffix("Activity") { return true }
    if name.hasPrefix("androidx.") { return !superclasses.contains { $0.hasPrefix("androidx.") } }
    if name.hasPrefix("android.support.") { return false }
    return ["java.", "javax.", "android.", "kotlin."].contains(where: name.hasPrefix)
  }

  private static func simpleName(_ name: String) -> Substring { name.split { $0 == "." || $0 == "$" }.last ?? "" }
}

/// The host can make an instance: the class, or a superclass of it, has a method that the host calls.
package enum EntryInitializer: HostRule {
  package static let id: RuleID = "entry-initializer"
  package static let kinds: Set<ArtifactKind>? = [.iosZip]
  package static let facts: [any Facts.Type] = [CodeNames.self]
  package static let parameters = [
    RuleParameter(name: "ios", kind: .text, summary: "the key that names the class"),
    RuleParameter(name: "methods", kind: .list, summary: "the methods of which it has one: -initWithJSON:"),
  ]

  package static func configurationKeys(_ settings: RuleSettings) -> [String] {
    settings.lists["ios"]?.prefix(1).map(\.self) ?? []
  }

  package static func check(_ inventory: Inventory, _ judging: Judging) throws(CannotJudge) -> [Finding] {
    let methods = try judging.list("methods", or: "its methods are not listed")
    let (key, value) = try judging.configured("ios")
    let name = EntryClassName(value)
    let with = EntrySlice.all(of: inventory).filter { $0.entry(name) != nil }
    if with.isEmpty { throw CannotJudge("the entry class is not there") }
    let known = with.filter { slice in slice.entry(name).map(slice.isKnown) ?? false }
    if known.isEmpty { throw CannotJudge("what the entry class inherits is not known") }
    let lacking = known.filter { slice in
      slice.entry(name).map { slice.methods(of: $0).isDisjoint(with: methods) } ?? false
    }
    guard let first = lacking.first, let entry = first.entry(name) else { return [] }
    let similar = first.methods(of: entry).first { method in
      methods.contains { $0.dropFirst().lowercased() == method.dropFirst().lowercased() }
    }
    return [
      finding(
        judging, "the class \(name) that \(key) names has neither \(methods.joined(separator: " nor "))",
        about: [key], at: first.site(of: entry, in: inventory), notes: similar.map { ["it has \($0)"] } ?? [],
        hint: "implement one of them: the host makes an instance by it"
      ).identified(by: [])
    ]
  }
}

extension Judging {
  /// The key that a parameter names, and its value in the configuration.
  fileprivate func configured(_ parameter: String) throws(CannotJudge) -> (key: String, value: String) {
    let key = try (lists[parameter]?.first).known(or: "the configuration's key for it is not set")
    let configuration = try configuration.known(or: "the configuration is not known: lint it together with this")
    // The rule config-keys checks that required keys are there.
    return (key, try configuration.text(key).known(or: "the configuration has no \(key)"))
  }
}
