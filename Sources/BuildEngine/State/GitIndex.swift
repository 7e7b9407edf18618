import Store
import SystemPackage

/// The files that git tracks in the repository of a tree, read from git's index. It only tells whether there are any
/// below a folder.
///
/// The format: `DIRC`, version (4 bytes), number of entries (4), then the entries, sorted by name. An entry has times,
/// device, inode, mode, owner and size (40), the object name (20, for SHA-256 32), flags (2; from version 3 on, bit 14
/// announces 2 more) and the name. Up to version 3, 1 to 8 zero bytes follow the name, so that the entry's length is a
/// multiple of 8. In version 4 a number says how many bytes to drop from the end of the previous name; a suffix to add
/// and a zero byte follow. That number has 7 bits a byte, all but the last with the uppermost bit set; each byte but
/// the first counts one more. Numbers are big-endian. Source: git's `Documentation/gitformat-index.txt`.
struct GitIndex {
  private let bytes: [UInt8]
  /// The tree's path in the repository, with a slash at its end; empty at the repository's top.
  private let prefix: [UInt8]
  /// The size of an entry's part before its name, in bytes.
  private let fixed: Int

  /// Nil if the tree is in no repository, or nothing can be read of it.
  init?(_ disk: any Disk) {
    for git in GitFolder.all(disk) {
      guard let bytes = try? disk.read(git.path.appending("index")) else { continue }
      guard let nameLength = git.nameLength else { return nil }
      var below = disk.root
      _ = below.removePrefix(git.top)
      self.init(bytes: bytes, prefix: below.isEmpty ? [] : below.pathBytes + [0x2F], nameLength: nameLength)
      return
    }
    return nil
  }

  init(bytes: [UInt8], prefix: [UInt8] = [], nameLength: Int = 20) {
    self.bytes = bytes
    fixed = 40 + nameLength + 2
    self.prefix = prefix
  }

  /// The first file that git tracks below a folder of the tree; nil if there is none, or the index is of another form.
  func first(below folder: FilePath) -> FilePath? {
    let start = prefix + folder.pathBytes + [0x2F]
    var found: FilePath?
    forEachName { name in
      guard name.starts(with: start) else { return true }
      found = FilePath(pathBytes: name.dropFirst(prefix.count))
      return false
    }
    return found
  }

  /// Stops when the body returns false.
  private func forEachName(_ body: (ArraySlice<UInt8>) -> Bool) {
    guard bytes.starts(with: "DIRC".utf8), let version = number(at: 4), (2...4).contains(version),
      let count = number(at: 8)
    else { return }
    var at = 12
    var name: [UInt8] = []
    for _ in 0..<count {
      guard at + fixed <= bytes.count else { return }
      let start = at
      at += version > 2 && bytes[at + fixed - 2] & 0x40 != 0 ? fixed + 2 : fixed
      if version == 4 {
        guard let dropped = offset(&at), dropped <= name.count else { return }
        name.removeLast(dropped)
      } else {
        name = []
      }
      guard at <= bytes.count, let end = bytes[at...].firstIndex(of: 0) else { return }
      name += bytes[at..<end]
      guard body(name[...]) else { return }
      at = version == 4 ? end + 1 : start + (end - start + 8) / 8 * 8
    }
  }

  private func number(at offset: Int) -> Int? {
    guard offset + 4 <= bytes.count else { return nil }
    return bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
  }

  private func offset(_ at: inout Int) -> Int? {
    var value = 0
    for index in 0..<8 {
      guard at < bytes.count else { return nil }
      let byte = bytes[at]
      at += 1
      value = (index == 0 ? 0 : value + 1) << 7 | Int(byte & 0x7F)
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }
}
