import ObjectFiles

/// Compares two object files atom by atom: bytes, names that they refer to and, where a reference is to something of
/// the file's own, the atom that is there, and so on. Two that refer to each other are the same as long as nothing
/// differs.
struct DefinitionWalk: Sendable {
  struct Pair: Hashable, Sendable {
    var first: DefinitionObject.Span
    var second: DefinitionObject.Span

    /// The starts tell most pairs apart, and are quickly hashed.
    func hash(into hasher: inout Hasher) {
      hasher.combine(first.start)
      hasher.combine(second.start)
    }
  }

  /// Results of pairs that were compared to the end.
  private var known: [Pair: Bool] = [:]
  private var queue: [(pair: Pair, parent: Int)] = []
  private var queued: Set<Pair> = []
  /// The number of bytes that may still be compared: atoms that differ may be compared again and again.
  private var left: Int

  init(_ first: borrowing ByteReader, _ second: borrowing ByteReader) {
    left = (16 << 20) + 64 * (first.count + second.count)
  }

  /// Nil if the comparison is not possible.
  mutating func areSame(
    _ a: DefinitionObject, _ placeA: DefinitionObject.Place, _ first: borrowing ByteReader,
    _ b: DefinitionObject, _ placeB: DefinitionObject.Place, _ second: borrowing ByteReader
  ) throws(FormatError) -> Bool? {
    queue.removeAll(keepingCapacity: true)
    queued.removeAll(keepingCapacity: true)
    guard push((a, placeA, 0), (b, placeB, 0), parent: -1) else { return differ(a, b, at: -1) }
    var next = 0
    while next < queue.count {
      let pair = queue[next].pair
      switch known[pair] {
      case .some(true): break
      case .some(false): return differ(a, b, at: next)
      case nil:
        let isSame =
          pair.first.kind == .text
          ? try isSameText(pair, a, first, b, second) : try isSame(pair, a, first, b, second, number: next)
        guard left > 0, isSame || !areTablesMoved(pair, a, b) else { return nil }
        if isSame { break }
        let outlined = (try a.callsOutlined(pair.first, first), try b.callsOutlined(pair.second, second))
        if outlined.0 || outlined.1 { return nil }
        return differ(a, b, at: next)
      }
      next += 1
    }
    for (pair, _) in queue { known[pair] = true }
    return true
  }

  /// Marks a pair and those that led to it as different.
  private mutating func differ(_ a: DefinitionObject, _ b: DefinitionObject, at number: Int) -> Bool? {
    // Without atoms the assembler fills in distances itself, and these depend on the neighbours.
    guard a.isCut, b.isCut else { return nil }
    var number = number
    while number >= 0 {
      known[queue[number].pair] = false
      number = queue[number].parent
    }
    return false
  }

  private typealias Target = (object: DefinitionObject, place: DefinitionObject.Place, addend: Int64)

  /// Queues the spans at two places; false if they are already known to differ.
  ///
  /// `isDistance`: the reference subtracts a base, and the addend makes up for the base's place.
  private mutating func push(_ a: Target, _ b: Target, isDistance: Bool = false, parent: Int) -> Bool {
    guard let first = DefinitionWalk.span(of: a, isDistance), let second = DefinitionWalk.span(of: b, isDistance),
      first.kind == second.kind
    else { return false }
    if first.kind != .text || isDistance {
      let distances = (a.place.address &- first.start, b.place.address &- second.start)
      let addends = (UInt64(bitPattern: a.addend), UInt64(bitPattern: b.addend))
      guard distances.0 &+ addends.0 == distances.1 &+ addends.1 else { return false }
    }
    let pair = Pair(first: first, second: second)
    if queued.insert(pair).inserted { queue.append((pair, parent)) }
    return true
  }

  /// A reference into texts means the text at its place plus its addend.
  private static func span(of target: Target, _ isDistance: Bool) -> DefinitionObject.Span? {
    let span = target.object.span(at: target.place)
    if span?.kind != .text || isDistance { return span }
    var place = target.place
    place.address &+= UInt64(bitPattern: target.addend)
    return target.object.span(at: place)
  }

  /// Whether both are code with tables, at different alignments. Padding of tables depends on where they lie, so a
  /// difference proves nothing.
  private func areTablesMoved(_ pair: Pair, _ a: DefinitionObject, _ b: DefinitionObject) -> Bool {
    (pair.first.start ^ pair.second.start) & 3 != 0 && a.hasTables(pair.first) && b.hasTables(pair.second)
  }

  // MARK: One pair

  private mutating func isSameText(
    _ pair: Pair, _ a: DefinitionObject, _ first: borrowing ByteReader, _ b: DefinitionObject,
    _ second: borrowing ByteReader
  ) throws(FormatError) -> Bool {
    guard let rangeA = try a.range(of: pair.first, first), let rangeB = try b.range(of: pair.second, second),
      let textA = first.terminatedRange(at: rangeA.lowerBound, in: rangeA),
      let textB = second.terminatedRange(at: rangeB.lowerBound, in: rangeB)
    else { return pair.first.start == pair.first.end && pair.second.start == pair.second.end }
    left -= 64 + textA.count + textB.count
    return first.equals(textA, second, textB)
  }

  private mutating func isSame(
    _ pair: Pair, _ a: DefinitionObject, _ first: borrowing ByteReader, _ b: DefinitionObject,
    _ second: borrowing ByteReader, number: Int
  ) throws(FormatError) -> Bool {
    // Most definitions that differ are of different sizes.
    guard a.sizes(of: pair.first).overlaps(b.sizes(of: pair.second)) else {
      left -= 64
      return false
    }
    guard let rangeA = try a.range(of: pair.first, first), let rangeB = try b.range(of: pair.second, second) else {
      return a.isZeroFill(pair.first) && b.isZeroFill(pair.second)
    }
    let references = try (a.references(in: pair.first, first), b.references(in: pair.second, second))
    left -= 64 + rangeA.count + rangeB.count + 16 * (references.0.count + references.1.count)
    guard left > 0 else { return false }
    if references.0.isEmpty, references.1.isEmpty, first.equals(rangeA, second, rangeB) { return true }
    var (bytesA, bytesB) = (try first.copy(rangeA, "definition"), try second.copy(rangeB, "definition"))
    let count = max(
      a.padding(bytesA, of: pair.first, references.0).shortest,
      b.padding(bytesB, of: pair.second, references.1).shortest)
    guard count <= bytesA.count, count <= bytesB.count, references.0.count == references.1.count else { return false }
    for (one, other) in zip(references.0, references.1) {
      guard isSame(one, other, pair, a, first, b, second, parent: number) else { return false }
      DefinitionWalk.clear(one.bytes, from: pair.first.start, in: &bytesA)
      DefinitionWalk.clear(other.bytes, from: pair.second.start, in: &bytesB)
    }
    return bytesA[..<count].elementsEqual(bytesB[..<count])
  }

  private static func clear(_ reference: MachOReference, from start: UInt64, in bytes: inout [UInt8]) {
    let offset = Int(reference.place &- start)
    for index in 0..<reference.length where offset + index < bytes.count {
      bytes[offset + index] &= ~UInt8(truncatingIfNeeded: reference.mask >> UInt64(8 * index))
    }
  }

  private mutating func isSame(
    _ one: DefinitionObject.Reference, _ other: DefinitionObject.Reference, _ pair: Pair, _ a: DefinitionObject,
    _ first: borrowing ByteReader, _ b: DefinitionObject, _ second: borrowing ByteReader, parent: Int
  ) -> Bool {
    guard one.bytes.place &- pair.first.start == other.bytes.place &- pair.second.start,
      one.bytes.length == other.bytes.length, one.bytes.mask == other.bytes.mask, one.bytes.type == other.bytes.type,
      one.bytes.isRelative == other.bytes.isRelative
    else { return false }
    switch (one.base, other.base) {
    case (nil, nil): break
    case (.some(.place(let placeA)), .some(.place(let placeB)))
    where pair.first.contains(placeA) && pair.second.contains(placeB):
      guard placeA.address &- pair.first.start == placeB.address &- pair.second.start else { return false }
    case (.some(let baseA), .some(let baseB)):
      guard isSame((a, baseA, 0), first, (b, baseB, 0), second, isDistance: true, parent: parent) else { return false }
    default: return false
    }
    return isSame(
      (a, one.target, one.bytes.addend), first, (b, other.target, other.bytes.addend), second,
      isDistance: one.base != nil, parent: parent)
  }

  private mutating func isSame(
    _ one: (object: DefinitionObject, target: DefinitionObject.Target, addend: Int64), _ first: borrowing ByteReader,
    _ other: (object: DefinitionObject, target: DefinitionObject.Target, addend: Int64),
    _ second: borrowing ByteReader, isDistance: Bool, parent: Int
  ) -> Bool {
    switch (one.target, other.target) {
    case (.name(let a), .name(let b)), (.slot(let a), .slot(let b)):
      return one.addend == other.addend && first.equals(a, second, b)
    case (.number(let a), .number(let b)): return a == b && one.addend == other.addend
    case (.place(let a), .place(let b)):
      return push(
        (one.object, a, one.addend), (other.object, b, other.addend), isDistance: isDistance, parent: parent)
    default: return false
    }
  }
}

extension DefinitionObject.Span {
  fileprivate func contains(_ place: DefinitionObject.Place) -> Bool {
    place.section == section && start <= place.address && place.address <= end
  }
}

extension DefinitionObject {
  fileprivate func isZeroFill(_ span: Span) -> Bool { sections[span.section - 1].isZeroFill }

  /// The padding at the end of a span. All bytes up to the end of the last reference are certainly the span's own.
  fileprivate func padding(_ bytes: [UInt8], of span: Span, _ references: [Reference]) -> DefinitionPadding {
    let section = sections[span.section - 1]
    let last = references.last.map { Int($0.bytes.place &- span.start) + $0.bytes.length } ?? 0
    return DefinitionPadding(
      bytes, from: span.kind == .atom ? min(last, bytes.count) : bytes.count, end: span.end, in: section,
      file.architecture.cpu)
  }

  /// The possible sizes, as nothing marks where its padding begins. Elements and texts have none.
  func sizes(of span: Span) -> ClosedRange<UInt64> {
    let size = span.end &- span.start
    guard span.kind == .atom else { return size...size }
    let most = UInt64(DefinitionPadding.most(before: span.end, in: sections[span.section - 1], file.architecture.cpu))
    return (size > most ? size - most : min(1, size))...size
  }
}
