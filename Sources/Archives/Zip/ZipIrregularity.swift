/// Something in a zip that tools read differently, that does harm, or that a clean zip does not have.
package enum ZipIrregularity: Hashable, Sendable, CustomStringConvertible {
  // MARK: the file
  /// Bytes before the first entry, which some tools count in offsets and some do not.
  case prefix(length: Int)
  /// Bytes after the end record and its comment.
  case trailing(length: Int)
  case comment(length: Int)
  case wrongCount(claimed: Int, found: Int)
  /// Bytes between entries, or between the last one and the directory, that belong to none.
  case unclaimed(offset: Int, length: Int)

  /// An end record in the comment of another one, which some readers use.
  case secondEnd
  /// The records claim that parts are on other disks.
  case otherDisks

  // MARK: names
  case duplicateName([UInt8], Int)
  /// The same name on a file system that ignores case or normalizes names.
  case twins([UInt8], [UInt8])
  case unsafeName(EntryPathError)
  case fileIsParent([UInt8], of: [UInt8])
  /// Line feeds or escape sequences, which make a printed name differ from the real one.
  case controlCharacters([UInt8])
  /// `C:/x` is absolute on Windows.
  case drive([UInt8])
  /// Info-ZIP's Unicode path (extra field 0x7075) differs: some tools use it, and some the name itself.
  case otherName([UInt8], unicode: [UInt8])

  // MARK: links
  /// Its target is absolute or leaves the archive's root.
  case escapingLink([UInt8], target: [UInt8])
  case unreadableLink([UInt8])
  /// An entry that would be written through a symbolic link.
  case throughLink(entry: [UInt8], link: [UInt8])

  // MARK: records
  case overlap([UInt8], [UInt8])
  /// Headers or links from this one on were not checked: those before have used up all bytes that the file has.
  case tangle(from: [UInt8])
  /// Header or content reach beyond the file or into the directory.
  case outOfRange([UInt8])
  case localMismatch([UInt8], Field)
  /// Stored, but with two different sizes.
  case storedSizes([UInt8])
  /// More than a hundredfold, for content of a megabyte or more.
  case extremeRatio([UInt8], ratio: Int)
  case encrypted([UInt8])
  case unsupportedMethod([UInt8], UInt16)
  case dataDescriptor([UInt8])
  /// Java's `ZipInputStream`, which extracts AARs, refuses it, because nothing tells the end of the content.
  case storedDescriptor([UInt8])
  case folderWithContent([UInt8])
  /// A device, a pipe or a socket.
  case specialFile([UInt8])
  /// It runs with the rights of its owner or group.
  case setUserID([UInt8])
  /// Extra fields besides zip64's, of either header, by their ids: mostly times, users and groups of the machine.
  case extraFields([UInt8], ids: [UInt16])

  package enum Field: String, Hashable, Sendable {
    case header = "the header itself"
    case name
    case method
    case flags
    case crc32 = "CRC-32"
    case compressedSize = "compressed size"
    case uncompressedSize = "size"
  }

  package var description: String {
    func quoted(_ name: [UInt8]) -> String { "'\(shortened(name))'" }
    return switch self {
    case .prefix(let length): "\(length) bytes stand before the archive"
    case .trailing(let length): "\(length) bytes stand behind the archive"
    case .comment(let length): "the archive has a comment of \(length) bytes"
    case .wrongCount(let claimed, let found): "the archive says to have \(claimed) entries and has \(found)"
    case .unclaimed(let offset, let length): "\(length) bytes at offset \(offset) belong to no entry"
    case .secondEnd: "its comment holds the end of another archive, and some tools go by that one"
    case .otherDisks: "parts of it are said to be on other disks"
    case .controlCharacters(let name): "\(quoted(name)) has control characters in its name"
    case .drive(let name): "\(quoted(name)) begins with a drive: on Windows it is absolute"
    case .otherName(let name, let unicode):
      "\(quoted(name)) is also named \(quoted(unicode)): one tool takes the first, another the second"
    case .storedDescriptor(let name):
      "\(quoted(name)) is stored and has its sizes behind its content: Java cannot extract it"
    case .folderWithContent(let name): "\(quoted(name)) is a folder and has content"
    case .specialFile(let name): "\(quoted(name)) is a device, a pipe or a socket"
    case .setUserID(let name): "\(quoted(name)) runs with the rights of its owner"
    case .duplicateName(let name, let count):
      "\(quoted(name)) is there \(count == 2 ? "twice" : "\(count) times"): one tool takes the first, another the last"
    case .twins(let first, let second):
      { "\($0.0) and \($0.1) are one file on a Mac" }(toldApartNames(first, second))
    case .unsafeName(let error): "\(error)"
    case .fileIsParent(let file, let child): "\(quoted(child)) is inside \(quoted(file)), which is not a folder"
    case .escapingLink(let name, let target):
      "the symbolic link \(quoted(name)) leaves the archive, to \(quoted(target))"
    case .unreadableLink(let name): "the target of the symbolic link \(quoted(name)) cannot be read"
    case .throughLink(let entry, let link):
      "\(quoted(entry)) would be written through the symbolic link \(quoted(link))"
    case .overlap(let first, let second): "\(quoted(first)) and \(quoted(second)) share bytes of the file"
    case .tangle(let name):
      "entries share bytes of the file so often that from \(quoted(name)) on they were not looked at one by one"
    case .outOfRange(let name): "\(quoted(name)) is said to be where the file has no bytes for it"
    case .localMismatch(let name, let field):
      "\(quoted(name)): directory and local header differ in \(field.rawValue)"
    case .storedSizes(let name): "\(quoted(name)) is stored, but with two different sizes"
    case .extremeRatio(let name, let ratio): "\(quoted(name)) unpacks to \(ratio) times its size"
    case .encrypted(let name): "\(quoted(name)) is encrypted"
    case .unsupportedMethod(let name, let method): "\(quoted(name)) is packed by method \(method)"
    case .dataDescriptor(let name): "\(quoted(name)) has its sizes behind its content"
    case .extraFields(let name, let ids):
      "\(quoted(name)) has extra fields: " + ids.map { "0x" + String($0, radix: 16) }.joined(separator: ", ")
    }
  }
}
