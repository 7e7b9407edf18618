import Archives
import Documents
import Findings
package import ObjectFiles
import Store
package import SystemPackage

/// Gathers the files that Xcode copies, or that a compiler searches for, in a walk. Which of them those are is decided
/// at its end, by the property lists and the code beside them.
package struct LayoutCollector {
  struct File {
    let path: LayoutPath
    let content: ContentChecksum?
    var modules: [String] = []
  }

  struct Info {
    var identifier: String?
    var version: String?
  }

  let root: Place
  private(set) var files: [File] = []
  /// Privacy manifests outside of bundles.
  private(set) var privacyManifests: [LayoutPath] = []
  /// By the paths of frameworks and bundles.
  private(set) var infos: [LayoutPath: Info] = [:]
  private(set) var modules: [LayoutPath: [String]] = [:]
  /// Outside of frameworks and XCFrameworks.
  private(set) var bundles: Set<LayoutPath> = []
  private(set) var mistakes: [Mistake] = []

  package init(of path: FilePath) { root = Place(path.string) }

  package mutating func add(_ entry: WalkedEntry, _ walk: borrowing ArtifactWalk) {
    let header = entry.header
    guard header.kind == .regular, header.metadata == nil, !header.hasSuffix(".class"), let number = header.container,
      !LayoutCollector.isForAndroid(walk.containers[number].place)
    else { return }
    let place = walk.place(of: header)
    let path = LayoutPath(place, below: root)
    let xcframework = path.folder(".xcframework")
    let folder = path.folder(".framework", ".bundle")
    if let folder, xcframework.map({ $0 < folder }) ?? true {
      add(path, in: path.prefix(folder + 1), isCopied: xcframework == nil, entry)
    } else if path.name == LayoutCollector.privacyManifest {
      privacyManifests.append(path)
      // Xcode copies one from a folder of headers like any other file there.
      if xcframework != nil { files.append(File(path: path, content: nil)) }
    } else if xcframework != nil || LayoutFolders.isOfInterest(path) {
      let crc32 = header.crc32 ?? entry.bytes?.withSpan { Deflate.crc32($0) }
      let content = crc32.map { ContentChecksum(size: header.size, crc32: $0) }
      files.append(File(path: path, content: content, modules: moduleNames(entry, at: place)))
    }
  }

  /// Adds a file in a framework or bundle.
  private mutating func add(_ path: LayoutPath, in folder: LayoutPath, isCopied: Bool, _ entry: WalkedEntry) {
    let inner = Array(path.below(folder) ?? [])
    let isBundle = folder.name.hasSuffix(".bundle")
    if isBundle, isCopied { bundles.insert(folder) }
    if path.name == "Info.plist", LayoutCollector.infoFolders.contains(inner.dropLast().joined(separator: "/")),
      infos[folder] == nil, let list = entry.bytes.flatMap({ (try? PropertyList.read($0.copy())) })
    {
      infos[folder] = Info(
        identifier: list["CFBundleIdentifier"]?.text,
        version: list["CFBundleShortVersionString"]?.text ?? list["CFBundleVersion"]?.text)
    } else if !isBundle, inner.dropLast().last == "Modules" {
      let names = moduleNames(entry, at: path.place(path.parts.count))
      if !names.isEmpty, modules[folder] == nil { modules[folder] = names }
    } else if !isBundle, path.name == LayoutCollector.privacyManifest, path.folder(".bundle") == nil {
      privacyManifests.append(path)
    }
  }

  /// The modules that a compiler finds by itself: it looks for maps of two names.
  private mutating func moduleNames(_ entry: WalkedEntry, at place: Place) -> [String] {
    guard LayoutSelection.isModuleMap(entry.header.path), let bytes = entry.bytes?.copy() else { return [] }
    do throws(ModuleMap.Damage) { return try ModuleMap(bytes).modules } catch {
      var place = place
      place.position = error.position(in: bytes)
      mistakes.append(
        Mistake(
          "the module map cannot be read: \(error.reason)", at: place,
          hint: "no compiler can read it either: ask the plugin's vendor for another build"))
      return []
    }
  }

  static let privacyManifest = "PrivacyInfo.xcprivacy"
  /// The folders in a framework or bundle that may hold its `Info.plist`.
  private static let infoFolders = ["", "Contents", "Resources", "Versions/A/Resources"]

  private static func isForAndroid(_ container: Place) -> Bool {
    container.parts.contains { name in
      let name = name.lowercased()
      return name.hasSuffix(".aar") || name.hasSuffix(".jar")
    }
  }
}

/// Selects module maps, and headers whose checksums no archive gives.
package struct LayoutSelection: EntrySelection {
  package init() {}

  package func interest(in header: EntryHeader) -> Interest {
    guard header.kind == .regular, header.container != nil, header.metadata == nil, !header.hasSuffix(".class") else {
      return .none
    }
    if LayoutSelection.isModuleMap(header.path) { return .content }
    return header.crc32 == nil && LayoutFolders.isHeader(header.path) ? .content : .none
  }

  package func interest(in header: EntryHeader, head: borrowing ByteReader) -> Interest { .none }

  static func isModuleMap(_ path: [UInt8]) -> Bool {
    let name = path[((path.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)...]
    return name.elementsEqual("module.modulemap".utf8) || name.elementsEqual("module.map".utf8)
  }
}
