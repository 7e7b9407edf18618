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
    visit([], root)
  }

  private mutating func visit(_ prefix: [UInt8], _ folder: FilePath) {
    for name in collect([], { () throws(FileError) in try FileSystem.list(folder) }) {
      let path = folder.appending(name)
      guard let status = collect(nil, { () throws(FileError) in try FileSystem.status(of: path) }) else { continue }
      let bytes = prefix + name.nameBytes
      var item = Item(path: bytes, kind: status.kind.itemKind, size: status.kind == .file ? Int(status.size) : 0)
      item.metadata = AppleMetadata.classify(path: bytes)
      item.attributes = attributes(of: path)
      if status.kind == .file, item.metadata == nil {
        item.content = collect(.other) { () throws(FileError) in try Item.Content(ofFile: path) }
      }
      items.append(item)
      if status.kind == .folder, item.metadata == nil { visit(bytes + [UInt8(ascii: "/")], path) }
    }
  }

  /// One thing that cannot be looked at does not hide the others.
  private mutating func collect<T>(_ instead: T, _ look: () throws(FileError) -> T) -> T {
    do throws(FileError) { return try look() } catch {
      problems.append(error)
      return instead
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
