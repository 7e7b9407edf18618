import ObjectFiles
import Testing

@Suite("the byte reader")
struct ByteReaderTests {
  let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

  @Test("integers in both byte orders, sequential and anywhere")
  func integers() throws {
    var reader = ByteReader(bytes.span)
    #expect(try reader.read("a", as: UInt16.self) == 0x0201)
    reader.endianness = .big
    #expect(try reader.read("b", as: UInt32.self) == 0x0304_0506)
    #expect(reader.offset == 6 && reader.remaining == 4)
    #expect(try reader.integer(at: 1, "c", as: UInt64.self) == 0x0203_0405_0607_0809)
    #expect(try reader.read("d", as: Int8.self) == 7)
  }

  @Test("errors say where, what and how much, and the cursor stays")
  func errors() throws {
    var reader = ByteReader(bytes.span)
    try reader.skip(8, "start")
    var found: [FormatError] = []
    do { _ = try reader.read("size", as: UInt32.self) } catch { found.append(error) }
    #expect(found == [FormatError(offset: 8, field: "size", reason: .truncated(needed: 4, available: 2))])
    #expect(found.first?.description == "size: the file ends too early (4 bytes needed, 2 left) at offset 8")
    #expect(reader.offset == 8)
    for place in [-1, Int.min, 11, Int.max] {
      #expect(throws: FormatError(offset: place, field: "x", reason: .outOfBounds)) {
        try ByteReader(bytes.span).integer(at: place, "x", as: UInt8.self)
      }
    }
    do { try reader.skip(-1, "negative") } catch { found.append(error) }
    do { try reader.seek(to: 11, "behind") } catch { found.append(error) }
    do { try reader.seek(to: -1, "before") } catch { found.append(error) }
    #expect(found.map(\.field) == ["size", "negative", "behind", "before"])
    #expect(reader.offset == 8)
  }

  @Test("a window keeps the offsets of the outermost file")
  func windows() throws {
    let outer = ByteReader(bytes.span, base: 100)
    let inner = try outer.slice(104..<107, "window")
    #expect(inner.range == 104..<107 && inner.offset == 104 && inner.count == 3)
    #expect(try inner.integer(at: 105, "x", as: UInt8.self) == 6)
    #expect(try inner.copy(104..<107, "x") == [5, 6, 7])
    for bad in [103..<105, 106..<108] {
      #expect(throws: FormatError(offset: bad.lowerBound, field: "bad", reason: .outOfBounds)) {
        _ = try ByteReader(bytes.span, base: 100).slice(104..<107, "window").integer(
          at: bad.lowerBound, "bad", as: UInt8.self)
        _ = try ByteReader(bytes.span, base: 100).slice(104..<107, "window").slice(bad, "bad").count
      }
    }
  }

  @Test("claims cannot overflow")
  func claims() throws {
    let reader = ByteReader(bytes.span, base: 100)
    #expect(try reader.claimed(start: 2, size: 8, at: 0, "x") == 102..<110)
    #expect(try reader.claimed(start: 10, size: 0, at: 0, "x") == 110..<110)
    for (start, size): (UInt64, UInt64) in [(2, 9), (.max, 2), (11, 0), (UInt64(Int.max), 1), (0, .max)] {
      #expect(throws: FormatError(offset: 7, field: "x", reason: .outOfBounds)) {
        try ByteReader(bytes.span, base: 100).claimed(start: start, size: size, at: 7, "x")
      }
    }
  }
}
