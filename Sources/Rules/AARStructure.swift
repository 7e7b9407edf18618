import Android
package import Artifacts
package import Findings
import ObjectFiles

/// An AAR has what the Gradle plugin expects, where it expects it (`ExtractAarTransform`, Bazel's `aar_import`).
package enum AARStructure: Rule {
  package static let id: RuleID = "aar-structure"
  package static let kinds: Set<ArtifactKind>? = [.aar]
  package static let facts: [any Facts.Type] = [AndroidManifest.self, CodeFacts.self, JarFacts.self]

  /// Without an R.txt, only the code tells whether one is missed.
  package static func furtherFacts(holding entries: [[UInt8]]) -> [any Facts.Type] {
    entries.contains { $0.elementsEqual("R.txt".utf8) } ? [] : [JarClasses.self]
  }

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    let defects = rootDefects(inventory) + inventory.items.flatMap { self.defects(of: $0) }
    return defects.map { finding(judging, $0, in: inventory, whole: inventory.place) }
      + lostRules(inventory, min(judging.level, .warning))
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

  private static func rootDefects(_ inventory: Inventory) -> [Defect] {
    let files = inventory.items.filter { $0.isFile && $0.metadata == nil }
    func has(_ name: String) -> Bool { files.contains { $0.path.elementsEqual(name.utf8) } }
    if !has("AndroidManifest.xml"), let inner = files.first(where: { $0.lastPart == "AndroidManifest.xml" }) {
      let folder = inner.parts.dropLast().joined(separator: "/")
      let hint = "zip what is in the folder, not the folder itself"
      return [Defect("everything is inside the folder '\(folder)'", about: "parent folder", hint: hint)]
    }
    let expected = [
      ("AndroidManifest.xml", "without it nothing of the AAR is used"),
      ("classes.jar", "an AAR without classes has an empty one"),
    ]
    return expected.filter { !has($0.0) }.map { Defect("there is no \($0.0) at the root", about: $0.0, hint: $0.1) }
      + (has("R.txt") ? [] : missingNames(inventory))
  }

  /// The app's build makes the AAR's R class from R.txt, so code that uses the class and brings none misses it.
  private static func missingNames(_ inventory: Inventory) -> [Defect] {
    guard let package = inventory.facts(AndroidManifest.self).lazy.compactMap(\.facts.package).first else { return [] }
    let supplied = Set(inventory.facts(JarFacts.self).flatMap(\.facts.rClasses).map(JarEntry.className))
    let uses = inventory.facts(JarClasses.self).lazy.flatMap(\.facts.references)
    guard
      let use = uses.first(where: { use in
        (use.name == "\(package).R" || use.name.hasPrefix("\(package).R$")) && !supplied.contains(use.name)
      })
    else { return [] }
    let message = "there is no R.txt at the root, and \(use.user) uses \(use.name)"
    return [Defect(message, about: "R.txt", hint: "without it the app's build makes no R class for the AAR")]
  }

  private static func defects(of item: Item) -> [Defect] {
    func defect(_ message: String, _ hint: String? = nil) -> [Defect] {
      [Defect(message, about: "", hint: hint, of: item)]
    }
    let name = item.lastPart
    if item.isLink {
      return defect("\(name) is a symbolic link", "an AAR has no links: its reader takes them for texts")
    }
    guard item.isFile, item.metadata == nil else { return [] }
    let parts = item.parts
    guard let first = parts.first else { return [] }
    if let why = item.damage { return defect("\(name) cannot be read: \(why)") }
    if let manifest = item.facts(AndroidManifest.self), (manifest.package ?? "").isEmpty {
      return defect("the manifest names no package", "add package=\"com.example.plugin\" to <manifest>")
    }
    if let jar = item.facts(JarFacts.self) { return defects(of: jar, item) }
    switch first {
    case "libs": return defect("\(name) is no jar: only libs/*.jar is seen")
    case "jni": return library(item, parts).map { defect($0.message, $0.hint) } ?? []
    case _ where name.hasSuffix(".aar"):
      return defect("there is an AAR inside of the AAR", "merge it with 'embed': Gradle refuses one in another")
    default: return []
    }
  }

  private static func defects(of jar: JarFacts, _ item: Item) -> [Defect] {
    if let damage = jar.damage { return [Defect("\(item.lastPart) cannot be read: \(damage)", about: "", of: item)] }
    var defects = jar.irregularities.map {
      Defect($0, about: StableName.place($0), hint: "build the jar again", of: item)
    }
    if item.name == "classes.jar", let first = jar.rClasses.first {
      let message = "classes.jar has the R class \(JarEntry.className(first))"
      defects.append(Defect(message, about: "R", hint: "the app's build makes R from R.txt: leave it out", of: item))
    }
    if item.parts.count > 2, item.parts[0] == "libs" {
      defects.append(Defect("\(item.name) is not seen: jars are directly in libs/", about: "", of: item))
    }
    return defects
  }

  private static func library(_ item: Item, _ parts: [String]) -> (message: String, hint: String?)? {
    if parts.count == 3, AndroidFile.debuggers.contains(parts[2]) { return nil }
    let name = item.lastPart
    guard parts.count == 3, name.hasSuffix(".so") else {
      return ("\(name) is not seen: libraries are jni/<abi>/*.so", nil)
    }
    guard let abi = AndroidABI(rawValue: parts[1]) else {
      let hint = didYouMean(parts[1], among: AndroidABI.allCases.map(\.rawValue))
      return ("'\(parts[1])' is no ABI of Android", hint)
    }
    guard let code = item.facts(CodeFacts.self), code.kind == .elf else {
      let what = item.facts(CodeFacts.self).map { "a \($0.kind)" } ?? "data"
      return ("\(name) is no shared library but \(what)", "link it for Android")
    }
    guard let file = code.elf else {
      return ("\(name) cannot be read: \(code.errors.first.map { "\($0)" } ?? "it is damaged")", nil)
    }
    guard abi.fits(file) else {
      let bits = file.is64Bit ? "64" : "32"
      let system = file.system.isAndroids ? "" : ", \(file.system)"
      return (
        "\(name) is for \(file.machine) (\(bits) bits\(system)), in the folder of \(abi.rawValue)",
        system.isEmpty ? "put it into the folder of its own ABI" : "link it for Android"
      )
    }
    guard file.type == .shared else {
      return ("\(name) is an \(file.type), not a shared library", "link it with -shared")
    }
    return nil
  }
}
