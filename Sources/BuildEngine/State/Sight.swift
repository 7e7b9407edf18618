import Store
import SystemPackage

/// One thing that a run has looked at, and what was there.
struct Sight {
  /// Relative to the root, or absolute.
  let path: FilePath
  let what: What

  enum What {
    case nothing
    case noTarget
    case status(FileStatus)
    /// Of what a link leads to.
    case target(FileStatus)
    /// Of a folder, sorted by bytes.
    case names([FilePath.Component])
  }

  init(path: FilePath, _ what: What) {
    self.path = path
    self.what = what
  }
}

/// Sights as bytes: a letter, the path with a zero byte at its end, and what was there. Numbers are little-endian.
///
/// Of folders only the kind counts: their times change with names that nobody has asked for.
struct SightWriter {
  private(set) var bytes: [UInt8] = []

  static let (nothing, noTarget, folder, targetFolder) = (UInt8(1), UInt8(2), UInt8(3), UInt8(4))
  static let (status, target, names) = (UInt8(5), UInt8(6), UInt8(7))

  /// False if what was seen is not there any more, or may change without a trace: within one tick of the disk's clock,
  /// which was at `stamp` before anything was looked at.
  mutating func add(_ sight: Sight, stamp: Int64, _ glance: any Glance) throws(FileError) -> Bool {
    let path = sight.path.isEmpty ? [0x2E, 0] : sight.path.pathBytes + [0]
    switch sight.what {
    case .nothing: add(SightWriter.nothing, path)
    case .noTarget: add(SightWriter.noTarget, path)
    case .status(let status):
      if status.kind == .folder { add(SightWriter.folder, path) } else { add(SightWriter.status, path, status) }
      return isSettled(status, stamp)
    case .target(let status):
      if status.kind == .folder { add(SightWriter.targetFolder, path) } else { add(SightWriter.target, path, status) }
      return isSettled(status, stamp)
    case .names(let names):
      // In the order of the file system, so that whoever compares need not sort.
      let listed = try glance.list(path, at: 0)
      let sorted = listed.split(separator: 0).sorted { $0.lexicographicallyPrecedes($1) }
      guard sorted.elementsEqual(names, by: { $0.elementsEqual($1.nameBytes) }) else { return false }
      add(SightWriter.names, path)
      add(UInt64(listed.count))
      bytes += listed
    }
    return true
  }

  private func isSettled(_ status: FileStatus, _ stamp: Int64) -> Bool {
    status.kind == .folder || (status.changed < stamp && status.modified < stamp)
  }

  private mutating func add(_ letter: UInt8, _ path: [UInt8], _ status: FileStatus? = nil) {
    bytes.append(letter)
    bytes += path
    guard let status else { return }
    bytes += [status.kind.rawValue, status.executable ? 1 : 0]
    for number in [status.size, status.modified, status.changed] { add(UInt64(bitPattern: number)) }
    add(status.inode)
    add(status.device)
  }

  private mutating func add(_ number: UInt64) {
    for index in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * index))) }
  }
}

/// Looks at all that `SightWriter` wrote down again. Every length is checked against what is there.
struct SightCheck {
  private let bytes: [UInt8]
  private var at: Int

  init(_ bytes: [UInt8], from start: Int) {
    self.bytes = bytes
    at = start
  }

  /// Whether all is as it was; false at the first thing that is not.
  mutating func isSame(_ glance: any Glance) -> Bool {
    // Then every path has an end.
    while at < bytes.count {
      guard (try? isNextSame(glance)) ?? false else { return false }
    }
    return true
  }

  private mutating func isNextSame(_ glance: any Glance) throws(FileError) -> Bool {
    let letter = bytes[at]
    let path = at + 1
    guard let end = bytes[path...].firstIndex(of: 0) else { return false }
    at = end + 1
    switch letter {
    case SightWriter.nothing: return try glance.status(bytes, at: path, followingLinks: false) == nil
    case SightWriter.noTarget: return try glance.status(bytes, at: path, followingLinks: true) == nil
    case SightWriter.folder: return try glance.status(bytes, at: path, followingLinks: false)?.kind == .folder
    case SightWriter.targetFolder: return try glance.status(bytes, at: path, followingLinks: true)?.kind == .folder
    case SightWriter.status: return isSame(try glance.status(bytes, at: path, followingLinks: false))
    case SightWriter.target: return isSame(try glance.status(bytes, at: path, followingLinks: true))
    case SightWriter.names:
      guard let count = number(), count <= UInt64(bytes.count - at) else { return false }
      let names = bytes[at..<(at + Int(count))]
      at += Int(count)
      return try glance.list(bytes, at: path).elementsEqual(names)
    default: return false
    }
  }

  private mutating func isSame(_ status: FileStatus?) -> Bool {
    guard let status, bytes.count - at >= 42 else { return false }
    guard bytes[at] == status.kind.rawValue, bytes[at + 1] == (status.executable ? 1 : 0) else { return false }
    at += 2
    return number() == UInt64(bitPattern: status.size) && number() == UInt64(bitPattern: status.modified)
      && number() == UInt64(bitPattern: status.changed) && number() == status.inode && number() == status.device
  }

  private mutating func number() -> UInt64? {
    guard bytes.count - at >= 8 else { return nil }
    var number: UInt64 = 0
    for index in 0..<8 { number |= UInt64(bytes[at + index]) << UInt64(8 * index) }
    at += 8
    return number
  }
}
