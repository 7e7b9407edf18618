/// Recognizes content that is compressed already by its first bytes. It is stored, because deflate does not shrink it.
///
/// The list is part of the canonical zip: a change of it changes bytes (raise `ZipWriter.formatVersion`).
enum CompressedContent {
  /// The number of bytes from the start that the marks need.
  static let headLength = 16

  private static let marks: [(offset: Int, bytes: [UInt8])] = [
    (0, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),  // PNG, Apple's optimised PNG too
    (0, [0xFF, 0xD8, 0xFF]),  // JPEG
    (0, Array("GIF8".utf8)),
    (8, Array("WEBP".utf8)),  // after RIFF and a length
    (4, Array("ftyp".utf8)),  // MP4, MOV, M4A, HEIC, AVIF
    (0, Array("ID3".utf8)),  // MP3 with a tag
    (0, [0xFF, 0xFB]), (0, [0xFF, 0xF3]), (0, [0xFF, 0xF2]),  // MP3 without one
    (0, [0xFF, 0xF1]), (0, [0xFF, 0xF9]),  // AAC in ADTS
    (0, Array("OggS".utf8)),
    (0, Array("fLaC".utf8)),
    (0, [0x1A, 0x45, 0xDF, 0xA3]),  // WebM, Matroska
    (0, [0x50, 0x4B, 0x03, 0x04]),  // zip, jar, aar, apk, docx …
    (0, [0x1F, 0x8B]),  // gzip
    (0, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]),  // xz
    (0, Array("BZh".utf8)),
    (0, [0x28, 0xB5, 0x2F, 0xFD]),  // Zstandard
    (0, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]),  // 7z
    (0, [0x04, 0x22, 0x4D, 0x18]),  // LZ4
    (0, Array("Rar!".utf8)),
    (0, Array("wOFF".utf8)), (0, Array("wOF2".utf8)),  // web fonts
    (0, Array("bvx2".utf8)),  // LZFSE
  ]

  static func isCompressed(head: Span<UInt8>) -> Bool {
    marks.contains { mark in
      guard head.count >= mark.offset + mark.bytes.count else { return false }
      return mark.bytes.indices.allSatisfy { head[mark.offset + $0] == mark.bytes[$0] }
    }
  }

  /// The number of samples, and the bytes in each.
  private static let (sampleCount, sampleLength) = (8, 2048)

  /// Whether every value of a byte occurs about equally often, and every difference of neighbours too: content that is
  /// encrypted, or compressed without a mark. Huffman codes gain nothing on it, and it hardly repeats itself.
  ///
  /// Pearson's chi-squared over samples: 255 on average for even bytes, give or take 22; far more for code and texts.
  static func isNoise(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count >= 4 * sampleCount * sampleLength else { return false }
    var counts = [Int](repeating: 0, count: 256)
    var differences = counts
    let step = (bytes.count - sampleLength) / (sampleCount - 1)
    for sample in 0..<sampleCount {
      var last: UInt8 = 0
      for index in (sample * step)..<(sample * step + sampleLength) {
        counts[Int(bytes[index])] += 1
        differences[Int(bytes[index] &- last)] += 1
        last = bytes[index]
      }
    }
    let expected = sampleCount * sampleLength / 256
    return [counts, differences].allSatisfy { counts in
      counts.reduce(0) { $0 + ($1 - expected) * ($1 - expected) } < 340 * expected
    }
  }
}
