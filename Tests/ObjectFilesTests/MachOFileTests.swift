import Lanes
import Foundation
import ObjectFiles
import Testing

@Suite("Mach-O and fat files against llvm-otool and llvm-lipo", .tools, .timeLimit(.minutes(20)))
struct MachOFileTests {
  let fixtures: Fixtures
  let scratch: Scratch

  init() throws {
    fixtures = try Fixtures.shared.get()
    scratch = try Scratch()
    try scratch.adopt(fixtures)
  }

  var thin: [String] {
    fixtures.names.filter { name in
      !name.hasPrefix("fat") && [".o", ".dylib", ".bundle", ".exe"].contains { name.hasSuffix($0) }
    }
  }

  @Test("header, load commands, platform and minimum OS are what llvm-otool prints")
  func headers() throws {
    #expect(thin.count >= 26)
    for name in thin {
      let bytes = try scratch.bytes(name)
      let file = try MachOFile(ByteReader(bytes.span))
      // magic cputype cpusubtype caps filetype ncmds sizeofcmds flags
      let printed = try scratch.run("llvm-otool-19", "-h", name)
      let header = words(printed.split(separator: "\n").last ?? "")
      let ours = [
        file.is64Bit ? "0xfeedfacf" : "0xfeedface", "\(file.architecture.cpu.rawValue)",
        "\(file.architecture.subtype)", hex(file.rawSubtype >> 24, 2), "\(file.fileType.rawValue)",
        "\(file.commandCount)", "\(file.commandRange.count)", hex(file.flags.rawValue, 8),
      ]
      #expect(header == ours, "\(name)")

      let listing = try scratch.run("llvm-otool-19", "-l", name).split(separator: "\n").map { words($0) }
      var commands = try file.loadCommands(ByteReader(bytes.span))
      var sizes: [String] = []
      while let command = try commands.next() { sizes.append("\(command.range.count)") }
      #expect(listing.filter { $0.first == "cmdsize" }.map { $0[1] } == sizes, "\(name)")

      let builds = try file.buildVersions(ByteReader(bytes.span))
      let build = try #require(builds.first, "\(name)")
      #expect(builds.count == 1)
      let isOld = listing.contains { $0.first == "cmd" && $0[1].hasPrefix("LC_VERSION_MIN") }
      let minimum = listing.first { $0.first == (isOld ? "version" : "minos") }?[1]
      #expect(build.minimumOS.description == minimum, "\(name)")
      let sdk = listing.first { $0.first == "sdk" }?[1]
      #expect((build.sdk == OSVersion(0) ? "n/a" : build.sdk.description) == sdk, "\(name)")
      if !isOld { #expect("\(build.platform.rawValue)" == listing.first { $0.first == "platform" }?[1], "\(name)") }
    }
  }

  func hex(_ value: UInt32, _ width: Int) -> String {
    let digits = String(value, radix: 16)
    return "0x" + String(repeating: "0", count: width - digits.count) + digits
  }

  @Test(
    "platforms, the older version commands among them",
    arguments: [
      ("armv7-apple-ios7.0", Platform.iOS, OSVersion(7, 0)), ("i386-apple-ios7.0", .iOSSimulator, OSVersion(7, 0)),
      ("x86_64-apple-ios9.1", .iOSSimulator, OSVersion(9, 1)), ("arm64-apple-tvos9.0", .tvOS, OSVersion(9, 0)),
      ("armv7k-apple-watchos2.0", .watchOS, OSVersion(2, 0)), ("x86_64-apple-macos10.9.5", .macOS, OSVersion(10, 9, 5)),
      ("arm64-apple-macos14.2", .macOS, OSVersion(14, 2)),
      ("arm64-apple-ios15.0-simulator", .iOSSimulator, OSVersion(15, 0)),
      ("x86_64-apple-ios14.0-macabi", .macCatalyst, OSVersion(14, 0)), ("arm64-apple-xros1.0", .visionOS, OSVersion(1)),
      ("arm64-apple-xros1.0-simulator", .visionOSSimulator, OSVersion(1)),
    ])
  func platforms(_ target: String, _ platform: Platform, _ minimum: OSVersion) throws {
    try scratch.write("p.c", Array("int p;\n".utf8))
    try scratch.run("clang", "-target", target, "-ffreestanding", "-c", "p.c", "-o", "p.o")
    let bytes = try scratch.bytes("p.o")
    let builds = try MachOFile(ByteReader(bytes.span)).buildVersions(ByteReader(bytes.span))
    #expect(builds.map(\.platform) == [platform])
    #expect(builds.map(\.minimumOS) == [minimum])
  }

  @Test("architecture names are those that llvm-lipo prints, for every CPU and subtype")
  func names() throws {
    for cpu: UInt32 in [7, 0x0100_0007, 12, 0x0100_000C, 0x0200_000C, 18, 0x0100_0012, 99] {
      for subtype: UInt32 in 0..<18 {
        let isBig = cpu & 0xFF == 18
        var bytes: [UInt8] = []
        for word in [cpu >> 24 == 1 ? 0xFEED_FACF : 0xFEED_FACE, cpu, subtype, 1, 0, 0, 0, 0] {
          let digits = (0..<4).map { UInt8(truncatingIfNeeded: word >> (UInt32($0) * 8)) }
          bytes += isBig ? digits.reversed() : digits
        }
        try scratch.write("header.o", bytes)
        let file = try MachOFile(ByteReader(bytes.span))
        #expect(try scratch.run("llvm-lipo-19", "-archs", "header.o") == "\(file.architecture) \n")
        #expect(file.endianness == (isBig ? .big : .little))
        if !file.architecture.name.hasPrefix("unknown") {
          #expect(Architecture(name: file.architecture.name) == file.architecture)
        }
      }
    }
    #expect(Architecture(name: "armv7em")?.name == "thumbv7em")
    #expect(Architecture(name: "z80") == nil)
  }

  @Test("a fat file's table is what llvm-lipo prints", arguments: ["fat.o", "fat.a", "fat.dylib", "fat64.o"])
  func fatTable(_ name: String) throws {
    let bytes = try scratch.bytes(name)
    let fat = try FatFile(ByteReader(bytes.span))
    #expect(fat.is64Bit == (name == "fat64.o"))
    let printed = words(try scratch.run("llvm-lipo-19", "-archs", name))
    #expect(fat.slices.map(\.architecture.name) == printed)
    let table = try scratch.run("llvm-objdump-19", "--macho", "--universal-headers", name)
      .split(separator: "\n").map { words($0) }
    func column(_ key: String) -> [String] { table.filter { $0.first == key }.map { $0[1] } }
    #expect(fat.slices.map { "\($0.range.lowerBound)" } == column("offset"))
    #expect(fat.slices.map { "\($0.range.count)" } == column("size"))
    #expect(table.filter { $0.first == "align" }.map { $0[1] } == fat.slices.map { "2^\($0.alignment)" })
    for slice in fat.slices {
      try scratch.run("llvm-lipo-19", "-thin", slice.architecture.name, name, "-output", "thin")
      #expect(try scratch.bytes("thin") == Array(bytes[slice.range]))
    }
  }

  @Test("a table in the other byte order reads the same")
  func swappedTable() throws {
    for (name, width) in [("fat.o", [4, 4, 4, 4, 4]), ("fat64.o", [4, 4, 8, 8, 4, 4])] {
      var bytes = try scratch.bytes(name)
      let straight = try FatFile(ByteReader(bytes.span))
      var offset = 0
      for size in [4, 4] + straight.slices.flatMap({ _ in width }) {
        bytes.replaceSubrange(offset..<(offset + size), with: bytes[offset..<(offset + size)].reversed())
        offset += size
      }
      let swapped = try FatFile(ByteReader(bytes.span))
      #expect(swapped.endianness == .little)
      #expect(swapped.slices == straight.slices)
    }
  }

  @Test("a bad table is refused, as by llvm-lipo, and the error says where")
  func badTables() throws {
    let good = try scratch.bytes("fat.o")
    // Entry 0 is at 8: cputype, cpusubtype, offset at 16, size at 20, align at 24; entry 1 at 28.
    let cases: [(String, Int, [UInt8], Int)] = [
      ("no slices", 4, [0, 0, 0, 0], 4), ("more entries than file", 4, [0x7F, 0, 0, 0], 4),
      ("out of bounds", 20, [0x7F, 0, 0, 0], 16), ("alignment too large", 24, [0, 0, 0, 16], 24),
      ("not aligned", 16, [0, 0, 0x40, 1], 16), ("overlaps the header", 16, [0, 0, 0, 0], 16),
      ("the same twice", 28, Array(good[8..<16]), 28), ("overlap", 36, Array(good[16..<20]), 0x4000),
    ]
    for (name, at, change, place) in cases {
      var bytes = good
      bytes.replaceSubrange(at..<(at + change.count), with: change)
      try scratch.write("bad", bytes)
      #expect(try scratch.attempt(["llvm-lipo-19", "-archs", "bad"]).status != 0, "\(name)")
      let error = try #require(throws: FormatError.self, "\(name)") { try FatFile(ByteReader(bytes.span)) }
      #expect(error.offset == place, "\(name): \(error)")
    }
  }

  @Test("bad load commands: the iterator ends, and stays ended after an error")
  func badCommands() throws {
    var bytes = try scratch.bytes("arm64.o")
    bytes.replaceSubrange(36..<40, with: [0, 0, 0, 0])
    let file = try MachOFile(ByteReader(bytes.span))
    var commands = try file.loadCommands(ByteReader(bytes.span))
    var errors: [FormatError] = []
    do { _ = try commands.next() } catch { errors.append(error) }
    let expected = FormatError(offset: 36, field: "load command 0", reason: .invalid("size 0 is too small"))
    #expect(errors == [expected])
    #expect(expected.description == "load command 0: size 0 is too small at offset 36")
    for _ in 0..<3 { #expect(try commands.next() == nil) }
  }
}
