import Lanes
import Artifacts
import Findings
import SystemPackage
import Testing
import TestSupport

/// What a zip may unpack to: as much as DEFLATE can, and no more.
@Suite(.tools) struct InventoryRatioTests {
  @Test func oneByteRepeated() async throws {
    let scratch = Scratch()
    let program = """
      import zipfile, struct
      z = zipfile.ZipFile("a.zip", "w", 8); z.writestr("zeros", bytes(12 << 20)); z.close()
      data = bytearray(open("a.zip", "rb").read())
      size = struct.pack("<I", 12 << 20)
      at = data.find(size)
      while at >= 0:
        data[at:at + 4] = struct.pack("<I", 1 << 30)
        at = data.find(size, at + 4)
      open("b.zip", "wb").write(data)
      """
    try await Tool.check(["python3", "-c", program], in: scratch.path)
    func irregularities(_ name: String) async throws -> [String] {
      try await Inventory(
        of: OpenedArtifact(scratch(name)), place: Place(name), role: .archive, facts: [], temporary: scratch.path
      ).irregularities
    }
    #expect(try await irregularities("a.zip") == [])
    #expect(try await irregularities("b.zip").contains { $0.contains("times its size") })
  }
}
