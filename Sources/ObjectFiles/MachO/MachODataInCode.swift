// Data between instructions (`LC_DATA_IN_CODE`, `<mach-o/loader.h>`):
//
//   linkedit_data_command   cmd, cmdsize, dataoff, datasize                       16 bytes
//   data_in_code_entry      offset 4, length 2, kind 2 (1 data, 2 … 4 jump tables of 1, 2, 4 bytes, 5 of 4, absolute)

/// A piece of data between instructions, mostly a jump table.
package struct MachODataInCode: Hashable, Sendable {
  /// An address in an object file, an offset in an image.
  package var offset: UInt32
  /// In bytes.
  package var length: UInt16
  package var kind: UInt16
}

extension MachOFile {
  /// In the file's order.
  package func dataInCode(_ reader: borrowing ByteReader) throws(FormatError) -> [MachODataInCode] {
    guard var fields = try content(of: .dataInCode, reader) else { return [] }
    var entries = try reader.slice(try reader.table(&fields, "data in code"), "data in code", endianness)
    var all: [MachODataInCode] = []
    while entries.remaining >= 8 {
      all.append(
        MachODataInCode(
          offset: try entries.read("data in code"), length: try entries.read("data in code"),
          kind: try entries.read("data in code")))
    }
    return all
  }
}
