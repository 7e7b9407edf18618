/// What macOS, or a file server for Macs, leaves in folders and archives and no deliverable has a use for.
package enum AppleMetadata: String, Sendable, Hashable, CaseIterable {
  /// `__MACOSX`: the tree that Archive Utility and `ditto` put AppleDouble files in.
  case resourceTree = "__MACOSX"
  /// `._name`: a resource fork, Finder information and extended attributes of `name`, as a file. By name only: its
  /// content decides (`isAppleDouble`).
  case appleDouble = "._"
  /// `.AppleDouble`, `.AppleDesktop`, `.AppleDB`: netatalk's folders.
  case netatalk = ".AppleDouble"
  case folderSettings = ".DS_Store"
  /// `Icon` and a carriage return: a folder's own icon, empty but for its resource fork.
  case folderIcon = "Icon\r"
  case volumeIcon = ".VolumeIcon.icns"
  /// `.localized`: an empty file that lets the Finder translate a folder's name.
  case localized = ".localized"
  case fileEvents = ".fseventsd"
  case searchIndex = ".Spotlight-V100"
  case trash = ".Trashes"
  case temporaryItems = ".TemporaryItems"
  case documentRevisions = ".DocumentRevisions-V100"
  case backupMark = ".com.apple.timemachine.donotpresent"
  case serverDisk = ".apdisk"

  /// What an entry is by its path: by the first of its parts that is Apple's (what is in `__MACOSX` is of `__MACOSX`).
  ///
  /// A folder that is merely called `Name.localized` or `Icon` is somebody's own.
  package static func classify(path: [UInt8]) -> AppleMetadata? {
    for part in path.split(separator: UInt8(ascii: "/")) {
      if let kind = classify(part: part) { return kind }
    }
    return nil
  }

  private static func classify(part: ArraySlice<UInt8>) -> AppleMetadata? {
    guard let first = part.first, first == UInt8(ascii: ".") || first == UInt8(ascii: "_") || first == UInt8(ascii: "I")
    else { return nil }
    for kind in AppleMetadata.allCases where kind != .appleDouble && part.elementsEqual(kind.rawValue.utf8) {
      return kind
    }
    for name in [".AppleDesktop", ".AppleDB"] where part.elementsEqual(name.utf8) { return .netatalk }
    // `._` alone is nobody's AppleDouble file.
    return part.starts(with: "._".utf8) && part.count > 2 ? .appleDouble : nil
  }

  /// Whether it is Apple's, by its path and the first bytes of its content (64 are enough; fewer of a shorter file).
  ///
  /// A `._name` is AppleDouble by its content. One without AppleDouble's magic number is somebody's own file with an
  /// odd name, and stays: leaving it out could lose a source. One that is empty goes: nothing can be lost, and copies
  /// that failed half-way leave them. Everything in `__MACOSX` goes by its place, whatever it holds.
  package static func isMetadata(path: [UInt8], head: [UInt8]) -> Bool {
    guard let kind = classify(path: path) else { return false }
    return kind != .appleDouble || head.isEmpty || AppleDouble(head: head) != nil
  }
}

/// The header of an AppleDouble file (RFC 1740, appendix B; numbers are big-endian):
/// magic 00051607, version, 16 bytes of filler, a count, and for each part its id, offset and length.
package struct AppleDouble: Sendable, Hashable {
  package var hasResourceFork = false
  /// Finder information, which macOS packs extended attributes in as well.
  package var hasFinderInfo = false

  /// Nil if it is no AppleDouble file. Parts whose description is not in `head` are not seen.
  package init?(head: [UInt8]) {
    guard head.starts(with: [0x00, 0x05, 0x16, 0x07]) else { return nil }
    guard head.count >= 26 else { return }
    let count = Int(head[24]) << 8 | Int(head[25])
    for index in 0..<count {
      let start = 26 + 12 * index
      guard start + 12 <= head.count else { return }
      switch head[start..<(start + 4)].reduce(0, { $0 << 8 | UInt32($1) }) {
      case 2: hasResourceFork = true
      case 9: hasFinderInfo = true
      default: break
      }
    }
  }
}

extension AppleMetadata {
  /// Whether a file that starts with these bytes is an AppleDouble file.
  package static func isAppleDouble(_ head: [UInt8]) -> Bool { AppleDouble(head: head) != nil }
}
