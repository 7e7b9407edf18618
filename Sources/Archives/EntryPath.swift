/// The reason why bytes cannot be an entry's path. As in all errors of archives, names must be escaped when shown.
package enum EntryPathError: Error, Hashable, Sendable, CustomStringConvertible {
  case empty
  case absolute([UInt8])
  /// `a//b`, or a slash at the end: a folder is told from a file by its entry's kind.
  case emptyPart([UInt8])
  case dotPart([UInt8])
  case parentPart([UInt8])
  case nul([UInt8])
  /// Windows and some unzippers treat it as a separator.
  case backslash([UInt8])
  case notUTF8([UInt8])
  case tooLong([UInt8])
  case tooDeep([UInt8])

  package var description: String {
    switch self {
    case .empty: "a path in an archive cannot be empty"
    case .absolute(let path): "'\(shortened(path))' is absolute: a path in an archive starts at the archive's root"
    case .emptyPart(let path): "'\(shortened(path))' has an empty part between two slashes or at its end"
    case .dotPart(let path): "'\(shortened(path))' has a '.' part"
    case .parentPart(let path): "'\(shortened(path))' has a '..' part: it could leave the folder it is unpacked in"
    case .nul(let path): "'\(shortened(path))' holds a zero byte"
    case .backslash(let path): "'\(shortened(path))' holds a backslash, which some systems take for a slash"
    case .notUTF8(let path): "'\(shortened(path))' is not UTF-8: rename the file"
    case .tooLong(let path):
      "'\(shortened(path))' has \(path.count) bytes, a path at most \(EntryPath.longest): use shorter names"
    case .tooDeep(let path): "'\(shortened(path))' is more than \(EntryPath.deepest) folders deep: use fewer folders"
    }
  }
}

/// A name for a message. A long one is cut to both ends, perhaps inside a character.
func shortened(_ name: [UInt8]) -> String {
  String(decoding: name.count <= 300 ? name : name.prefix(150) + Array("…".utf8) + name.suffix(100), as: UTF8.self)
}

/// The path of an entry in an archive: relative, in UTF-8, with `/` between parts that are not empty, `.` or `..`.
///
/// It is held, compared and ordered as bytes: NFC and NFD spellings are equal as a `String`, but not on a device.
package struct EntryPath: Hashable, Sendable, Comparable, CustomStringConvertible {
  package let bytes: [UInt8]

  /// In bytes: PATH_MAX of Linux, more than any other system accepts.
  package static let longest = 4096
  /// In folders.
  package static let deepest = 256

  package init(_ bytes: [UInt8]) throws(EntryPathError) {
    guard let first = bytes.first else { throw .empty }
    if bytes.count > Self.longest { throw .tooLong(bytes) }
    if first == UInt8(ascii: "/") { throw .absolute(bytes) }
    if bytes.contains(0) { throw .nul(bytes) }
    if bytes.contains(UInt8(ascii: "\\")) { throw .backslash(bytes) }
    for part in bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      if part.isEmpty { throw .emptyPart(bytes) }
      if part.elementsEqual(".".utf8) { throw .dotPart(bytes) }
      if part.elementsEqual("..".utf8) { throw .parentPart(bytes) }
    }
    if bytes.count(where: { $0 == UInt8(ascii: "/") }) > Self.deepest { throw .tooDeep(bytes) }
    guard String(validating: bytes, as: UTF8.self) != nil else { throw .notUTF8(bytes) }
    self.bytes = bytes
  }

  package init(_ text: String) throws(EntryPathError) {
    try self.init(Array(text.utf8))
  }

  init(unchecked bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  package var components: [[UInt8]] {
    bytes.split(separator: UInt8(ascii: "/")).map(Array.init)
  }

  package var lastComponent: [UInt8] {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return bytes }
    return Array(bytes[(slash + 1)...])
  }

  /// Nil at the archive's root.
  package var parent: EntryPath? {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return EntryPath(unchecked: bytes[..<slash])
  }

  /// Equal for two paths that are the same on a file system that ignores case or normalizes names.
  ///
  /// Swift's `String` equality is canonical equivalence, which is wanted here. Lower, upper and lower case in a row
  /// come nearest to Unicode's full case folding with the standard library: `ẞ`, `ß` and `SS` meet, `ſ` and `s` too.
  /// Bytes that are not UTF-8 are equal to themselves alone.
  package var collisionKey: String { Self.collisionKey(bytes[...]) }

  /// Also works for one part of a path, and for bytes that are no path.
  package static func collisionKey(_ bytes: ArraySlice<UInt8>) -> String {
    if bytes.allSatisfy({ $0 < 0x80 }) {
      return String(decoding: bytes.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      // No file's name begins with a zero byte, so these keys meet no other.
      return "\0" + bytes.map { String($0) }.joined(separator: " ")
    }
    return text.lowercased().uppercased().lowercased()
  }

  package static func < (left: EntryPath, right: EntryPath) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }

  package var description: String { String(decoding: bytes, as: UTF8.self) }
}
