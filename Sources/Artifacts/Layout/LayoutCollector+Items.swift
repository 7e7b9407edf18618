import Findings
import ObjectFiles

extension LayoutCollector {
  /// Call it after the walk, with the code that was found in it.
  package func facts(_ code: CodeFiles, _ artifact: Artifact) -> LayoutFacts {
    var facts = LayoutFacts(items: [])
    facts.mistakes = mistakes
    var frameworks: [LayoutPath: LayoutItem] = [:]
    // The folders that have static libraries, with the libraries' targets.
    var roots: [LayoutPath: Set<Slice>] = [:]
    for code in artifact.code where !code.slices.isEmpty && code.file.isOfApple {
      let path = LayoutPath(code.file.place, below: root)
      let targets = Set(code.slices.filter { $0.platform != nil }.map(\.target))
      if let index = path.folder(".framework") {
        let folder = path.prefix(index + 1)
        roots[folder.parent, default: []].formUnion(targets)
        guard frameworks[folder] == nil, isBinary(path, of: folder) else { continue }
        frameworks[folder] = framework(folder, FrameworkCode(code.file), targets)
      } else if path.folder(".xcframework", ".bundle") == nil, !path.name.hasSuffix(".dylib") {
        for root in LayoutFolders.roots(of: path.parent) { roots[root, default: []].formUnion(targets) }
      }
    }
    for (folder, name) in nestedFrameworks(artifact) {
      if frameworks[folder]?.code?.carries.contains(name) == false { frameworks[folder]?.code?.carries.append(name) }
    }
    facts.items = frameworks.values.sorted { $0.place.description < $1.place.description }
    facts.items += bundles.map { item(.bundle, $0.name, $0, info: $0) }.sorted { $0.destination < $1.destination }
    facts.items += code.xcframeworks.sorted { $0.key.description < $1.key.description }.flatMap { place, framework in
      let folder = LayoutPath(place, below: root)
      let own = files.filter { $0.path.below(folder) != nil }
      return framework.libraries.flatMap { items(of: $0, in: folder, own) }
    }
    facts.items += files.compactMap { plainItem($0, roots) } + lostManifests(frameworks, roots)
    return facts
  }

  private func item(
    _ kind: LayoutItem.Kind, _ destination: String, _ path: LayoutPath, isCopied: Bool = true,
    targets: Set<Slice> = [], file: File? = nil, info: LayoutPath? = nil
  ) -> LayoutItem {
    let (container, member) = path.split
    let info = info.flatMap { infos[$0] }
    return LayoutItem(
      kind: kind, destination: destination, container: container, member: member, targets: targets.sorted(),
      isCopied: isCopied, content: file?.content, modules: file?.modules ?? [], identifier: info?.identifier,
      version: info?.version)
  }

  // MARK: Frameworks

  /// Whether it is `X.framework/X`, or `X.framework/Versions/A/X`.
  private func isBinary(_ path: LayoutPath, of folder: LayoutPath) -> Bool {
    let inner = path.below(folder) ?? []
    let isVersioned = inner.first == "Versions" && inner.count == 3
    return inner.last.map { "\($0).framework" } == folder.name && (inner.count == 1 || isVersioned)
  }

  private func framework(_ folder: LayoutPath, _ code: FrameworkCode, _ targets: Set<Slice>) -> LayoutItem {
    let isCopied = code.isDynamic || folder.folder(".xcframework") != nil
    var item = item(.framework, folder.name, folder, isCopied: isCopied, targets: targets, info: folder)
    item.modules = modules[folder] ?? []
    item.code = code
    return item
  }

  /// The names of frameworks that are in a framework.
  private func nestedFrameworks(_ artifact: Artifact) -> [(folder: LayoutPath, name: String)] {
    artifact.code.compactMap { code in
      let path = LayoutPath(code.file.place, below: root)
      guard let index = path.folder(".framework"),
        let name = path.parts.dropLast().last(where: { $0.hasSuffix(".framework") }), name != path.parts[index]
      else { return nil }
      return (path.prefix(index + 1), name)
    }
  }

  // MARK: XCFrameworks

  /// The files that Xcode copies beside a library of an XCFramework. A framework is copied whole.
  private func items(of library: XCFramework.Library, in folder: LayoutPath, _ files: [File]) -> [LayoutItem] {
    let targets: Set<Slice> = [Slice(platform: library.platform, architecture: "", variant: library.variant)]
    let isFramework = library.frameworkName != nil
    let headers = isFramework ? nil : library.headersPath
    var items: [LayoutItem] = []
    // Each file of a Swift module or of debug symbols leads to the folder that is copied.
    var seen: Set<String> = []
    for file in files {
      guard let inner = file.path.below(folder), inner.first == library.identifier else { continue }
      let path = Array(inner.dropFirst())
      if let inner = headers.flatMap({ LayoutCollector.inner(path, of: $0) }) {
        let destination = "include/" + inner.joined(separator: "/")
        let kind = destination.hasSuffix(".modulemap") ? LayoutItem.Kind.moduleMap : .header
        items.append(item(kind, destination, file.path, targets: targets, file: file))
      } else if let debug = library.debugSymbolsPath.flatMap({ LayoutCollector.inner(path, of: $0) }) {
        guard debug[0].hasSuffix(".dSYM"), seen.insert(debug[0]).inserted else { continue }
        let depth = file.path.parts.count - debug.count + 1
        items.append(item(.debugSymbols, debug[0], file.path.prefix(depth), targets: targets))
      } else if !isFramework, let name = path.first, LayoutCollector.isSwiftModule(name), seen.insert(name).inserted {
        let depth = file.path.parts.count - path.count + 1
        items.append(item(.swiftModule, name, file.path.prefix(depth), targets: targets))
      }
    }
    return items
  }

  /// The parts of a path behind a folder; nil if it is not in the folder.
  private static func inner(_ path: [String], of folder: String) -> [String]? {
    let parts = folder.utf8.split(separator: UInt8(ascii: "/")).compactMap { String($0) }.filter { $0 != "." }
    return path.count > parts.count && path.starts(with: parts) ? Array(path.dropFirst(parts.count)) : nil
  }

  private static func isSwiftModule(_ name: String) -> Bool {
    [".swiftmodule", ".swiftinterface", ".swiftdoc"].contains(where: name.hasSuffix)
  }

  // MARK: Plain files

  /// A header or resource beside a static library.
  private func plainItem(_ file: File, _ roots: [LayoutPath: Set<Slice>]) -> LayoutItem? {
    if file.path.folder(".xcframework") != nil { return nil }
    if let (root, inner) = LayoutFolders.header(file.path) {
      guard let targets = roots[root] else { return nil }
      let destination = "include/" + inner.joined(separator: "/")
      let kind = destination.hasSuffix(".modulemap") ? LayoutItem.Kind.moduleMap : .header
      return item(kind, destination, file.path, isCopied: false, targets: targets, file: file)
    }
    guard let (root, inner) = LayoutFolders.resource(file.path), roots[root] != nil else { return nil }
    let depth = (file.path.parts.firstIndex { $0 == inner.last } ?? file.path.parts.count - 1) + 1
    let isFile = depth == file.path.parts.count
    return item(.resource, inner.joined(separator: "/"), file.path.prefix(depth), file: isFile ? file : nil)
  }

  /// Privacy manifests beside static code, which nothing copies, and those in static frameworks, which Xcode copies
  /// only if it embeds the framework. One for each XCFramework or folder.
  private func lostManifests(
    _ frameworks: [LayoutPath: LayoutItem], _ roots: [LayoutPath: Set<Slice>]
  ) -> [LayoutItem] {
    var found: [Place: LayoutItem] = [:]
    let dynamic = frameworks.filter { $0.value.code?.isDynamic == true }.keys
    for path in privacyManifests {
      var isInFramework = false
      if let index = path.folder(".framework") {
        guard let code = frameworks[path.prefix(index + 1)]?.code, !code.isDynamic else { continue }
        isInFramework = true
      } else if let index = path.folder(".xcframework") {
        // A dynamic framework beside it has one of its own.
        let folder = path.prefix(index + 1)
        if dynamic.contains(where: { $0.below(folder) != nil }) { continue }
      } else if roots[path.parent] == nil, roots[path.parent.parent] == nil || path.parent.name != "Resources" {
        continue
      }
      let item = item(.privacyManifest, LayoutCollector.privacyManifest, path, isCopied: isInFramework)
      if found[item.container] == nil { found[item.container] = item }
    }
    return found.values.sorted { $0.place.description < $1.place.description }
  }
}

extension CodeFile {
  fileprivate var isOfApple: Bool {
    units.units.contains { unit in
      switch unit.kind {
      case .machO, .bitcode: true
      default: false
      }
    }
  }
}

extension Slice {
  /// The same platform and variant, for all architectures.
  fileprivate var target: Slice { Slice(platform: platform, architecture: "", variant: variant) }
}
