import Lanes
import Foundation
import Testing
import TestSupport

@testable import ObjectFiles

@Suite("universal libraries against llvm-lipo", .tools, .timeLimit(.minutes(20)))
struct UniversalLibraryTests {
  let fixtures: Fixtures
  let scratch: Scratch

  init() throws {
    fixtures = try Fixtures.shared.get()
    scratch = try Scratch()
    try scratch.adopt(fixtures)
  }

  func files(_ names: [String]) throws -> [(name: String, bytes: [UInt8])] {
    try names.map { ($0, try scratch.bytes($0)) }
  }

  static let mixtures: [[String]] = [
    ["arm64.o"],
    ["arm64.a"],
    ["armv7.o", "armv7s.o", "arm64.o"],
    ["arm64.o", "armv7s.o", "armv7.o"],
    ["arm64.a", "armv7s.a", "armv7.a"],
    ["arm64-ar.a", "armv7-ar.a", "armv7s-ar.a", "i386-ar.a", "x86_64-ar.a"],
    ["armv7s.a", "i386.a", "armv7.a"],
    ["arm64.a", "arm64e.a"],
    ["arm64e.o", "arm64.o"],
    ["x86_64.o", "arm64.o"],
    ["arm64.dylib", "x86_64.dylib"],
    ["arm64e.a", "arm64.dylib", "x86_64.dylib"],
    ["x86_64.exe", "arm64.exe"],
    ["arm64.bundle", "x86_64.bundle", "i386.o"],
    ["armv7k.a", "arm64_32.a"],
    ["x86_64h.o", "x86_64.a", "armv6.o"],
    ["fat.o"],
    ["fat.o", "i386.a"],
    ["x86_64.o", "fat.o", "arm64e.a"],
    ["fat.dylib", "armv7.o"],
    ["fat64.o", "armv7s.o"],
    ["arm64.a", "armv7.o"],
  ]

  @Test("the same bytes as llvm-lipo -create", arguments: mixtures)
  func create(_ names: [String]) throws {
    try scratch.run(["llvm-lipo-19", "-create"] + names + ["-output", "expected"])
    #expect(try universalLibrary(files(names)) == scratch.bytes("expected"))
    try scratch.run(["llvm-lipo-19", "-create", "-fat64"] + names + ["-output", "expected64"])
    #expect(try universalLibrary(files(names), isWide: true) == scratch.bytes("expected64"))
  }

  @Test("the same bytes on random mixtures in random order")
  func randomMixtures() throws {
    var generator = Seeded(seed: 2)
    for round in 0..<150 {
      let chosen = Fixtures.architectures.shuffled(using: &generator).prefix(Int.random(in: 1...10, using: &generator))
      let names = chosen.map { $0 + ([".a", "-ar.a", ".o"].randomElement(using: &generator) ?? "") }
      try scratch.run(["llvm-lipo-19", "-create"] + names + ["-output", "expected"])
      #expect(try universalLibrary(files(names)) == scratch.bytes("expected"), "round \(round): \(names)")
    }
  }

  @Test(
    "a CPU that lipo has no page size for: aligned as its sections or segments ask",
    arguments: ["arm64.o", "arm64.dylib"])
  func otherCPU(_ name: String) throws {
    var bytes = try scratch.bytes(name)
    bytes.replaceSubrange(4..<12, with: [99, 0, 0, 1, 0, 0, 0, 0])
    try scratch.write("other", bytes)
    try scratch.run(["llvm-lipo-19", "-create", "other", "armv7.o", "-output", "expected"])
    #expect(try universalLibrary(files(["other", "armv7.o"])) == scratch.bytes("expected"))
  }

  @Test("universal static libraries are taken apart, as Apple's lipo does")
  func fatArchives() throws {
    let names = ["armv7.a", "armv7s.a", "arm64.a", "i386.a", "x86_64.a"]
    try scratch.run(["llvm-lipo-19", "-create"] + names + ["-output", "expected"])
    #expect(try universalLibrary(files(["fat.a", "fat-simulator.a"])) == scratch.bytes("expected"))
  }

  @Test("same architecture twice", arguments: [["arm64.o", "arm64.a"], ["fat.o", "armv7s.a"], ["i386.o", "i386.o"]])
  func sameArchitecture(_ names: [String]) throws {
    let result = try scratch.attempt(["llvm-lipo-19", "-create"] + names + ["-output", "out"])
    #expect(result.status != 0 && result.errors.contains("have the same architecture"))
    let error = try #require(throws: LibraryError.self) { try universalLibrary(files(names)) }
    #expect(names.allSatisfy { "\(error)".contains($0) } && "\(error)".contains("holds each architecture once"))
    let architecture = result.errors.split(separator: "same architecture ").last?.prefix { $0 != " " } ?? "none"
    #expect("\(error)".contains(architecture))
  }

  @Test("what llvm-lipo refuses is refused with a typed error")
  func refusals() throws {
    try scratch.write("text.txt", Array("hello\n".utf8))
    try scratch.run("llvm-ar-19", "--format=darwin", "rcD", "mixed.a", "arm64.o", "armv7.o")
    try scratch.run("llvm-ar-19", "--format=darwin", "rcD", "foreign.a", "arm64.o", "text.txt")
    try scratch.run("llvm-ar-19", "--format=darwin", "rcD", "empty.a")
    try scratch.write("cut.o", Array(scratch.bytes("arm64.o").prefix(40)))
    try scratch.write("cut.a", Array(scratch.bytes("arm64.a").dropLast(40)))
    for name in ["text.txt", "mixed.a", "foreign.a", "empty.a", "cut.o", "cut.a"] {
      let result = try scratch.attempt(["llvm-lipo-19", "-create", name, "-output", "out"])
      #expect(result.status != 0, "\(name)")
    }
    func refusal(_ name: String) throws -> String {
      "\(try #require(throws: LibraryError.self) { try universalLibrary(files([name])) })"
    }
    #expect(try refusal("text.txt").hasPrefix("text.txt is data of no known kind; "))
    #expect(try refusal("mixed.a").hasPrefix("mixed.a mixes architectures: armv7.o is for armv7, arm64.o for arm64; "))
    #expect(
      try refusal("foreign.a").hasPrefix("foreign.a: its member text.txt is no object file but data of no known "))
    #expect(try refusal("empty.a") == "empty.a has no object files in it, so it is for no architecture")
    #expect(try refusal("cut.o").contains("size of the load commands") && refusal("cut.o").contains("20"))
    #expect(try refusal("cut.a").hasPrefix("cut.a: "))
    #expect(throws: LibraryError.self) { try UniversalLibrary([]) }
  }

  @Test("subtypes that differ in capability bits alone are one architecture")
  func capabilityBits() throws {
    var bytes = try scratch.bytes("x86_64.o")
    bytes[11] |= 0x80
    let error = try #require(throws: LibraryError.self) {
      try universalLibrary([("x86_64.o", scratch.bytes("x86_64.o")), ("lib64.o", bytes)])
    }
    #expect("\(error)".hasPrefix("x86_64.o and lib64.o are both for x86_64"))
  }

  @Test("a 64-bit table beyond 4 GiB, and not before")
  func beyond4GiB() throws {
    func input(_ architecture: Architecture, _ size: Int) -> UniversalInput {
      let slice = FatFile.Slice(
        architecture: architecture, rawSubtype: architecture.subtype, range: 0..<size, alignment: 3)
      return UniversalInput(name: architecture.name, slices: [slice])
    }
    let limit = 1 << 32
    let below = try UniversalLibrary([input(.x86_64, limit - 8 - 48), input(.arm64, 100)])
    #expect(below.header.prefix(4) == [0xCA, 0xFE, 0xBA, 0xBE])
    #expect(below.slices.map(\.destination) == [48, limit - 8])
    let above = try UniversalLibrary([input(.x86_64, limit), input(.arm64, 100)])
    #expect(above.header.prefix(4) == [0xCA, 0xFE, 0xBA, 0xBF])
    #expect(above.header.count == 8 + 2 * 32)
    #expect(above.slices.map(\.destination) == [72, limit + 72])
    #expect(above.size == limit + 172)
    // The header by itself reads back as the table of a fat file whose slices are not there.
    #expect(throws: FormatError(offset: 16, field: "slice x86_64", reason: .outOfBounds)) {
      try FatFile(ByteReader(above.header.span))
    }
  }

  @Test("llvm-lipo reads what we write")
  func readBack() throws {
    let names = ["armv7.a", "armv7s.a", "arm64.a"]
    try scratch.write("ours.a", universalLibrary(files(names)))
    #expect(try scratch.run("llvm-lipo-19", "-archs", "ours.a") == "armv7 armv7s arm64 \n")
    for name in names {
      try scratch.run("llvm-lipo-19", "-thin", String(name.dropLast(2)), "ours.a", "-output", "thin.a")
      #expect(try scratch.bytes("thin.a") == scratch.bytes(name))
    }
  }
}
