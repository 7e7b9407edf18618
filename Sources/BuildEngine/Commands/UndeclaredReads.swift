import Store
import SystemPackage

/// Files of the tree that a command's text, or what it printed, names, and that its step does not declare.
struct UndeclaredReads {
  let context: ActionContext
  /// The folder in which the command runs, relative to the root.
  let directory: FilePath
  /// The paths from its depfile.
  var discovered: [FilePath] = []

  /// The most names of a text, and files of the tree, that are looked at.
  private static let (maxNames, maxFiles) = (5_000, 20_000)

  /// Files that the texts name relative to the command's folder or to the root.
  func named(in texts: [String], script: String? = nil) -> [FilePath] {
    var found: Set<FilePath> = []
    for name in UndeclaredReads.names(texts) {
      if let path = places(of: name).first(where: isFile), !isDeclared(path) { found.insert(path) }
    }
    let view = DiskView(context.disk)
    for glob in script.map(UndeclaredReads.patterns) ?? [] {
      let text = directory == "." ? glob : "\(directory)/\(glob)"
      for path in (try? Glob(text).matches(in: view, hidden: [Graph.stateFolder])) ?? []
      where isFile(path) && !isDeclared(path) {
        found.insert(path)
      }
    }
    return sortedByBytes(found)
  }

  /// Also finds files whose paths end in a name, because a compiler names a header as the source does.
  func missed(in texts: [String], script: String?) -> [FilePath] {
    var found = Set(named(in: texts, script: script))
    let names = UndeclaredReads.names(texts).filter { name in
      name.utf8.contains(UInt8(ascii: ".")) && !places(of: name).contains(where: isFile)
    }
    let wanted = Set(names.map { FilePath($0).lexicallyNormalized() }.filter(\.isRelative))
    guard !wanted.isEmpty else { return sortedByBytes(found) }
    var open: [FilePath] = [""]
    var left = UndeclaredReads.maxFiles
    while let folder = open.popLast(), left > 0 {
      for name in (try? context.disk.list(context.absolute(folder))) ?? [] where !Glob.isHidden(name.nameBytes) {
        left -= 1
        let path = folder.appending(name)
        if path.ends(with: FilePath(root: nil, [name])), wanted.contains(where: path.ends), isFile(path) {
          if !isDeclared(path) { found.insert(path) }
        } else if (try? context.disk.status(context.absolute(path), followingLinks: false))?.kind == .directory {
          open.append(path)
        }
      }
    }
    return sortedByBytes(found)
  }

  private static func names(_ texts: [String]) -> Set<String> {
    let ends = Set(" \t\n\r\"'`()<>|&;:,={}[]$@*?\\".utf8)
    let space = UInt8(ascii: " ")
    var names: Set<String> = []
    for text in texts {
      names.insert(text)
      // A space behind a backslash joins what stands around it.
      var joined: [UInt8] = []
      for byte in text.utf8 {
        if byte == space, joined.last == UInt8(ascii: "\\") {
          joined[joined.count - 1] = 1
        } else {
          joined.append(byte)
        }
      }
      for word in joined.split(whereSeparator: ends.contains) where names.count < maxNames && word.count < 1024 {
        guard word.first != UInt8(ascii: "-") else { continue }
        let name = word.map { $0 == 1 ? space : $0 }
        let end = name.lastIndex { $0 != UInt8(ascii: ".") } ?? name.startIndex
        names.insert(String(decoding: name[..<min(end + 1, name.endIndex)], as: UTF8.self))
      }
      for quote in "'\"".utf8 {
        for quoted in text.utf8.split(separator: quote) where names.count < maxNames && quoted.contains(space) {
          names.insert(String(Substring(quoted)))
        }
      }
    }
    return names.filter { !$0.isEmpty && !$0.utf8.contains(0) }
  }

  /// The globs in a script. A lone star is ignored, because it mostly means something else.
  private static func patterns(_ script: String) -> [String] {
    let ends = Set(" \t\n\r\"'`()<>|&;:=$@\\".utf8)
    return script.utf8.split(whereSeparator: ends.contains).prefix(maxNames).compactMap { String($0) }.filter {
      Glob.isPattern($0) && $0 != "*" && !$0.hasPrefix("-")
    }
  }

  /// Relative to the root.
  private func places(of name: String) -> [FilePath] {
    var path = FilePath(name)
    if path.isAbsolute { return path.removePrefix(context.root) && !path.isEmpty ? [path] : [] }
    return [directory.pushing(path).lexicallyNormalized(), path.lexicallyNormalized()].filter {
      !$0.isEmpty && !$0.starts(with: "..") && !$0.starts(with: Graph.stateFolder)
    }
  }

  private func isFile(_ path: FilePath) -> Bool {
    (try? context.disk.status(context.absolute(path), followingLinks: true))?.kind == .regular
  }

  private func isDeclared(_ path: FilePath) -> Bool {
    context.inputs.joined().contains { $0.path == path } || context.outputs.contains(where: path.starts)
      || discovered.contains(path) || context.programs.contains(context.absolute(path))
  }
}
