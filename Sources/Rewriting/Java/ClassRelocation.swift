package import ObjectFiles

/// A class file with new names of packages, wherever it names classes. The code stays as it is: it has numbers of
/// constants, and these keep theirs.
package enum ClassRelocation {
  /// The changed class; nil if it names none of the packages. It has been read back, and names the classes that the old
  /// one names, by their new names, in each place.
  ///
  /// - Parameters:
  ///   - strings: whether texts of the program change too, which begin with a package's name.
  ///   - kept: gets such texts if they stay.
  package static func relocated(
    _ reader: borrowing ByteReader, _ map: PackageMap, strings: Bool, kept: inout Set<[UInt8]>
  ) throws(FormatError) -> [UInt8]? {
    let file = try reader.slice(reader.range, "class file", .big)
    let uses = try ClassUses(reader)
    var edits: [ByteEdits.Edit] = []
    var texts = RelocatedTexts(uses, map, strings: strings)
    // A text of the program may be that of a class's name as well: then the class gets one of its own.
    var changing: [UInt16: [(use: ClassUses.Use, new: [UInt8]?)]] = [:]
    var order: [UInt16] = []
    for use in uses.uses where try texts.new(use, file, kept: &kept) != nil {
      let number: UInt16 = try file.integer(at: use.place, "number of a text")
      if changing.updateValue([], forKey: number) == nil { order.append(number) }
    }
    if order.isEmpty, uses.debugTexts.isEmpty { return nil }
    for use in uses.uses {
      let number: UInt16 = try file.integer(at: use.place, "number of a text")
      if changing[number] != nil { changing[number]?.append((use, try texts.new(use, file, kept: &kept))) }
    }
    var added: [[UInt8]] = []
    var numbers: [[UInt8]: Int] = [:]
    for number in order {
      let all = changing[number] ?? []
      if let first = all.first?.new, all.allSatisfy({ $0.new == first }) {
        let range = try uses.constants.text(at: all[0].use.place, "text", file)
        edits.append(.init(range: range.lowerBound - 2..<range.upperBound, bytes: try lengthed(first, at: range)))
        continue
      }
      for (use, new) in all {
        guard let new else { continue }
        let index = numbers[new] ?? added.count
        if index == added.count {
          numbers[new] = index
          added.append(new)
        }
        let place = uses.constants.places.count + index
        // The number of constants is one more than the last one's.
        guard place < Int(UInt16.max), let field = UInt16(exactly: place) else {
          throw .unsupported("constants", at: use.place, "there would be more than 65,535")
        }
        edits.append(.init(range: use.place..<use.place + 2, bytes: [UInt8(field >> 8), UInt8(field & 0xFF)]))
      }
    }
    try addConstants(added, uses, file, to: &edits)
    for range in uses.debugTexts { try addDebugText(range, map, file, to: &edits) }
    guard !edits.isEmpty else { return nil }
    let new = try ByteEdits(edits).applied(to: reader)
    guard try isSame(reader, uses, ByteReader(new.span), map) else {
      throw .invalid("class file", at: reader.range.lowerBound, "it would not name the classes that it should")
    }
    return new
  }

  fileprivate static func renamed(_ text: [UInt8], _ kind: ClassUses.Kind, _ map: PackageMap, strings: Bool) -> [UInt8]?
  {
    switch kind {
    case .className: text.first == UInt8(ascii: "[") ? JavaSignature.renamed(text, map) : map.path(text)
    case .type: JavaSignature.renamed(text, map)
    case .package: map.package(text)
    case .string: strings ? map.string(text) : nil
    case .kotlin:
      "([L".utf8.contains(text.first ?? 0) ? JavaSignature.renamed(text, map) ?? map.path(text) : map.path(text)
    case .kotlinPackage: map.dotted(text)
    }
  }

  /// A text with its length in front.
  private static func lengthed(_ text: [UInt8], at place: Range<Int>) throws(FormatError) -> [UInt8] {
    guard let length = UInt16(exactly: text.count) else {
      throw .unsupported("text", at: place.lowerBound, "it would have more than 65,535 bytes")
    }
    return [UInt8(length >> 8), UInt8(length & 0xFF)] + text
  }

  /// Puts more texts behind the constants.
  private static func addConstants(
    _ texts: [[UInt8]], _ uses: ClassUses, _ file: borrowing ByteReader, to edits: inout [ByteEdits.Edit]
  ) throws(FormatError) {
    guard !texts.isEmpty else { return }
    let count = UInt16(uses.constants.places.count + texts.count)
    edits.append(
      .init(range: uses.countPlace..<uses.countPlace + 2, bytes: [UInt8(count >> 8), UInt8(count & 0xFF)]))
    var bytes: [UInt8] = []
    for text in texts { bytes += [1] + (try lengthed(text, at: uses.countPlace..<uses.countPlace)) }
    edits.append(.init(range: uses.endOfConstants..<uses.endOfConstants, bytes: bytes))
  }

  /// The lines of such a text that are paths (`com/foo/Bar.kt`, or a class).
  private static func addDebugText(
    _ range: Range<Int>, _ map: PackageMap, _ file: borrowing ByteReader, to edits: inout [ByteEdits.Edit]
  ) throws(FormatError) {
    var isChanged = false
    let lines = try file.copy(range, "attribute").split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { line -> [UInt8] in
        let new = map.path(line)
        isChanged = isChanged || new != nil
        return new ?? Array(line)
      }
    guard isChanged else { return }
    let text = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    let length = (0..<4).map { UInt8(truncatingIfNeeded: text.count >> (24 - 8 * $0)) }
    edits.append(.init(range: range.lowerBound - 4..<range.upperBound, bytes: length + text))
  }
}

extension ClassRelocation {
  /// Whether a changed class names the classes that the old one names, by their new names, in each place.
  private static func isSame(
    _ old: borrowing ByteReader, _ before: ClassUses, _ new: borrowing ByteReader, _ map: PackageMap
  ) throws(FormatError) -> Bool {
    let after = try ClassUses(new)
    guard before.uses.count == after.uses.count else { return false }
    let (old, new) = (try old.slice(old.range, "class file", .big), try new.slice(new.range, "class file", .big))
    // A pair of texts is compared once, because many places may have it.
    var known: Set<UInt64> = []
    for (first, second) in zip(before.uses, after.uses) {
      guard first.kind == second.kind else { return false }
      guard first.kind == .className || first.kind == .type else { continue }
      let number = UInt64(try old.integer(at: first.place, "number of a text", as: UInt16.self))
      let other = UInt64(try new.integer(at: second.place, "number of a text", as: UInt16.self))
      guard known.insert(number << 32 | other << 8 | (first.kind == .type ? 1 : 0)).inserted else { continue }
      let text = try old.copy(before.constants.text(at: first.place, "text", old), "text")
      let found = try new.copy(after.constants.text(at: second.place, "text", new), "text")
      if found != renamed(text, first.kind, map, strings: false) ?? text { return false }
    }
    return true
  }
}

/// The new texts of a class file, each found once for each kind of use.
private struct RelocatedTexts {
  private let constants: ClassConstants
  private let map: PackageMap
  private let strings: Bool
  /// By the number of the text and the kind of its use: 0 if it has not been looked at, 1 if it stays, else the index of
  /// the new one plus 2.
  private var known: [Int32]
  private var texts: [[UInt8]] = []

  init(_ uses: ClassUses, _ map: PackageMap, strings: Bool) {
    (constants, self.map, self.strings) = (uses.constants, map, strings)
    known = [Int32](repeating: 0, count: uses.constants.places.count * ClassUses.Kind.allCases.count)
  }

  /// - Parameter kept: gets a text of the program that begins with a package's name and stays.
  mutating func new(
    _ use: ClassUses.Use, _ file: borrowing ByteReader, kept: inout Set<[UInt8]>
  ) throws(FormatError) -> [UInt8]? {
    let number = Int(try file.integer(at: use.place, "number of a text", as: UInt16.self))
    let index = number * ClassUses.Kind.allCases.count + use.kind.rawValue
    if index < known.count, known[index] != 0 { return known[index] == 1 ? nil : texts[Int(known[index]) - 2] }
    let range = try constants.text(at: use.place, "text", file)
    known[index] = 1
    // Most texts name nothing of the packages, which is seen without a copy.
    guard map.mayName(range, file) else { return nil }
    let text = try file.copy(range, "text")
    if use.kind == .string, !strings, map.string(text) != nil { kept.insert(text) }
    guard let new = ClassRelocation.renamed(text, use.kind, map, strings: strings) else { return nil }
    known[index] = Int32(texts.count + 2)
    texts.append(new)
    return new
  }
}
