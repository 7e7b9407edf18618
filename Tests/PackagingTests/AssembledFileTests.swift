import BuildEngine
import Store
import SystemPackage
import Testing
import TestSupport

@testable import Packaging

@Suite struct AssembledFileTests {
  let scratch = Scratch()

  /// Writes an assembled file, and returns its bytes and the digest that is given for them.
  private func written(_ file: AssembledFile) async throws -> (bytes: [UInt8], digest: Digest) {
    let output = try OutputFile.create(scratch("out"))
    let digest = try await file.writeAndDigest(to: output)
    try output.commit()
    return (try FileSystem.read(scratch("out")), digest)
  }

  @Test("pieces of all sizes, over the borders of blocks", arguments: [0, 1, 2, 3])
  func pieces(seed: UInt64) async throws {
    var random = Seeded(seed: seed)
    let content = (0..<3_000_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    try scratch.write("large", content)
    try scratch.write("small", Array(content[..<1000]))
    let (large, small) = (try SourceFile(scratch("large")), try SourceFile(scratch("small")))
    var (file, expected): (AssembledFile, [UInt8]) = (AssembledFile(), [])
    for _ in 0..<30 {
      let start = Int.random(in: 0..<content.count, using: &random)
      let range = start..<min(content.count, start + Int.random(in: 0..<400_000, using: &random))
      let few = range.clamped(to: 0..<1000)
      file.add(large, range)
      file.add(Array(content[few]))
      file.add(small, few)
      expected += content[range] + content[few] + content[few]
    }
    let (bytes, digest) = try await written(file)
    #expect(bytes == expected && file.size == expected.count)
    #expect(digest == Digest(of: expected))
  }

  @Test func anEmptyFile() async throws {
    let (bytes, digest) = try await written(AssembledFile())
    #expect(bytes.isEmpty && digest == Digest(of: []))
  }

  @Test("a file that changes after it was opened", arguments: ["", "longer than it was"])
  func changes(_ text: String) async throws {
    try scratch.write("source", "short")
    let file = AssembledFile(try SourceFile(scratch("source")))
    try scratch.write("source", text)
    await #expect(throws: StepFailure.self) { _ = try await written(file) }
    #expect(!scratch.exists("out"))
  }
}
