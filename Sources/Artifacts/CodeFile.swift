package import Findings
package import ObjectFiles
import Store
import SystemPackage

/// A file with symbols, wherever it lies: on the disk, or in containers. Its bytes are opened once and lent to whoever
/// reads them, to several tasks at once too.
package final class CodeFile: Sendable {
  /// From the outside in: `App.zip › libA.a`.
  package let place: Place
  package let units: ObjectUnits
  private let content: Content

  private enum Content {
    /// A file as it is on the disk, or in memory.
    case whole(Bytes)
    /// A part of what was unpacked to the disk.
    case unpacked(Bytes, Range<Int>)
  }

  /// What was mapped, for all that are in it.
  final class Bytes: Sendable {
    let file: MappedFile

    init(_ file: consuming MappedFile) { self.file = file }
  }

  /// Nil if the bytes are no code of any kind that is known.
  init?(_ file: consuming MappedFile, place: Place) {
    let units = file.withBytes { ObjectUnits(ByteReader($0)) }
    guard units.isCode else { return nil }
    self.place = place
    self.units = units
    content = .whole(Bytes(file))
  }

  /// What was unpacked to the disk; nil as above.
  convenience init?(unpacked file: consuming MappedFile, place: Place) {
    let all = 0..<file.count
    let units = file.withBytes { ObjectUnits(ByteReader($0)) }
    file.forget(all)
    guard units.isCode else { return nil }
    self.init(units, unpacked: Bytes(file), all, place: place)
  }

  /// `units` are those of the part.
  init(_ units: ObjectUnits, unpacked bytes: Bytes, _ part: Range<Int>, place: Place) {
    self.place = place
    self.units = units
    content = .unpacked(bytes, part)
  }

  /// The bytes, for the length of the call.
  package func withReader<R, E: Error>(_ body: (borrowing ByteReader) throws(E) -> R) throws(E) -> R {
    switch content {
    case .whole(let bytes):
      return try bytes.file.withBytes { (bytes: RawSpan) throws(E) -> R in try body(ByteReader(bytes)) }
    case .unpacked(let bytes, let part):
      // A few megabytes unpack to a gigabyte: only what is being read is in memory.
      defer { bytes.file.forget(part) }
      return try bytes.file.withBytes { (bytes: RawSpan) throws(E) -> R in
        try body(ByteReader(bytes.extracting(part)))
      }
    }
  }

  /// What of it is not read, or lies outside of it, as a whole; units have their own.
  package var mistakes: [Mistake] { units.errors.map { Mistake("\($0)", at: place) } }

  /// What a unit says to have where it has no bytes. `reader` is one of the file.
  package func mistakes(of unit: ObjectUnit, _ reader: borrowing ByteReader) -> [Mistake] {
    guard let content = try? reader.slice(unit.range, "object file") else { return [] }
    let errors = ObjectBounds(content, slice: unit.slice).errors
    return errors.isEmpty ? [] : errors.map { Mistake("\($0)", at: place(of: unit)) }
  }

  /// Where a unit is: `App.zip › libA.a(arm64) › a.o`.
  package func place(of unit: ObjectUnit) -> Place {
    var place = place
    if let slice = unit.slice, let last = place.parts.popLast() { place.parts.append("\(last)(\(slice))") }
    guard let member = unit.member else { return place }
    let name = withReader { (reader) -> [UInt8] in
      var name: [UInt8] = []
      reader.append(member, to: &name)
      return name
    }
    return place.inside(String(decoding: name, as: UTF8.self))
  }
}
