import CDeflate
import CLibrary
import CZlib
package import SystemPackage

package enum DeflateError: String, Error, CustomStringConvertible {
  case outOfMemory = "there is no memory for the compressor"
  case badOutput = "what came from the compressor is damaged: the machine or libdeflate is faulty"
  /// Also thrown if the stream is longer or shorter than was claimed.
  case badData = "the compressed data is damaged"

  package var description: String { rawValue }
}

/// A compressor of raw deflate streams (RFC 1951), by libdeflate, for one task at a time.
///
/// libdeflate has no flush, so every stream that it makes is final. `compress(_:final: false, …)` makes one that
/// another can follow: it finds the stream's last deflate block (`Inflate.lastBlock`), takes the "final" bit (BFINAL)
/// off that block's header and appends an empty stored block, which ends on a byte (zlib's sync flush).
@safe package struct Deflate: ~Copyable {
  /// The effort for a smaller size. The level of an archive is part of its format.
  package enum Level: Int32, CaseIterable, Sendable {
    /// For AARs and jars, which builds unpack: on 180 MB of Android libraries 60 % of `small`'s time, 2.6 % larger.
    case fast = 2
    /// For deliverables: on 200 MB of iOS libraries the fastest level with a smaller zip than `zip -9`.
    case small = 5
  }

  private let compressor: OpaquePointer

  /// The largest ratio of content to stream: 258 bytes for two bits.
  package static let maxRatio = 1032

  package init(level: Level = .small) throws(DeflateError) {
    guard let compressor = unsafe libdeflate_alloc_compressor(level.rawValue) else { throw .outOfMemory }
    unsafe self.compressor = compressor
  }

  deinit {
    unsafe libdeflate_free_compressor(compressor)
  }

  /// Appends `input`, compressed, to `output`. Unless `final`, the stream is left open: another has to follow it.
  package func compress(_ input: Span<UInt8>, final: Bool, into output: inout [UInt8]) throws(DeflateError) {
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
    let (header, end) = try Inflate.lastBlock(of: output[start...])
    guard (end + 7) >> 3 == output.count - start else { throw .badOutput }
    output[start + header >> 3] &= ~(1 << UInt8(header & 7))
    // Three zero bits (not final, stored), zeros up to the byte, then the length 0 and its complement. The bits after
    // the stream's end in its last byte are zero already (libdeflate's flush); five or fewer of them hold the three.
    if end & 7 == 0 || end & 7 > 5 { output.append(0) }
    output += [0, 0, 0xFF, 0xFF]
  }

  /// Appends `input` as it is, in stored blocks (RFC 1951, 3.2.4). Each begins and ends on a byte.
  static func store(_ input: Span<UInt8>, final: Bool, into output: inout [UInt8]) {
    let largest = 0xFFFF
    output.reserveCapacity(output.count + input.count + 5 * (input.count / largest + 1))
    var start = 0
    repeat {
      let count = min(largest, input.count - start)
      let isLast = final && start + count == input.count
      output += [
        isLast ? 1 : 0, UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8 & 0xFF),
      ]
      output += Array(copying: input.extracting(start..<(start + count)))
      start += count
    } while start < input.count
  }

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

  /// Inflates a raw deflate stream of exactly `size` bytes, which the caller has checked: so much memory is allocated.
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

extension Deflate {
  /// The file of the library, if it is not part of the program and the system says where it is.
  package static var library: FilePath? {
    #if canImport(Darwin)
      var info = Dl_info()
      guard let place = unsafe dlsym(dlopen(nil, RTLD_LAZY), "libdeflate_alloc_compressor"),
        unsafe dladdr(place, &info) != 0, let name = unsafe info.dli_fname
      else { return nil }
      return unsafe FilePath(platformString: name)
    #else
      // Each line is a mapping: addresses, rights, offset, device, inode, and the path from the first slash on.
      guard let maps = unsafe fopen("/proc/self/maps", "re") else { return nil }
      defer { unsafe fclose(maps) }
      var line = [CChar](repeating: 0, count: 8192)
      while unsafe fgets(&line, CInt(line.count), maps) != nil {
        let path = line.prefix { $0 != 0x0A && $0 != 0 }.drop { $0 != 0x2F }
        if String(decoding: path.map { UInt8(bitPattern: $0) }, as: UTF8.self).contains("/libdeflate.") {
          return FilePath(platformString: path + [0])
        }
      }
      return nil
    #endif
  }

  /// The output of this compressor for a fixed buffer. Other versions give other bytes, so it is part of kept results.
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
    var bytes: [UInt8] = []
    for level in Level.allCases {
      let deflate = try Deflate(level: level)
      try deflate.compress(buffer.span, final: false, into: &bytes)
      try deflate.compress(buffer.span, final: true, into: &bytes)
    }
    return bytes
  }
}
