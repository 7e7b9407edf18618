import Linking
import Collisions
import Findings
import ObjectFiles

/// What the link of one slice came to.
package struct SliceOutcome: Sendable {
  var link: CollisionReport.Link
  var findings: [CollisionFinding] = []
  var mistakes: [Mistake] = []
  var notes: [String] = []
  /// Paths of files beside the plugins that were looked for, whether or not they are there.
  var lookedFor: [String] = []
}

// As bytes, all numbers of 4 bytes, little-endian: number of texts, the length of each, the texts; then the outcome in the
// order of its fields, lists as their number and their items, texts by number (0 is none, others count from 1).

extension SliceOutcome {
  /// Without mistakes, which are made again.
  package var bytes: [UInt8] {
    var writer = OutcomeWriter()
    writer.add(link.slice)
    writer.add(link.linker)
    writer.add(link.isClosed ? 1 : 0)
    writer.add(link.outcome.rawValue)
    writer.add(link.loaded) { $0.add($1) }
    writer.add(link.winners) { writer, winner in
      writer.add(winner.name)
      writer.add(winner.place)
    }
    writer.add(findings) { $0.add($1) }
    writer.add(notes) { $0.add($1) }
    writer.add(lookedFor) { $0.add($1) }
    return writer.bytes
  }

  /// Nil if these are the bytes of nothing that was kept.
  package init?(_ bytes: [UInt8]) {
    do throws(FormatError) {
      var reader = try OutcomeReader(bytes)
      let (slice, linker, isClosed) = (try reader.text(), try reader.text(), try reader.number() == 1)
      guard let outcome = LinkVerdict.Outcome(rawValue: try reader.text()) else { return nil }
      link = CollisionReport.Link(
        slice: slice, linker: linker, isClosed: isClosed, outcome: outcome,
        loaded: try reader.list { (reader) throws(FormatError) in try reader.text() },
        winners: try reader.list { (reader) throws(FormatError) in (try reader.text(), try reader.text()) })
      findings = try reader.list { (reader) throws(FormatError) in try reader.finding() }
      notes = try reader.list { (reader) throws(FormatError) in try reader.text() }
      lookedFor = try reader.list { (reader) throws(FormatError) in try reader.text() }
    } catch {
      return nil
    }
  }
}

private struct OutcomeWriter {
  private var numbers: [UInt32] = []
  private var texts: [String: UInt32] = [:]
  private var order: [String] = []

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    func add(_ number: UInt32) {
      for shift in stride(from: UInt32(0), to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
    add(UInt32(order.count))
    for text in order { add(UInt32(text.utf8.count)) }
    for text in order { bytes += Array(text.utf8) }
    for number in numbers { add(number) }
    return bytes
  }

  mutating func add(_ number: Int) { numbers.append(UInt32(truncatingIfNeeded: number)) }

  mutating func add(_ text: String?) {
    guard let text else { return add(0) }
    if let known = texts[text] {
      numbers.append(known)
    } else {
      order.append(text)
      texts[text] = UInt32(order.count)
      numbers.append(UInt32(order.count))
    }
  }

  mutating func add<T>(_ list: [T], _ each: (inout OutcomeWriter, T) -> Void) {
    add(list.count)
    for item in list { each(&self, item) }
  }

  mutating func add(_ finding: CollisionFinding) {
    add(finding.rule.rawValue)
    add(finding.level.rawValue)
    add(finding.verdict.rawValue)
    add(finding.slice)
    add(finding.name)
    add(finding.demangled)
    add(finding.winner)
    add(finding.identical.map { $0 ? 2 : 1 } ?? 0)
    add(finding.sites) { writer, site in
      writer.add(site.artifact.parts) { $0.add($1) }
      writer.add(site.member)
      writer.add(site.kind)
    }
    add(finding.triggers == nil ? 0 : 1)
    add(finding.triggers ?? []) { $0.add($1) }
    add(finding.keptMessage)
    add(finding.notes) { $0.add($1) }
    add(finding.hint)
  }
}

private struct OutcomeReader {
  private let numbers: [UInt32]
  private var next = 0
  private let texts: [String]

  init(_ bytes: [UInt8]) throws(FormatError) {
    var reader = ByteReader(bytes.span)
    let count: UInt32 = try reader.read("number of texts")
    guard Int(count) <= reader.remaining / 4 else { throw OutcomeReader.damage }
    var lengths: [UInt32] = []
    reader.append(reader.offset..<(reader.offset + 4 * Int(count)), to: &lengths)
    try reader.skip(4 * Int(count), "lengths")
    var texts: [String] = []
    texts.reserveCapacity(lengths.count)
    for length in lengths {
      let start = reader.offset
      try reader.skip(Int(length), "text")
      texts.append(String(decoding: bytes[start..<reader.offset], as: UTF8.self))
    }
    var numbers: [UInt32] = []
    reader.append(reader.offset..<reader.range.upperBound, to: &numbers)
    self.numbers = numbers
    self.texts = texts
  }

  private static let damage = FormatError(offset: 0, field: "outcome", reason: .invalid("it is damaged"))

  mutating func number() throws(FormatError) -> Int {
    guard next < numbers.count else { throw OutcomeReader.damage }
    next += 1
    return Int(numbers[next - 1])
  }

  mutating func optionalText() throws(FormatError) -> String? {
    let number = try number()
    guard number <= texts.count else { throw OutcomeReader.damage }
    return number == 0 ? nil : texts[number - 1]
  }

  mutating func text() throws(FormatError) -> String {
    guard let text = try optionalText() else { throw OutcomeReader.damage }
    return text
  }

  mutating func list<T>(_ each: (inout OutcomeReader) throws(FormatError) -> T) throws(FormatError) -> [T] {
    let count = try number()
    guard count <= numbers.count - next else { throw OutcomeReader.damage }
    var list: [T] = []
    list.reserveCapacity(count)
    for _ in 0..<count { list.append(try each(&self)) }
    return list
  }

  mutating func finding() throws(FormatError) -> CollisionFinding {
    let rule = RuleID(rawValue: try text())
    guard let level = Level(rawValue: try text()), let verdict = CollisionFinding.Verdict(rawValue: try text()) else {
      throw OutcomeReader.damage
    }
    let (slice, name, demangled, winner) = (try text(), try text(), try optionalText(), try optionalText())
    let identical = try number()
    let sites = try list { (reader) throws(FormatError) in
      let parts = try reader.list { (reader) throws(FormatError) in try reader.text() }
      return CollisionFinding.Site(
        artifact: Place(parts: parts), member: try reader.optionalText(), kind: try reader.text())
    }
    let hasTriggers = try number() == 1
    let triggers = try list { (reader) throws(FormatError) in try reader.text() }
    let message = try text()
    let notes = try list { (reader) throws(FormatError) in try reader.text() }
    var finding = CollisionFinding(
      rule, verdict, slice: slice, name: name, sites: sites, message: message, hint: try text(), winner: winner,
      identical: identical == 0 ? nil : identical == 2, triggers: hasTriggers ? triggers : nil, notes: notes)
    finding.level = level
    finding.demangled = demangled
    return finding
  }
}
