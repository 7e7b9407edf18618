import Lanes
import Foundation
import ObjectFiles
import Testing
import TestSupport

/// Every parser ends on every input, with values whose ranges lie within it.
@Suite("damaged files", .tools, .timeLimit(.minutes(20)))
struct DamageTests {
  static let names = [
    "arm64.o", "armv7.o", "arm64.a", "arm64-ar.a", "arm64.dylib", "x86_64.exe", "fat.o", "fat.a", "fat64.o", "gnu.a",
    "thin.a", "coff.a", "arm64.so", "armv7.so", "arm64-c.bc", "arm64-cpp.bc", "out-of-sync.dylib", "versions.so",
    "no-sections.so",
    "objc:arm64.o", "objc:armv7.o", "objc:arm64e-swift.o", "objc:arm64-13.0-relative.dylib",
    "objc:arm64-16.0-relative.dylib", "objc:x86_64-13.0.dylib", "objc:arm64-hand.o",
  ]

  func bytes(_ name: String) throws -> [UInt8] {
    if name.hasPrefix("objc:") { return try ObjCFixtures.shared.get().bytes(String(name.dropFirst(5))) }
    let fixtures = try Fixtures.shared.get()
    if fixtures.names.contains(name) { return try fixtures.bytes(name) }
    if name.hasSuffix(".bc") { return try SymbolFixtures.shared.get().bytes(name) }
    let scratch = try Scratch()
    try scratch.adopt(fixtures)
    try scratch.run("cp", "arm64.o", "a_name_that_is_too_long_for_a_header.o")
    if name == "out-of-sync.dylib" {
      var bytes = try scratch.image("arm64")
      bytes[27] |= 0x04
      return bytes
    }
    if name == "versions.so" { return try scratch.versionedLibraries("aarch64") }
    if name == "no-sections.so" {
      try scratch.versionedLibraries("aarch64", hashStyle: "gnu")
      try scratch.run("llvm-strip-19", "--strip-sections", "libu.so", "-o", name)
      return try scratch.bytes(name)
    }
    if name.hasSuffix(".so") { return try scratch.sharedLibrary(name, for: name == "arm64.so" ? "aarch64" : "armv7a") }
    let objects = ["a_name_that_is_too_long_for_a_header.o", "armv7.o"]
    switch name {
    case "thin.a": try scratch.run(["llvm-ar-19", "--format=gnu", "rcsTD", name] + objects)
    case "coff.a": try scratch.run(["llvm-ar-19", "--format=coff", "rcsD", name] + objects)
    default: try scratch.run(["llvm-ar-19", "--format=gnu", "rcsD", name] + objects)
    }
    return try scratch.bytes(name)
  }

  /// Reads everything that there is to read; false if a range points outside.
  func isSound(_ reader: borrowing ByteReader) -> Bool {
    let whole = reader.range
    func within(_ range: Range<Int>) -> Bool {
      range.lowerBound >= whole.lowerBound && range.upperBound <= whole.upperBound
    }
    let facts = CodeFacts(reader)
    guard facts.slices.allSatisfy({ within($0.range) }) else { return false }
    if let archive = try? StaticArchive(reader) {
      guard archive.members.allSatisfy({ within($0.range) && within($0.nameRange) }) else { return false }
      guard archive.symbolTables.allSatisfy({ within($0.range) }) else { return false }
    }
    if let input = try? UniversalInput(name: "input", reader) {
      guard input.slices.allSatisfy({ within($0.range) }) else { return false }
      if let library = try? UniversalLibrary([input]) {
        guard library.slices.allSatisfy({ $0.padding >= 0 && $0.padding < 1 << 15 }) else { return false }
      }
    }
    let units = ObjectUnits(reader)
    guard units.units.allSatisfy({ within($0.range) }) else { return false }
    if let data = try? ObjCMetadata(reader, .all), !data.ranges.allSatisfy(within) { return false }
    let format = NMFormat(SymbolSelection(), namesFiles: true)
    var text = ListedText()
    try? format.appendMap(of: units, reader, to: &text.bytes)
    for unit in units.units {
      try? format.append(unit, of: units, named: "x", reader, to: &text)
      guard let content = try? reader.slice(unit.range, "unit"), isLinkageSound(content) else { return false }
    }
    return true
  }

  /// The same for what a file says about others.
  private func isLinkageSound(_ reader: borrowing ByteReader) -> Bool {
    let whole = reader.range
    func within(_ range: Range<Int>?) -> Bool { range.map { whole.clamped(to: $0) == $0 } ?? true }
    if let file = try? MachOFile(reader) {
      _ = try? MachOLinkage(file, reader)
      if let info = try? MachOLoaderInfo(file, reader) {
        guard within(info.binds), within(info.exports), within(info.functionStarts) else { return false }
        try? MachOExports(info).forEach(reader) { (_) throws(FormatError) in }
      }
      _ = try? ObjectSymbols(reader)?.loaderSymbols(reader, SymbolSelection())
    }
    var isSound = true
    try? ELFSymbols(reader).forEach(reader, SymbolSelection()) { (symbol: Symbol) throws(FormatError) in
      if !within(symbol.name) { isSound = false }
    }
    return isSound
  }

  /// Other tests have the same few threads, and some of them wait for what happens outside.
  private func breathe(_ round: Int) async { if round % 32 == 0 { await Task.yield() } }

  @Test("every prefix", arguments: names)
  func prefixes(_ name: String) async throws {
    let bytes = try bytes(name)
    // The long runs of zeros in linked and fat files say nothing new with every byte.
    var length = 0
    while length <= bytes.count {
      let isSound = isSound(try ByteReader(bytes.span).slice(0..<length, "prefix"))
      #expect(isSound, "the first \(length) bytes")
      let isPadding = length + 64 < bytes.count && bytes[length..<(length + 64)].allSatisfy { $0 == 0 }
      length += isPadding ? 61 : 1
      await breathe(length)
    }
  }

  @Test("ten thousand byte flips", arguments: names)
  func flips(_ name: String) async throws {
    var bytes = try bytes(name)
    let seed = name.utf8.reduce(7 as UInt64) { ($0 &* 31) &+ UInt64($1) }
    var generator = Seeded(seed: seed)
    for round in 0..<10_000 {
      // Half of them near the start, where the headers are; up to three at once.
      var changes: [(Int, UInt8)] = []
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let limit = Bool.random(using: &generator) ? bytes.count : min(bytes.count, 600)
        let place = Int.random(in: 0..<limit, using: &generator)
        changes.append((place, bytes[place]))
        bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
      }
      let isSound = isSound(ByteReader(bytes.span))
      #expect(isSound, "seed \(seed), round \(round)")
      for (place, byte) in changes.reversed() { bytes[place] = byte }
      await breathe(round)
    }
  }

  /// The tables for the loader are a small part of a large file, which flips anywhere would seldom meet.
  @Test("ten thousand byte flips in the loader's tables")
  func loaderTables() async throws {
    var bytes = try bytes("out-of-sync.dylib")
    let file = try MachOFile(ByteReader(bytes.span))
    let info = try MachOLoaderInfo(file, ByteReader(bytes.span))
    let places = [info.exports, info.exports, info.binds, info.lazyBinds, info.weakBinds, info.functionStarts].joined()
    var generator = Seeded(seed: 5)
    var failures = 0
    for round in 0..<10_000 {
      var changes: [(Int, UInt8)] = []
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        guard let place = generator.one(of: Array(places)) else { continue }
        changes.append((place, bytes[place]))
        bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
      }
      let isSound = isLinkageSound(ByteReader(bytes.span))
      #expect(isSound, "round \(round)")
      if !nmText(bytes, "x", NMFormat(SymbolSelection())).errors.isEmpty { failures += 1 }
      for (place, byte) in changes.reversed() { bytes[place] = byte }
      await breathe(round)
    }
    #expect(failures > 1000)
  }
}
