import Archives
import Artifacts
import Findings
import Store
package import SystemPackage

extension AndroidContents {
  /// Of a plugin: an AAR, a jar, a zip or a folder that holds such.
  ///
  /// - Parameter temporary: a folder for what is too large for memory.
  package init(_ path: FilePath, temporary: FilePath) {
    self.init()
    var search = AndroidSearch(temporary: temporary, contents: self)
    search.visit(path)
    self = search.contents
  }

  /// Whether a file that is native code is nothing to an Android app, going by its path.
  package static func isNothing(_ path: FilePath) -> Bool {
    AndroidPart([String(decoding: path.pathBytes, as: UTF8.self)], in: .tree(aars: [])) == nil
  }
}

/// Opens jars and AARs to any depth, each once.
private struct AndroidSearch {
  let temporary: FilePath
  var contents: AndroidContents
  /// How much of directories and of what had to be inflated may still be read: the entries of a zip may all be the same
  /// bytes.
  private var budget = 0

  /// Up to here a jar in an archive is inflated in memory, above in a temporary file without a name.
  private static let largestInMemory = 64 << 20
  /// Containers in containers in containers.
  private static let deepest = 8

  init(temporary: FilePath, contents: AndroidContents) {
    self.temporary = temporary
    self.contents = contents
  }

  // MARK: Folders and files

  mutating func visit(_ path: FilePath) {
    do throws(FileError) {
      // A link is followed where it was named: in a folder it leads to what is found in its own place.
      switch try FileSystem.status(of: path, followingLinks: true)?.kind {
      case .folder:
        var files: [(path: FilePath, parts: [String])] = []
        list(path, [], &files)
        let container = AndroidPart.container(files.lazy.map(\.parts))
        for (file, parts) in files { visit(file, AndroidPart(parts, in: container)) }
      case .file:
        switch AndroidPart([spelled(path)], in: .tree(aars: [])) {
        case nil: open(path, isJar: false, isNamed: false)
        case let part: visit(path, part)
        }
      case .symlink, nil: contents.mistakes.append(Mistake("there is no \(path)"))
      // Said by whoever looks for symbols in it.
      case .other: break
      }
    } catch {
      contents.mistakes.append(Mistake(error.description, hint: error.hint))
    }
  }

  private mutating func list(_ folder: FilePath, _ parts: [String], _ files: inout [(path: FilePath, parts: [String])])
  {
    do throws(FileError) {
      for name in try FileSystem.list(folder) {
        guard AppleMetadata.classify(path: name.nameBytes) == nil else { continue }
        let path = folder.appending(name)
        let inside = parts + [String(decoding: name.nameBytes, as: UTF8.self)]
        switch try FileSystem.status(of: path)?.kind {
        case .folder: list(path, inside, &files)
        case .file: files.append((path, inside))
        case .symlink, .other, nil: break
        }
      }
    } catch {
      contents.mistakes.append(Mistake(error.description, hint: error.hint))
    }
  }

  private mutating func visit(_ file: FilePath, _ part: AndroidPart?) {
    switch part {
    case nil: break
    case .library(let abi, let name):
      do throws(FileError) {
        let mapped = try MappedFile.open(file)
        let content = mapped.withBytes { AndroidContents.Checksum(size: $0.byteCount, crc32: Deflate.crc32($0)) }
        contents.addLibrary(Place(spelled(file)), abi: abi, name: name, content)
      } catch {
        contents.mistakes.append(Mistake(error.description, hint: error.hint))
      }
    case .jar: open(file, isJar: true)
    case .aar, .zip: open(file, isJar: false)
    }
  }

  private func spelled(_ path: FilePath) -> String { String(decoding: path.pathBytes, as: UTF8.self) }

  /// `isNamed`: it is called one; what is not need not be one.
  private mutating func open(_ path: FilePath, isJar: Bool, isNamed: Bool = true) {
    let place = Place(spelled(path))
    do throws(Errno) {
      let file = try PositionalFile(path)
      if !isNamed, try file.bytes(at: 0, count: 2) != Array("PK".utf8) { return }
      budget = 256 << 20 + 64 * file.size
      read(ZipSource(file), place, isJar: isJar, depth: 0) { try ArchiveReader(path: path) }
    } catch {
      contents.mistakes.append(Mistake("cannot read \(path): \(error)", at: place))
    }
  }

  // MARK: Archives

  /// `unpacked` reads the same archive from front to back.
  private mutating func read(
    _ source: ZipSource, _ place: Place, isJar: Bool, depth: Int, _ unpacked: (() throws -> ArchiveReader)?
  ) {
    do {
      // The end is looked for in the last 64 KB.
      try spend(min(source.size, 64 << 10))
      let directory = try ZipDirectory(source)
      try spend(directory.range.count)
      if isJar || AndroidSearch.isJar(directory, place) {
        contents.addJar(place) { contents in
          for record in directory.records where !record.isDirectory && AndroidContents.isClass(record.name) {
            contents.addClass(record.name, record.checksum)
          }
        }
        addLibraries(directory, .jar, place)
      } else {
        readContainer(directory, place, depth: depth, unpacked)
      }
    } catch let error as Mistakes {
      contents.mistakes += error.all.map { Mistake($0.message, at: place) }
    } catch {
      contents.mistakes.append(Mistake("\(error)", at: place))
    }
  }

  /// By its name it is none: a zip that begins as `jar` begins its own, with a manifest.
  private static func isJar(_ directory: ZipDirectory, _ place: Place) -> Bool {
    guard let name = place.parts.last?.lowercased(), !name.hasSuffix(".aar") else { return false }
    let manifest = "META-INF/MANIFEST.MF".utf8
    return directory.records.prefix(2).contains { $0.name.elementsEqual(manifest) }
  }

  private mutating func readContainer(
    _ directory: ZipDirectory, _ place: Place, depth: Int, _ unpacked: (() throws -> ArchiveReader)?
  ) {
    let records = directory.records.filter { !$0.isDirectory && AppleMetadata.classify(path: $0.name) == nil }
    let isAAR = place.parts.last?.lowercased().hasSuffix(".aar") == true
    let container =
      isAAR ? AndroidPart.Container.aar : AndroidPart.container(records.lazy.map { AndroidPart.parts($0.name) })
    for record in records where budget >= 0 {
      guard let part = AndroidPart(AndroidPart.parts(record.name), in: container) else { continue }
      let inside = place.inside(String(decoding: record.name, as: UTF8.self))
      if case .library(let abi, let name) = part {
        contents.addLibrary(inside, abi: abi, name: name, record.checksum)
      } else if depth < AndroidSearch.deepest {
        open(record, of: directory, inside, isJar: part == .jar, depth: depth, unpacked)
      }
    }
  }

  private mutating func addLibraries(_ directory: ZipDirectory, _ container: AndroidPart.Container, _ place: Place) {
    // Most entries are classes, and no path of parts is made of these.
    for record in directory.records where !record.isDirectory && record.name.starts(with: "lib/".utf8) {
      guard case .library(let abi, let name) = AndroidPart(AndroidPart.parts(record.name), in: container) else {
        continue
      }
      let inside = place.inside(String(decoding: record.name, as: UTF8.self))
      contents.addLibrary(inside, abi: abi, name: name, record.checksum)
    }
  }

  /// An archive in an archive.
  private mutating func open(
    _ record: ZipDirectory.Record, of directory: ZipDirectory, _ place: Place, isJar: Bool, depth: Int,
    _ unpacked: (() throws -> ArchiveReader)?
  ) {
    do {
      if let stored = try directory.stored(record) {
        read(stored, place, isJar: isJar, depth: depth + 1, nil)
      } else if record.uncompressedSize <= AndroidSearch.largestInMemory {
        try spend(record.uncompressedSize)
        let bytes = try directory.contents(of: record, limit: AndroidSearch.largestInMemory)
        read(ZipSource(bytes), place, isJar: isJar, depth: depth + 1) { try ArchiveReader(bytes: bytes) }
      } else if let spool = try unpacked.flatMap({ try inflated(record, try $0()) }) {
        read(try spool.zip(), place, isJar: isJar, depth: depth + 1, nil)
      } else {
        throw AndroidSearch.tooLarge
      }
    } catch let error as Mistakes {
      contents.mistakes += error.all.map { Mistake($0.message, at: place) }
    } catch {
      // What comes after it in this archive can be read.
      contents.mistakes.append(Mistake("\(error)", at: place))
    }
  }

  private mutating func inflated(_ record: ZipDirectory.Record, _ reader: consuming ArchiveReader) throws -> Spool? {
    var reader = reader
    while let header = try reader.next() {
      guard header.name == record.name else { continue }
      let spool = try Spool(in: OpenFolder(temporary))
      var left = budget
      try reader.forEachChunk { chunk in
        left -= chunk.byteCount
        guard left >= 0 else { throw AndroidSearch.tooLarge }
        try spool.append(chunk)
      }
      budget = left
      return spool
    }
    return nil
  }

  private static let tooLarge = Mistakes("it is far too large, or the same bytes again and again")

  private mutating func spend(_ count: Int) throws(Mistakes) {
    budget -= count
    if budget < 0 { throw AndroidSearch.tooLarge }
  }
}

extension ZipDirectory.Record {
  fileprivate var checksum: AndroidContents.Checksum { .init(size: uncompressedSize, crc32: crc32) }
}
