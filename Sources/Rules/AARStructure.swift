import Android
package import Artifacts
package import Findings
import ObjectFiles

/// An AAR has what the Gradle plugin expects, where it expects it (`ExtractAarTransform`, Bazel's `aar_import`).
package enum AARStructure: Rule {
  package static let id: RuleID = "aar-structure"
  package static let kinds: Set<ArtifactKind>? = [.aar]
  package static let facts: [any Facts.Type] = [AndroidManifest.self, CodeFacts.self, JarFacts.self]

  /// Whether an R.txt is missed, the code says.
  package static func furtherFacts(holding entries: [[UInt8]]) -> [any Facts.Type] {
    entries.contains { $0.elementsEqual("R.txt".utf8) } ? [] : [JarClasses.self]
  }

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    let all = rootProblems(inventory) + inventory.items.flatMap { problems(of: $0) }
    let findings = all.map { item, name, message, hint in
      finding(judging, message, about: [name], at: item.map { inventory.site($0) } ?? inventory.place, hint: hint)
    }
    return findings + lostRules(inventory, min(judging.level, .warning))
  }

  /// The Gradle plugin reads `proguard.txt` only if `classes.jar` brings no rules for its tools (`AarTransform`).
  private static func lostRules(_ inventory: Inventory, _ level: Level) -> [Finding] {
    guard let rules = inventory.items.first(where: { $0.name == "proguard.txt" && $0.size > 0 }) else { return [] }
    return inventory.items.compactMap { item in
      guard item.name == "classes.jar", let jar = item.facts(JarFacts.self), let first = jar.toolRules.first else {
        return nil
      }
      return Finding(
        id, level, "nothing of proguard.txt is used: classes.jar has shrinking rules of its own",
        at: [
          inventory.site(rules),
          inventory.site(item).inside(String(decoding: first, as: UTF8.self) + andMore(jar.toolRules.count - 1)),
        ],
        hint: "put all rules into proguard.txt: 'embed' and 'classes' of an aar do so")
    }
  }

  private typealias Problem = (item: Item?, about: String, message: String, hint: String?)

  private static func rootProblems(_ inventory: Inventory) -> [Problem] {
    let files = inventory.items.filter { $0.isFile && $0.metadata == nil }
    func has(_ name: String) -> Bool { files.contains { $0.path.elementsEqual(name.utf8) } }
    if !has("AndroidManifest.xml"), let inner = files.first(where: { $0.lastPart == "AndroidManifest.xml" }) {
      let folder = inner.parts.dropLast().joined(separator: "/")
      return [
        (
          nil, "parent folder", "everything is inside the folder '\(folder)'",
          "zip what is in the folder, not the folder itself"
        )
      ]
    }
    let expected = [
      ("AndroidManifest.xml", "without it nothing of the AAR is used"),
      ("classes.jar", "an AAR without classes has an empty one"),
    ]
    return expected.filter { !has($0.0) }.map { (nil, $0.0, "there is no \($0.0) at the root", $0.1) }
      + missingNames(inventory)
  }

  private static func hasResourceNames(_ inventory: Inventory) -> Bool {
    inventory.items.contains { $0.isFile && $0.metadata == nil && $0.path.elementsEqual("R.txt".utf8) }
  }

  /// Of R.txt the app's build makes the AAR's R class: of interest to code that uses one, and has none with it.
  private static func missingNames(_ inventory: Inventory) -> [Problem] {
    guard !hasResourceNames(inventory),
      let package = inventory.facts(AndroidManifest.self).lazy.compactMap(\.facts.package).first
    else { return [] }
    let supplied = Set(inventory.facts(JarFacts.self).flatMap(\.facts.rClasses).map(JarEntry.className))
    let uses = inventory.facts(JarClasses.self).lazy.flatMap(\.facts.references)
    let use = uses.first { use in
      (use.name == "\(package).R" || use.name.hasPrefix("\(package).R$")) && !supplied.contains(use.name)
    }
    return use.map { use in
      let message = "there is no R.txt at the root, and \(use.user) uses \(use.name)"
      return [(nil, "R.txt", message, "without it the app's build makes no R class for the AAR")]
    } ?? []
  }

  private static func problems(of item: Item) -> [Problem] {
    if item.isLink {
      return [(item, "", "\(item.lastPart) is a symbolic link", "an AAR has no links: its reader takes them for texts")]
    }
    guard item.isFile, item.metadata == nil else { return [] }
    let parts = item.parts
    guard let first = parts.first else { return [] }
    if let why = item.damage { return [(item, "", "\(item.lastPart) cannot be read: \(why)", nil)] }
    if let manifest = item.facts(AndroidManifest.self), (manifest.package ?? "").isEmpty {
      return [(item, "", "the manifest names no package", "add package=\"com.example.plugin\" to <manifest>")]
    }
    if let jar = item.facts(JarFacts.self) { return self.problems(of: jar, item) }
    switch first {
    case "libs": return [(item, "", "\(item.lastPart) is no jar: only libs/*.jar is seen", nil)]
    case "jni": return library(item, parts)
    case _ where item.lastPart.hasSuffix(".aar"):
      return [(item, "", "there is an AAR inside of the AAR", "merge it with 'embed': Gradle refuses one in another")]
    default: return []
    }
  }

  private static func problems(of jar: JarFacts, _ item: Item) -> [Problem] {
    if let damage = jar.damage { return [(item, "", "\(item.lastPart) cannot be read: \(damage)", nil)] }
    var problems: [Problem] = jar.irregularities.map { (item, StableName.place($0), $0, "build the jar again") }
    if item.parts.count == 1, item.name == "classes.jar", let first = jar.rClasses.first {
      problems.append(
        (
          item, "R", "classes.jar has the R class \(JarEntry.className(first))",
          "the app's build makes R from R.txt: leave it out"
        ))
    }
    if item.parts.count > 1, item.parts[0] == "libs", item.parts.count != 2 {
      problems.append((item, "", "\(item.name) is not seen: jars are directly in libs/", nil))
    }
    return problems
  }

  private static func library(_ item: Item, _ parts: [String]) -> [Problem] {
    // The Gradle plugin packs these for debuggers and sanitizers.
    if parts.count == 3, ["wrap.sh", "gdbserver", "gdb.setup"].contains(parts[2]) { return [] }
    guard parts.count == 3, parts[2].hasSuffix(".so") else {
      return [(item, "", "\(item.lastPart) is not seen: libraries are jni/<abi>/*.so", nil)]
    }
    guard let abi = AndroidABI(rawValue: parts[1]) else {
      return [
        (
          item, "", "'\(parts[1])' is no ABI of Android",
          didYouMean(parts[1], among: AndroidABI.allCases.map(\.rawValue))
        )
      ]
    }
    let code = item.facts(CodeFacts.self)
    guard let code, code.kind == .elf else {
      let what = code.map { "a \($0.kind)" } ?? "data"
      return [(item, "", "\(item.lastPart) is no shared library but \(what)", "link it for Android")]
    }
    guard let file = code.elf else {
      return [
        (item, "", "\(item.lastPart) cannot be read: \(code.errors.first.map { "\($0)" } ?? "it is damaged")", nil)
      ]
    }
    guard abi.fits(file) else {
      let bits = file.is64Bit ? "64" : "32"
      let system = file.system.isAndroids ? "" : ", \(file.system)"
      return [
        (
          item, "",
          "\(item.lastPart) is for \(file.machine) (\(bits) bits\(system)), in the folder of \(abi.rawValue)",
          system.isEmpty ? "put it into the folder of its own ABI" : "link it for Android"
        )
      ]
    }
    guard file.type == .shared else {
      return [(item, "", "\(item.lastPart) is an \(file.type), not a shared library", "link it with -shared")]
    }
    return []
  }
}
