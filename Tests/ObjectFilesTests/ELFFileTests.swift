import Lanes
import Foundation
import ObjectFiles
import Testing

extension Scratch {
  /// A shared library for Android that clang and lld make.
  func sharedLibrary(_ name: String, for architecture: String, pageSize: Int = 4096) throws -> [UInt8] {
    try write("f.c", Array("int counter; int f(void) { return counter++; }\n".utf8))
    try run([
      "clang", "-target", "\(architecture)-linux-android21", "-shared", "-nostdlib", "-fuse-ld=lld", "-fPIC",
      "-Wl,-z,max-page-size=\(pageSize)", "f.c", "-o", name,
    ])
    return try bytes(name)
  }
}

/// What llvm-readelf says of the same files.
@Suite("ELF files") struct ELFFileTests {
  @Test(
    "header and segments are llvm-readelf's", .tools,
    arguments: [
      ("aarch64", 4096, AndroidABI.arm64), ("aarch64", 16384, .arm64), ("armv7a", 4096, .armv7), ("i686", 4096, .x86),
      ("x86_64", 4096, .x86_64), ("x86_64", 65536, .x86_64),
    ])
  func sharedLibraries(_ architecture: String, _ pageSize: Int, _ abi: AndroidABI) throws {
    let scratch = try Scratch()
    let bytes = try scratch.sharedLibrary("libf.so", for: architecture, pageSize: pageSize)
    let file = try ELFFile(ByteReader(bytes.span))
    let text = try scratch.run("llvm-readelf-19", "-hlW", "libf.so")
    let loads = text.split(separator: "\n").filter { $0.contains(" LOAD ") }.compactMap {
      $0.split(separator: " ").last.flatMap { UInt64($0.dropFirst(2), radix: 16) }
    }
    #expect(!loads.isEmpty && file.loadAlignments == loads)
    #expect(file.loadAlignments.allSatisfy { $0 == UInt64(pageSize) })
    #expect(file.is64Bit == text.contains("ELF64"))
    #expect(file.type == .shared && file.endianness == .little)
    #expect(AndroidABI.allCases.filter { $0.fits(file) }.contains(abi))
    let others = AndroidABI.allCases.filter { $0.machine != abi.machine || $0.is64Bit != abi.is64Bit }
    #expect(others.allSatisfy { !$0.fits(file) })
    #expect(CodeFacts(ByteReader(bytes.span)).elf == file)
  }

  @Test("a relocatable object has no segments")
  func object() throws {
    let scratch = try Scratch()
    try scratch.write("f.c", Array("int f(void) { return 1; }\n".utf8))
    try scratch.run("clang", "-target", "aarch64-linux-android21", "-c", "f.c", "-o", "f.o")
    let bytes = try scratch.bytes("f.o")
    let file = try ELFFile(ByteReader(bytes.span))
    #expect(file.type == .relocatable && file.loadAlignments.isEmpty && file.machine == .aarch64)
  }

  @Test("errors name the field")
  func errors() throws {
    let scratch = try Scratch()
    let whole = try scratch.sharedLibrary("libf.so", for: "aarch64")
    func message(_ change: (inout [UInt8]) -> Void) -> String {
      var bytes = whole
      change(&bytes)
      let facts = CodeFacts(ByteReader(bytes.span))
      return facts.errors.first.map { "\($0)" } ?? ""
    }
    #expect(message { $0[4] = 9 } == "ELF class: 9 is neither 1 nor 2 at offset 4")
    #expect(message { $0[5] = 0 } == "ELF data encoding: 0 is neither 1 nor 2 at offset 5")
    #expect(message { $0[39] = 0x7F }.hasPrefix("program headers: points outside"))
    #expect(message { $0[54] = 8 }.hasPrefix("size of a program header: 8 is too small"))
    #expect(message { $0.removeLast($0.count - 40) }.contains("the file ends too early"))
  }
}
