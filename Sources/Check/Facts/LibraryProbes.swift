import Collisions
import ObjectFiles
import Recipes

/// Finds the versions of known libraries in Mach-O files, by the hashes of symbols that tell them.
struct LibraryProbes: Sendable {
  static let all = LibraryProbes(ThirdParties.all.probes)

  private let probes: [UInt64: ThirdParties.Probe]
  /// Whether any hash has this uppermost byte. Of names that are no library's hardly one is looked up.
  private let filter: [Bool]

  /// More libraries, or versions of them, are no plugin's.
  private static let maxFound = 64
  /// In bytes.
  private static let maxLength = 200

  private init(_ probes: [ThirdParties.Probe]) {
    self.probes = Dictionary(probes.map { (FoundNames.hash($0.symbol), $0) }, uniquingKeysWith: { first, _ in first })
    var filter = Array(repeating: false, count: 256)
    for hash in self.probes.keys { filter[Int(hash >> 56)] = true }
    self.filter = filter
  }

  /// `hashes` are of the file's defined names. What cannot be read has no version.
  func add(
    _ hashes: ArraySlice<UInt64>, _ symbols: MachOSymbols, _ reader: borrowing ByteReader,
    to found: inout Set<LibraryVersion>
  ) {
    // A damaged file may repeat a name, and each is looked for once.
    var seen: Set<UInt64> = []
    for hash in hashes where filter[Int(hash >> 56)] {
      guard let probe = probes[hash], seen.insert(hash).inserted, found.count < Self.maxFound,
        let version = try? Self.version(probe, hash, symbols, reader)
      else { continue }
      found.insert(LibraryVersion(library: probe.library, version: version))
    }
  }

  private static func version(
    _ probe: ThirdParties.Probe, _ hash: UInt64, _ symbols: MachOSymbols, _ reader: borrowing ByteReader
  ) throws(FormatError) -> String? {
    let sections = try symbols.file.sections(reader).filter { !$0.isZeroFill }
    if let prefix = probe.prefix {
      for section in sections where section.kind == .strings {
        if let version = literal(after: Array(prefix.utf8), in: try range(of: section, symbols, reader), reader) {
          return version
        }
      }
      return nil
    }
    var address: UInt64?
    let selection = SymbolSelection(externalOnly: true, definedOnly: true)
    try symbols.forEach(reader, selection) { (symbol: Symbol) throws(FormatError) in
      if address == nil, let name = symbol.name, FoundNames.hash(name, reader) == hash { address = symbol.address }
    }
    guard let address,
      let section = sections.first(where: { address >= $0.address && address - $0.address < $0.size })
    else { return nil }
    let range = try range(of: section, symbols, reader)
    let start = range.lowerBound + Int(address - section.address)
    let text = try reader.copy(start..<min(start + maxLength, range.upperBound), "version").prefix { $0 != 0 }
    return words(text).lazy.compactMap(version).first
  }

  private static func range(
    of section: MachOSection, _ symbols: MachOSymbols, _ reader: borrowing ByteReader
  ) throws(FormatError) -> Range<Int> {
    try reader.claimed(
      start: UInt64(section.offset), size: section.size, at: symbols.file.range.lowerBound, "section \(section.name)")
  }

  /// The version in the first literal that begins with the prefix, whatever white space is before it.
  private static func literal(after prefix: [UInt8], in range: Range<Int>, _ reader: borrowing ByteReader) -> String? {
    var start = range.lowerBound
    while start < range.upperBound {
      let text = reader.terminatedRange(at: start, in: range) ?? start..<range.upperBound
      start = text.upperBound + 1
      // An image has many literals, and hardly one begins like this.
      guard text.count > prefix.count, text.count < maxLength,
        let first = try? reader.integer(at: text.lowerBound, "literal", as: UInt8.self),
        first <= 0x20 || first == prefix.first, let bytes = try? reader.copy(text, "literal")
      else { continue }
      let words = bytes.drop { $0 <= 0x20 }
      guard words.starts(with: prefix) else { continue }
      let rest = words.dropFirst(prefix.count).drop { $0 <= 0x20 }
      guard let version = self.words(rest).first.flatMap(self.version), rest.starts(with: version.utf8) else {
        continue
      }
      // A parenthesis marks another library that is compatible: `OpenSSL 1.1.1 (compatible; BoringSSL)`.
      if rest.dropFirst(version.utf8.count).first(where: { $0 > 0x20 }) == UInt8(ascii: "(") { continue }
      return version
    }
    return nil
  }

  private static func words(_ text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    text.split { byte in
      !(0x61...0x7A).contains(byte | 0x20) && !(0x30...0x39).contains(byte) && !".-+".utf8.contains(byte)
    }
  }

  /// A word that begins with a digit and has a point, such as `1.1.1k`.
  private static func version(_ word: ArraySlice<UInt8>) -> String? {
    guard let first = word.first, (0x30...0x39).contains(first), word.count <= 24,
      word.dropLast().contains(UInt8(ascii: "."))
    else { return nil }
    return String(decoding: word, as: UTF8.self)
  }
}
