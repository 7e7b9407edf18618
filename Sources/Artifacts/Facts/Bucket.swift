import Archives
import Documents
import OrderedCollections

/// The files of one version of an app: a folder with a `manifest.mf`.
package struct Bucket: Sendable {
  /// With a slash at its end; empty if the bucket is the whole archive.
  package let root: [UInt8]
  package fileprivate(set) var manifest: Item?
  /// Its other files, in the archive's order.
  package fileprivate(set) var files: [Item] = []

  fileprivate init(root: [UInt8]) { self.root = root }

  package func path(_ item: Item) -> [UInt8] { Array(item.path.dropFirst(root.count)) }
}

extension Inventory {
  /// The archive's buckets, and the files in none of them. A manifest inside of a bucket is an ordinary asset.
  package var buckets: (all: [Bucket], others: [Item]) {
    let files = items.filter { $0.isFile && $0.metadata == nil }
    let roots = Set(
      files.filter { BucketManifest.isManifest($0.path) }.map { $0.path.dropLast(BucketManifest.name.utf8.count) })
    var all: OrderedDictionary<ArraySlice<UInt8>, Bucket> = [:]
    var others: [Item] = []
    for item in files {
      guard let root = item.outermost(of: roots) else {
        others.append(item)
        continue
      }
      if item.path.count == root.count + BucketManifest.name.utf8.count, BucketManifest.isManifest(item.path) {
        all[root, default: Bucket(root: Array(root))].manifest = item
      } else {
        all[root, default: Bucket(root: Array(root))].files.append(item)
      }
    }
    return (Array(all.values), others)
  }

  /// The buckets. An archive without a manifest counts as one bucket, in its top folder if it has exactly one.
  package var bucketsOrWhole: [Bucket] {
    let (all, others) = buckets
    guard all.isEmpty else { return all }
    let slash = UInt8(ascii: "/")
    let tops = Set(others.map { item in item.path.firstIndex(of: slash).map { Array(item.path[...$0]) } ?? [] })
    var whole = Bucket(root: tops.count == 1 ? tops.first ?? [] : [])
    whole.files = others
    return [whole]
  }
}

extension Item {
  /// The outermost bucket that it is in. Real buckets are only a few folders deep.
  fileprivate func outermost(of roots: Set<ArraySlice<UInt8>>) -> ArraySlice<UInt8>? {
    if roots.contains([]) { return [] }
    var depth = 0
    for (index, byte) in path.enumerated() where byte == UInt8(ascii: "/") {
      if roots.contains(path[...index]) { return path[...index] }
      depth += 1
      if depth == 16 { return nil }
    }
    return nil
  }
}

/// The names of a bucket's files, to look up the references of its pages.
package struct BucketNames: Sendable {
  private var names: Set<[UInt8]> = []
  private var twins: [String: [UInt8]] = [:]
  /// The folders of pages: a script's addresses may be relative to any of them. Nil if there are too many to try.
  package private(set) var pageFolders: Set<[UInt8]>? = [[]]

  private static let maxFolders = 64

  package init(_ bucket: Bucket) {
    for item in bucket.files {
      let path = bucket.path(item)
      names.insert(path)
      twins[BucketNames.key(path)] = path
      guard item.facts(WebReferences.self)?.language == .page else { continue }
      pageFolders?.insert(BucketNames.folder(of: path))
      if (pageFolders?.count ?? 0) > BucketNames.maxFolders { pageFolders = nil }
    }
    // A page may fetch its bucket's manifest itself.
    names.insert(Array(BucketManifest.name.utf8))
  }

  package func contains(_ path: [UInt8]) -> Bool { names.contains(path) }

  /// A file whose name differs in case, or in how letters are composed.
  package func twin(of path: [UInt8]) -> [UInt8]? { twins[BucketNames.key(path)] }

  /// Equal for names that some file systems treat as the same.
  package static func key(_ path: [UInt8]) -> String {
    EntryPath.collisionKey(path[...])
  }

  /// With a slash at its end; empty for the bucket itself.
  package static func folder(of path: [UInt8]) -> [UInt8] {
    path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[...$0]) } ?? []
  }
}
