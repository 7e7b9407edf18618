import Archives
package import Findings
import ObjectFiles
import Store
package import SystemPackage

/// Finds every file with symbols below a path: the file itself, the files of a folder, the entries of an archive (zip,
/// jar, AAR, wheel, tar of any kind), containers in containers. Each is opened once.
///
/// One thing that cannot be read does not hide the others.
package struct CodeSearch {
  package private(set) var files: [CodeFile] = []
  /// What stands for dynamic libraries: the library of each stub itself.
  package private(set) var stubs: [(place: Place, stub: TextStub)] = []
  /// By where their folders are.
  private(set) var xcframeworks: [Place: XCFramework] = [:]
  package private(set) var mistakes: [Mistake] = []
  /// For what is too large for memory.
  private let temporary: FilePath
  /// Bytes of containers that are in memory.
  private var kept = 0
  /// What is more than that: in one file together, because a process may have only so many files and mappings.
  private var spool: Spool?
  /// What is in it, and where it belongs among the files.
  private var spooled: [(index: Int, place: Place, units: ObjectUnits, part: Range<Int>)] = []

  /// Of the archive that is being read.
  private var allowance = Allowance.content(size: 0)

  /// Containers in containers in containers.
  private static let deepest = 8

  package init(_ path: FilePath, temporary: FilePath) {
    self.temporary = temporary
    visit(path, Place(path.string), isNamed: true)
    do throws(FileError) { try addSpooled() } catch { mistakes.append(Mistake(error.description, hint: error.hint)) }
  }

  private mutating func visit(_ path: FilePath, _ place: Place, isNamed: Bool) {
    do {
      // A link is followed where it was named: in a folder it leads to what is found in its own place.
      guard let status = try FileSystem.status(of: path, followingLinks: isNamed) else {
        mistakes.append(Mistake("there is no \(path)"))
        return
      }
      switch status.kind {
      case .folder:
        for name in try FileSystem.list(path) {
          let file = path.appending(name)
          visit(file, Place(String(decoding: file.pathBytes, as: UTF8.self)), isNamed: false)
        }
      case .file: try open(try MappedFile.open(path), place, isNamed: isNamed)
      case .symlink, .other:
        guard isNamed else { return }
        mistakes.append(Mistake("\(place) is a pipe, a socket or a device, and no file: it has no symbols"))
      }
    } catch let error as FileError {
      mistakes.append(Mistake(error.description, hint: error.hint))
    } catch {
      mistakes.append(Mistake(of: place, error))
    }
  }

  private mutating func open(_ file: consuming MappedFile, _ place: Place, isNamed: Bool) throws {
    let (nature, kind) = file.withBytes { (bytes: RawSpan) in
      let reader = ByteReader(bytes)
      let kind = CodeEntry.Kind(reader, ObjectFiles.FileKind(reader), place)
      return (kind == nil ? ObjectFiles.FileKind.nature(reader) : "", kind)
    }
    switch kind {
    case .code: add(code: file, place)
    case .stub: add(stub: file, place)
    case .xcframework: add(xcframework: file, place)
    case .container:
      allowance = .content(size: file.count)
      try read(file.path, place, depth: 0)
    case nil:
      guard isNamed else { return }
      mistakes.append(
        Mistake("\(place) is \(nature): it has no symbols", hint: "object files, libraries and archives have")
      )
    }
  }

  private mutating func read(_ path: FilePath, _ place: Place, depth: Int) throws {
    var reader = try EntryReader(path: path)
    try read(&reader, place, depth: depth)
  }

  private mutating func read(_ reader: inout EntryReader, _ place: Place, depth: Int) throws {
    while let header = try reader.next() {
      guard header.kind == .file, AppleMetadata.classify(path: header.name) == nil else { continue }
      let inside = place.inside(String(decoding: header.name, as: UTF8.self))
      let found: CodeEntry?
      do { found = try entry(&reader, inside) } catch {
        mistakes.append(try Mistake(ofEntry: inside, in: place, error))
        continue
      }
      guard let entry = found else { continue }
      switch entry.kind {
      case .code: try add(unpacked: entry, inside)
      case .stub: add(stub: try entry.mapped(FilePath(inside.parts.last ?? "")), inside)
      case .xcframework: add(xcframework: try entry.mapped(FilePath(inside.parts.last ?? "")), inside)
      case .container:
        guard depth < CodeSearch.deepest else { continue }
        let size = entry.bytes.count
        kept += size
        defer { kept -= size }
        do { try read(entry, inside, depth: depth + 1) } catch {
          // What comes after it in this archive can be read.
          mistakes.append(Mistake(of: inside, error))
        }
      }
    }
  }

  private mutating func read(_ entry: borrowing CodeEntry, _ place: Place, depth: Int) throws {
    guard let path = try entry.path else {
      var reader = try EntryReader(bytes: entry.bytes)
      return try read(&reader, place, depth: depth)
    }
    try read(path, place, depth: depth)
  }

  /// Nil if nobody looks for symbols in it.
  private mutating func entry(_ reader: inout EntryReader, _ place: Place) throws -> CodeEntry? {
    var entry: CodeEntry?
    var isFirst = true
    try reader.forEachChunk { chunk in
      let part = ByteReader(chunk)
      if isFirst, let kind = CodeEntry.Kind(part, ObjectFiles.FileKind(part), place) {
        // Containers in containers are in memory at the same time.
        entry = CodeEntry(kind, largest: CodeEntry.largestInMemory - (kind == .container ? kept : 0))
      }
      isFirst = false
      if entry == nil { return }
      try allowance.spend(chunk.byteCount)
      try entry?.append(chunk, temporary: temporary)
    }
    return entry
  }

  private mutating func add(code file: consuming MappedFile, _ place: Place) {
    if let code = CodeFile(file, place: place) { files.append(code) }
  }

  private mutating func add(unpacked entry: consuming CodeEntry, _ place: Place) throws {
    let name = FilePath(place.parts.last ?? "")
    guard entry.isInMemory else {
      if let code = CodeFile(unpacked: try entry.mapped(name), place: place) { files.append(code) }
      return
    }
    guard kept + entry.bytes.count > CodeEntry.largestInMemory else {
      kept += entry.bytes.count
      return add(code: try entry.mapped(name), place)
    }
    let units = ObjectUnits(ByteReader(entry.bytes.span))
    guard units.isCode else { return }
    if spool == nil { spool = try Spool(in: try OpenFolder(temporary)) }
    guard let part = try spool?.add(entry.bytes) else { return }
    spooled.append((files.count + spooled.count, place, units, part))
  }

  /// It can be mapped when all of it is there.
  private mutating func addSpooled() throws(FileError) {
    guard let spool else { return }
    let bytes = CodeFile.Bytes(try spool.mapped())
    var rest = files[...]
    files = []
    for (index, place, units, part) in spooled {
      let before = rest.prefix(index - files.count)
      files += before
      rest = rest.dropFirst(before.count)
      files.append(CodeFile(units, unpacked: bytes, part, place: place))
    }
    files += rest
    spooled = []
  }

  private mutating func add(stub file: borrowing MappedFile, _ place: Place) {
    do throws(Mistakes) {
      if let stub = try TextStub.read(copy(file), at: place).first { stubs.append((place, stub)) }
    } catch {
      mistakes += error.all
    }
  }

  private mutating func add(xcframework file: borrowing MappedFile, _ place: Place) {
    if let (root, _) = XCFramework.split(place) { xcframeworks[root] = XCFramework(copy(file)) }
  }

  private func copy(_ file: borrowing MappedFile) -> [UInt8] {
    file.withBytes { (bytes: RawSpan) -> [UInt8] in
      let reader = ByteReader(bytes)
      var copy: [UInt8] = []
      reader.append(reader.range, to: &copy)
      return copy
    }
  }
}
