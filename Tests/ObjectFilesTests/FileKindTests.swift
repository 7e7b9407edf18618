import Lanes
import Foundation
import ObjectFiles
import Testing

@Suite("file kinds and facts", .timeLimit(.minutes(20)))
struct FileKindTests {
  func kind(_ bytes: [UInt8]) -> FileKind { FileKind(ByteReader(bytes.span)) }
  func kind(_ text: String) -> FileKind { kind(Array(text.utf8)) }

  @Test("what the tools make is known by its content", .tools)
  func made() throws {
    let fixtures = try Fixtures.shared.get()
    let scratch = try Scratch()
    try scratch.adopt(fixtures)
    try scratch.write("A.java", Array("class A {}\n".utf8))
    try scratch.write("a.c", Array("int a;\n".utf8))
    let script = """
      import plistlib
      for form, name in ((plistlib.FMT_XML, "x"), (plistlib.FMT_BINARY, "b")):
        plistlib.dump({"a": 1}, open(name, "wb"), fmt=form)
      """
    try scratch.write("a.py", Array(script.utf8))
    try scratch.run("javac", "--release", "8", "A.java")
    try scratch.run("clang", "-target", "aarch64-linux-android21", "-ffreestanding", "-c", "a.c", "-o", "elf.o")
    try scratch.run(
      "clang", "-target", "arm64-apple-ios13.0", "-emit-llvm", "-ffreestanding", "-c", "a.c", "-o", "a.bc")
    try scratch.run("python3", "a.py")
    try scratch.run("zip", "-q", "a.zip", "a.c")
    try scratch.run("llvm-ar-19", "--format=gnu", "rcT", "thin.a", "arm64.o")
    let expected: [(String, FileKind)] = [
      ("A.class", .javaClass), ("elf.o", .elf), ("a.bc", .bitcode), ("x", .xmlPropertyList), ("b", .binaryPropertyList),
      ("a.zip", .zip), ("thin.a", .thinArchive), ("a.c", .other), ("arm64.o", .machO(.object)),
      ("armv7.o", .machO(.object)), ("arm64.dylib", .machO(.dylib)), ("x86_64.exe", .machO(.executable)),
      ("arm64.bundle", .machO(.bundle)), ("fat.o", .fat), ("fat64.o", .fat64), ("arm64.a", .archive),
    ]
    for (name, kind) in expected {
      #expect(self.kind(try scratch.bytes(name)) == kind, "\(name)")
      #expect(kind.isNativeCode == !["A.class", "x", "b", "a.zip", "a.c"].contains(name), "\(name)")
    }
  }

  @Test("a Java class is never taken for a fat file, whatever its version")
  func javaOrFat() {
    let fat: [UInt8] = [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 2]
    #expect(kind(fat) == .fat)
    for major: UInt8 in 45...80 {
      for minor: [UInt8] in [[0, 0], [0, 3], [0xFF, 0xFF]] {
        #expect(kind([0xCA, 0xFE, 0xBA, 0xBE] + minor + [0, major, 0, 10]) == .javaClass)
      }
    }
  }

  @Test("texts and scraps")
  func texts() {
    #expect(kind("#!/bin/sh\n") == .script)
    #expect(kind("#!") == .script)
    #expect(kind("<?xml version=\"1.0\"?><html/>") == .other)
    #expect(kind("\u{FEFF}\n<?xml version=\"1.0\"?><!-- a --><plist version=\"1.0\">") == .xmlPropertyList)
    #expect(kind("") == .other)
    #expect(kind([0xFE]) == .other)
    #expect(kind([0xCF, 0xFA, 0xED, 0xFE, 0x0C]) == .other)
    #expect(kind("PK") == .other)
  }

  @Test("facts of fat files, thin files and what is no code", .tools)
  func facts() throws {
    let fixtures = try Fixtures.shared.get()
    func facts(_ name: String) throws -> CodeFacts {
      let bytes = try fixtures.bytes(name)
      return CodeFacts(ByteReader(bytes.span))
    }
    let library = try facts("fat.a")
    #expect(library.errors.isEmpty)
    #expect(library.architectures == [.armv7, .armv7s, .arm64])
    #expect(library.slices.map(\.form) == Array(repeating: .archive(objects: 2), count: 3))
    #expect(library.slices.map { $0.builds.map(\.minimumOS) } == [[OSVersion(7)], [OSVersion(7)], [OSVersion(13)]])
    let dylib = try facts("fat.dylib")
    #expect(dylib.slices.map(\.form) == [.machO(.dylib), .machO(.dylib)])
    #expect(dylib.slices.map { $0.builds.map(\.platform) } == [[.iOSSimulator], [.iOS]])
    #expect(try facts("arm64e.o").architectures == [.arm64e])
    let text = Array("hello".utf8)
    #expect(
      CodeFacts(ByteReader(text.span))
        == {
          var f = library
          f.kind = .other
          f.slices = []
          return f
        }())
  }

  @Test("a fat table that lies about its content is found out", .tools)
  func lyingTable() throws {
    var bytes = try Fixtures.shared.get().bytes("fat.a")
    bytes[15] = 12  // armv7 → armv7k
    let facts = CodeFacts(ByteReader(bytes.span))
    #expect(facts.architectures == [.armv7k, .armv7s, .arm64])
    #expect(facts.errors.map(\.description) == ["slice armv7k: holds code for armv7 at offset 68"])
  }
}
