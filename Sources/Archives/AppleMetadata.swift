/// Files that macOS or a file server for Macs leaves in folders and archives, and that no deliverable needs.
package enum AppleMetadata: String, Sendable, Hashable, CaseIterable {
  /// `__MACOSX`: the tree that Archive Utility and `ditto` put AppleDouble files in.
  case resourceTree = "__MACOSX"
  /// `._name`: resource fork, Finder information and extended attributes of `name`. See also `isAppleDouble`.
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

  /// The kind of the first part of an entry's path that is Apple's (an entry in `__MACOSX` is `resourceTree`).
  ///
  /// A folder with the name of a file of Apple's, or merely `Name.localized` or `Icon`, is the user's own.
  package static func classify(path: [UInt8]) -> AppleMetadata? {
    let slash = UInt8(ascii: "/")
    for start in path.indices where (start == 0 || path[start - 1] == slash) && mayBegin(path[start]) {
      let end = path[start...].firstIndex(of: slash) ?? path.endIndex
      if let kind = classify(part: path[start..<end]), kind.isFolder || path[end...].allSatisfy({ $0 == slash }) {
        return kind
      }
    }
    return nil
  }

  /// Whether one of the names begins with it.
  private static func mayBegin(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "I")
  }

  package var isFolder: Bool {
    switch self {
    case .resourceTree, .netatalk, .fileEvents, .searchIndex, .trash, .temporaryItems, .documentRevisions: true
    case .appleDouble, .folderSettings, .folderIcon, .volumeIcon, .localized, .backupMark, .serverDisk: false
    }
  }

  /// Whether a file with the name of an AppleDouble file is one, or is empty. `head` has its first bytes.
  package static func isAppleDouble(_ head: [UInt8]) -> Bool {
    head.isEmpty || head.starts(with: [0x00, 0x05, 0x16, 0x07])
  }

  private static func classify(part: ArraySlice<UInt8>) -> AppleMetadata? {
    for kind in AppleMetadata.allCases where kind != .appleDouble && part.elementsEqual(kind.rawValue.utf8) {
      return kind
    }
    for name in [".AppleDesktop", ".AppleDB"] where part.elementsEqual(name.utf8) { return .netatalk }
    // `._` alone is not an AppleDouble file.
    return part.starts(with: "._".utf8) && part.count > 2 ? .appleDouble : nil
  }
}
