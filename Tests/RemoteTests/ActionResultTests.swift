import Store
import Testing

@testable import Remote

@Suite struct ActionResultTests {
  private static let blob = ActionResult.Blob(digest: Digest(of: "a blob"), size: 300)
  private static let samples = [
    ActionResult(blobs: [], content: .bytes([])),
    ActionResult(blobs: [blob], content: .bytes([1, 2, 3])),
    ActionResult(blobs: [blob, .init(digest: Digest(of: "another"), size: 1 << 40)], content: .blob(blob)),
  ]

  @Test(arguments: samples.indices) func `what is written is read`(_ index: Int) {
    #expect(ActionResult(Self.samples[index].bytes) == Self.samples[index])
  }

  /// Fields that other clients write are passed over: an exit code, metadata, a fixed number.
  @Test func `unknown fields do no harm`() {
    var writer = MessageWriter()
    writer.add(4, 0)
    writer.add(9, "metadata")
    let other = writer.bytes + [0x7D, 1, 2, 3, 4]
    #expect(ActionResult(other + Self.samples[1].bytes) == Self.samples[1])
  }

  @Test func `other bytes are refused`() {
    #expect(ActionResult([]) == nil)
    #expect(ActionResult(Array("<html>please log in</html>".utf8)) == nil)
    let whole = Self.samples[2].bytes
    for count in 0..<whole.count { #expect(ActionResult(Array(whole.prefix(count))) == nil) }
    // A length beyond the end, and a number without an end.
    #expect(ActionResult([0x2A, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 1]) == nil)
    #expect(ActionResult(Array(repeating: 0xFF, count: 40)) == nil)
  }
}
