package import Archives
package import Findings
import ObjectFiles
import Store
package import SystemPackage

/// The facts to collect from an archive's entries while these are read for another purpose.
package struct WantedFacts: Sendable {
  fileprivate let place: Place
  fileprivate let selection: InventorySelection
  fileprivate let allowance: Allowance
  fileprivate let temporary: FilePath

  /// - Parameters:
  ///   - place: of the archive.
  ///   - size: of the archive, in bytes.
  ///   - temporary: a folder for content that is too large for memory.
  package init(_ facts: [any Facts.Type], of role: ArtifactKind, at place: Place, size: Int, temporary: FilePath) {
    self.place = place
    selection = InventorySelection(role: role, facts: facts)
    allowance = Allowance(size: size)
    self.temporary = temporary
  }

  /// Several entries are read at the same time: each has a file of its own.
  fileprivate func spool(_: EntryLook) throws(FileError) -> Spool { try Spool(in: OpenFolder(temporary)) }

  fileprivate func explained<R>(_ work: () throws -> R) throws -> R {
    do { return try work() } catch { throw Mistakes([Mistake(of: place, error)]) }
  }
}

/// Gathers the facts of one entry from its content, piece by piece.
package struct ItemReader {
  package struct Result: Sendable {
    package var item: Item
    /// The attributes that an AppleDouble file has for the file beside it; nil for other files.
    let attributes: [String]?
  }

  private let wanted: WantedFacts
  private let header: EntryHeader
  private var intake: EntryIntake

  package init(_ record: ZipDirectory.Record, _ wanted: WantedFacts) {
    self.wanted = wanted
    header = EntryHeader(ArchiveHeader(record), container: 0)
    intake = EntryIntake(of: header, EntryLook(header, wanted.selection, isOpened: false), wanted.allowance)
  }

  package mutating func update(_ chunk: RawSpan) throws {
    guard intake.look.isWorthwhile else { return }
    let (selection, spool) = (wanted.selection, wanted.spool)
    try wanted.explained { try intake.take(chunk, selection, spool) }
  }

  package mutating func finish() throws -> Result {
    var item = Item(header)
    guard intake.look.isWorthwhile, let bytes = try finished()
    else { return Result(item: item, attributes: nil) }
    if item.metadata != nil { return Result(item: item, attributes: AppleDoubleAttributes(bytes.copy()).names) }
    let read = ReadFacts(header, of: wanted.selection.role, wanted.selection.facts, bytes)
    (item.facts, item.damage) = (read.facts, read.damage)
    return Result(item: item, attributes: nil)
  }

  private mutating func finished() throws -> EntryBytes? {
    let (selection, spool) = (wanted.selection, wanted.spool)
    return try wanted.explained { try intake.finish(selection, spool)?.bytes() }
  }
}

extension Item {
  init(_ header: EntryHeader) {
    // A file that was given directly is in no container, so only the last part of its path counts.
    let path = header.container == nil ? header.path.split(separator: UInt8(ascii: "/")).last.map(Array.init) : nil
    self.init(path: path ?? header.path, kind: header.kind, size: header.size)
    metadata = AppleMetadata.classify(path: self.path)
    attributes = header.attributes.map { ExtendedAttributes.shown(String(decoding: $0, as: UTF8.self)) }
  }
}
