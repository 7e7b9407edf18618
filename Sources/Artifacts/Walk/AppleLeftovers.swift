package import Archives
import ObjectFiles
import Store
package import SystemPackage

extension AppleMetadata {
  /// Whether it stands for a resource fork or attributes; the rest is the Finder's or the system's own.
  package var isResourceFork: Bool {
    switch self {
    case .resourceTree, .appleDouble, .netatalk: true
    default: false
    }
  }

  package var noun: String {
    switch self {
    case .resourceTree: "file of __MACOSX"
    case .appleDouble: "AppleDouble file"
    case .folderIcon: "Icon\\r"
    default: rawValue
    }
  }
}

extension ExtendedAttributes {
  /// The attributes that do not belong in a deliverable, as the system names them, sorted by bytes.
  package static func unwanted(of path: FilePath) throws(AttributeError) -> [String] {
    Lookups.attributes(of: path)
    return try list(path).filter { verdict(on: $0) == .unwanted }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The name for users: Apple's attributes without Linux's namespace `user.`.
  package static func shown(_ name: String) -> String {
    for prefix in ["user.com.apple.", "user.org.netatalk."] where name.hasPrefix(prefix) {
      return String(name.dropFirst("user.".count))
    }
    return name
  }
}

/// The extended attributes that macOS packs into an AppleDouble file, behind its Finder info.
///
/// Big endian. At 24 the number of parts (2 bytes), then 12 bytes each: id, offset, length. Part 9 begins with 32 bytes
/// of Finder info and 2 of padding; then "ATTR", 30 bytes of sizes and flags, the number of attributes (2), and for
/// each, at a multiple of 4: offset, length, flags (2), the length of the name (1), the name with its zero byte.
struct AppleDoubleAttributes {
  private(set) var names: [String] = []

  /// Unreadable parts are left out.
  init(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes.span)
    reader.endianness = .big
    try? read(reader)
  }

  private mutating func read(_ file: borrowing ByteReader) throws(FormatError) {
    guard try file.integer(at: 0, "magic number", as: UInt32.self) == 0x0005_1607 else { return }
    let count = Int(try file.integer(at: 24, "number of parts", as: UInt16.self))
    for index in 0..<count {
      let part = 26 + 12 * index
      guard try file.integer(at: part, "id of a part", as: UInt32.self) == 9 else { continue }
      // A file has only one such part.
      return try readFinderInfo(file, at: Int(try file.integer(at: part + 4, "offset of a part", as: UInt32.self)))
    }
  }

  private mutating func readFinderInfo(_ file: borrowing ByteReader, at start: Int) throws(FormatError) {
    if try file.copy(start..<start + 32, "Finder info").contains(where: { $0 != 0 }) {
      names.append("com.apple.FinderInfo")
    }
    let header = start + 34
    guard try file.integer(at: header, "attribute header", as: UInt32.self) == 0x4154_5452 else { return }
    let count = Int(try file.integer(at: header + 34, "number of attributes", as: UInt16.self))
    var entry = header + 36
    for _ in 0..<count {
      let length = Int(try file.integer(at: entry + 10, "length of a name", as: UInt8.self))
      let name = try file.copy(entry + 11..<entry + 11 + length, "name of an attribute")
      names.append(String(decoding: name.prefix { $0 != 0 }, as: UTF8.self))
      entry = (entry + 11 + length + 3) & ~3
    }
  }
}
