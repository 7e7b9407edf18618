package import Findings
package import ObjectFiles
import Store
import SystemPackage

/// A file with symbols, wherever it lies: on the disk, or in containers.
package final class CodeFile: Sendable {
  /// From the outside in: `App.zip › libA.a`.
  package let place: Place
  package let units: ObjectUnits
  private let bytes: EntryBytes

  /// Nil if the bytes are no code of any kind that is known.
  package init?(_ bytes: EntryBytes, place: Place) {
    let units = bytes.withReader { ObjectUnits($0) }
    guard units.isCode else { return nil }
    self.place = place
    self.units = units
    self.bytes = bytes
  }

  /// In bytes; 0 of what is on the disk.
  package var unpackedSize: Int { place.parts.count > 1 ? bytes.count : 0 }

  /// The bytes, for the length of the call.
  package func withReader<R, E: Error>(_ body: (borrowing ByteReader) throws(E) -> R) throws(E) -> R {
    try bytes.withReader(body)
  }

  /// What of it is not read, or lies outside of it, as a whole; units have their own.
  package var mistakes: [Mistake] { units.errors.map { Mistake("\($0)", at: place) } }

  /// What a unit says to have where it has no bytes. `reader` is one of the file.
  package func mistakes(of unit: ObjectUnit, _ reader: borrowing ByteReader) -> [Mistake] {
    guard let content = try? reader.slice(unit.range, "object file") else { return [] }
    return ObjectBounds(content, slice: unit.slice).errors.map { Mistake("\($0)", at: place(of: unit)) }
  }

  /// Where a unit is: `App.zip › libA.a(arm64) › a.o`.
  package func place(of unit: ObjectUnit) -> Place {
    var place = place
    if let slice = unit.slice, let last = place.parts.popLast() { place.parts.append("\(last)(\(slice))") }
    guard let member = unit.member else { return place }
    return place.inside(withReader { $0.text(member) })
  }
}

extension ByteReader {
  /// What of it is there; what is not UTF-8 is repaired for reading.
  package func text(_ range: Range<Int>) -> String {
    var bytes: [UInt8] = []
    append(range, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
