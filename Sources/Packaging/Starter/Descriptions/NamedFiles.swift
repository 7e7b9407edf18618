import Store
import SystemPackage

/// The files of a tree as its descriptions name them: by paths and patterns, relative to the folder of the description.
/// No link is followed, and one tree's descriptions together cannot ask for endless work.
final class NamedFiles: GlobTree {
  let tree: StarterTree
  private var lists: [FilePath: [FilePath.Component]] = [:]
  private var namesLeft = 500_000
  private var patternsLeft = 50_000
  /// Scripts that several descriptions read, up to so many bytes.
  private var scripts: [String: [ScriptTokens.Token]] = [:]
  private var scriptBytesLeft = 1 << 23

  init(_ tree: StarterTree) { self.tree = tree }

  func status(_ path: FilePath) throws(FileError) -> FileStamp? {
    try FileSystem.status(of: tree.root.pushing(path))
  }

  func target(_ path: FilePath) throws(FileError) -> FileStamp? { try status(path) }

  func list(_ folder: FilePath) throws(FileError) -> [FilePath.Component] {
    let names: [FilePath.Component]
    if let known = lists[folder] {
      names = known
    } else {
      names = try FileSystem.list(folder.isEmpty ? tree.root : tree.root.pushing(folder))
        .filter { StarterTree.plainName($0) != nil }
      lists[folder] = names
    }
    namesLeft -= names.count + 1
    guard namesLeft > 0 else { throw FileError(folder, doing: "list", reason: "the patterns go through too much") }
    return names
  }

  /// What a folder stands for that a description names.
  enum Contents: String { case itself = "", directly = "/*", wholly = "/**" }

  /// More patterns, and more choices in the braces of one, are no plugin's own.
  private static let mostPatterns = 200
  private static let mostChoices = 16

  /// What is there, sorted, each once; a bundle is one thing, whatever of it is named.
  func paths(_ patterns: some Sequence<String>, in folder: String, _ contents: Contents = .itself) -> [String] {
    var found: Set<String> = []
    for pattern in patterns.prefix(NamedFiles.mostPatterns) {
      // The folder of the description itself.
      let isOwn = contents != .itself && !pattern.isEmpty && pattern.split(separator: "/").allSatisfy { $0 == "." }
      let pattern = isOwn ? String(contents.rawValue.dropFirst()) : pattern
      for path in matches(pattern, in: folder) {
        guard contents != .itself, !NamedFiles.isBundle(path), tree.isFolder(path) else {
          found.insert(path)
          continue
        }
        for inner in matches(path + contents.rawValue, in: "") where !tree.isFolder(inner) || NamedFiles.isBundle(inner)
        {
          found.insert(inner)
        }
      }
    }
    return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Of a script of Gradle's.
  func script(_ path: String) -> [ScriptTokens.Token] {
    if let known = scripts[path] { return known }
    let bytes = tree.bytes(path)
    let tokens = ScriptTokens.read(bytes, .gradle)
    scriptBytesLeft -= bytes.count
    if scriptBytesLeft > 0 { scripts[path] = tokens }
    return tokens
  }

  /// The one that is named, where a name is no pattern.
  func path(_ name: String, in folder: String) -> String? {
    Glob.isPattern(name) ? nil : matches(name, in: folder).first
  }

  private func matches(_ pattern: String, in folder: String) -> [String] {
    patternsLeft -= 1
    guard patternsLeft > 0 else { return [] }
    let commas = pattern.utf8.count { $0 == UInt8(ascii: ",") }
    guard commas <= NamedFiles.mostChoices, let path = NamedFiles.normalized(pattern, in: folder),
      let glob = try? Glob(path), let found = try? glob.matches(in: self)
    else { return [] }
    return found.compactMap { NamedFiles.outermostBundle($0.string) }
  }

  /// Without `.` and `..`, nil if it leads out of the tree; and `{h}`, which is a choice of one for Ruby, without braces.
  static func normalized(_ pattern: String, in folder: String) -> String? {
    var parts = folder.split(separator: "/").map(String.init)
    guard !pattern.hasPrefix("/"), pattern.utf8.count < 1000 else { return nil }
    for part in pattern.split(separator: "/") where part != "." {
      if part != ".." {
        parts.append(String(part))
      } else if parts.popLast() == nil {
        return nil
      }
    }
    guard !parts.isEmpty else { return nil }
    return withoutLoneChoices(parts.joined(separator: "/"))
  }

  private static func withoutLoneChoices(_ pattern: String) -> String {
    var kept: [UInt8] = []
    // Where a brace stands that has had no comma and no other brace since.
    var open: Int?
    for byte in pattern.utf8 {
      switch byte {
      case UInt8(ascii: "{"):
        open = kept.count
        kept.append(byte)
      case UInt8(ascii: "}"):
        if let brace = open { kept.remove(at: brace) } else { kept.append(byte) }
        open = nil
      default:
        if byte == UInt8(ascii: ",") { open = nil }
        kept.append(byte)
      }
    }
    return String(decoding: kept, as: UTF8.self)
  }

  // MARK: - Kinds of files

  /// Folders that are one thing to an app or to Xcode.
  static func isBundle(_ name: String) -> Bool {
    ["bundle", "framework", "xcframework", "xcassets", "xcdatamodeld", "mlmodelc"].contains(ending(name))
  }

  private static func outermostBundle(_ path: String) -> String? {
    var parts: [Substring] = []
    for part in path.split(separator: "/") {
      parts.append(part)
      if isBundle(String(part)) { break }
    }
    return parts.isEmpty ? nil : parts.joined(separator: "/")
  }

  static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  /// `m` of `a/b.m`, nothing of `a/b`.
  static func ending(_ path: String) -> String {
    let name = name(path)
    return name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? ""
  }

  static func isSource(_ path: String) -> Bool {
    ["m", "mm", "c", "cc", "cpp", "cxx", "swift", "s", "S"].contains(ending(path))
  }

  static func isHeader(_ path: String) -> Bool { ["h", "hh", "hpp", "hxx"].contains(ending(path)) }
  static func isLibrary(_ path: String) -> Bool {
    ["a", "framework", "xcframework", "so", "jar", "aar"].contains(ending(path))
  }
}

extension StarterTree {
  /// Empty: the root.
  static func folder(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
  }

  /// The last name.
  static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}
