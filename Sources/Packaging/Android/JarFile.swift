import Android
import Archives
import Artifacts
import Store
import SystemPackage

/// A file that is needed while a step runs; it goes when the last reference goes.
final class ScratchFile: Sendable {
  private let file: Store.OutputFile

  /// The content of the reader's current entry.
  init(_ reader: inout ArchiveReader, in folder: OpenFolder) throws {
    let file = try Store.OutputFile.create(ScratchFile.name, below: folder)
    try reader.forEachChunk { chunk in try file.write(chunk) }
    self.file = file
  }

  fileprivate init(in folder: OpenFolder) throws(FileError) {
    file = try Store.OutputFile.create(ScratchFile.name, below: folder)
  }

  /// No file of that name is made.
  private static let name: FilePath = "scratch"

  var path: FilePath { file.temporaryPath }
}

/// A jar that was written on the way to something else.
struct JarFile: Sendable {
  fileprivate let file: ScratchFile
  let digest: Digest?
  let content: Entry.Content
}

extension JarContents {
  /// Nil if there are mistakes. `folder` is where it is kept.
  func file(in folder: OpenFolder, options: ZipOptions) async throws -> JarFile? {
    guard mistakes.isEmpty else { return nil }
    let file = try ScratchFile(in: folder)
    let entries = entries
    let made = try await PackedArchive.write(entries, to: file.path, options: options, lasts: false)
    return JarFile(
      file: file, digest: made.digest,
      content: .file(file.path, size: made.size))
  }
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
