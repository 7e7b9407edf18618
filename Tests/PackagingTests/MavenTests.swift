import Documents
import Findings
import SystemPackage
import TestSupport
import Testing

@testable import Packaging

@Suite struct MavenTests {
  private static let module = MavenCoordinates(group: "com.example", artifact: "rally", version: "2.0")

  private static let metadata = """
    <?xml version="1.0" encoding="UTF-8"?>
    <metadata modelVersion="1.1.0"><groupId>com.example</groupId><artifactId>rally</artifactId>
      <versioning><latest>1.1</latest><release>1.1</release>
        <versions><version>1.0</version><version>1.1</version></versions>
        <lastUpdated>20150102030405</lastUpdated></versioning></metadata>
    """

  private static func versions(_ bytes: [UInt8]) throws -> [String] {
    let root = try XMLEvents.read(bytes)
    let versioning = root.children.first { $0.name == "versioning" }
    let list = versioning?.children.first { $0.name == "versions" }
    return list?.children.map(\.text) ?? []
  }

  @Test func aVersionIsAddedOnce() throws {
    let read = try MavenMetadata(Array(Self.metadata.utf8), of: Self.module, at: "m")
    let first = read.adding(Self.module, date: nil)
    #expect(try Self.versions(first) == ["1.0", "1.1", "2.0"])
    let again = try MavenMetadata(first, of: Self.module, at: "m").adding(Self.module, date: nil)
    #expect(again == first)
    #expect(!String(decoding: first, as: UTF8.self).contains("lastUpdated"))
    #expect(String(decoding: read.adding(Self.module, date: 0), as: UTF8.self).contains(">19700101000000<"))
  }

  /// Whatever is done to a list of versions: it is refused, or the new version is in it.
  @Test func damagedListsAreRefusedOrRead() throws {
    var random = Seeded(seed: 7)
    let whole = Array(Self.metadata.utf8)
    var read = 0
    for _ in 0..<3000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...20, using: &random)))
        case 2: bytes.insert(contentsOf: bytes[place...].prefix(30), at: place)
        case 3: bytes.insert(contentsOf: "<version>".utf8, at: place)
        default: bytes[place] = UInt8.random(in: 0x30...0x7A, using: &random)
        }
        if bytes.isEmpty { break }
      }
      do {
        let metadata = try MavenMetadata(bytes, of: Self.module, at: "m")
        read += 1
        #expect(try Self.versions(metadata.adding(Self.module, date: nil)).contains("2.0"))
      } catch {
        #expect(error is Mistakes)
      }
    }
    #expect(read > 100)
  }

  @Test(arguments: [
    "", "g", "g:", ":a", "g:a:", "g:a:1:2", "g/h:a:1", "g:a/b:1", "../g:a:1", "g:..:1", "g:a:1/2", "g:a:1 2",
    "g..h:a:1",
    "g:a:1@", "g:a:1@a/b", "g:a\u{301}:1", "g:ä:1", "g:a:\u{0}",
  ]) func noCoordinates(_ text: String) {
    #expect(throws: Mistakes.self) { try MavenCoordinates(Node(.text(text), at: Place("npi.yml"))) }
  }

  @Test func coordinates() throws {
    let full = try MavenCoordinates(Node(.text("com.example:a-b_c.d:[1.0,2.0)@aar"), at: Place("npi.yml")))
    #expect(full.folder == "com/example/a-b_c.d")
    #expect(full.version == "[1.0,2.0)")
    #expect(full.type == "aar")
    #expect(try MavenCoordinates(Node(.text("g:a:1-SNAPSHOT"), at: Place("npi.yml"))).isSnapshot)
  }
}
