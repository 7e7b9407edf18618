import Lanes
import SystemPackage
import Testing
import TestSupport

@testable import Archives

@Suite struct LastBlockTests {
  /// zlib, by Python, says where each block begins; so many bytes are enough for what lies before it and too few for more.
  @Test(.tools) func theLastBlockIsTheLast() async throws {
    let scratch = Scratch()
    var random = Seeded(seed: 17)
    let contents = [
      random.text(1), random.text(40), random.text(200_000), random.noise(150_000),
      random.text(90_000) + random.noise(70_000) + [UInt8](repeating: 0, count: 400_000),
    ]
    for (index, content) in contents.enumerated() {
      let deflate = try Deflate()
      var open: [UInt8] = []
      try deflate.compress(content.span, final: false, into: &open)
      try scratch.write("open\(index)", open)
      try scratch.write("content\(index)", content)
      // Not at its end, nothing left over, everything there; with an empty final block it ends.
      try await Tool.check([
        "python3", "-c",
        """
        import sys, zlib
        s, c = (open(p, 'rb').read() for p in sys.argv[1:])
        d = zlib.decompressobj(-15)
        assert d.decompress(s) == c and not d.eof and not d.unused_data
        assert d.decompress(b'\\3\\0') == b'' and d.eof and not d.unused_data
        """, scratch("open\(index)").string, scratch("content\(index)").string,
      ])
    }
  }

  @Test(arguments: [1, 2, 3])
  func whatIsNoStreamEnds(_ seed: UInt64) throws {
    var random = Seeded(seed: seed)
    var good: [UInt8] = []
    let deflate = try Deflate()
    try deflate.compress(random.text(4000).span, final: true, into: &good)
    for _ in 0..<2000 {
      var bytes = random.next() % 2 == 0 ? random.noise(Int(random.next() % 300)) : good
      if !bytes.isEmpty { bytes[Int(random.next() % UInt64(bytes.count))] ^= UInt8(1 << (random.next() % 8)) }
      if let (header, end) = try? Inflate.lastBlock(of: bytes[...]) {
        #expect(header >= 0 && header < end && end <= bytes.count * 8)
      }
    }
    for none in [[], [UInt8](repeating: 0, count: 16)] {
      #expect(throws: DeflateError.self) { try Inflate.lastBlock(of: none[...]) }
    }
  }
}
