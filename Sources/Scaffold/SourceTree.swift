import Findings
import Store
import SystemPackage

/// The files of a plugin's folder that matter to a first manifest, found in one walk that follows no links. Paths are
/// relative to the folder.
struct SourceTree: Sendable {
  let root: FilePath
  /// In the order of the walk. A bundle, framework or Xcode project counts as one file, and the walk does not enter it.
  private(set) var files: [File] = []
  /// Names that a manifest cannot contain, escaped, with the reasons.
  private(set) var unnameable: [(name: String, reason: String)] = []
  /// Folders of the plugin's own that could not be read, with the reasons.
  private(set) var unread: [LeftOut] = []

  struct File: Sendable {
    let path: String
    let isFolder: Bool
    let standing: FolderStanding

    var name: String { PathText.name(path) }
    var folder: String { PathText.folder(path) }
    /// Lower case, without the dot; empty if there is none.
    var ending: String { PathText.ending(path) }
    /// In its original case: patterns tell `.M` from `.m`.
    var rawEnding: String { String(decoding: Array(name.utf8.suffix(ending.utf8.count)), as: UTF8.self) }
  }

  /// More than any plugin has.
  static let maxFiles = 100_000
  private static let deepest = 24

  private struct Folder {
    let path: String
    let standing: FolderStanding
    let depth: Int
  }

  /// - Parameter taken: paths that the user has named. They count as the plugin's own, whatever their folders are
  /// called.
  init(_ root: FilePath, taken: [String] = []) throws(FileError) {
    self.root = root
    _ = try FileSystem.list(root)
    var own = [Folder(path: "", standing: .own, depth: 0)]
    var others: [Folder] = []
    var count = 0
    // The plugin's own folders come first, so that other folders cannot use up the limit before them.
    while let folder = own.popLast() ?? others.popLast() {
      for inner in look(into: folder, taken, &count).reversed() {
        if inner.standing == .own { own.append(inner) } else { others.append(inner) }
      }
    }
  }

  /// Collects the files of a folder, and returns its inner folders.
  private mutating func look(into folder: Folder, _ taken: [String], _ count: inout Int) -> [Folder] {
    let names: [FilePath.Component]
    do throws(FileError) { names = try FileSystem.list(absolute(folder.path)) } catch {
      if folder.standing == .own { unread.append(LeftOut(folder.path, "it cannot be read")) }
      return []
    }
    count += names.count
    guard count <= SourceTree.maxFiles, folder.depth < SourceTree.deepest else {
      if folder.standing == .own { unread.append(LeftOut(folder.path, "there is more below than is looked at")) }
      return []
    }
    var inner: [Folder] = []
    for component in names where component.nameBytes.first != UInt8(ascii: ".") {
      guard let name = nameable(component, folder.standing) else { continue }
      let path = PathText.join(folder.path, name)
      let isNamed = taken.contains { PathText.isBelow(path, $0) }
      let standing = isNamed ? FolderStanding.own : folder.standing
      switch (try? FileSystem.status(of: absolute(path)))?.kind {
      case .regular?: files.append(File(path: path, isFolder: false, standing: standing))
      case .directory? where SourceTree.isThing(name):
        files.append(File(path: path, isFolder: true, standing: standing))
      case .directory?:
        let found = standing == .own && !isNamed ? FolderStanding(folder: name) ?? .own : standing
        let isOnTheWay = taken.contains { PathText.isBelow($0, path) }
        if found != .documentation || isOnTheWay {
          inner.append(Folder(path: path, standing: found, depth: folder.depth + 1))
        }
      default: break
      }
    }
    return inner
  }

  /// Nil unless a manifest can contain the name, which has to be text and no pattern.
  private mutating func nameable(_ component: FilePath.Component, _ standing: FolderStanding) -> String? {
    let bytes = component.nameBytes
    guard let name = String(validating: bytes, as: UTF8.self) else {
      if standing == .own {
        unnameable.append((printable(String(decoding: bytes, as: UTF8.self)), "its name is no UTF-8"))
      }
      return nil
    }
    if bytes.contains(where: "*?[{\\".utf8.contains) {
      if standing == .own { unnameable.append((printable(name), "a manifest reads its name as a pattern")) }
      return nil
    }
    return name
  }

  /// Whether a folder counts as one file.
  private static func isThing(_ name: String) -> Bool {
    [
      "framework", "xcframework", "bundle", "xcodeproj", "xcworkspace", "app", "appex", "dsym", "lproj", "xcassets",
      "xcdatamodeld", "playground", "docc",
    ].contains(PathText.ending(name))
  }

  func absolute(_ path: String) -> FilePath { path.isEmpty ? root : root.pushing(FilePath(path)) }

  /// In bytes; larger files are not descriptions or scripts.
  static let maxBytes = 4 << 20

  /// Empty if the file cannot be read or is too large.
  func bytes(_ path: String) -> [UInt8] {
    guard isFile(path) else { return [] }
    return (try? FileSystem.read(absolute(path), limit: SourceTree.maxBytes)) ?? []
  }

  func isFile(_ path: String) -> Bool { kind(path) == .regular }
  func isFolder(_ path: String) -> Bool { kind(path) == .directory }

  /// Nil if the path does not exist or leads through a link.
  private func kind(_ path: String) -> FileType? {
    let isInside = PathText.folders(above: path).allSatisfy { folder in
      (try? FileSystem.status(of: absolute(folder)))?.kind == .directory
    }
    return isInside ? (try? FileSystem.status(of: absolute(path)))?.kind : nil
  }

  /// The size in bytes.
  func size(_ path: String) -> Int64 { (try? FileSystem.status(of: absolute(path)))?.size ?? 0 }

  /// Judged by the first bytes (APPNOTE.TXT, 4.3.7).
  func isZip(_ path: String) -> Bool {
    (try? FileSystem.ends(of: absolute(path), 4).head)?.elementsEqual([0x50, 0x4B, 0x03, 0x04]) ?? false
  }

  var own: [File] { files.filter { $0.standing == .own } }

  /// Files that may be package descriptions of the plugin: AIR's is in the folder of its build.
  var described: [File] {
    files.filter { $0.standing == .own || $0.standing == .made && $0.name == "extension.xml" }
  }

  /// Whether the file is a git-lfs pointer in place of the content.
  func isPointer(_ path: String) -> Bool {
    size(path) < 1024 && bytes(path).starts(with: "version https://git-lfs".utf8)
  }
}

/// Operations on paths as text, by bytes.
enum PathText {
  static func join(_ folder: String, _ name: String) -> String { folder.isEmpty ? name : "\(folder)/\(name)" }

  static func name(_ path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
  }

  /// Empty for a path at the root.
  static func folder(_ path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
  }

  static func ending(_ path: String) -> String {
    let name = name(path)
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.utf8.startIndex else { return "" }
    return name[name.utf8.index(after: dot)...].lowercased()
  }

  /// The name of a path without the ending, and without the `lib` of a static library.
  static func stem(_ path: String) -> String {
    var name = Substring(name(path))
    if let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.utf8.startIndex { name = name[..<dot] }
    if ending(path) == "a", name.utf8.starts(with: "lib".utf8), name.utf8.count > 3 { name = name.dropFirst(3) }
    return String(name)
  }

  /// Whether a path is a folder or is below it; all paths are below the root.
  static func isBelow(_ path: String, _ folder: String) -> Bool {
    guard !folder.isEmpty, path.utf8.starts(with: folder.utf8) else { return folder.isEmpty }
    let rest = path.utf8.dropFirst(folder.utf8.count)
    return rest.isEmpty || rest.first == UInt8(ascii: "/")
  }

  /// The folders that contain a path, the innermost first, without the root.
  static func folders(above path: String) -> [String] {
    Array(sequence(first: folder(path)) { $0.isEmpty ? nil : folder($0) }.prefix { !$0.isEmpty })
  }

  /// Whether a path is one of some folders or is below one.
  static func isBelow(_ path: String, anyOf folders: Set<String>) -> Bool {
    folders.contains("") || folders.contains(path) || self.folders(above: path).contains(where: folders.contains)
  }

  /// A path with `.` and `..` taken out; nil if it leaves the root.
  static func resolved(_ path: String) -> String? {
    var parts: [Substring] = []
    guard path.utf8.first != UInt8(ascii: "/") else { return nil }
    for part in path.pathParts where part != "." {
      if part != ".." { parts.append(part) } else if parts.popLast() == nil { return nil }
    }
    return parts.joined(separator: "/")
  }

  /// A user's path without `./` in front and `/` at the end.
  static func trimmed(_ path: String) -> String {
    let path = resolved(path) ?? path
    return path.isEmpty ? "." : path
  }

  static func names(_ path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String($0) ?? "" }
  }
}
