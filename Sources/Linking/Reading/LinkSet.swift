package import Findings
package import ObjectFiles

/// The files of a link, each read once for any number of links by one linker. Members are read when a link loads
/// them.
///
/// It must not be used by several tasks at once: reading changes it.
package final class LinkSet {
  package struct File {
    package enum Content {
      case object(ObjectID)
      case archive(LinkArchive)
      case library(LinkLibrary)
      /// Every linker ignores it with a warning.
      case ignored(String)
      case unreadable(Mistakes)
    }

    package let path: String
    /// Nil until it is needed.
    package internal(set) var content: Content?
    package let bytes: any LinkBytes
    /// The object files of the members of a static library, once they have been read.
    var objects = Table<LinkArchive.Member, ObjectID?>()

    /// The path without `.` parts, which is the same for two spellings.
    var plainPath: String {
      let parts = path.split(separator: "/", omittingEmptySubsequences: true).filter { $0 != "." }
      return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }
  }

  package var names = NameTable()
  let reading: LinkFileReading
  package internal(set) var files = Numbered<File>()
  private(set) var objects = Numbered<LinkObject>()
  private var places = Table<LinkObject, LinkPlace>()
  private let folder: any LinkFolder
  private var filesByPath: [String: FileID?] = [:]
  private var textPaths: Set<String> = []
  private var dataNames: [ObjectID: Set<NameID>] = [:]
  private var ends: [ObjectID: [[UInt64]]] = [:]

  package var architecture: Architecture { reading.architecture }

  /// - Parameters:
  ///   - profile: linkers differ in the names that they see in object files.
  ///   - platform: object files for other platforms are ignored; nil: none are.
  package init(
    _ architecture: Architecture, _ folder: any LinkFolder, _ profile: LinkerProfile, only platform: Platform? = nil
  ) {
    reading = LinkFileReading(
      architecture: architecture, profile: profile, platform: platform, seed: names.seed)
    self.folder = folder
  }

  /// All paths at which a file was searched for, found or not.
  package var lookedFor: Set<String> { textPaths.union(filesByPath.keys) }

  func file(at path: String) -> FileID? {
    if let known = filesByPath[path] { return known }
    var file: File?
    do throws(Mistakes) {
      if let bytes = try folder.bytes(at: path) {
        file = File(path: path, bytes: bytes)
      }
    } catch {
      file = File(path: path, content: .unreadable(error), bytes: NoBytes())
    }
    let number = file.map { files.append($0) }
    filesByPath[path] = .some(number)
    return number
  }

  /// Room for more than a million names; no list of files or symbols is longer.
  private static let maxText = 64 << 20

  /// A list of files or symbols that a link line names. Nil if there is none, or if it is too long to be one.
  func text(at path: String) -> String? {
    textPaths.insert(path)
    guard let bytes = try? folder.bytes(at: path) else { return nil }
    return bytes.withReader { (reader) -> String? in
      guard reader.count <= LinkSet.maxText else { return nil }
      var text: [UInt8] = []
      reader.append(reader.range, to: &text)
      return String(decoding: text, as: UTF8.self)
    }
  }

  /// Reads the file if that has not been done.
  package func content(of file: FileID) -> File.Content {
    if let known = files[file].content { return known }
    let (path, bytes) = (files[file].path, files[file].bytes)
    return add(reading.read(bytes, path, file, withMembers: false), as: file)
  }

  /// Reads the member if that has not been done. One that cannot be read has no symbols.
  package func object(_ member: MemberID, of file: FileID) -> ObjectID? {
    guard case .archive(let archive) = content(of: file) else { return nil }
    files[file].objects.extend(to: archive.members.count, with: nil)
    if let known = files[file].objects[member] { return known }
    let item = archive.members[member]
    let bytes = files[file].bytes
    let object = bytes.withReader { append(named(reading.member(member, item, of: file, $0), $0), item.name) }
    files[file].objects[member] = object
    return object
  }

  /// The object file itself, or all members of a static library.
  package func objects(of file: FileID) -> [ObjectID] {
    switch content(of: file) {
    case .object(let object): [object]
    case .archive(let archive): archive.members.numbers.compactMap { object($0, of: file) }
    case .library, .ignored, .unreadable: []
    }
  }

  package func file(of object: ObjectID) -> FileID { objects[object].file }
  package func symbols(of object: ObjectID) -> [LinkSymbol] { objects[object].symbols }
  package func hasLocalObjC(_ object: ObjectID) -> Bool { objects[object].hasLocalObjC }
  package func builds(of object: ObjectID) -> [BuildVersion] { objects[object].builds }

  /// The bytes of an object's file, and the object's range in them.
  package func bytes(of object: ObjectID) -> (bytes: any LinkBytes, range: Range<Int>) {
    (files[objects[object].file].bytes, objects[object].range)
  }

  package func place(of object: ObjectID) -> LinkPlace { places[object] }

  /// `member` is its name in a static library.
  func append(_ object: LinkObject, _ member: String? = nil) -> ObjectID {
    places.append(LinkPlace(file: files[object.file].path, member: member))
    return objects.append(object)
  }

  package func withReader<R>(
    of object: ObjectID, _ body: (borrowing ByteReader) throws(FormatError) -> R
  ) throws(FormatError) -> R {
    let object = objects[object]
    return try files[object.file].bytes.withReader { (reader) throws(FormatError) -> R in
      try body(try reader.slice(object.range, "object file"))
    }
  }

  func isWideFatFile(_ file: FileID) -> Bool {
    files[file].bytes.withReader { reader in if case .fat64 = FileKind(reader) { true } else { false } }
  }

  /// The names that an object file defines as data, neither code nor common.
  func dataNames(of object: ObjectID) -> Set<NameID> {
    if let known = dataNames[object] { return known }
    var names: Set<NameID> = []
    for symbol in objects[object].symbols
    where symbol.kind == .absolute || symbol.kind == .regular && !symbol.flags.contains(.code) {
      names.insert(symbol.name)
    }
    dataNames[object] = names
    return names
  }

  /// The number of bytes from an address of a section (counted from 1) to the next symbol or to the section's end.
  package func size(at address: UInt64, section: Int, of object: ObjectID) -> UInt64 {
    let ends = ends(of: object)
    guard section > 0, section <= ends.count else { return 0 }
    let places = ends[section - 1]
    let next = sortedIndex(below: places.count) { places[$0] > address }
    return next < places.count ? places[next] - address : 0
  }

  /// The addresses in each section at which symbols begin and at which the section ends, in order.
  private func ends(of object: ObjectID) -> [[UInt64]] {
    if let known = ends[object] { return known }
    var found: [[UInt64]] = []
    // A file that cannot be read has been reported before.
    try? withReader(of: object) { (reader) throws(FormatError) in
      guard case .machO = FileKind(reader) else { return }
      let file = try MachOFile(reader)
      found = try file.sections(reader).map { [$0.address &+ $0.size] }
      try MachOSymbolTable(file, reader)?.forEach(reader) { (symbol: MachOSymbol) throws(FormatError) in
        guard !symbol.isDebug, symbol.kind == .section, symbol.section > 0, Int(symbol.section) <= found.count else {
          return
        }
        found[Int(symbol.section) - 1].append(symbol.value)
      }
    }
    for index in found.indices { found[index].sort() }
    ends[object] = found
    return found
  }
}

/// The bytes of a file that could not be opened.
private struct NoBytes: LinkBytes {
  func withReader<R, E: Error>(_ body: (borrowing ByteReader) throws(E) -> R) throws(E) -> R {
    let nothing: [UInt8] = []
    return try body(ByteReader(nothing.span))
  }
}
