import Lanes
import Findings
import Foundation
import Linking
import ObjectFiles
import SystemPackage
import Testing
import TestSupport

@testable import LinkSupport

/// Whatever stands in the files of a link, it ends with a verdict.
@Suite("damaged link sets")
struct DamageTests {
  @Test("changed bytes", .tools, .timeLimit(.minutes(20)))
  func changed() async throws {
    let objects = try await ObjectGroup(77)
    let bitcode = try await LinkTimeGroup(77)
    let fat = try await FatGroup(77)
    let libraries = try await LibraryGroup(77)
    for seed in Seeded.seeds(60) {
      await Task.yield()
      let set =
        switch seed % 6 {
        case 0: try DrawnLinkSet(seed, bitcode)
        case 1: try DrawnLinkSet(seed, fat)
        case 2: try DrawnLinkSet(seed, libraries)
        default: try DrawnLinkSet(seed, objects)
        }
      var random = Seeded(seed: seed + 5000)
      for name in try FileManager.default.subpathsOfDirectory(atPath: set.scratch.path.string).sorted()
      where !name.hasSuffix("inner") {
        var bytes = try set.scratch.read(name)
        for _ in 0..<(1 + random.number(8)) where !bytes.isEmpty {
          bytes[random.number(bytes.count)] = random.once(in: 3) ? 0xFF : UInt8(random.number(256))
        }
        if random.once(in: 6) { bytes.removeLast(random.number(bytes.count)) }
        try set.scratch.write(name, bytes)
      }
      for profile in LinkerProfile.all {
        let link = LinkResult(
          try LinkLine(set.args + ["-dead_strip"]), profile, LinkSet(.arm64, linkFolder(set.scratch.path), profile))
        // All that is asked of it is that it comes here.
        #expect(link.verdict.linker == profile.name)
        let files = LinkSet(.arm64, linkFolder(set.scratch.path), profile)
        let line = try LinkLine(set.args)
        await files.read(line, profile)
        #expect(LinkResult(line, profile, files).verdict.linker == profile.name)
      }
    }
  }

  @Test("a member that cannot be read is told of only if it is loaded")
  func unreadableMember() throws {
    let scratch = Scratch()
    let member = ArchiveFixture.Member(name: "a.o", content: Array("not an object".utf8), names: ["_f"])
    try scratch.write("liba.a", ArchiveFixture.bytes([member]))
    for (words, mistakes) in [(["liba.a"], 0), (["-u", "_f", "liba.a"], 1)] {
      let link = LinkResult(
        try LinkLine(["-dylib"] + words), .lld, LinkSet(.arm64, linkFolder(scratch.path), .lld))
      #expect(link.verdict.mistakes.count == mistakes)
      #expect(link.verdict.mistakes.allSatisfy { $0.place?.description == "liba.a(a.o)" })
    }
  }

  @Test("a chain of three thousand members takes no stack", .tools)
  func chain() async throws {
    let scratch = Scratch()
    let count = 3000
    // The same object with another name that it wants each time.
    var text = Assembly()
    text.code("_f", .weak, calls: ["_chain00000"])
    try scratch.write("a.s", text.lines.joined(separator: "\n") + "\n")
    try await Tool.check(
      ["llvm-mc-19", "-filetype=obj", "-triple", "arm64-apple-ios13.0", "a.s", "-o", "a.o"], in: scratch.path)
    let content = try scratch.read("a.o")
    let place = try #require(content.indices.first { content[$0...].starts(with: "_chain00000".utf8) })
    let members = (0..<count).map { number in
      var content = content
      content.replaceSubrange((place + 6)..<(place + 11), with: "\(100_000 + number + 1)".utf8.dropFirst())
      return ArchiveFixture.Member(
        name: "\(number).o", content: content, names: ["_chain\("\(100_000 + number)".dropFirst())"])
    }
    try scratch.write("liba.a", ArchiveFixture.bytes(members))
    for profile in [LinkerProfile.lld, .ld64] {
      let set = LinkSet(.arm64, linkFolder(scratch.path), .lld)
      for words in [["a.o", "liba.a"], ["liba.a", "a.o"], ["-all_load", "a.o", "liba.a"]] {
        let link = LinkResult(try LinkLine(["-dylib"] + words), profile, set)
        #expect(link.verdict.loaded.count == count && link.verdict.outcome == .silent)
      }
    }
  }
}
