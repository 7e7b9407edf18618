import Store
import SystemPackage
import Testing
import TestSupport

@Suite struct DigestTests {
  /// FIPS 180-4's own example, and the empty text.
  @Test func knowsTheExamplesOfTheStandard() {
    #expect(Digest(of: "abc").hex == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(Digest(of: "").hex == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  }

  @Test func piecesDoNotMatter() {
    let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var builder = DigestBuilder()
    for start in stride(from: 0, to: bytes.count, by: 37) {
      builder.update(Array(bytes[start..<min(start + 37, bytes.count)]))
    }
    #expect(builder.finish() == Digest(of: bytes))
  }

  @Test func hexGoesBothWays() throws {
    let digest = Digest(of: "x")
    #expect(Digest(hex: digest.hex) == digest)
    #expect(Digest(hex: digest.hex.uppercased()) == digest)
    #expect(Digest(bytes: digest.bytes[...]) == digest)
    #expect(Digest(hex: String(digest.hex.dropLast())) == nil)
    #expect(Digest(hex: digest.hex + "0") == nil)
    #expect(Digest(hex: "g" + digest.hex.dropFirst()) == nil)
    #expect(Digest(bytes: [1, 2, 3]) == nil)
  }

  @Test func orderIsThatOfTheBytes() {
    let digests = (0..<200).map { Digest(of: "\($0)") }
    #expect(digests.sorted().map(\.hex) == digests.map(\.hex).sorted())
  }

  /// Every size about the block's, against `sha256sum`.
  @Test(arguments: [0, 1, 63, 64, 65, 4096, 262_143, 262_144, 262_145, 1_000_000])
  func agreesWithSha256sum(size: Int) async throws {
    let scratch = Scratch()
    let file = try scratch.write("f", (0..<size).map { UInt8(truncatingIfNeeded: $0 &* $0 &+ 7) })
    let line = try await Tool.check(["sha256sum", file.string])
    #expect(try FileSystem.digest(of: file).hex == line.prefix(64))
    #expect(Digest(of: try FileSystem.read(file)).hex == line.prefix(64))
  }

  /// The examples of the standards: RFC 1321 (MD5) and FIPS 180-4 for `abc`.
  @Test func checksumsAreThoseOfTheStandards() throws {
    let scratch = Scratch()
    try scratch.write("abc", "abc")
    let sums = try Checksums(of: scratch("abc"))
    #expect(sums.size == 3)
    #expect(sums.md5 == "900150983cd24fb0d6963f7d28e17f72")
    #expect(sums.sha1 == "a9993e364706816aba3e25717850c26c9cd0d89d")
    #expect(sums.sha256 == Digest(of: "abc").hex)
    #expect(
      sums.sha512 == "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")
    try scratch.write("empty", "")
    #expect(try Checksums(of: scratch("empty")).md5 == "d41d8cd98f00b204e9800998ecf8427e")
    // More than one piece.
    let long = (0..<100_003).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try scratch.write("long", long)
    #expect(try Checksums(of: scratch("long")).sha256 == Digest(of: long).hex)
  }
}
