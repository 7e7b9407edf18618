import Lanes
import Linking
import ObjectFiles
import SystemPackage
import Testing
import TestSupport

@testable import LinkSupport

/// Names in sections of which linkers make something else, and files for other platforms (rules 1.16 to 1.20).
@Suite("labels and platforms")
struct LinkLabelsTests {
  private struct Section {
    var name: String
    var content: String
    /// Whether Apple's linker takes `_x`, and `l001`, for a definition there.
    var ld64: (ordinary: Bool, linkerPrivate: Bool)
    var lld = true
  }

  private static let sections = [
    Section(name: "__TEXT,__cstring,cstring_literals", content: ".asciz \"a\"", ld64: (true, false)),
    Section(name: "__TEXT,__objc_methname,cstring_literals", content: ".asciz \"a\"", ld64: (true, false)),
    Section(name: "__TEXT,__literal4,4byte_literals", content: ".long 1", ld64: (true, false)),
    Section(name: "__TEXT,__literal8,8byte_literals", content: ".quad 1", ld64: (true, false)),
    Section(name: "__TEXT,__literal16,16byte_literals", content: ".quad 1, 2", ld64: (true, false)),
    Section(
      name: "__DATA,__cfstring", content: ".quad ___CFConstantStringClassReference\n.long 1992, 0\n.quad 0, 0",
      ld64: (false, false)),
    Section(name: "__DATA,__objc_selrefs,literal_pointers", content: ".quad l_text", ld64: (false, false)),
    Section(name: "__DATA,__objc_classrefs", content: ".quad _OBJC_CLASS_$_Outside", ld64: (false, false)),
    Section(name: "__DATA,__objc_superrefs", content: ".quad _OBJC_CLASS_$_Outside", ld64: (true, true)),
    Section(name: "__TEXT,__ustring", content: ".short 65, 0", ld64: (true, true)),
    Section(name: "__TEXT,__const", content: ".quad 1", ld64: (true, true)),
    Section(name: "__DATA,__objc_const", content: ".quad 0", ld64: (true, true)),
    Section(name: "__DATA,__objc_imageinfo", content: ".long 0, 64", ld64: (false, false), lld: false),
    Section(name: "__LLVM,__cmdline", content: ".asciz \"-O\"", ld64: (false, false), lld: false),
    Section(name: "__DWARF,__debug_x,regular,debug", content: ".quad 1", ld64: (false, false), lld: false),
  ]

  /// As `ld -r` leaves labels behind, in two libraries that are loaded whole.
  @Test(.tools, arguments: LinkerProfile.all) func labels(_ profile: LinkerProfile) async throws {
    for section in Self.sections {
      let scratch = Scratch()
      let text = """
        .section __TEXT,__objc_methname,cstring_literals
        l_text: .asciz "text"
        .section \(section.name)
        .p2align 3
        .globl _x
        .private_extern _x
        _x: \(section.content)
        .p2align 3
        .globl l001
        .private_extern l001
        l001: \(section.content)
        .subsections_via_symbols

        """
      let object = try await Assembler.object(text)
      for name in ["liba.a", "libb.a"] {
        try scratch.write(
          name, ArchiveFixture.bytes([ArchiveFixture.Member(name: "o.o", content: object, names: ["_x", "l001"])]))
      }
      let args = ["-dylib", "-all_load", "liba.a", "libb.a"]
      let line = try LinkLine(LLD.base + args)
      let verdict = LinkResult(line, profile, LinkSet(.arm64, linkFolder(scratch.path), profile)).verdict
      let isLLD = profile.family == .lld
      let expected = [
        ("_x", isLLD ? section.lld : section.ld64.ordinary), ("l001", isLLD ? section.lld : section.ld64.linkerPrivate),
      ]
      #expect(verdict.duplicates.map(\.name) == expected.filter(\.1).map(\.0), "\(section.name) \(profile.name)")
      if isLLD {
        let (record, said) = try await LLD.link(args, in: scratch.path, definers: [:])
        #expect(record.duplicates == verdict.duplicates.map(\.name), "\(section.name) \(said)")
      }
    }
  }

  @Test(.tools) func objectsOfOtherPlatforms() async throws {
    let scratch = Scratch()
    let text = ".globl _f\n_f: ret\n"
    let other = try await Assembler.object(".build_version tvos, 13, 0\n" + text)
    let simulator = try await Assembler.object(".build_version iossimulator, 13, 0\n" + text)
    let own = try await Assembler.object(".build_version ios, 13, 0\n" + text)
    try scratch.write("own.o", own)
    for (name, content) in [("tv", other), ("sim", simulator)] {
      let member = ArchiveFixture.Member(name: "o.o", content: content, names: ["_f"])
      try scratch.write("lib\(name).a", ArchiveFixture.bytes([member]))
    }
    func verdict(_ profile: LinkerProfile, _ words: String..., only: Bool = false) throws -> LinkVerdict {
      let set = LinkSet(.arm64, linkFolder(scratch.path), profile, only: only ? .iOS : nil)
      return LinkResult(try LinkLine((only ? ["-arch", "arm64"] : LLD.base) + ["-dylib"] + words), profile, set)
        .verdict
    }
    for profile in LinkerProfile.all {
      #expect(try verdict(profile, "-all_load", "own.o", "libtv.a").refusals.count == 1)
      #expect(try verdict(profile, "own.o", "libtv.a").refusals.isEmpty)
      // As part of another slice it collides with nothing.
      let apart = try verdict(profile, "-all_load", "own.o", "libtv.a", only: true)
      #expect(apart.refusals.isEmpty && apart.duplicates.isEmpty)
      let mixed = try verdict(profile, "-all_load", "own.o", "libsim.a")
      #expect(mixed.refusals.isEmpty == (profile.family == .lld))
      #expect(mixed.duplicates.map(\.name) == (profile.family == .lld ? ["_f"] : []))
    }
    let newer = try verdict(.ld64, "-ios_version_min", "12.0", "own.o")
    #expect(newer.remarks.map(\.description) == ["own.o is built for a newer system (13.0) than the output"])
  }

  @Test(arguments: [
    ("-platform_version ios 13.0", "needs an argument"),
    ("-platform_version ipados 13.0 13.0", "no platform is called"),
    ("-platform_version ios x 13.0", "x is not a version"), ("-ios_version_min 1.2.3.4", "1.2.3.4 is not a version"),
  ])
  func platformsThatAreNone(_ words: String, _ problem: String) throws {
    do {
      _ = try LinkLine(words.split(separator: " ").map(String.init))
      Issue.record("\(words) was taken")
    } catch {
      #expect("\(error)".contains(problem))
    }
  }

  /// Apple's linker reads all members of a library as soon as it has found it. Where that fails it refuses a library that the
  /// line names, and does without one that only an object file asks for. lld reads members wherever they are.
  @Test(.tools, arguments: LinkerProfile.all) func oddLibraryThatAnObjectFileAsksFor(_ profile: LinkerProfile)
    async throws
  {
    let scratch = Scratch()
    let taken = try await Assembler.object(".globl _taken\n_taken: ret\n.subsections_via_symbols\n")
    let members = ["a.o", "b.o"].map { ArchiveFixture.Member(name: $0, content: taken, names: ["_taken"]) }
    try scratch.write("libodd.a", ArchiveFixture.bytes(members, isOdd: true))
    try scratch.write("asks.o", try await Assembler.object(".linker_option \"-lodd\"\n.globl _main\n_main: ret\n"))
    func verdict(_ args: [String]) throws -> LinkVerdict {
      let line = try LinkLine(LLD.base + ["-dylib", "-all_load", "-L."] + args)
      return LinkResult(line, profile, LinkSet(.arm64, linkFolder(scratch.path), profile)).verdict
    }
    let isLLD = profile.family == .lld
    #expect(try verdict(["asks.o"]).refusals == [])
    #expect(try verdict(["asks.o"]).duplicates.isEmpty)
    #expect(try verdict(["asks.o", "libodd.a"]).refusals.isEmpty == isLLD)
  }
}
