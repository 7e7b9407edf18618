import Archives
import Testing
import TestSupport

@Suite struct ZipProgressTests {
  @Test func bytesAreCountedUpToAllOfThem() async throws {
    let scratch = Scratch()
    var random = Seeded(seed: 3)
    let entries = [try Entry.file("a", random.text(3_500_000)), try .file("b", "x"), try .link("c", to: "b")]
    var said: [(done: Int, total: Int)] = []
    _ = try await ZipWriter.write(entries, to: scratch("a.zip")) { said.append(($0, $1)) }
    #expect(said.map(\.done) == said.map(\.done).sorted() && said.count > 2)
    #expect(said.allSatisfy { $0.total == 3_500_002 } && said.last?.done == 3_500_002)
  }
}
