import Archives
package import Store
package import SystemPackage

/// The inventory of a folder as it stands, links not followed, in the order of the bytes of the paths.
package struct TreeReader: Sendable {
  private let root: FilePath
  private(set) package var items: [Item] = []
  /// What could not be looked at.
  private(set) package var problems: [FileError] = []

  package init(_ root: FilePath) {
    self.root = root
    visit("", root)
  }

  private mutating func visit(_ prefix: String, _ folder: FilePath) {
    do throws(FileError) {
      for name in try FileSystem.list(folder) {
        let path = folder.appending(name)
        guard let status = try FileSystem.status(of: path) else { continue }
        let bytes = Array(prefix.utf8) + name.nameBytes
        var item = Item(path: bytes, kind: status.kind.itemKind, size: status.kind == .file ? Int(status.size) : 0)
        item.metadata = AppleMetadata.classify(path: bytes)
        item.attributes = attributes(of: path)
        if status.kind == .file, item.metadata == nil { item.content = try Item.Content(ofFile: path) }
        items.append(item)
        if status.kind == .folder, item.metadata == nil { visit(prefix + name.string + "/", path) }
      }
    } catch {
      problems.append(error)
    }
  }

  private mutating func attributes(of path: FilePath) -> [String] {
    do throws(AttributeError) {
      return try ExtendedAttributes.unwanted(of: path).map(ExtendedAttributes.shown)
    } catch {
      problems.append(FileError(path, doing: "list the attributes of", code: error.errno))
      return []
    }
  }
}

extension Store.FileKind {
  package var itemKind: Item.Kind {
    switch self {
    case .folder: .folder
    case .symlink: .link
    case .file, .other: .file
    }
  }
}
