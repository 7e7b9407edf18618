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

  /// Up to here an entry is kept in memory, above in a temporary file without a name.
  private static let largestInMemory = 64 << 20
  /// Containers in containers in containers.
  private static let deepest = 8

  package init(_ path: FilePath, temporary: FilePath) {
    self.temporary = temporary
    visit(path, Place(path.string), isNamed: true)
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
      case .symlink, .other: break
      }
    } catch let error as FileError {
      mistakes.append(Mistake(error.description, hint: error.hint))
    } catch {
      mistakes.append(Mistake("\(place): \(error)"))
    }
  }

  private mutating func open(_ file: consuming MappedFile, _ place: Place, isNamed: Bool) throws {
    let head = file.withBytes { (bytes: RawSpan) -> ObjectFiles.FileKind in ObjectFiles.FileKind(ByteReader(bytes)) }
    if head.isNativeCode {
      if let code = CodeFile(file, place: place) { files.append(code) }
    } else if try openStub(file, place) || openXCFramework(file, place) {
      return
    } else if head == .zip || CodeSearch.isArchive(place) {
      try read(file.path, place, depth: 0)
    } else if isNamed {
      mistakes.append(
        Mistake("\(place) is \(head.description): it has no symbols", hint: "object files, libraries and archives have")
      )
    }
  }

  private mutating func read(_ path: FilePath, _ place: Place, depth: Int) throws {
    var reader = try ArchiveReader(path: path)
    try read(&reader, place, depth: depth)
  }

  private mutating func read(_ reader: inout ArchiveReader, _ place: Place, depth: Int) throws {
    while let header = try reader.next() {
      guard header.kind == .file, AppleMetadata.classify(path: header.name) == nil else { continue }
      let inside = place.inside(String(decoding: header.name, as: UTF8.self))
      guard let file = try content(&reader, inside) else { continue }
      let kind = file.withBytes { (bytes: RawSpan) -> ObjectFiles.FileKind in ObjectFiles.FileKind(ByteReader(bytes)) }
      if kind.isNativeCode {
        if let code = CodeFile(file, place: inside) { files.append(code) }
      } else if try openStub(file, inside) || openXCFramework(file, inside) {
        continue
      } else if depth < CodeSearch.deepest {
        do {
          var nested = try ArchiveReader(bytes: CodeSearch.copy(file))
          try read(&nested, inside, depth: depth + 1)
        } catch {
          // What comes after it in this archive can be read.
          mistakes.append(Mistake("\(inside): \(error)"))
        }
      }
    }
  }

  /// The entry's bytes, if it is code or a container by its first bytes and its name.
  private func content(_ reader: inout ArchiveReader, _ place: Place) throws -> MappedFile? {
    var bytes: [UInt8] = []
    var spool: TemporaryFile?
    var isWanted: Bool?
    try reader.forEachChunk { chunk in
      let part = ByteReader(chunk)
      if isWanted == nil {
        let kind = ObjectFiles.FileKind(part)
        isWanted =
          kind.isNativeCode || kind == .zip || CodeSearch.isArchive(place) || TextStub.isTextStub(part)
          || XCFramework.isInfo(place)
      }
      guard isWanted == true else { return }
      if spool == nil, bytes.count + part.count > CodeSearch.largestInMemory {
        let file = try TemporaryFile.create(in: temporary)
        try file.append(bytes)
        bytes = []
        spool = consume file
      }
      if spool == nil { part.append(part.range, to: &bytes) } else { try spool?.append(chunk) }
    }
    guard isWanted == true else { return nil }
    if let spool { return try MappedFile.map(spool) }
    return MappedFile(bytes, path: FilePath(place.parts.last ?? ""))
  }

  /// False if it is none.
  private mutating func openStub(_ file: borrowing MappedFile, _ place: Place) throws -> Bool {
    guard file.withBytes({ (bytes: RawSpan) in TextStub.isTextStub(ByteReader(bytes)) }) else { return false }
    do throws(Mistakes) {
      if let stub = try TextStub.read(CodeSearch.copy(file), at: place).first { stubs.append((place, stub)) }
    } catch {
      mistakes += error.all
    }
    return true
  }

  /// False if it does not describe one.
  private mutating func openXCFramework(_ file: borrowing MappedFile, _ place: Place) -> Bool {
    guard XCFramework.isInfo(place), let (root, _) = XCFramework.split(place),
      let framework = XCFramework(CodeSearch.copy(file))
    else { return false }
    xcframeworks[root] = framework
    return true
  }

  private static func copy(_ file: borrowing MappedFile) -> [UInt8] {
    file.withBytes { (bytes: RawSpan) in
      var copy: [UInt8] = []
      let reader = ByteReader(bytes)
      reader.append(reader.range, to: &copy)
      return copy
    }
  }

  /// Whatever is compressed as a whole says what it is in its name alone.
  private static func isArchive(_ place: Place) -> Bool {
    let name = place.parts.last ?? ""
    let ends = [".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tbz", ".tar.zst", ".7z", ".cpio"]
    return ends.contains { name.hasSuffix($0) }
  }
}
