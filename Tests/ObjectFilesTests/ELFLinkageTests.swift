import Foundation
import ObjectFiles
import Testing

/// What ELF images say about others, as llvm-readelf and llvm-nm print it.
@Suite("linkage of ELF files") struct ELFLinkageTests {
  static let architectures = ["aarch64", "armv7a", "x86_64", "i686"]
  static let files = ["libv.so", "libu.so", "libr.so", "libnone.so"]

  @Test("libraries, names and paths", arguments: architectures)
  func dynamicSection(_ architecture: String) throws {
    let scratch = try Scratch()
    try scratch.versionedLibraries(architecture)
    for name in Self.files {
      let bytes = try scratch.bytes(name)
      let reader = ByteReader(bytes.span)
      let file = try ELFFile(reader)
      let linkage = try ELFLinkage(file, reader)
      let text = try scratch.run("llvm-readelf-19", "-d", name)
      func values(_ tag: String) -> [[UInt8]] {
        text.split(separator: "\n").filter { $0.contains("(\(tag))") }.compactMap {
          guard let start = $0.firstIndex(of: "["), let end = $0.lastIndex(of: "]") else { return nil }
          return Array($0[$0.index(after: start)..<end].utf8)
        }
      }
      #expect(linkage.libraries == values("NEEDED"))
      #expect(linkage.name == values("SONAME").first)
      #expect(linkage.runPath == values("RUNPATH").first)
      #expect(linkage.oldRunPath == values("RPATH").first)
      switch name {
      case "libu.so": #expect(linkage.libraries.count == 2 && linkage.runPath != nil && linkage.name != nil)
      case "libr.so": #expect(linkage.libraries.count == 1 && linkage.oldRunPath != nil && linkage.name == nil)
      default: break
      }
    }
  }

  @Test("dynamic symbols and their versions are llvm-readelf's and llvm-nm's", arguments: architectures)
  func versions(_ architecture: String) throws {
    let scratch = try Scratch()
    try scratch.versionedLibraries(architecture)
    for name in Self.files {
      let bytes = try scratch.bytes(name)
      let found = try dynamicSymbols(bytes)
      let table = try scratch.run("llvm-readelf-19", "--dyn-syms", "-W", name)
      let names = symbolNames(table)
      #expect(found.map(\.name) == names)
      let width = try ELFFile(ByteReader(bytes.span)).is64Bit ? 16 : 8
      let lines = found.map {
        let digits = String($0.symbol.address, radix: 16)
        let address =
          $0.symbol.flags.contains(.undefined) ? "" : String(repeating: "0", count: width - digits.count) + digits
        let padding = String(repeating: " ", count: width - address.count)
        return "\(address)\(padding) \(UnicodeScalar($0.symbol.letter)) \($0.name)\n"
      }
      #expect(try scratch.run("llvm-nm-19", "-D", "-p", name) == lines.joined())
      // The linker's own table has no versions, and llvm-nm shows it as it did.
      let (text, errors) = nmText(bytes, name, NMFormat(SymbolSelection()))
      #expect(try scratch.run("llvm-nm-19", "-p", name) == text && errors.isEmpty)
    }
    let wanted = try dynamicSymbols(try scratch.bytes("libu.so"))
    #expect(wanted.contains { $0.name == "f@V2" && $0.library == "libv.so" })
    let defined = try dynamicSymbols(try scratch.bytes("libv.so"))
    #expect(defined.map(\.name).filter { $0.hasPrefix("f@") }.sorted() == ["f@@V2", "f@V1"])
    #expect(defined.allSatisfy { $0.library == nil })
    #expect(try dynamicSymbols(try scratch.bytes("libnone.so")).allSatisfy { !$0.name.contains("@") })
  }

  @Test("files without sections, as the loader reads them", arguments: architectures, ["sysv", "gnu"])
  func withoutSections(_ architecture: String, _ hashStyle: String) throws {
    let scratch = try Scratch()
    try scratch.versionedLibraries(architecture, hashStyle: hashStyle)
    for name in Self.files {
      try scratch.run("llvm-strip-19", "--strip-sections", name, "-o", "stripped.so")
      let bytes = try scratch.bytes("stripped.so")
      let sections = try ELFSymbols(ByteReader(bytes.span)).sections
      #expect(sections.isEmpty)
      let found = try dynamicSymbols(bytes)
      let whole = try dynamicSymbols(try scratch.bytes(name))
      #expect(found.map(\.name) == whole.map(\.name) && found.map(\.library) == whole.map(\.library))
      #expect(found.map(\.symbol.flags) == whole.map(\.symbol.flags) && !found.isEmpty)
      #expect(found.map(\.symbol.address) == whole.map(\.symbol.address))
      // llvm-readelf finds the symbols too, without the versions, if there is the older hash table.
      let names = symbolNames(try scratch.run("llvm-readelf-19", "--dyn-syms", "-W", "stripped.so"))
      #expect(
        found.map { $0.name.prefix { $0 != "@" } } == names.map { $0[...] } || hashStyle == "gnu" && names.isEmpty)
      #expect(try scratch.run("llvm-nm-19", "-p", "stripped.so").isEmpty)
      #expect(nmText(bytes, name, NMFormat(SymbolSelection())).text.isEmpty)
    }
  }

  @Test("an object file needs nothing")
  func object() throws {
    let scratch = try Scratch()
    try scratch.versionedLibraries("aarch64")
    try scratch.run("clang", "-target", "aarch64-linux-android21", "-c", "v.c", "-o", "v.o")
    let bytes = try scratch.bytes("v.o")
    let reader = ByteReader(bytes.span)
    let file = try ELFFile(reader)
    let linkage = try ELFLinkage(file, reader)
    #expect(linkage.libraries.isEmpty && linkage.name == nil)
    #expect(try dynamicSymbols(bytes).isEmpty)
  }

  @Test("errors name the field")
  func errors() throws {
    let scratch = try Scratch()
    let whole = try scratch.versionedLibraries("aarch64")
    let reader = ByteReader(whole.span)
    let file = try ELFFile(reader)
    let segments = try ELFSegments(file, reader)
    let dynamic = try #require(segments.all.first { $0.type == .dynamic })
    func message(at place: Int, _ value: UInt8) -> String {
      var bytes = whole
      bytes[place] = value
      do {
        let reader = ByteReader(bytes.span)
        _ = try ELFLinkage(file, reader)
        return ""
      } catch { return "\(error)" }
    }
    let first = Int(dynamic.offset)
    #expect(
      message(at: first + 14, 1)
        == "name in the dynamic section: points outside of the file or of the part that holds it at offset \(first)")
    let strings = try #require((0..<30).first { whole[first + 16 * $0] == 5 })
    #expect(message(at: first + 16 * strings + 14, 1).hasPrefix("string table of the dynamic section: points outside"))
  }
}

/// The names in a table of llvm-readelf.
private func symbolNames(_ text: String) -> [String] {
  let lines = text.split(separator: "\n").map { words($0) }
  return lines.filter { $0.first?.last == ":" && $0.first != "Num:" && $0.count == 8 }.map { $0[7] }
}

/// A dynamic symbol with `@VERSION` behind its name, or `@@` before the default version.
private func dynamicSymbols(_ bytes: [UInt8]) throws -> [(name: String, library: String?, symbol: Symbol)] {
  let reader = ByteReader(bytes.span)
  guard case .elf(let symbols) = try ObjectSymbols(reader, .loader) else { return [] }
  func text(_ range: Range<Int>?) -> String? { range.map { String(decoding: bytes[$0], as: UTF8.self) } }
  var all: [(name: String, library: String?, symbol: Symbol)] = []
  try symbols.forEachVersioned(reader, SymbolSelection()) {
    (symbol: Symbol, version: ELFVersion?) throws(FormatError) in
    var name = text(symbol.name) ?? ""
    if let version { name += (version.isDefault ? "@@" : "@") + (text(version.name) ?? "") }
    all.append((name, text(version?.library), symbol))
  }
  return all
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
