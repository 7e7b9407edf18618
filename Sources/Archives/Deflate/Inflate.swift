import CZlib

/// Inflates a raw deflate stream (RFC 1951) piece by piece, by zlib: for content that is too large for memory.
@safe package struct Inflate: ~Copyable {
  /// A pointer, because zlib keeps the address.
  private let stream: UnsafeMutablePointer<z_stream>
  private var room: [UInt8]
  private(set) var isAtEnd = false

  /// `room` is the most bytes that come at once.
  init(room: Int = 1 << 18) throws(DeflateError) {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    guard unsafe inflateInit2_(stream, -15, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK else {
      unsafe stream.deallocate()
      throw .outOfMemory
    }
    unsafe self.stream = stream
    self.room = [UInt8](repeating: 0, count: room)
  }

  /// Inflates the start of a stream, up to `count` bytes; `packed` holds its first bytes.
  static func head(_ packed: [UInt8], _ count: Int) throws(DeflateError) -> [UInt8] {
    var inflate = try Inflate(room: count)
    let output = try inflate.step(packed[...]).output
    return Array(inflate.room[..<output])
  }

  /// The positions of the last block's header and of the end of a whole stream, in bits from its start.
  package static func lastBlock(of packed: ArraySlice<UInt8>) throws(DeflateError) -> (header: Int, end: Int) {
    var inflate = try Inflate()
    var rest = packed
    var header = 0
    while true {
      let (input, output) = try inflate.step(rest, Z_BLOCK)
      rest = rest.dropFirst(input)
      // zlib's data_type holds the number of unused bits in the last byte, and flags.
      let state = unsafe Int(inflate.stream.pointee.data_type)
      if state & afterBlock != 0 {
        let position = (packed.count - rest.count) * 8 - state & unusedBits
        if state & inLastBlock != 0 { return (header, position) }
        header = position
      } else if input == 0, output == 0 {
        throw .badData
      }
    }
  }

  private static let unusedBits = 7
  private static let inLastBlock = 64
  private static let afterBlock = 128

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Passes on the content of `packed`, the next piece of the stream. The span is valid during the call only.
  mutating func take(_ packed: [UInt8], _ body: (RawSpan) throws -> Void) throws {
    var rest = packed[...]
    while !isAtEnd {
      let (input, output) = try step(rest)
      rest = rest.dropFirst(input)
      if output > 0 { try body(unsafe room.span.bytes.extracting(0..<output)) }
      // zlib needs the next piece when it neither takes nor gives bytes.
      if input == 0, output == 0 { return }
    }
  }

  private mutating func step(
    _ packed: ArraySlice<UInt8>, _ flush: CInt = Z_NO_FLUSH
  ) throws(DeflateError) -> (input: Int, output: Int) {
    let (stream, size) = unsafe (stream, room.count)
    let status = unsafe packed.withUnsafeBufferPointer { source in
      unsafe room.withUnsafeMutableBufferPointer { target in
        // zlib does not write to its input, whatever its type says.
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
        unsafe stream.pointee.avail_in = CUnsignedInt(source.count)
        unsafe stream.pointee.next_out = target.baseAddress
        unsafe stream.pointee.avail_out = CUnsignedInt(size)
        return unsafe inflate(stream, flush)
      }
    }
    if status == Z_STREAM_END { isAtEnd = true }
    guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else { throw .badData }
    return unsafe (packed.count - Int(stream.pointee.avail_in), size - Int(stream.pointee.avail_out))
  }
}

extension [UInt8] {
  mutating func append(_ chunk: RawSpan) {
    unsafe chunk.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }

  /// The span is valid during the call only.
  package func lend(_ body: (RawSpan) throws -> Void) rethrows { try body(unsafe span.bytes) }
}
