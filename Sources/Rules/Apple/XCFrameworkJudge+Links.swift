import Artifacts
import Findings
import ObjectFiles

extension XCFrameworkJudge {
  /// On a Mac a framework's content is in `Versions/A`, and `Versions/Current` and all that is beside `Versions` are links.
  /// Tools that follow links when they copy or pack leave copies there, which codesign refuses ("bundle format is
  /// ambiguous"); a framework without `Versions` Xcode refuses.
  mutating func judgeLinks(_ library: XCFramework.Library, _ info: Item) {
    guard library.frameworkName != nil, case let root = XCFrameworkFolder.joined(library.identifier, library.path),
      folder.items[root]?.isLink != true
    else { return }
    var beside: Set<String> = []
    var isVersioned = false
    var copies: Set<String> = []
    var content: Set<String> = []
    for path in folder.items.keys where path.hasPrefix(root + "/") {
      let parts = path.dropFirst(root.count + 1).split(separator: "/", maxSplits: 2)
      guard let first = parts.first.map(String.init), !first.isEmpty else { continue }
      guard first == "Versions" else {
        beside.insert(first)
        continue
      }
      if parts.count > 1 { isVersioned = true }
      if parts.count > 2, let name = parts[2].pathParts.first { content.insert(String(name)) }
      if parts.count > 1, parts[1] == "Current", folder.items["\(root)/Versions/Current"]?.isLink != true {
        copies.insert("Versions/Current")
      }
    }
    let name = "\(library.identifier)/\(library.path) of \(folder.name)"
    if isVersioned {
      copies.formUnion(beside.intersection(content).filter { folder.items["\(root)/\($0)"]?.isLink != true })
      guard !copies.isEmpty else { return }
      return add(
        ["links of \(library.target)"], "\(name) has copies in place of links: codesign calls it ambiguous",
        "pack it with a tool that keeps links: ditto, zip -y or npi-pack", info,
        notes: [copies.sorted().joined(separator: ", ")])
    }
    let isForMacs = library.codePlatform == .macOS || library.codePlatform == .macCatalyst
    guard isForMacs, beside.contains("Info.plist") else { return }
    add(
      ["Versions of \(library.target)"],
      "\(name) is for Macs and has no Versions: Xcode looks for Versions/Current/Resources/Info.plist",
      "build it again for \(library.target): its content belongs in Versions/A, with links to it", info)
  }
}
