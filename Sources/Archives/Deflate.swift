import CDeflate
import CZlib

/// What went wrong between us and the compression libraries.
package enum DeflateError: Error, Hashable, Sendable, CustomStringConvertible {
  case outOfMemory
  /// The library's output does not inflate to its input: broken memory or a broken library.
  case outputDoesNotMatch
  /// Compressed data that is damaged, or longer or shorter than was claimed.
  case badData

  package var description: String {
    switch self {
    case .outOfMemory: "there is no memory for the compressor"
    case .outputDoesNotMatch:
      "what was compressed does not give the same bytes back: the machine or libdeflate is faulty"
    case .badData: "the compressed data is damaged"
    }
  }
}

/// A compressor of raw deflate streams (RFC 1951), for one task at a time: libdeflate compresses, zlib finds the
/// boundaries of blocks.
///
/// libdeflate has no flush, so every stream that it makes is final. `compress(_:final: false, …)` makes one that another
/// can follow: it walks the stream to its last deflate block, takes the "final" bit (BFINAL) off that block's header and
/// appends an empty stored block, which ends on a byte (zlib's sync flush). The walk inflates, and so proves the block.
@safe package struct Deflate: ~Copyable {
  /// The level of the canonical zip. Measured on 200 MB of iOS static libraries (`npi-bench`): 5 is the fastest that
  /// gives a smaller zip than `zip -9`.
  package static let level: Int32 = 5

  private let compressor: OpaquePointer
  private let walker: UnsafeMutablePointer<z_stream>
  /// What the walk inflates to, a piece at a time: small, so that it stays in the processor's cache.
  private let scratch: UnsafeMutableRawBufferPointer

  package init(level: Int32 = Deflate.level) throws(DeflateError) {
    guard let compressor = unsafe libdeflate_alloc_compressor(level) else { throw .outOfMemory }
    unsafe self.compressor = compressor
    unsafe walker = .allocate(capacity: 1)
    unsafe walker.initialize(to: z_stream())
    unsafe scratch = .allocate(byteCount: 128 << 10, alignment: 16)
    // A failure shows at the first walk, as an error of the stream's state.
    _ = unsafe inflateInit2_(walker, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
  }

  deinit {
    unsafe libdeflate_free_compressor(compressor)
    _ = unsafe inflateEnd(walker)
    unsafe walker.deinitialize(count: 1)
    unsafe walker.deallocate()
    unsafe scratch.deallocate()
  }

  /// Appends `input`, whose CRC-32 is `crc32`, to `output`, compressed. Unless `final`, the stream is left open: another
  /// has to follow it.
  package mutating func compress(
    _ input: Span<UInt8>, crc32: UInt32, final: Bool, into output: inout [UInt8]
  ) throws(DeflateError) {
    let start = output.count
    let bound = unsafe libdeflate_deflate_compress_bound(compressor, input.count)
    output.append(addingCapacity: bound) { (room: inout OutputSpan<UInt8>) in
      unsafe room.withUnsafeMutableBufferPointer { target, initialized in
        unsafe input.withUnsafeBufferPointer { source in
          initialized = unsafe libdeflate_deflate_compress(
            compressor, source.baseAddress, source.count, target.baseAddress, target.count)
        }
      }
    }
    if output.count == start { throw .outOfMemory }
    if final { return }
    let (header, end) = try boundaries(
      of: output.span.extracting(start..<output.count), inflatingTo: input.count, crc32)
    output[start + header >> 3] &= ~(1 << UInt8(header & 7))
    // Three zero bits (not final, stored), zeros up to the byte, then the length 0 and its complement. The bits after
    // the stream's end in its last byte are zero already (libdeflate's flush); five or fewer of them hold the three.
    if end & 7 == 0 || end & 7 > 5 { output.append(0) }
    output += [0, 0, 0xFF, 0xFF]
  }

  /// Where the last block's header and the stream's end are, in bits from the stream's start; the stream must inflate to
  /// `count` bytes of that CRC-32.
  private mutating func boundaries(
    of stream: Span<UInt8>, inflatingTo count: Int, _ crc32: UInt32
  ) throws(DeflateError) -> (lastHeader: Int, end: Int) {
    guard unsafe inflateReset(walker) == Z_OK else { throw .outOfMemory }
    var header = 0
    var end: Int?
    var inflated = 0
    var crc: UInt32 = 0
    unsafe stream.withUnsafeBufferPointer { source in
      unsafe walker.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
      unsafe walker.pointee.avail_in = UInt32(source.count)
      var status = Z_OK
      while end == nil, status == Z_OK {
        unsafe walker.pointee.next_out = scratch.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe walker.pointee.avail_out = UInt32(scratch.count)
        while unsafe end == nil && status == Z_OK && walker.pointee.avail_out > 0 {
          status = unsafe inflate(walker, Z_BLOCK)
          let type = unsafe walker.pointee.data_type
          // 128: stopped behind a block; 64: that was the last one; the low three bits: unused bits of the last byte.
          if type & 128 != 0 {
            let position = unsafe Int(walker.pointee.total_in) * 8 - Int(type & 7)
            if type & 64 != 0 { end = position } else { header = position }
          }
        }
        let part = unsafe scratch.count - Int(walker.pointee.avail_out)
        crc = unsafe libdeflate_crc32(crc, scratch.baseAddress, part)
        inflated += part
      }
    }
    guard let end, inflated == count, crc == crc32, (end + 7) >> 3 == stream.count else { throw .outputDoesNotMatch }
    return (header, end)
  }
}

// MARK: CRC-32

extension Deflate {
  /// The CRC-32 of `bytes`, continuing that of the bytes before them.
  package static func crc32(_ bytes: RawSpan, continuing crc: UInt32 = 0) -> UInt32 {
    unsafe bytes.withUnsafeBytes { unsafe libdeflate_crc32(crc, $0.baseAddress, $0.count) }
  }

  package static func crc32(_ bytes: Span<UInt8>, continuing crc: UInt32 = 0) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { unsafe libdeflate_crc32(crc, $0.baseAddress, $0.count) }
  }

  /// The CRC-32 of two pieces in a row, from theirs and the second's length in bytes.
  package static func crc32(_ first: UInt32, followedBy second: UInt32, length: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: crc32_combine(UInt(first), UInt(second), length))
  }
}

// MARK: inflating

extension Deflate {
  /// Inflates a whole raw deflate stream that must give exactly `size` bytes. The caller has judged the size: it is a
  /// claim, and the memory for it is taken at once.
  package static func inflating(_ stream: Span<UInt8>, size: Int) throws(DeflateError) -> [UInt8] {
    guard let decompressor = unsafe libdeflate_alloc_decompressor() else { throw .outOfMemory }
    defer { unsafe libdeflate_free_decompressor(decompressor) }
    var result = LIBDEFLATE_BAD_DATA
    let bytes = [UInt8](capacity: size) { (room: inout OutputSpan<UInt8>) in
      unsafe room.withUnsafeMutableBufferPointer { target, initialized in
        result = unsafe stream.withUnsafeBufferPointer { source in
          // Without a place for the actual size, anything but exactly `size` bytes is an error.
          unsafe libdeflate_deflate_decompress(
            decompressor, source.baseAddress, source.count, target.baseAddress, size, nil)
        }
        if result == LIBDEFLATE_SUCCESS { initialized = size }
      }
    }
    guard result == LIBDEFLATE_SUCCESS else { throw .badData }
    return bytes
  }
}

extension [UInt8] {
  /// The array has no such initialiser of its own yet.
  init(copying span: Span<UInt8>) {
    self = unsafe span.withUnsafeBufferPointer { unsafe Array($0) }
  }
}
// MARK: fingerprint

extension Deflate {
  /// What this compressor makes of a fixed buffer. Another version of the libraries that gives other bytes anywhere most
  /// likely gives other bytes here, so whoever keeps results keeps this with them.
  package static func fingerprint() throws(DeflateError) -> [UInt8] {
    // Text-like, repetitive and noisy parts, so that literals, matches, and all kinds of blocks occur.
    var state: UInt32 = 1
    let buffer = (0..<200_000).map { index -> UInt8 in
      state = state &* 1_664_525 &+ 1_013_904_223
      let noise = UInt8(truncatingIfNeeded: state >> 24)
      switch index / 20_000 % 3 {
      case 0: return noise & 0x0F | 0x60
      case 1: return UInt8(truncatingIfNeeded: index / 7 % 61)
      default: return noise
      }
    }
    var deflate = try Deflate()
    var bytes: [UInt8] = []
    let crc = crc32(buffer.span)
    try deflate.compress(buffer.span, crc32: crc, final: false, into: &bytes)
    try deflate.compress(buffer.span, crc32: crc, final: true, into: &bytes)
    return bytes
  }
}
