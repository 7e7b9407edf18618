import Store
package import SystemPackage

/// The git folder of the repository that a tree lies in. It is found without git, because git runs programs that a
/// repository's configuration names.
package struct GitFolder: Sendable {
  /// The folder of the work tree.
  let top: FilePath
  /// `.git`, or the folder that a file of that name leads to (work trees, submodules).
  let path: FilePath

  /// All git folders of the root and the folders above it, the innermost first.
  static func all(_ disk: any Disk) -> [GitFolder] {
    disk.root.andFoldersAbove.compactMap { top in
      let git = top.appending(".git")
      switch (try? disk.status(git, followingLinks: false))??.kind {
      case .directory: return GitFolder(top: top, path: git)
      case .regular:
        guard let text = try? disk.read(git), text.starts(with: "gitdir: ".utf8) else { return nil }
        return FilePath(pathBytes: text.dropFirst(8).prefix { $0 != 0x0A }).map {
          GitFolder(top: top, path: top.pushing($0))
        }
      default: return nil
      }
    }
  }

  /// The folder that a work tree shares with others.
  private var common: FilePath {
    guard let bytes = try? FileSystem.read(path.appending("commondir"), limit: 4096),
      let common = FilePath(pathBytes: bytes.prefix { $0 != 0x0A })
    else { return path }
    return path.pushing(common).lexicallyNormalized()
  }

  /// The length of object names in bytes; nil if the format is unknown. It follows from `extensions.objectFormat`
  /// (git's `Documentation/config/extensions.txt`), without which they are SHA-1's.
  var nameLength: Int? {
    guard let bytes = try? FileSystem.read(common.appending("config"), limit: 1 << 20) else { return 20 }
    var (section, format) = ("", "sha1")
    for line in bytes.split(whereSeparator: "\n\r".utf8.contains) {
      let words = line.split(whereSeparator: " \t=\"[]".utf8.contains)
        .map { String(decoding: $0, as: UTF8.self).lowercased() }
      guard let first = words.first else { continue }
      var values = words[...]
      if line.first(where: { $0 != 0x20 && $0 != 0x09 }) == UInt8(ascii: "[") {
        // A key may follow its section on the same line.
        section = line.contains(UInt8(ascii: "\"")) ? "" : first
        values = values.dropFirst()
      }
      if section == "extensions", values.count > 1, values.first == "objectformat" {
        format = values.dropFirst().first ?? format
      }
    }
    return ["sha1": 20, "sha256": 32][format]
  }

  package var tags: FilePath { common.pushing("refs/tags") }

  /// The file that grows with each commit and checkout; nil if git keeps none.
  package var history: FilePath? {
    let log = path.pushing("logs/HEAD")
    return (try? FileSystem.status(of: log))?.kind == .regular ? log : nil
  }
}

extension GitFolder {
  /// Nil if the tree, an absolute path, is in no repository.
  package init?(of tree: FilePath) {
    guard let disk = try? RealDisk(tree), let first = GitFolder.all(disk).first else { return nil }
    self = first
  }
}
