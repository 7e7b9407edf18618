import ObjectFiles

/// Texts of the code by which it may look renamed classes up (`NSClassFromString`).
struct ObjCRisks: Sendable {
  /// Texts that are the name of a renamed class.
  private(set) var texts: Set<String> = []
  /// Format strings that may make such a name.
  private var formats: [(text: [UInt8], pattern: Pattern)] = []
  private var classes: [[UInt8]] = []
  private var looksUp = false

  init() {}

  /// Reads the texts of an object file.
  init(_ reader: borrowing ByteReader, _ names: RenamedNames) throws(FormatError) {
    guard names.rewrite.classes else { return }
    let objc = ObjCNames(names: names)
    let symbols = try MachOSymbols(reader)
    try symbols.forEach(reader, SymbolSelection(externalOnly: true)) { (symbol) throws(FormatError) in
      guard let range = symbol.name else { return }
      if symbol.flags.contains(.undefined) {
        looksUp = looksUp || Self.isLookup(range, reader)
      } else if reader.starts(with: "_OBJC_CLASS_$_", at: range.lowerBound) {
        let name = try reader.copy(range.lowerBound + 14..<range.upperBound, "name of a class")
        if objc.className(name) != nil { classes.append(name) }
      }
    }
    for placed in try symbols.file.placedSections(reader) {
      guard placed.section.kind == .strings, !placed.section.name.hasPrefix(.objcPrefix) else { continue }
      let content = try placed.content(reader)
      var place = content.lowerBound
      while let text = reader.terminatedRange(at: place, in: content) {
        place = text.upperBound + 1
        guard (2...200).contains(text.count) else { continue }
        let bytes = try reader.copy(text, "text")
        if objc.className(bytes) != nil { texts.insert(String(decoding: bytes, as: UTF8.self)) }
        if formats.count < Self.maxFormats, let pattern = Self.pattern(ofFormat: bytes) {
          formats.append((bytes, pattern))
        }
      }
    }
  }

  mutating func formUnion(_ other: ObjCRisks) {
    texts.formUnion(other.texts)
    formats += other.formats.prefix(max(0, Self.maxFormats - formats.count))
    classes += other.classes
    looksUp = looksUp || other.looksUp
  }

  private static let lookups = ["_NSClassFromString", "_objc_getClass", "_objc_lookUpClass", "_objc_getRequiredClass"]
  private static let maxFormats = 1000

  private static func isLookup(_ name: Range<Int>, _ reader: borrowing ByteReader) -> Bool {
    lookups.contains { lookup in
      let text = Array(lookup.utf8)
      return reader.equals(name, ByteReader(text.span), 0..<text.count)
    }
  }

  /// A pattern of what a format string makes, if that may be the name of a class: letters and digits, of which some are
  /// given.
  private static func pattern(ofFormat text: [UInt8]) -> Pattern? {
    var (pattern, rest, given): (String, ArraySlice<UInt8>, Int) = ("", text[...], 0)
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        rest = rest.drop { !isLetter($0) && $0 != UInt8(ascii: "@") }
        guard let end = rest.popFirst() else { return nil }
        // `%ld` and `%hhu` have letters that say a size.
        if "hlqzj".utf8.contains(end) { rest = rest.drop { "hlqzj".utf8.contains($0) }.dropFirst() }
        pattern += "*"
      case _
      where isLetter(byte) || byte == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte):
        pattern.unicodeScalars.append(Unicode.Scalar(byte))
        given += 1
      default: return nil
      }
    }
    return given >= 2 && given < pattern.utf8.count ? Pattern(pattern) : nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  /// Throws if the code looks classes up by names that it makes, and may make the old name of a renamed one.
  func check(_ place: String) throws(LibraryError) {
    guard looksUp else { return }
    for format in formats {
      guard let name = classes.first(where: { format.pattern.matches($0) }) else { continue }
      throw LibraryError(
        "\(place) looks classes up by names that it makes, and '\(String(decoding: format.text, as: UTF8.self))' may make "
          + "'\(String(decoding: name, as: UTF8.self))': its classes cannot be renamed, unless that one is kept")
    }
  }
}
