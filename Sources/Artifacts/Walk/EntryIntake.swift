import Archives
import ObjectFiles
import Store

/// Collects the selected content of an entry while it is unpacked piece by piece.
struct EntryIntake {
  private let header: EntryHeader
  private(set) var look: EntryLook
  private let allowance: Allowance
  /// Whether content that is not selected counts against the allowance too, because all of it is unpacked.
  private let countsAll: Bool
  /// The first bytes until there are enough of them to decide by: a piece may be one byte. Nil once that is decided.
  private var head: [UInt8]? = []
  private var unpacked: Unpacked?
  /// In bytes; every format that can be recognized is recognized by then.
  static let headSize = 4096

  init(of header: EntryHeader, _ look: EntryLook, _ allowance: Allowance, countsAll: Bool = false) {
    self.header = header
    self.look = look
    self.allowance = allowance
    self.countsAll = countsAll
  }

  /// `spool` gives the file for content that does not go into memory.
  mutating func take(
    _ chunk: RawSpan, _ selection: some EntrySelection, _ spool: (EntryLook) throws(FileError) -> Spool
  ) throws {
    guard var head else { return try keep(chunk, spool) }
    if head.isEmpty, chunk.byteCount >= EntryIntake.headSize {
      self.head = nil
      look.look(ByteReader(chunk), of: header, selection)
      return try keep(chunk, spool)
    }
    let part = ByteReader(chunk)
    part.append(part.range, to: &head)
    self.head = head
    if head.count >= EntryIntake.headSize { try decide(selection, spool) }
  }

  /// The selected content; nil if nothing was selected.
  mutating func finish(
    _ selection: some EntrySelection, _ spool: (EntryLook) throws(FileError) -> Spool
  ) throws -> Unpacked? {
    if head?.isEmpty == false { try decide(selection, spool) }
    return look.isKept ? unpacked ?? Unpacked(allowance) : nil
  }

  private mutating func decide(
    _ selection: some EntrySelection, _ spool: (EntryLook) throws(FileError) -> Spool
  ) throws {
    let begun = head ?? []
    head = nil
    look.look(ByteReader(begun.span), of: header, selection)
    try begun.lend { try keep($0, spool) }
  }

  private mutating func keep(_ chunk: RawSpan, _ spool: (EntryLook) throws(FileError) -> Spool) throws {
    guard look.isKept || countsAll else { return }
    try allowance.spend(chunk.byteCount, isDocument: look.isDocument)
    guard look.isKept else { return }
    let all = unpacked ?? Unpacked(allowance)
    unpacked = all
    let look = look
    try all.append(chunk) { () throws(FileError) in try spool(look) }
  }
}
