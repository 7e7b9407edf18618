import Findings
package import ObjectFiles
import Artifacts

/// The files of a link, each read once, for any number of links of them. Members of static libraries are read when a link
/// loads them, as linkers do.
///
/// Not for several tasks at once: reading adds to it.
package final class LinkSet {
  struct File {
    enum Content {
      /// In `objects`.
      case object(Int)
      case archive(LinkArchive)
      case library(LinkLibrary)
      /// Every linker passes it over with a warning.
      case ignored(String)
      case unreadable(Mistakes)
    }

    let path: String
    var content: Content
    let bytes: any LinkBytes
    /// Of a static library: of each member its object file, once it has been read.
    var objects: [Int?] = []

    /// Without `.` for the folder that one is in: what two spellings of one path have in common.
    var plainPath: String {
      let parts = path.split(separator: "/", omittingEmptySubsequences: true).filter { $0 != "." }
      return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }
  }

  package let architecture: Architecture
  package internal(set) var names = NameTable()
  var files: [File] = []
  var objects: [LinkObject] = []
  private let folder: any LinkFolder
  private var filesByPath: [String: Int?] = [:]
  private var dataNames: [Int: Set<NameTable.ID>] = [:]
  private var ends: [Int: [[UInt64]]] = [:]

  package init(_ architecture: Architecture, _ folder: any LinkFolder) {
    self.architecture = architecture
    self.folder = folder
  }

  /// The number of the file at a path; nil if there is none.
  func file(at path: String) -> Int? {
    if let known = filesByPath[path] { return known }
    var file: File?
    do throws(Mistakes) {
      if let bytes = try folder.bytes(at: path) {
        file = File(path: path, content: read(bytes, path, files.count), bytes: bytes)
      }
    } catch {
      file = File(path: path, content: .unreadable(error), bytes: NoBytes())
    }
    let number = file.map { _ in files.count }
    files += [file].compactMap { $0 }
    filesByPath[path] = .some(number)
    return number
  }

  /// A text that a link line names: a list of files or of symbols.
  func text(at path: String) -> String? {
    guard let bytes = try? folder.bytes(at: path) else { return nil }
    return bytes.withReader { (reader) -> String in
      var text: [UInt8] = []
      reader.append(reader.range, to: &text)
      return String(decoding: text, as: UTF8.self)
    }
  }

  /// The number of a member's object file, which is read if it has not been. One that cannot be
  /// read has no symbols.
  func object(_ member: Int, of file: Int) -> Int? {
    guard case .archive(let archive) = files[file].content else { return nil }
    if files[file].objects.isEmpty { files[file].objects = Array(repeating: nil, count: archive.members.count) }
    if let known = files[file].objects[member] { return known }
    let range = archive.members[member].range
    let number = objects.count
    var object = LinkObject(file: file, member: member, range: range)
    do throws(FormatError) {
      try files[file].bytes.withReader { (reader) throws(FormatError) in
        try object.read(try reader.slice(range, "archive member"), for: architecture, &names)
      }
    } catch {
      let place = LinkPlace(file: files[file].path, member: archive.members[member].name)
      object.mistake = Mistake("\(error)", at: Place(place.description))
    }
    objects.append(object)
    files[file].objects[member] = number
    return number
  }

  func place(of object: Int) -> LinkPlace {
    let object = objects[object]
    guard let member = object.member, case .archive(let archive) = files[object.file].content else {
      return LinkPlace(file: files[object.file].path)
    }
    return LinkPlace(file: files[object.file].path, member: archive.members[member].name)
  }

  /// Calls `body` with the bytes of an object file.
  func withReader<R>(
    of object: Int, _ body: (borrowing ByteReader) throws(FormatError) -> R
  ) throws(FormatError) -> R {
    let object = objects[object]
    return try files[object.file].bytes.withReader { (reader) throws(FormatError) -> R in
      try body(try reader.slice(object.range, "object file"))
    }
  }

  /// What an object file defines as data, neither code nor common.
  func dataNames(of object: Int) -> Set<NameTable.ID> {
    if let known = dataNames[object] { return known }
    var names: Set<NameTable.ID> = []
    for symbol in objects[object].symbols
    where symbol.kind == .absolute || symbol.kind == .regular && !symbol.flags.contains(.code) {
      names.insert(symbol.name)
    }
    dataNames[object] = names
    return names
  }

  /// The bytes from an address of a section (counted from 1) to the next symbol or to the section's end.
  func size(at address: UInt64, section: Int, of object: Int) -> UInt64 {
    let ends = ends(of: object)
    guard section > 0, section <= ends.count else { return 0 }
    let places = ends[section - 1]
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle] > address { high = middle } else { low = middle + 1 }
    }
    return low < places.count ? places[low] - address : 0
  }

  /// Of each section where its symbols begin and where it ends, in order.
  private func ends(of object: Int) -> [[UInt64]] {
    if let known = ends[object] { return known }
    var found: [[UInt64]] = []
    // What cannot be read has said so before.
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

  // MARK: Reading

  private func read(_ bytes: any LinkBytes, _ path: String, _ number: Int) -> File.Content {
    do throws(Mistakes) {
      return try bytes.withReader { (reader) throws(Mistakes) -> File.Content in
        if TextStub.isTextStub(reader) {
          var text: [UInt8] = []
          reader.append(reader.range, to: &text)
          let stubs = try TextStub.read(text, at: Place(path))
          return .library(LinkLibrary(stubs: stubs, architecture, &names))
        }
        do throws(FormatError) { return try content(reader, number) } catch {
          throw Mistakes("\(error)", at: Place(path))
        }
      }
    } catch {
      return .unreadable(error)
    }
  }

  private func content(_ reader: borrowing ByteReader, _ number: Int) throws(FormatError) -> File.Content {
    switch FileKind(reader) {
    case .fat, .fat64:
      guard let slice = try FatFile(reader).slices.first(where: { $0.architecture == architecture }) else {
        return .ignored("it has no code for \(architecture)")
      }
      return try content(try reader.slice(slice.range, "slice \(slice.architecture)"), number)
    case .archive:
      let archive = try LinkArchive(reader, for: architecture, &names)
      return archive.isForOthers ? .ignored("it has no code for \(architecture)") : .archive(archive)
    case .machO(.dylib), .machO(.dylibStub): return .library(try LinkLibrary(image: reader, &names))
    case .machO(.object), .bitcode:
      if case .machO = FileKind(reader), try MachOFile(reader).architecture != architecture {
        return .ignored("it is for \(try MachOFile(reader).architecture)")
      }
      var object = LinkObject(file: number, member: nil, range: reader.range)
      try object.read(reader, for: architecture, &names)
      objects.append(object)
      return .object(objects.count - 1)
    default:
      throw FormatError(
        offset: reader.range.lowerBound, field: "link input",
        reason: .unsupported("\(FileKind(reader).description) is nothing that is linked"))
    }
  }
}

/// Of a file that could not be opened.
private struct NoBytes: LinkBytes {
  func withReader<R, E: Error>(_ body: (borrowing ByteReader) throws(E) -> R) throws(E) -> R {
    let nothing: [UInt8] = []
    return try body(ByteReader(nothing.span))
  }
}
