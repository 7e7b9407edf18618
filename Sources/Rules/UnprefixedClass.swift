package import Artifacts
package import Findings
import OrderedCollections

/// Names that a plugin adds to an app begin with the plugin's own prefix: classes, methods that it adds to classes of
/// others, functions of C, files of bundles. An app has one name space of each.
package enum UnprefixedClass: CodeRule {
  package static let id: RuleID = "unprefixed-class"
  package static let parameters = [
    RuleParameter(
      name: "prefix", kind: .list, summary: "the plugin's prefix, such as RC; the case of letters does not count"),
    RuleParameter(name: "allow", kind: .list, summary: "names that are meant; a * at the end stands for any rest"),
  ]

  package static func check(_ inventory: Inventory, _ judging: Judging) throws(CannotJudge) -> [Finding] {
    let names = (judging.lists["prefix"] ?? []).filter { !$0.isEmpty }
    guard !names.isEmpty else { throw CannotJudge("set its prefix") }
    let prefixes = names.map { $0.lowercased() }
    let allowed = NamePatterns(judging.lists["allow"] ?? [])
    let shown = names.joined(separator: " or ")
    func isGood(_ name: String, _ begin: String) -> Bool {
      let begin = begin.lowercased().drop { $0 == "_" }
      return allowed.contains(name) || prefixes.contains(where: begin.hasPrefix)
    }
    /// The language calls the setter of a property `rc_tag` `setRc_tag:`.
    func isGoodMethod(_ method: String) -> Bool {
      let name = method.dropFirst()
      return isGood(method, String(name)) || name.hasPrefix("set") && isGood(method, String(name.dropFirst(3)))
    }
    func report(
      _ one: String, _ many: String, _ found: [CodeSighting], hint: String, edit: ([String]) -> Edit? = { _ in nil }
    ) -> [Finding] {
      found.grouped().map { _, first, names in
        finding(
          judging, "\(counted(names.count, one + " does", many + " do")) not begin with \(shown)", about: names,
          at: first, in: inventory, notes: [listed(names, limit: 20)], hint: hint, edit: edit(names))
      }
    }
    let defined = Set(inventory.code.flatMap { $0.names.slices.flatMap { $0.classes.map(\.name.text) } })
    return report(
      "class", "classes",
      inventory.sightings { slice in
        // Swift's classes have their module's name in front.
        slice.classes.filter { !$0.name.text.hasPrefix("_Tt") && !isGood($0.name.text, $0.name.text) }.map(\.name)
      }, hint: "an app has one class of each name")
      + report(
        "method that is added to a class of others", "methods that are added to classes of others",
        inventory.sightings { slice in
          slice.categories.filter { !defined.contains($0.className) }.flatMap { category in
            category.methods.filter { $0 != "+load" && !isGoodMethod($0) }.map {
              CodeNames.Name("\($0.prefix(1))[\(category.className) \($0.dropFirst())]", member: category.name.member)
            }
          }
        }, hint: "as in rc_trimmed: all plugins of an app, and Apple, add to the same classes")
      + report(
        "function or variable of C", "functions and variables of C",
        inventory.sightings { slice in
          // Xcode adds two variables with its version to each framework.
          slice.defined.filter { name in
            if ["VersionNumber", "VersionString"].contains(where: name.text.hasSuffix) { return false }
            let plain = String(name.text.dropFirst())
            let begin = plain.drop { $0 == "k" && plain.first == "k" }
            return !isGood(plain, plain) && !isGood(plain, String(begin))
          }
        }, hint: "or make it static: an app has one of each name", edit: { renaming($0, names[0]) })
      + files(inventory, judging, shown, isGood)
  }

  /// A few functions of C that the preprocessor can rename.
  private static func renaming(_ symbols: [String], _ prefix: String) -> Edit? {
    let flags = symbols.map { $0.dropFirst() }.map { "-D\(String($0))=\("\(prefix)\($0)")" as Edit.Line }
    return flags.count > 4 ? nil : Edit(.xcconfig, "OTHER_CFLAGS = $(inherited) \(flags)")
  }

  /// Files of bundles whose names iOS or Xcode requires.
  private static let standard: Set<String> = [
    "Info.plist", "PkgInfo", "Assets.car", "Localizable.strings", "Localizable.stringsdict", "InfoPlist.strings",
    "_CodeSignature", "PrivacyInfo.xcprivacy", "version.plist",
  ]

  private static func files(
    _ inventory: Inventory, _ judging: Judging, _ shown: String, _ isGood: (String, String) -> Bool
  ) -> [Finding] {
    var bundles: OrderedDictionary<String, OrderedSet<String>> = [:]
    for item in inventory.items where item.isFile && item.metadata == nil {
      guard let bundle = inventory.bundle(of: item) else { continue }
      var parts = bundle.inside.pathParts.map(String.init)
      if parts.first == "Contents" { parts.removeFirst() }
      if parts.first == "Resources" { parts.removeFirst() }
      parts.removeAll { $0.hasSuffix(".lproj") }
      // The path of a file in a folder of the bundle contains the folder's name.
      guard let name = parts.first, parts.count == 1 || name.contains("."), !standard.contains(name),
        !isGood(name, name)
      else { continue }
      bundles[bundle.path, default: []].append(name)
    }
    return bundles.map { path, files in
      finding(
        judging,
        "\(counted(files.count, "file")) of \(path) \(files.count == 1 ? "does" : "do") not begin with \(shown)",
        about: Array(files), at: inventory.place.inside(path), notes: [listed(Array(files), limit: 20)],
        hint: "the host has files of common names")
    }
  }
}
