package import Artifacts
package import Findings

/// Static code needs no system library that the host's apps are not linked with. The need shows in an option that the
/// compiler left for the linker (`LC_LINKER_OPTION`), or in a symbol that no file of the artifact has.
package enum UnsupportedFramework: CodeRule {
  package static let id: RuleID = "unsupported-framework"
  package static let parameters = [
    RuleParameter(name: "linked", kind: .list, summary: "frameworks and libraries of the host's apps: UIKit, libz"),
    RuleParameter(
      name: "symbols", kind: .table,
      summary: "frameworks and libraries by classes, and symbols as nm prints them, that only they have"),
  ]

  package static func check(_ inventory: Inventory, _ judging: Judging) throws(CannotJudge) -> [Finding] {
    let own = inventory.items.flatMap { $0.parts.suffix(2) }.map(library)
    let ofHost = try judging.list("linked", or: "the frameworks of the host's apps are not listed")
    let linked = Set(ofHost.map(library) + own)
    let table = NameTable(judging.tables["symbols"])
    func missing(_ symbol: String) -> String? {
      // A symbol that several libraries have is there if one of them is linked.
      let keys = table.keys(of: symbol.classOfSymbol ?? symbol)
      return keys.contains { linked.contains(library($0)) } ? nil : keys.first
    }
    // An image loads the libraries that it was linked with by itself.
    let uses = inventory.unresolved(inImages: false) { missing($0) != nil }
    let used = uses.grouped { missing($0.text).map { [$0] } ?? [] }.map { key, first, names in
      finding(
        judging, "\(first.item.lastPart) needs \(library(key)), which apps of this host are not linked with",
        about: [library(key)], at: first, in: inventory,
        notes: ["it uses \(listed(names.map { $0.classOfSymbol ?? $0 }))"],
        hint: hint)
    }
    // An import leaves an option even if nothing of the framework is used, and a linker ignores an option for a missing
    // library. So the symbols decide where they are known.
    var noted = judging
    noted.settings.level = min(judging.level, .note)
    let known = Set((judging.tables["symbols"] ?? []).map { library($0.key) })
    let asked = inventory.sightings { slice in slice.libraries }.filter { request in
      let name = library(request.text)
      return !linked.contains(name) && !known.contains(name) && !name.hasPrefix("libswift")
        && !alwaysThere.contains(name)
    }
    return used
      + asked.map { request in
        finding(
          noted,
          "\(request.item.lastPart) asks for \(library(request.text)), which apps of this host are not linked with",
          about: [library(request.text)], at: request, in: inventory, notes: ["its linker option: \(request.text)"],
          hint: hint)
      }
  }

  private static let hint = "do without it, or ask the host to link it"

  /// The libraries that Apple's compilers link with every app.
  private static let alwaysThere: Set<String> = ["libSystem", "libobjc", "libc", "libm", "CoreFoundation"]

  /// `UIKit` of `-framework UIKit` and `UIKit.framework`, `libz` of `-lz`, `libz.dylib` and `libz.1.tbd`.
  private static func library(_ text: String) -> String {
    let words = text.split(separator: " ").map(String.init)
    guard var name = words.last else { return text }
    for option in ["-l", "-weak-l", "-needed-l", "-hidden-l", "-reexport-l", "-upward-l"]
    where words.count == 1 && name.hasPrefix(option) {
      name = "lib" + name.dropFirst(option.count)
    }
    let isLibrary = name.hasPrefix("lib") && words.count == 1
    if let dot = name.firstIndex(of: "."), isLibrary || name.hasSuffix(".framework") || name.hasSuffix(".xcframework") {
      return String(name[..<dot])
    }
    return name
  }
}
