import Documents
import Findings
import Store
import SystemPackage

/// The files of an app that an apps file names, by paths and globs. As in a link, the first mention of a file counts.
struct AppPaths {
  /// The folder of the apps file; empty for the working folder.
  private let folder: FilePath
  private var taken: Set<FilePath> = []
  /// Paths that are invalid.
  private(set) var mistakes: [Mistake] = []
  /// Paths and patterns that match nothing.
  private(set) var missing: [Mistake] = []

  init(_ folder: FilePath) { self.folder = folder }

  mutating func find(_ nodes: [Node]) -> [FilePath] {
    var found: [FilePath] = []
    for node in nodes {
      for path in paths(node).map(AppPaths.plain) where taken.insert(path).inserted { found.append(path) }
    }
    return found
  }

  private mutating func paths(_ node: Node) -> [FilePath] {
    let text = node.text ?? ""
    guard !text.isEmpty, !text.utf8.contains(0) else {
      mistakes.append(Mistake(text.isEmpty ? "an empty path" : "a path with a NUL in it", at: node.place))
      return []
    }
    do {
      if Glob.isPattern(text) { return try matches(text, node.place) }
      let path = folder.pushing(FilePath(text))
      if try FileSystem.status(of: path, followingLinks: true) != nil { return [path] }
      missing.append(Mistake("there is no \(path)", at: node.place, hint: neighbour(of: path)))
    } catch let error as GlobError {
      mistakes.append(Mistake("'\(text)': \(error.message)", at: node.place, hint: error.hint))
    } catch let error as FileError {
      missing.append(Mistake(error.description, at: node.place, hint: error.hint))
    } catch {
      missing.append(Mistake("\(error)", at: node.place))
    }
    return []
  }

  /// The plain folders at the front of a glob may lead anywhere; the rest of it is matched below them.
  private mutating func matches(_ text: String, _ place: Place) throws -> [FilePath] {
    let special = text.utf8.firstIndex { "*?[{\\".utf8.contains($0) } ?? text.endIndex
    let start = text[..<special].lastIndex(of: "/").map { text.index(after: $0) } ?? text.startIndex
    let base = folder.pushing(FilePath(String(text[..<start])))
    let glob = try Glob(String(text[start...]))
    let isThere = try FileSystem.status(of: base.isEmpty ? "." : base, followingLinks: true)?.kind == .directory
    let found = isThere ? try glob.matches(below: base.isEmpty ? "." : base) : []
    if found.isEmpty { missing.append(Mistake("the pattern '\(text)' matches nothing", at: place)) }
    return found.map(base.pushing)
  }

  /// Resolves `..` where that leads to the same file: behind a symbolic link it does not.
  private static func plain(_ path: FilePath) -> FilePath {
    let plain = path.lexicallyNormalized()
    guard let file = try? FileSystem.realPath(path), let same = try? FileSystem.realPath(plain) else { return path }
    return file == same ? plain : path
  }

  private func neighbour(of path: FilePath) -> String? {
    let folder = path.removingLastComponent()
    guard let name = path.lastComponent, let names = try? FileSystem.list(folder.isEmpty ? "." : folder) else {
      return nil
    }
    return nearest(to: name.string, among: names.map(\.string)).map { "did you mean '\(folder.appending($0))'?" }
  }
}
