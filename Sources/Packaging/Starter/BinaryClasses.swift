import Archives
import Store

/// The classes of Objective-C that a finished library names in its symbols: sources of them beside it are what it was made of.
struct BinaryClasses: Sendable {
  private(set) var names: Set<String> = []

  /// In bytes, read at a time; a name is far shorter.
  private static let chunk = 1 << 20
  private static let longestName = 256
  private static let marker = Array("_OBJC_CLASS_$_".utf8)

  init(_ file: StarterFile, _ tree: StarterTree) {
    for path in BinaryClasses.code(file, tree) {
      guard let open = try? PositionalFile(tree.absolute(path)) else { continue }
      var offset = 0
      while let bytes = try? open.bytes(at: offset, count: BinaryClasses.chunk), bytes.count > BinaryClasses.longestName
      {
        search(bytes)
        if bytes.count < BinaryClasses.chunk { break }
        // What is cut off at the end is whole in the next one.
        offset += bytes.count - BinaryClasses.longestName
      }
    }
  }

  private mutating func search(_ bytes: [UInt8]) {
    let (marker, first) = (BinaryClasses.marker, BinaryClasses.marker[0])
    for index in bytes.indices where bytes[index] == first && bytes[index...].starts(with: marker) {
      let name = bytes[(index + marker.count)...].prefix { $0 != 0 }
      if name.count < BinaryClasses.longestName, name.endIndex < bytes.endIndex {
        names.insert(String(decoding: name, as: UTF8.self))
      }
    }
  }

  /// The files with code for devices.
  private static func code(_ file: StarterFile, _ tree: StarterTree) -> [String] {
    let stem = String(file.name.dropLast(file.ending.count))
    switch file.kind {
    case .framework: return ["\(file.path)/\(stem)"]
    case .xcframework:
      let slices = tree.names(file.path).filter { $0.hasPrefix("ios-") && !$0.contains("-simulator") }
      return slices.prefix(1).flatMap { slice in
        let folder = "\(file.path)/\(slice)"
        return tree.names(folder).map { name in
          name.hasSuffix(".framework")
            ? "\(folder)/\(name)/\(name.dropLast(".framework".utf8.count))" : "\(folder)/\(name)"
        }.filter(tree.isFile)
      }
    default: return [file.path]
    }
  }
}
