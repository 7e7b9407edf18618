import Archives
import Artifacts
import Store
import SystemPackage

/// A jar that was written on the way to something else; it goes when the last reference goes.
final class JarFile: Sendable {
  private let file: Store.OutputFile
  let size: Int
  let digest: Digest
  let facts: JarFacts

  /// - Parameter folder: where it is kept.
  init(_ contents: JarContents, in folder: OpenFolder, options: ZipOptions) async throws {
    file = try Store.OutputFile.create(JarFile.name, below: folder)
    let entries = contents.entries
    let packed = try await PackedArchive.write(entries, to: file.temporaryPath, options: options, lasts: false)
    size = packed.summary.size
    digest = packed.digest
    facts = JarFacts(names: entries.map(\.entry.path.bytes))
  }

  /// No file of that name is made.
  fileprivate static let name: FilePath = "jar"

  var path: FilePath { file.temporaryPath }

  var content: Entry.Content { .file(path, size: size) }
}

extension JarContents {
  /// Nil if there are mistakes.
  func file(in folder: OpenFolder, options: ZipOptions) async throws -> JarFile? {
    mistakes.isEmpty ? try await JarFile(self, in: folder, options: options) : nil
  }
}

/// A file that is needed while a step runs; it goes when the last reference goes.
final class ScratchFile: Sendable {
  private let file: Store.OutputFile

  /// The content of the reader's current entry.
  init(_ reader: inout ArchiveReader, in folder: OpenFolder) throws {
    var file = try Store.OutputFile.create(JarFile.name, below: folder)
    try reader.forEachChunk { chunk in try file.write(chunk) }
    self.file = file
  }

  var path: FilePath { file.temporaryPath }
}

extension Entry.Content {
  /// All of it; for what is known to be small.
  func bytes() throws -> [UInt8] {
    switch self {
    case .bytes(let bytes): return bytes
    case .file(let path, _): return try FileSystem.read(path)
    case .reader(let size, let read):
      var bytes: [UInt8] = []
      try bytes.append(addingCapacity: size) { (room: inout OutputSpan<UInt8>) in try read(0, size, &room) }
      return bytes
    }
  }
}

extension PositionalFile {
  /// Whether a file begins like a zip, an empty one too.
  static func isZip(_ path: FilePath) throws -> Bool {
    let head = try PositionalFile(path).bytes(at: 0, count: 4)
    return head == Array("PK\u{3}\u{4}".utf8) || head == Array("PK\u{5}\u{6}".utf8)
  }

  /// Whether a zip is an Android library, whatever it is called. (Old tools left a manifest in jars.)
  static func isAAR(_ path: FilePath) throws -> Bool {
    if path.extension == "aar" { return true }
    let source = ZipSource(try PositionalFile(path))
    let names = (try? ZipDirectory(source).records.map(\.name)) ?? []
    return ["AndroidManifest.xml", "classes.jar"].allSatisfy { part in
      names.contains { $0.elementsEqual(part.utf8) }
    }
  }

  /// Why the entries of a zip cannot be told: its directory cannot be read, or says something else than stands before
  /// the contents, so that of two tools each unpacks something different. Nil if all is well.
  static func contradiction(inZip path: FilePath) throws -> String? {
    let source = ZipSource(try PositionalFile(path))
    do throws(ZipFormatError) {
      let irregularities = try ZipDirectory(source).irregularities()
      return irregularities.first(where: \.isContradiction)?.description
    } catch {
      return "\(error)"
    }
  }
}

extension ZipIrregularity {
  /// Names have errors of their own when they are packed, and so have methods that cannot be unpacked.
  fileprivate var isContradiction: Bool {
    switch self {
    case .wrongCount, .overlap, .outOfRange, .localMismatch(_, .header), .localMismatch(_, .name): true
    default: false
    }
  }
}
