import Lanes
import Foundation
import ObjectFiles
import Testing

/// Linked ELF images, whole and without their sections, as llvm-readelf and llvm-nm print them.
@Suite("ELF images") struct ELFImageTests {
  static let architectures = ["aarch64", "armv7a", "x86_64", "i686"]
  static let files = ["libv.so", "libu.so", "libr.so", "libnone.so"]

  @Test("symbols of images with versions are llvm-nm's", .tools, arguments: architectures)
  func symbols(_ architecture: String) throws {
    let scratch = try Scratch()
    try scratch.versionedLibraries(architecture)
    for name in Self.files {
      let (text, errors) = nmText(try scratch.bytes(name), name, NMFormat(SymbolSelection()))
      #expect(try scratch.run("llvm-nm-19", "-p", name) == text && errors.isEmpty && !text.isEmpty)
    }
  }

  @Test("without sections there are program headers and no symbols", .tools, arguments: architectures, ["sysv", "gnu"])
  func withoutSections(_ architecture: String, _ hashStyle: String) throws {
    let scratch = try Scratch()
    try scratch.versionedLibraries(architecture, hashStyle: hashStyle)
    for name in Self.files {
      try scratch.run("llvm-strip-19", "--strip-sections", name, "-o", "stripped.so")
      let bytes = try scratch.bytes("stripped.so")
      let reader = ByteReader(bytes.span)
      let symbols = try ELFSymbols(reader)
      #expect(symbols.sections.isEmpty)
      #expect(try ObjectSymbols(reader)?.count(reader, SymbolSelection()) == 0)
      #expect(try scratch.run("llvm-nm-19", "-p", "stripped.so").isEmpty)
      let (text, errors) = nmText(bytes, name, NMFormat(SymbolSelection()))
      #expect(text.isEmpty && errors.isEmpty)
      let wholeBytes = try scratch.bytes(name)
      let whole = try ELFFile(ByteReader(wholeBytes.span))
      #expect(symbols.file.loadAlignments == whole.loadAlignments && !whole.loadAlignments.isEmpty)
      #expect(ObjectBounds(reader).errors.isEmpty)
    }
  }

  @Test("sections are llvm-readelf's", .tools, arguments: architectures)
  func sections(_ architecture: String) throws {
    let scratch = try Scratch()
    try scratch.versionedLibraries(architecture)
    for name in Self.files {
      let bytes = try scratch.bytes(name)
      let printed = try scratch.run("llvm-readelf-19", "-S", "-W", name).split(separator: "\n").compactMap { line in
        // [Nr] Name Type Address Off Size ES Flg Lk Inf Al; the first has no name, and flags may be missing.
        line.split(separator: "]").dropFirst().first.map { words($0) }
      }.filter { $0.count >= 9 && $0.first?.first == "." }
      let sections = try ELFSymbols(ByteReader(bytes.span)).sections
      #expect(sections.count == printed.count + 1 && sections.first?.type == 0)
      for (section, row) in zip(sections.dropFirst(), printed) {
        #expect(
          [section.address, section.offset, section.size, section.entrySize].map { UInt64($0) }
            == row[2...5].compactMap { UInt64($0, radix: 16) }, "\(name) \(row[0])")
        #expect("\(section.info)" == row[row.count - 2] && "\(section.link)" == row[row.count - 3], "\(name) \(row[0])")
      }
    }
  }

  @Test("an object file is not loaded", .tools)
  func object() throws {
    let scratch = try Scratch()
    try scratch.versionedLibraries("aarch64")
    try scratch.run("clang", "-target", "aarch64-linux-android21", "-c", "v.c", "-o", "v.o")
    let bytes = try scratch.bytes("v.o")
    let file = try ELFFile(ByteReader(bytes.span))
    #expect(file.type == .relocatable && file.loadAlignments.isEmpty)
    #expect(nmText(bytes, "v.o", NMFormat(SymbolSelection())).text == (try scratch.run("llvm-nm-19", "-p", "v.o")))
  }

  @Test("errors name the field")
  func errors() throws {
    let whole = try Scratch().versionedLibraries("aarch64")
    func messages(at place: Int, _ value: UInt8) -> [String] {
      var bytes = whole
      bytes[place] = value
      return ObjectBounds(ByteReader(bytes.span)).errors.map(\.description)
    }
    #expect(messages(at: 54, 55).first == "size of a program header: 55 is too small at offset 54")
    #expect(
      messages(at: 39, 1).first
        == "program headers: points outside of the file or of the part that holds it at offset 32")
    #expect(messages(at: 58, 63).first == "size of a section header: 63 is not 64 at offset 58")
    #expect(
      messages(at: 47, 1).first
        == "section headers: points outside of the file or of the part that holds it at offset 40")
    #expect(messages(at: 4, 3).first == "ELF class: 3 is neither 1 nor 2 at offset 4")
    #expect(messages(at: 5, 0).first == "ELF data encoding: 0 is neither 1 nor 2 at offset 5")
  }
}

extension Scratch {
  /// `libv.so` has versions, `libu.so` wants them, `libr.so` has the old search path, `libnone.so` no versions.
  @discardableResult
  func versionedLibraries(_ architecture: String, hashStyle: String = "both") throws -> [UInt8] {
    let versioned = """
      int f1(void) { return 1; } int f2(void) { return 2; }
      asm(".symver f1,f@V1"); asm(".symver f2,f@@V2");
      int plain(void) { return 3; } static int local(void) { return 4; } int uses(void) { return local(); }
      """
    let user = """
      extern int plain(void), uses(void), f(void), outside(void); __attribute__((weak)) int maybe(void);
      int here = 1;
      int user(void) { return plain() + uses() + f() + outside() + (maybe ? maybe() : 0); }
      """
    try write("v.c", Array(versioned.utf8))
    try write("u.c", Array(user.utf8))
    try write("v.map", Array("V1 { global: f; plain; local: *; };\nV2 { global: uses; } V1;\n".utf8))
    let clang = [
      "clang", "-target", "\(architecture)-linux-android21", "-shared", "-nostdlib", "-fuse-ld=lld", "-fPIC",
      "-Wl,--hash-style=\(hashStyle)",
    ]
    try run(clang + ["u.c", "-o", "libnone.so"])
    try run(clang + ["v.c", "-Wl,--version-script=v.map", "-Wl,-soname,libv.so", "-o", "libv.so"])
    try run(
      clang + [
        "u.c", "libv.so", "libnone.so", "-Wl,-rpath,$ORIGIN/x:/y", "-Wl,-soname,libu.so", "-o", "libu.so",
      ])
    try run(clang + ["u.c", "libv.so", "-Wl,-rpath,$ORIGIN/x", "-Wl,--disable-new-dtags", "-o", "libr.so"])
    return try bytes("libu.so")
  }
}
