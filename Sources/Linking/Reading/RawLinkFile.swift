import Findings
import ObjectFiles
import Store

/// A name as an absolute range of the bytes that it was read from, with its hash.
struct NamePlace: Sendable {
  var hash: UInt64
  private var start: Int
  private var count: UInt32

  init(_ range: Range<Int>, _ reader: borrowing ByteReader, seed: UInt64) {
    self.init(range, hash: reader.hash(of: range, seed: seed))
  }

  init(_ range: Range<Int>, hash: UInt64) {
    self.hash = hash
    start = range.lowerBound
    count = UInt32(truncatingIfNeeded: range.count)
  }

  var range: Range<Int> { start..<(start + Int(count)) }
}

/// A file of a link before its names have numbers. It depends on the file alone, so many are read at once.
enum RawLinkFile: Sendable {
  case object(RawLinkObject)
  case archive(RawLinkArchive)
  case library(RawLinkLibrary)
  /// Every linker ignores it with a warning.
  case ignored(String)
  case unreadable(Mistakes)
}

/// An object file with its external symbols, in the file's order.
struct RawLinkObject: Sendable {
  /// Its own list of symbols is empty.
  var object: LinkObject
  /// The value of an alias is the index of its target in `targets`.
  var symbols: [(symbol: LinkSymbol, name: NamePlace)] = []
  var targets: [NamePlace] = []
  /// Hashes of names that matter to a link even without a reference.
  var alwaysWanted: [UInt64] = []
}

struct RawLinkArchive: Sendable {
  /// Its own list of entries is empty.
  var archive: LinkArchive
  var entries: [(name: NamePlace, member: MemberID)] = []
  var objects = Table<LinkArchive.Member, RawLinkObject>()
  /// Hashes of names that matter to a link even without a reference.
  var alwaysWanted: [UInt64] = []

  /// Adds names that the table of contents lists for members without such a definition: linkers believe the table.
  mutating func addStaleTOCEntries() {
    var sums = Table<LinkArchive.Member, UInt64>(repeating: 0, count: objects.count)
    for entry in entries { sums[entry.member] &+= entry.name.hash }
    let untrue = Set(
      objects.numbers.filter { member in
        sums[member] != objects[member].symbols.reduce(0) { $1.symbol.isDefinition ? $0 &+ $1.name.hash : $0 }
      })
    if untrue.isEmpty { return }
    var said: [MemberID: Set<UInt64>] = [:]
    for entry in entries where untrue.contains(entry.member) { said[entry.member, default: []].insert(entry.name.hash) }
    for (member, names) in said {
      alwaysWanted += names.subtracting(objects[member].symbols.lazy.filter { $0.symbol.isDefinition }.map(\.name.hash))
    }
  }
}

struct RawLinkLibrary: Sendable {
  /// Its own list of exports is empty.
  var library = LinkLibrary()
  /// The bytes of all names: some are put together from several places of the file.
  var text: [UInt8] = []
  var exports: [(name: NamePlace, isWeak: Bool)] = []

  mutating func add(_ name: [UInt8], isWeak: Bool, seed: UInt64) {
    let range = text.count..<(text.count + name.count)
    text += name
    exports.append((NamePlace(range, ByteReader(text.span), seed: seed), isWeak))
  }
}

/// The settings that reading a file depends on besides its bytes.
struct LinkFileReading: Sendable {
  let architecture: Architecture
  /// Linkers differ in the names that they see in object files.
  let profile: LinkerProfile
  /// Nil: object files of all platforms are read.
  let platform: Platform?
  let seed: UInt64

  /// Reads several files at once, with all members, and returns them in their order.
  func read(_ files: [(number: FileID, path: String, bytes: any LinkBytes)]) async -> [RawLinkFile] {
    var read: [RawLinkFile] = []
    try? await inOrder(
      files.count,
      { self.read(files[$0].bytes, files[$0].path, files[$0].number, withMembers: true) }, { read.append($0) })
    return read
  }

  /// Removes the names that do not matter to a link of all the files.
  func reduce(_ files: [RawLinkFile], wanted: [UInt64]) async -> [RawLinkFile] {
    let census = SymbolFilter(files, wanted: wanted)
    var reduced: [RawLinkFile] = []
    try? await inOrder(
      files.count, { files[$0].reduced(census) },
      { reduced.append($0) })
    return reduced
  }

  /// With `withMembers` the members of a static library are read, too.
  func read(_ bytes: any LinkBytes, _ path: String, _ number: FileID, withMembers: Bool) -> RawLinkFile {
    do throws(Mistakes) {
      if let stubs = try bytes.textStubs(at: Place(path)) { return .library(library(stubs: stubs)) }
      return try bytes.withReader { (reader) throws(Mistakes) -> RawLinkFile in
        do throws(FormatError) { return try content(reader, number, withMembers) } catch {
          throw Mistakes("\(error)", at: Place(path))
        }
      }
    } catch {
      return .unreadable(error)
    }
  }

  private func content(
    _ reader: borrowing ByteReader, _ number: FileID, _ withMembers: Bool
  ) throws(FormatError) -> RawLinkFile {
    switch FileKind(reader) {
    case .fat, .fat64:
      let file = try FatFile(reader, isStrict: false)
      guard let slice = file.slices.first(where: { $0.architecture == architecture }) else {
        if let damage = file.damage.first { throw damage }
        return .ignored("it has no code for \(architecture)")
      }
      return try content(try reader.slice(slice.range, "slice \(slice.architecture)"), number, withMembers)
    case .archive:
      var archive = try archive(reader)
      if archive.archive.isForOthers, !profile.looksAtEachProcessor || !hasOwn(archive.archive, reader) {
        return .ignored("it has no code for \(architecture)")
      }
      if withMembers {
        for index in archive.archive.members.numbers {
          archive.objects.append(member(index, archive.archive.members[index], of: number, reader))
        }
        archive.entries.removeAll { archive.objects[$0.member].object.isPassedOver }
        archive.archive.foreign = archive.objects.numbers.filter { archive.objects[$0].object.foreign != nil }
        archive.addStaleTOCEntries()
      }
      return .archive(archive)
    case .machO(.dylib), .machO(.dylibStub):
      let own = try MachOFile(reader).architecture
      if own != architecture, !profile.takesForeignLibraries { return .ignored("it is for \(own)") }
      return .library(try library(image: reader))
    case .machO(.object), .bitcode:
      if case .machO = FileKind(reader), try MachOFile(reader).architecture != architecture {
        return .ignored("it is for \(try MachOFile(reader).architecture)")
      }
      var raw = RawLinkObject(object: LinkObject(file: number, member: nil, range: reader.range))
      try read(reader, &raw)
      return .object(raw)
    case .thinArchive: throw UnreadCode.thin(reader)
    case let kind:
      throw UnreadCode.error(kind, "object file", at: reader.range.lowerBound)
        ?? FormatError(
          offset: reader.range.lowerBound, field: "link input",
          reason: .unsupported("\(kind.description) is nothing that is linked"))
    }
  }

  /// Whether a member is for the link's processor.
  private func hasOwn(_ archive: LinkArchive, _ reader: borrowing ByteReader) -> Bool {
    for member in archive.members.elements {
      guard let content = try? reader.slice(member.range, "archive member"), case .machO = FileKind(content) else {
        continue
      }
      if (try? MachOFile(content))?.architecture == architecture { return true }
    }
    return false
  }

  /// A member that cannot be read has no symbols. `reader`'s window contains the library.
  func member(
    _ index: MemberID, _ member: LinkArchive.Member, of file: FileID, _ reader: borrowing ByteReader
  ) -> RawLinkObject {
    var raw = RawLinkObject(object: LinkObject(file: file, member: index, range: member.range))
    do throws(FormatError) {
      try read(try reader.slice(member.range, "archive member"), &raw)
    } catch {
      raw.object.damage = error
    }
    return raw
  }
}

extension RawLinkFile {
  func reduced(_ census: SymbolFilter) -> RawLinkFile {
    switch self {
    case .object(let object): return .object(object.reduced(census))
    case .archive(let archive):
      let isWhole = Table<LinkArchive.Member, Bool>(archive.objects.elements.map(census.mattersWhole))
      var reduced = RawLinkArchive(archive: archive.archive)
      reduced.entries = archive.entries.filter { isWhole[$0.member] || census.matters($0.name) }
      reduced.objects = Table(
        isWhole.numbers.map { isWhole[$0] ? archive.objects[$0] : archive.objects[$0].reduced(census) })
      return .archive(reduced)
    case .library(let library):
      var reduced = library
      reduced.exports = library.exports.filter { census.matters($0.name) }
      return .library(reduced)
    case .ignored, .unreadable: return self
    }
  }
}

extension RawLinkObject {
  fileprivate func reduced(_ census: SymbolFilter) -> RawLinkObject {
    RawLinkObject(object: object, symbols: symbols.filter { census.matters($0.name) }, targets: targets)
  }
}
