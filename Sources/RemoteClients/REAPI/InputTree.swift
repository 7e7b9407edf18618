#if REAPI
  import Remote
  import Store

  /// The Merkle tree of the files that a program sees on a worker. Its nodes are messages `Directory`:
  ///
  ///   Directory  files 1 { name 1, digest 2, is_executable 4 }, directories 2 { name 1, digest 2 }, symlinks 3 { name 1, target 2 }
  ///
  /// Each list is sorted by the bytes of the names.
  struct InputTree {
    let root: ActionResult.Blob
    /// The messages, the root's among them.
    private(set) var folders: [(name: ActionResult.Blob, bytes: [UInt8])] = []

    init(_ entries: [String: RemoteWork.Entry]) {
      var open: [String: Folder] = ["": Folder()]
      func makeFolder(_ path: String) {
        guard open[path] == nil else { return }
        open[path] = Folder()
        makeFolder(InputTree.split(path).folder)
      }
      for (path, entry) in entries {
        let (folder, name) = InputTree.split(path)
        makeFolder(folder)
        switch entry {
        case .folder: makeFolder(path)
        case .link(let target):
          var node = MessageWriter()
          node.add(1, name)
          node.add(2, target)
          open[folder]?.links.append((name, node))
        case .file(let blob, let isExecutable, _):
          var node = InputTree.node(name, blob)
          if isExecutable { node.add(4, 1) }
          open[folder]?.files.append((name, node))
        }
      }
      // A folder names those in it by their digests: the longest paths come first.
      var last = ActionResult.Blob([])
      for path in open.keys.sorted(by: { $0.utf8.count > $1.utf8.count }) {
        let bytes = open[path]?.message.bytes ?? []
        last = ActionResult.Blob(bytes)
        folders.append((last, bytes))
        guard !path.isEmpty else { break }
        let (folder, name) = InputTree.split(path)
        open[folder]?.folders.append((name, InputTree.node(name, last)))
      }
      root = last
    }

    private static func node(_ name: String, _ blob: ActionResult.Blob) -> MessageWriter {
      var node = MessageWriter()
      node.add(1, name)
      node.add(2, message: blob.message)
      return node
    }

    private struct Folder {
      typealias Nodes = [(name: String, node: MessageWriter)]
      var files: Nodes = []
      var folders: Nodes = []
      var links: Nodes = []

      var message: MessageWriter {
        var message = MessageWriter()
        for (field, nodes) in [(1, files), (2, folders), (3, links)] {
          for node in nodes.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
            message.add(field, message: node.node)
          }
        }
        return message
      }
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
      guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
      return (String(path[..<slash]), String(path[path.utf8.index(after: slash)...]))
    }
  }
#endif
