extension FileKind {
  /// What a file is, for somebody who gave one that cannot be used: with its article, and for more kinds than anything
  /// here reads. From its bytes, or the first `prefixLength` of them.
  package static func nature(_ reader: borrowing ByteReader) -> String {
    if reader.count == 0 { return "an empty file" }
    let start = reader.range.lowerBound
    guard let head = try? reader.copy(start..<(start + min(reader.count, prefixLength)), "beginning") else {
      return "data"
    }
    if let name = packed.first(where: { head.dropFirst($0.offset).starts(with: $0.bytes) })?.name { return name }
    let kind = FileKind(reader)
    if kind == .other, isWindowsImage(head) { return "a program or library for Windows" }
    return kind != .other ? kind.named : isText(head) ? "text" : "data"
  }

  /// An image (EXE, DLL): a program for DOS, which at offset 60 says where the real one begins.
  private static func isWindowsImage(_ head: [UInt8]) -> Bool {
    guard head.count >= 64, head.starts(with: Array("MZ".utf8)) else { return false }
    let place = Int(head[60]) | Int(head[61]) << 8
    return head[62] | head[63] == 0 && head.dropFirst(place).starts(with: [0x50, 0x45, 0, 0])
  }

  private static let packed: [(offset: Int, bytes: [UInt8], name: String)] = [
    (257, Array("ustar".utf8), "a tar archive"), (0, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7z archive"),
    (0, Array("Rar!\u{1A}\u{7}".utf8), "a rar archive"), (0, Array("07070".utf8), "a cpio archive"),
    (0, [0xC7, 0x71], "a cpio archive"), (0, Array("xar!".utf8), "a xar archive"), (0, [0x1F, 0x8B], "gzip data"),
    (0, Array("BZh".utf8), "bzip2 data"), (0, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "xz data"),
    (0, [0x28, 0xB5, 0x2F, 0xFD], "zstd data"),
  ]

  /// UTF-8 without control characters; the last sign may be cut off.
  private static func isText(_ head: [UInt8]) -> Bool {
    let isPlain = head.allSatisfy { $0 >= 0x20 || [0x09, 0x0A, 0x0C, 0x0D, 0x1B].contains($0) }
    return isPlain
      && (0..<4).contains { head.count > $0 && String(validating: head.dropLast($0), as: UTF8.self) != nil }
  }
}
