package import ObjectFiles

// A module of Kotlin (`META-INF/NAME.kotlin_module`, `jvm_module.proto` of its compiler):
//
//   number of parts of the version 4, these 4 each, from version 1.4 on flags 4 (big-endian)
//   Module         1 package parts, 2 package parts of metadata, 3 names of the JVM's packages, and more
//   package parts  1 the package's name with dots, and more
//
// Protocol buffers: a field's number times 8 and its form (LEB128); form 2 is a length and as many bytes.

/// A module of Kotlin with new names of packages.
package enum KotlinModuleRelocation {
  /// Nil if no name in it changes.
  package static func relocated(
    _ whole: borrowing ByteReader, _ map: PackageMap
  ) throws(FormatError) -> [UInt8]? {
    var reader = try whole.slice(whole.range, "Kotlin module", .big)
    let start = reader.offset
    let count: UInt32 = try reader.read("version of a Kotlin module")
    guard count < 16 else { throw .invalid("version of a Kotlin module", at: start, "\(count) parts are too many") }
    var version: [UInt32] = []
    for _ in 0..<count { version.append(try reader.read("version of a Kotlin module")) }
    if !version.lexicographicallyPrecedes([1, 4]) { try reader.skip(4, "flags of a Kotlin module") }
    let head = start..<reader.offset
    var isChanged = false
    let body = try message(&reader) { (field, content) throws(FormatError) in
      switch field {
      case 1, 2:
        var parts = try whole.slice(content, "parts of a package")
        return try message(&parts) { (field, content) throws(FormatError) in
          field == 1 ? try name(content, whole, map, &isChanged) : nil
        }
      case 3: return try name(content, whole, map, &isChanged)
      default: return nil
      }
    }
    return isChanged ? try whole.copy(head, "version of a Kotlin module") + body : nil
  }

  private static func name(
    _ range: Range<Int>, _ reader: borrowing ByteReader, _ map: PackageMap, _ isChanged: inout Bool
  ) throws(FormatError) -> [UInt8]? {
    let text = try reader.copy(range, "name of a package")
    guard let new = map.dotted(text) ?? map.package(text) else { return nil }
    isChanged = true
    return new
  }

  /// A message with the fields of form 2 that `change` gives new contents; nil leaves one as it is.
  private static func message(
    _ reader: inout ByteReader, _ change: (UInt64, Range<Int>) throws(FormatError) -> [UInt8]?
  ) throws(FormatError) -> [UInt8] {
    var output: [UInt8] = []
    let field = "field of a Kotlin module"
    while reader.remaining > 0 {
      let start = reader.offset
      let key = try reader.readULEB128(field)
      switch key & 7 {
      case 0: try reader.skipLEB128(field)
      case 1: try reader.skip(8, field)
      case 5: try reader.skip(4, field)
      case 2:
        let size = try reader.readULEB128(field)
        guard size <= UInt64(reader.remaining) else { throw .outOfBounds(field, at: start) }
        let content = reader.offset..<reader.offset + Int(size)
        try reader.skip(Int(size), field)
        if let new = try change(key >> 3, content) {
          append(key, to: &output)
          append(UInt64(new.count), to: &output)
          output += new
          continue
        }
      default: throw .unsupported(field, at: start, "its form \(key & 7) is not known")
      }
      reader.append(start..<reader.offset, to: &output)
    }
    return output
  }

  private static func append(_ number: UInt64, to output: inout [UInt8]) {
    var rest = number
    while rest >= 0x80 {
      output.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    output.append(UInt8(rest))
  }
}
