import Lanes
import ObjectFiles
import Rewriting
import Testing
import TestSupport

/// Damaged files end in an error or in a file that is as it should be, and never in more bytes than the input explains.
@Suite("damaged files get no new names", .tools, .timeLimit(.minutes(20)))
struct RenamingDamageTests {
  static let inputs = [
    "arm64-apple-ios13.0", "armv7-apple-ios7.0", "aarch64-linux-android21", "armv7a-linux-androideabi21", "classes",
    "fat", "dylib",
  ]

  private func bytes(_ name: String) async throws -> [UInt8] {
    let scratch = Scratch()
    switch name {
    case "classes":
      try scratch.write("a.m", Sources.objc)
      try await Tool.check(
        ["clang", "-target", "arm64-apple-ios13.0", "-ffreestanding", "-g", "-c", "a.m", "-o", "lib.a"],
        in: scratch.path)
    case "fat":
      for architecture in ["arm64", "armv7"] {
        try await scratch.makeLibrary("\(architecture)-apple-ios9.0")
        try await Tool.check(["mv", "lib.a", "\(architecture).a"], in: scratch.path)
      }
      try await Tool.check(["llvm-lipo-19", "-create", "arm64.a", "armv7.a", "-output", "lib.a"], in: scratch.path)
    case "dylib":
      try await scratch.makeLibrary("arm64-apple-ios13.0")
      try await scratch.linkDylib("lib.a")
    default: try await scratch.makeLibrary(name, ["-gdwarf-5"])
    }
    return try scratch.read("lib.a")
  }

  /// A dylib is hidden, and so is every second file of another kind.
  private func isSound(_ reader: borrowing ByteReader, hides: Bool) -> (isSound: Bool, isRenamed: Bool) {
    let prefix = hides ? SymbolRewrite(hiding: [], keep: ["_rally_open"]) : SymbolRewrite("ZZ_", classes: true)
    guard let (renaming, new) = try? renamed(reader, "lib.a", prefix) else { return (true, false) }
    return (new.count == reader.count + renaming.edits.growth && new.count < 8 * reader.count + (1 << 16), true)
  }

  @Test("four thousand mutants", arguments: inputs)
  func mutants(_ name: String) async throws {
    var bytes = try await bytes(name)
    var random = Seeded(seed: name.utf8.reduce(3) { $0 &* 31 &+ UInt64($1) })
    var renamed = 0
    for round in 0..<4000 {
      var changes: [(Int, UInt8)] = []
      for _ in 0..<(1 + random.number(3)) {
        let place = random.number(random.once(in: 2) ? bytes.count : min(bytes.count, 900))
        changes.append((place, bytes[place]))
        bytes[place] = random.once(in: 3) ? 0xFF : UInt8(random.number(256))
      }
      let result = isSound(ByteReader(bytes.span), hides: name == "dylib" || round % 2 == 1)
      #expect(result.isSound, "round \(round)")
      if result.isRenamed { renamed += 1 }
      for (place, byte) in changes.reversed() { bytes[place] = byte }
      if round % 32 == 0 { await Task.yield() }
    }
    #expect(renamed > 100 && renamed < 4000)
  }

  @Test("every length", arguments: inputs)
  func lengths(_ name: String) async throws {
    let bytes = try await bytes(name)
    for length in stride(from: 0, to: bytes.count, by: 7) {
      let part = try ByteReader(bytes.span).slice(0..<length, "prefix")
      let result = isSound(part, hides: name == "dylib" || length % 2 == 1)
      #expect(result.isSound, "the first \(length) bytes")
      if length % 32 == 0 { await Task.yield() }
    }
  }
}
