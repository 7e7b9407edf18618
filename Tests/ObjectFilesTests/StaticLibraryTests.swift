import Lanes
import Testing
import TestSupport

@testable import ObjectFiles

@Suite("static libraries against llvm-libtool-darwin", .tools, .timeLimit(.minutes(20)))
struct StaticLibraryTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.adopt(try Fixtures.shared.get())
  }

  /// The library of files, put together as a caller would.
  private func made(_ names: [String]) throws -> [UInt8] {
    let files = try names.map { try scratch.bytes($0) }
    let inputs = try zip(names, files).map { name, bytes in
      try StaticLibraryInput(name: name, member: Array(name.utf8), ByteReader(bytes.span))
    }
    let libraries = try StaticLibrary.all(of: inputs).map { library in
      var bytes: [UInt8] = []
      for piece in library.pieces {
        bytes += piece.header
        bytes += files[piece.input][piece.source]
        bytes += [UInt8](repeating: UInt8(ascii: "\n"), count: piece.padding)
      }
      #expect(bytes.count == library.size)
      return (library, bytes)
    }
    if libraries.count == 1 { return libraries[0].1 }
    return assemble(try StaticLibrary.universal(libraries.map(\.0)), from: libraries.map(\.1))
  }

  private func isSame(_ names: [String]) throws -> Bool {
    try scratch.run(["llvm-libtool-darwin-19", "-static", "-D", "-o", "expected"] + names)
    return try made(names) == scratch.bytes("expected")
  }

  @Test("the same bytes", arguments: Fixtures.architectures)
  func same(_ architecture: String) throws {
    let names = ["", "-second"].map { "\(architecture)\($0).o" }
    #expect(try isSame(names) && isSame(names.reversed()) && isSame([names[0]]))
    // A library is taken apart; its members stay where they were, equal names among them.
    #expect(try isSame(["\(architecture)-ar.a"]) && isSame(["\(architecture).a", names[1]]))
    #expect(try isSame(["\(architecture).a", "\(architecture)-ar.a"]))
  }

  @Test(
    "a fat file where the inputs are for several architectures",
    arguments: [
      ["armv7.o", "arm64.o", "armv7-second.o"], ["fat.o"], ["fat.a", "x86_64.o"], ["arm64.a", "x86_64.a", "i386.a"],
    ])
  func severalArchitectures(_ names: [String]) throws { #expect(try isSame(names)) }

  @Test("names of all lengths, and contents of all sizes")
  func names() throws {
    var names: [String] = []
    for length in 1...40 {
      let name = String(repeating: "n", count: length) + (length % 3 == 0 ? " \u{E9}.o" : ".o")
      // What follows the symbol table is nothing to a linker.
      try scratch.write(name, scratch.bytes("arm64.o") + [UInt8](repeating: 1, count: length))
      names.append(name)
    }
    #expect(try isSame(names))
  }

  @Test("common, weak, hidden and private names, and bitcode")
  func symbols() throws {
    let source = """
      int common_a[10]; static int own; extern int other;
      __attribute__((visibility("hidden"))) int hidden(void) { return own++; }
      __attribute__((weak)) int weak(void) { return other; }
      extern int alias(void) __attribute__((weak_import));
      int late(void) { return alias ? alias() : 0; }
      """
    try scratch.write("s.c", Array(source.utf8))
    try scratch.run("clang", "-target", "arm64-apple-ios14", "-ffreestanding", "-fcommon", "-c", "s.c", "-o", "s.o")
    #expect(try isSame(["s.o", "arm64.o"]))
    try scratch.run(
      "clang", "-target", "arm64-apple-ios14", "-ffreestanding", "-fcommon", "-emit-llvm", "-c", "s.c", "-o", "b.o")
    let library = try made(["b.o", "arm64.o"])
    try scratch.write("library.a", library)
    let map = try scratch.run("llvm-nm-19", "--print-armap", "library.a")
    for name in ["_common_a", "_hidden", "_weak", "_late"] { #expect(map.contains("\(name) in b.o"), "\(map)") }
    #expect(!map.contains("_own in") && !map.contains("_other in") && !map.contains("_alias in"))
  }

  @Test("a linker takes what it needs")
  func links() throws {
    try scratch.write("ours.a", made(["arm64.a", "arm64-ar.a"]))
    try scratch.write("use.c", Array("int second(int); int use(void) { return second(1); }\n".utf8))
    try scratch.run("clang", "-target", "arm64-apple-ios14", "-ffreestanding", "-c", "use.c", "-o", "use.o")
    try scratch.run(
      "ld64.lld-19", "-arch", "arm64", "-platform_version", "ios", "14.0", "14.0", "-dylib", "use.o", "ours.a", "-o",
      "out.dylib")
    let names = try scratch.run("llvm-nm-19", "out.dylib")
    #expect(names.contains(" T _second") && !names.contains(" T _first"))
    let bytes = try scratch.bytes("ours.a")
    let archive = try StaticArchive(ByteReader(bytes.span))
    #expect(archive.members.count == 4 && archive.members.allSatisfy(archive.isAligned))
  }

  @Test("what is no object file for Apple's systems is refused, with its place")
  func refusals() throws {
    try scratch.write("text.txt", Array("hello\n".utf8))
    try scratch.run("llvm-ar-19", "--format=darwin", "rcD", "foreign.a", "arm64.o", "text.txt")
    try scratch.run("llvm-ar-19", "--format=darwin", "rcD", "empty.a")
    try scratch.write("use.c", Array("int use;\n".utf8))
    try scratch.run("clang", "-target", "aarch64-linux-android", "-c", "use.c", "-o", "elf.o")
    try scratch.write("cut.o", Array(scratch.bytes("arm64.o").prefix(40)))
    try scratch.write("cut.a", Array(scratch.bytes("arm64.a").dropLast(40)))
    func refusal(_ name: String) throws -> String {
      "\(try #require(throws: LibraryError.self) { try made([name]) })"
    }
    #expect(try refusal("text.txt").hasPrefix("text.txt is data of no known kind; a static library is made of"))
    #expect(try refusal("foreign.a").hasPrefix("foreign.a(text.txt) is data of no known kind; "))
    #expect(try refusal("empty.a") == "empty.a has no object files in it")
    #expect(try refusal("elf.o").hasPrefix("elf.o is an ELF"))
    #expect(try refusal("arm64.dylib").hasPrefix("arm64.dylib is a "))
    #expect(try refusal("cut.o").contains("size of the load commands"))
    #expect(try refusal("cut.a").hasPrefix("cut.a: "))
  }

  @Test("thousands of symbols with one long name do not fill the memory")
  func oneName() throws {
    let source = (0..<3000).map { "int f\($0);\n" }.joined() + "int \(String(repeating: "n", count: 200_000));\n"
    try scratch.write("n.c", Array(source.utf8))
    try scratch.run("clang", "-target", "arm64-apple-ios14", "-ffreestanding", "-c", "n.c", "-o", "n.o")
    var bytes = try scratch.bytes("n.o")
    func number(_ place: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) } }
    var command = 32
    while number(command) != 2 { command += number(command + 4) }
    let (table, count, names) = (number(command + 8), number(command + 12), number(command + 16))
    let long = (0..<count).map { number(table + 16 * $0) }.first { bytes[names + $0 + 1] == UInt8(ascii: "n") }
    let place = try #require(long)
    for symbol in 0..<count {
      for byte in 0..<4 { bytes[table + 16 * symbol + byte] = UInt8(truncatingIfNeeded: place >> (8 * byte)) }
    }
    try scratch.write("n.o", bytes)
    let error = try #require(throws: LibraryError.self) { try made(["n.o"]) }
    #expect("\(error)".contains("more than any real file has"))
  }

  @Test("a table with wide numbers where a member begins beyond 4 GiB")
  func beyond4GiB() throws {
    func input(_ size: Int) -> StaticLibraryInput {
      var input = StaticLibraryInput(name: "large")
      input.objects = [0..<size, 0..<8].map { range in
        StaticLibraryInput.Object(
          architecture: .arm64, rawSubtype: 0, is64Bit: true, name: Array("a.o".utf8), range: range,
          symbols: Array("_a\0".utf8), symbolPlaces: [0])
      }
      return input
    }
    let below = try #require(try StaticLibrary.all(of: [input(1 << 31)]).first)
    #expect(String(decoding: below.pieces[0].header[68..<77], as: UTF8.self) == "__.SYMDEF")
    let above = try #require(try StaticLibrary.all(of: [input(1 << 32)]).first)
    #expect(String(decoding: above.pieces[0].header[68..<80], as: UTF8.self) == "__.SYMDEF_64")
    let table = above.pieces[0].header
    let archive = try StaticArchive(ByteReader(table.span))
    // The first member is not there; the table is.
    #expect(archive.symbolTables.first?.dialect == .bsd64)
    #expect(throws: LibraryError.self) { try StaticLibrary.all(of: [input(5_000_000_000)]) }
  }
}
