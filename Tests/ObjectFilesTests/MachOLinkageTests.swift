import Lanes
import Foundation
import ObjectFiles
import Testing

/// What Mach-O files say about others, as llvm-objdump and llvm-otool print it.
@Suite("linkage of Mach-O files", .tools) struct MachOLinkageTests {
  @Test("libraries, search paths and UUID", arguments: ["arm64", "x86_64"])
  func dynamicLibrary(_ architecture: String) throws {
    let scratch = try Scratch()
    for (name, bytes) in try scratch.linkedImages(architecture) {
      let (file, linkage) = try linkage(bytes)
      let used = try scratch.run("llvm-objdump-19", "--macho", "--dylibs-used", name)
      let ours = (linkage.identity.map { [$0] } ?? []) + linkage.libraries
      let printed = used.split(separator: "\n").dropFirst().map { line in
        (name: line.dropFirst().prefix { $0 != " " }, isReexported: line.hasSuffix(", reexport)"))
      }
      #expect(printed.map { String($0.name) } == ours.map { text($0.name) })
      #expect(printed.map(\.isReexported) == ours.map(\.isReexported))
      let identity = try scratch.run("llvm-objdump-19", "--macho", "--dylib-id", name)
      #expect(identity == "\(name):\n" + (linkage.identity.map { "\(text($0.name))\n" } ?? ""))
      let commands = try scratch.run("llvm-otool-19", "-l", name).split(separator: "\n").map { words($0) }
      let paths = commands.filter { $0.first == "path" }.map { $0[1] }
      #expect(linkage.searchPaths.map(text) == paths)
      let digits = linkage.uuid?.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
      let uuid = commands.first { $0.first == "uuid" }?[1].filter { $0 != "-" }
      #expect(digits == uuid && uuid != nil)
      try expectFlags(file, name, scratch)
    }
    let (_, odd) = try linkage(try scratch.bytes("odd.dylib"))
    #expect(odd.searchPaths.map(text) == ["@loader_path/x", "/y"])
    #expect(odd.libraries.filter(\.isReexported).map { text($0.name) } == ["/usr/lib/libd.dylib"])
    #expect(odd.libraries.count == 6)
  }

  @Test("options that an object file gives its linker")
  func linkerOptions() throws {
    let scratch = try Scratch()
    let source = ".linker_option \"-framework\", \"Foundation\"\n.linker_option \"-lz\"\n.subsections_via_symbols\n"
    try scratch.write("a.s", Array(source.utf8))
    for (architecture, target) in Fixtures.targets {
      try scratch.run("clang", "-target", target, "-c", "a.s", "-o", "\(architecture).o")
      let (file, found) = try linkage(try scratch.bytes("\(architecture).o"))
      #expect(found.linkerOptions.map { $0.map(text) } == [["-framework", "Foundation"], ["-lz"]])
      #expect(found.libraries.isEmpty && found.identity == nil && found.uuid == nil)
      let lines = try scratch.run("llvm-otool-19", "-l", "\(architecture).o").split(separator: "\n").map { words($0) }
      let strings = lines.filter { $0.first == "string" }.map { $0[2] }
      #expect(found.linkerOptions.joined().map(text) == strings)
      try expectFlags(file, "\(architecture).o", scratch)
    }
  }

  @Test("flags of a command that has them")
  func flagsInCommand() throws {
    let scratch = try Scratch()
    var bytes = try scratch.image("arm64")
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("@rpath/libb.dylib\0".utf8)) }) - 24
    // The name moves by four bytes, into the padding behind it.
    let name = Array("@rpath/libb.dylib\0".utf8)
    bytes.replaceSubrange(
      place..<(place + 48),
      with: Array(bytes[place..<(place + 8)])
        + [28, 0, 0, 0, 0x00, 0x18, 0x74, 0x1A] + [0, 0, 1, 0, 0, 0, 1, 0] + [11, 0, 0, 0] + name + [0, 0])
    let (_, found) = try linkage(bytes)
    let library = try #require(found.libraries.first)
    #expect(library.isReexported && text(library.name) == "@rpath/libb.dylib")
  }

  @Test("errors name the field")
  func errors() throws {
    let scratch = try Scratch()
    var bytes = try scratch.image("arm64")
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("@rpath/libb.dylib\0".utf8)) }) - 24
    bytes[place + 9] = 1
    #expect {
      _ = try linkage(bytes)
    } throws: { error in
      "\(error)".hasPrefix("name of the library in load command ") && "\(error)".hasSuffix("at offset \(place + 8)")
    }
  }

  /// Flags by what llvm-otool calls them, whether or not the module has a name for them.
  private func expectFlags(_ file: MachOFile, _ name: String, _ scratch: Scratch) throws {
    let known: [(MachOFlags, String)] = [
      (MachOFlags(rawValue: 0x1), "NOUNDEFS"), (MachOFlags(rawValue: 0x4), "DYLDLINK"),
      (MachOFlags(rawValue: 0x80), "TWOLEVEL"), (.subsectionsViaSymbols, "SUBSECTIONS_VIA_SYMBOLS"),
      (MachOFlags(rawValue: 0x8000), "WEAK_DEFINES"), (MachOFlags(rawValue: 0x1_0000), "BINDS_TO_WEAK"),
      (MachOFlags(rawValue: 0x10_0000), "NO_REEXPORTED_DYLIBS"), (MachOFlags(rawValue: 0x20_0000), "PIE"),
      (MachOFlags(rawValue: 0x40_0000), "DEAD_STRIPPABLE_DYLIB"),
      (MachOFlags(rawValue: 0x80_0000), "MH_HAS_TLV_DESCRIPTORS"),
      (MachOFlags(rawValue: 0x0200_0000), "APP_EXTENSION_SAFE"),
    ]
    let expected = words(try scratch.run("llvm-otool-19", "-hv", name)).filter { known.map(\.1).contains($0) }
    #expect(known.filter { file.flags.contains($0.0) }.map(\.1).sorted() == expected.sorted(), "\(name)")
  }
}

private func linkage(_ bytes: [UInt8]) throws -> (MachOFile, MachOLinkage) {
  let reader = ByteReader(bytes.span)
  let file = try MachOFile(reader)
  return (file, try MachOLinkage(file, reader))
}

private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

extension Scratch {
  /// A dynamic library that re-exports another, an executable, and one that uses others in every way that there is.
  fileprivate func linkedImages(_ architecture: String) throws -> [(name: String, bytes: [UInt8])] {
    var all = [("main", try executable(architecture)), ("image.dylib", try image(architecture))]
    let link = [
      "ld64.lld-19", "-arch", architecture, "-platform_version", architecture == "arm64" ? "ios" : "ios-simulator",
      "13.0", "13.0", "-undefined", "dynamic_lookup", "-dylib",
    ]
    let versions = ["-current_version", "1.2.3", "-compatibility_version", "1.1", "-application_extension"]
    for name in ["c", "d", "e", "g"] {
      try run(link + versions + ["-install_name", "/usr/lib/lib\(name).dylib", "-o", "lib\(name).dylib", "b.o"])
    }
    let paths = ["-rpath", "@loader_path/x", "-rpath", "/y"]
    let libraries = [
      "-weak_library", "libc.dylib", "-reexport_library", "libd.dylib", "libb.dylib", "libe.dylib", "libg.dylib",
    ]
    try run(link + paths + ["-mark_dead_strippable_dylib", "-o", "odd.dylib", "image.o"] + libraries)
    // Two commands that lld does not write: the last two libraries are loaded late and from above.
    var odd = try bytes("odd.dylib")
    for (name, kind) in [("e", [0x20, 0, 0, 0]), ("g", [0x23, 0, 0, 0x80])] as [(String, [UInt8])] {
      let text = Array("/usr/lib/lib\(name).dylib\0".utf8)
      guard let place = odd.indices.first(where: { odd[$0...].starts(with: text) }) else { continue }
      odd.replaceSubrange((place - 24)..<(place - 20), with: kind)
    }
    try write("odd.dylib", odd)
    all.append(("odd.dylib", odd))
    return all
  }
}
