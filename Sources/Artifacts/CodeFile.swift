package import Findings
package import ObjectFiles
import Store
import SystemPackage

/// A file with symbols, on the disk or in a container.
package final class CodeFile: Sendable {
  /// From the outside in: `App.zip › libA.a`.
  package let place: Place
  package let units: ObjectUnits
  private let bytes: EntryBytes

  /// Nil if the bytes are not code of a known kind.
  package init?(_ bytes: EntryBytes, place: Place) {
    let units = bytes.withReader { ObjectUnits($0) }
    guard units.isCode else { return nil }
    self.place = place
    self.units = units
    self.bytes = bytes
  }

  /// In bytes; 0 for a file on the disk.
  package var unpackedSize: Int { place.parts.count > 1 ? bytes.count : 0 }

  package func withReader<R, E: Error>(_ body: (borrowing ByteReader) throws(E) -> R) throws(E) -> R {
    try bytes.withReader(body)
  }

  /// Mistakes about the file as a whole; each unit has its own.
  package var mistakes: [Mistake] { units.errors.map { Mistake("\($0)", at: place) } }

  /// Ranges that a unit claims outside of its own bytes. `reader` covers the whole file.
  package func mistakes(of unit: ObjectUnit, _ reader: borrowing ByteReader) -> [Mistake] {
    guard let content = try? reader.slice(unit.range, "object file") else { return [] }
    return ObjectBounds(content, slice: unit.slice).errors.map { Mistake("\($0)", at: place(of: unit)) }
  }

  /// `App.zip › libA.a(arm64) › a.o`.
  package func place(of unit: ObjectUnit) -> Place {
    var place = place
    if let slice = unit.slice, let last = place.parts.popLast() { place.parts.append("\(last)(\(slice))") }
    guard let member = unit.member else { return place }
    return place.inside(withReader { $0.text(member) })
  }
}

extension ByteReader {
  /// The part of the range that exists, as text; invalid UTF-8 is repaired for display.
  package func text(_ range: Range<Int>) -> String {
    var bytes: [UInt8] = []
    append(range, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
