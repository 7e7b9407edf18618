import Lanes
import Foundation
import ObjectFiles
import Testing

/// Images whose symbol tables do not tell everything, made by clang and ld64.lld; what they export as llvm-objdump sees it.
@Suite("exports of Mach-O files", .tools) struct MachOExportsTests {
  static let architectures = ["arm64", "x86_64"]

  @Test("the export trie is llvm-objdump's", arguments: architectures, [false, true])
  func trie(_ architecture: String, isChained: Bool) throws {
    let scratch = try Scratch()
    let bytes = try scratch.image(architecture, isChained: isChained)
    let expected = try scratch.run("llvm-objdump-19", "--macho", "--exports-trie", "image.dylib")
    let lines = try exports(bytes).map { describe($0) }
    #expect(lines.count > 10)
    #expect(expected == "image.dylib:\n\nExports trie:\n" + lines.map { $0 + "\n" }.joined())
    for word in ["[per-thread]", "[absolute]", "[weak_def]"] { #expect(expected.contains(word)) }
  }

  @Test("re-exports and resolvers, which lld does not make")
  func oddExports() throws {
    let scratch = try Scratch()
    var bytes = try scratch.image("arm64")
    bytes = try replacingTrie(of: bytes, with: Trie.odd)
    try scratch.write("odd.dylib", bytes)
    let expected = try scratch.run("llvm-objdump-19", "--macho", "--exports-trie", "odd.dylib")
    let found = try exports(bytes)
    #expect(expected == "odd.dylib:\n\nExports trie:\n" + found.map { describe($0) + "\n" }.joined())
    #expect(found.map(\.library) == [1, 1, nil, nil])
    #expect(found[0].importedName == nil && found[1].importedName == Array("_in_b2".utf8))
    #expect(found[2].resolver == 0x4004)
  }

  @Test("nm of files whose header says that the table lacks symbols", arguments: architectures)
  func outOfSync(_ architecture: String) throws {
    let scratch = try Scratch()
    let whole = try scratch.image(architecture)
    let chained = try scratch.image(architecture, isChained: true)
    let main = try scratch.executable(architecture)
    let images = [
      whole, chained, main, try replacingTrie(of: whole, with: Trie.odd), try scratch.strip(whole),
      try scratch.strip(main),
    ]
    for (number, image) in images.enumerated() {
      // The whole table, half of it, nothing of it.
      for kept in [1, 0.5, 0] {
        var bytes = try cuttingTable(of: image, keeping: kept)
        bytes[27] |= 0x04
        try scratch.write("cut", bytes)
        for (words, format) in NMFormatTests.options {
          let expected = try scratch.attempt(["llvm-nm-19", "-p", "--no-llvm-bc", "--arch=all"] + words + ["cut"])
          let (text, errors) = nmText(bytes, "cut", format)
          #expect(errors.isEmpty && expected.status == 0)
          #expect(text == expected.output, "image \(number), \(kept), \(words)")
          if kept == 0, words.isEmpty { #expect(text.contains("<redacted")) }
        }
      }
    }
  }

  @Test("symbols of a stripped library are its exports")
  func stripped() throws {
    let scratch = try Scratch()
    let whole = try scratch.image("arm64")
    let bytes = try cuttingTable(of: whole, keeping: 0)
    let reader = ByteReader(bytes.span)
    let symbols = try #require(try ObjectSymbols(reader))
    let defined = SymbolSelection(definedOnly: true)
    let names = try symbols.loaderSymbols(reader, defined).map { String(decoding: $0.name, as: UTF8.self) }
    let count = try symbols.count(reader, defined)
    #expect(count == names.count)
    #expect(nmText(bytes, "x", NMFormat(SymbolSelection())).text.isEmpty)
    let expected = words(try scratch.run("llvm-nm-19", "-gUj", "image.dylib"))
    #expect(names.sorted() == expected.sorted() && names.count > 10)
    // What the whole one says in its table is not said twice.
    let wholeReader = ByteReader(whole.span)
    let none = try ObjectSymbols(wholeReader)?.loaderSymbols(wholeReader, SymbolSelection())
    #expect(none == [])
    let undefined = try symbols.loaderSymbols(reader, SymbolSelection(undefinedOnly: true))
    #expect(undefined.contains { $0.name == Array("_outside".utf8) })
  }

  @Test("errors name field and place")
  func errors() throws {
    let scratch = try Scratch()
    let image = try scratch.image("arm64")
    func message(_ trie: [UInt8]) throws -> String {
      let bytes = try replacingTrie(of: image, with: trie)
      do {
        _ = try exports(bytes)
        return ""
      } catch let error as FormatError {
        return "\(FormatError(offset: error.offset - image.count, field: error.field, reason: error.reason))"
      }
    }
    #expect(try message([0, 1, 0x61, 0, 0]) == "node of the export trie: several edges lead to node 0 at offset 4")
    #expect(try message([0, 1, 0x61, 0, 9]).hasPrefix("node of the export trie: points outside"))
    #expect(try message([0, 1, 0x61, 0x62]).hasPrefix("edge of the export trie: the file ends too early"))
    #expect(try message([7, 0]).hasPrefix("size of an export: points outside"))
    #expect(try message([1, 0, 0]).hasPrefix("address of an export: the file ends too early"))
    let long = [UInt8](repeating: 0xFF, count: 12)
    #expect(try message(long + [1, 0]).hasPrefix("size of an export: the number has more than 64 bits"))
    #expect(try message([0, 0]).isEmpty)
  }
}

/// What the module finds.
private func exports(_ bytes: [UInt8]) throws -> [MachOExport] {
  let reader = ByteReader(bytes.span)
  let file = try MachOFile(reader)
  var all: [MachOExport] = []
  try MachOExports(file, reader).forEach(reader) { (export) throws(FormatError) in all.append(export) }
  return all
}

/// As llvm-objdump prints an export.
private func describe(_ export: MachOExport) -> String {
  let name = String(decoding: export.name, as: UTF8.self)
  var line = export.library == nil ? "0x\(padded(export.address))  \(name)" : "[re-export] \(name)"
  var notes: [String] = []
  if export.flags.contains(.weak) { notes.append("weak_def") }
  if export.isThreadLocal { notes.append("per-thread") }
  if export.isAbsolute { notes.append("absolute") }
  if let resolver = export.resolver { notes.append("resolver=0x\(padded(resolver))") }
  if !notes.isEmpty { line += " [\(notes.joined(separator: ", "))]" }
  if export.library != nil {
    line += export.importedName.map { " (\(String(decoding: $0, as: UTF8.self)) from " } ?? " (from "
    line += "libb)"
  }
  return line
}

private func padded(_ number: UInt64) -> String {
  let digits = String(number, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, 8 - digits.count)) + digits
}

/// Export tries by hand.
private enum Trie {
  /// `_a` from library 1, `_b` that is `_in_b2` there, `_r` with a resolver, `_w` weak.
  static let odd: [UInt8] = {
    let exports: [(String, [UInt8])] = [
      ("a", [0x08, 0x01, 0x00]), ("b", [0x08, 0x01] + Array("_in_b2\0".utf8)),
      ("r", [0x10, 0x80, 0x80, 0x01, 0x84, 0x80, 0x01]), ("w", [0x04, 0x88, 0x80, 0x01]),
    ]
    var trie: [UInt8] = [0, 1, UInt8(ascii: "_"), 0, 5, 0, UInt8(exports.count)]
    var place = trie.count + 3 * exports.count
    for (name, export) in exports {
      trie += Array(name.utf8) + [0, UInt8(place)]
      place += export.count + 2
    }
    for (_, export) in exports { trie += [UInt8(export.count)] + export + [0] }
    return trie
  }()
}

/// Where a load command begins, and what its words are.
private func command(_ kinds: Set<UInt32>, in bytes: [UInt8]) throws -> Int? {
  let reader = ByteReader(bytes.span)
  var commands = try MachOFile(reader).loadCommands(reader)
  while let command = try commands.next() {
    if let kind = command.kind, kinds.contains(kind.rawValue) { return command.range.lowerBound }
  }
  return nil
}

/// With another trie behind all the rest.
private func replacingTrie(of bytes: [UInt8], with trie: [UInt8]) throws -> [UInt8] {
  let place = try #require(try command([0x22, 0x8000_0022], in: bytes))
  var result = bytes + trie
  result.put(UInt32(bytes.count), at: place + 40)
  result.put(UInt32(trie.count), at: place + 44)
  return result
}

/// With the first entries of the symbol table only.
private func cuttingTable(of bytes: [UInt8], keeping part: Double) throws -> [UInt8] {
  let place = try #require(try command([2], in: bytes))
  let count = try ByteReader(bytes.span).integer(at: place + 12, "count", as: UInt32.self)
  var result = bytes
  result.put(UInt32(Double(count) * part), at: place + 12)
  // The other table of what is in it would lie.
  if part < 1, let other = try command([0xB], in: bytes) { for word in 2..<8 { result.put(0, at: other + 4 * word) } }
  return result
}

extension [UInt8] {
  fileprivate mutating func put(_ word: UInt32, at place: Int) {
    for index in 0..<4 { self[place + index] = UInt8(truncatingIfNeeded: word >> UInt32(8 * index)) }
  }
}

extension Scratch {
  static let imageSource = """
    int plain(void) { return 1; }
    extern int outside(void); extern int outside_data; extern int maybe(void) __attribute__((weak_import));
    int *pointer = &outside_data;
    int *again = &outside_data;
    int calls(void) { return outside() + (maybe ? maybe() : 0); }
    __attribute__((weak)) int weak(void) { return 2; }
    __attribute__((weak)) int weak_data = 3;
    extern int in_b(void);
    int data = 4; int zero; const int constant = 5;
    __thread int thread_local_value = 6;
    __attribute__((noinline)) static int local(void) { return 7; }
    __attribute__((noinline)) static int local2(void) { return 8 + plain(); }
    int uses(void) { return local() + local2() + weak() + weak_data + in_b(); }
    asm(".globl _absolute\\n.set _absolute, 0x1234");
    """

  private func link(_ architecture: String) throws -> [String] {
    let isDevice = architecture == "arm64"
    let clang = [
      "clang", "-target", isDevice ? "arm64-apple-ios13.0" : "x86_64-apple-ios13.0-simulator", "-ffreestanding", "-c",
    ]
    try write("b.c", Array("int in_b(void) { return 1; }\nint in_b2(void) { return 1; }\n".utf8))
    try write("image.c", Array(Self.imageSource.utf8))
    let main = "extern int in_b(void);\nstatic int f(int x) { return x; }\nint main(void) { return f(in_b()); }\n"
    try write("main.c", Array(main.utf8))
    for name in ["b", "image", "main"] { try run(clang + ["\(name).c", "-o", "\(name).o"]) }
    let link = [
      "ld64.lld-19", "-arch", architecture, "-platform_version", isDevice ? "ios" : "ios-simulator", "13.0", "13.0",
      "-undefined", "dynamic_lookup",
    ]
    try run(link + ["-dylib", "-install_name", "@rpath/libb.dylib", "-o", "libb.dylib", "b.o"])
    return link
  }

  /// A dynamic library with exports and binds of every kind that lld makes.
  func image(_ architecture: String, isChained: Bool = false) throws -> [UInt8] {
    let chains = isChained ? "-fixup_chains" : "-no_fixup_chains"
    try run(try link(architecture) + [chains, "-dylib", "-o", "image.dylib", "image.o", "libb.dylib"])
    return try bytes("image.dylib")
  }

  func executable(_ architecture: String) throws -> [UInt8] {
    try run(try link(architecture) + ["-no_fixup_chains", "-o", "main", "main.o", "libb.dylib"])
    return try bytes("main")
  }

  func strip(_ bytes: [UInt8]) throws -> [UInt8] {
    try write("whole", bytes)
    try run("llvm-strip-19", "whole", "-o", "stripped")
    return try self.bytes("stripped")
  }
}
