extension ZipDirectory {
  /// The content of an entry that is stored as it is, where it lies; nothing is copied and its checksum is not looked at.
  /// Nil if it is compressed or encrypted.
  package func stored(_ record: Record) throws(ZipFormatError) -> ZipSource? {
    guard record.method == .stored, !record.isEncrypted, record.compressedSize == record.uncompressedSize else {
      return nil
    }
    let start = try localHeader(of: record).contentOffset
    let (size, source) = (record.uncompressedSize, source)
    guard size <= source.size - start else {
      throw ZipFormatError(offset: start, field: .content, reason: .outsideFile)
    }
    return ZipSource(size: size) { offset, count throws(ZipFormatError) in
      try source.read(at: start + offset, count: min(count, size - offset), .content)
    }
  }
}
