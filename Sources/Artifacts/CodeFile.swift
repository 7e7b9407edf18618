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
  private let file: MappedFile

  /// Nil if the bytes hold no symbols of any kind that is known.
  init?(_ file: consuming MappedFile, place: Place) {
    let units = file.withBytes { ObjectUnits(ByteReader($0)) }
    guard units.kind.isNativeCode else { return nil }
    self.place = place
    self.units = units
    self.file = file
  }

  /// The bytes, for the length of the call.
  package func withReader<R, E: Error>(_ body: (borrowing ByteReader) throws(E) -> R) throws(E) -> R {
    try file.withBytes { (bytes: RawSpan) throws(E) -> R in try body(ByteReader(bytes)) }
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
