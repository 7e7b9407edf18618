import ObjectFiles
import Store

// As bytes: 8 for each number, little-endian.
extension FileVersion {
  init(_ reader: inout ByteReader) throws(FormatError) {
    self.init(
      device: try reader.read("device"), inode: try reader.read("inode"), size: try reader.read("size"),
      modified: try reader.read("time"), changed: try reader.read("time"))
  }

  var numbers: [UInt64] { [device, inode] + [size, modified, changed].map { UInt64(bitPattern: $0) } }
}
