import Lanes
import Foundation
import ObjectFiles
import Testing

/// What is there and is not read, and what is not there and should be.
@Suite(.timeLimit(.minutes(20))) struct UnreadTests {
  private func errors(_ bytes: [UInt8]) -> [FormatError] {
    let reader = ByteReader(bytes.span)
    let file = ObjectUnits(reader)
    return file.errors
      + file.units.flatMap { unit in
        guard let content = try? reader.slice(unit.range, "object file") else { return [FormatError]() }
        return ObjectBounds(content, slice: unit.slice).errors
      }
  }

  @Test("a fat file of more slices than there are architectures is not gone through")
  func slices() {
    // With offsets of 8 bytes: what begins with CAFEBABE and so large a number is taken for a class file.
    func file(_ count: Int) -> [UInt8] {
      func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
      let start = 8 + 32 * count
      let table = (0..<count).map { index in
        number(7) + number(index) + number(0) + number(start + index) + number(0) + number(1) + number(0) + number(0)
      }
      return [0xCA, 0xFE, 0xBA, 0xBF] + number(count) + table.joined() + [UInt8](repeating: 0, count: count)
    }
    #expect(ObjectUnits(ByteReader(file(FatFile.maxSlices).span)).sliceCount == FatFile.maxSlices)
    let more = ObjectUnits(ByteReader(file(FatFile.maxSlices + 1).span))
    #expect(more.sliceCount == 0 && more.errors.map(\.field) == ["number of slices"])
  }

  @Test("COFF objects of every machine are known, and nothing else is taken for one")
  func coff() throws {
    let scratch = try Scratch()
    try scratch.write("a.c", Array("int a; int f(void) { return a; }\n".utf8))
    for target in [
      "i686-pc-windows-msvc", "x86_64-pc-windows-msvc", "thumbv7-pc-windows-msvc", "aarch64-pc-windows-msvc",
      "arm64ec-pc-windows-msvc", "x86_64-w64-windows-gnu",
    ] {
      for options in [[], ["-g"], ["-ffunction-sections", "-fdata-sections"]] {
        try scratch.run(["clang", "-target", target, "-ffreestanding"] + options + ["-c", "a.c", "-o", "a.obj"])
        let bytes = try scratch.bytes("a.obj")
        #expect(FileKind(ByteReader(bytes.span)) == .coff, "\(target)")
        #expect(FileKind(ByteReader(Array(bytes.prefix(FileKind.prefixLength)).span)) == .coff, "\(target)")
        #expect(errors(bytes).count == 1, "\(target)")
        // No more than the machine and what could be a header.
        for length in 0..<20 { #expect(FileKind(ByteReader(Array(bytes.prefix(length)).span)) == .other) }
        var executable = bytes
        executable[18] |= 2
        #expect(FileKind(ByteReader(executable.span)) == .other, "\(target)")
      }
    }
    for text in ["d\u{86} is no word", "L\u{1}", "dP = 4", "2b or not 2b, that is the question, and so on"] {
      #expect(FileKind(ByteReader(Array(text.utf8).span)) == .other, "\(text)")
    }
  }

  @Test("what is whole has no errors; cut off anywhere it has, as for llvm-nm", .tools)
  func cut() throws {
    let fixtures = try Fixtures.shared.get()
    let scratch = try Scratch()
    for name in fixtures.names where !name.hasSuffix(".c") {
      let bytes = try fixtures.bytes(name)
      guard ObjectUnits(ByteReader(bytes.span)).kind.isNativeCode else { continue }
      #expect(errors(bytes).isEmpty, "\(name): \(errors(bytes))")
      for part in [0.3, 0.7, 0.95, 0.999] {
        let cut = Array(bytes.prefix(max(9, Int(part * Double(bytes.count)))))
        try scratch.write("cut", cut)
        let isRefused = try scratch.attempt(["llvm-nm-19", "cut"]).status != 0
        if isRefused { #expect(!errors(cut).isEmpty, "\(name) cut to \(cut.count) of \(bytes.count)") }
      }
    }
  }

  @Test("of what is cut off into a thousand parts only the first few are said")
  func few() throws {
    let scratch = try Scratch()
    let source = (0..<200).map { "int f\($0)(void) { return \($0); }\n" }.joined()
    try scratch.write("a.c", Array(source.utf8))
    try scratch.run("clang", "-target", "aarch64-linux-android21", "-ffunction-sections", "-c", "a.c", "-o", "a.o")
    var bytes = try scratch.bytes("a.o")
    let table = bytes[40..<48].reversed().reduce(0) { $0 << 8 | Int($1) }
    for index in 1..<150 { bytes[table + 64 * index + 28] = 1 }
    let found = errors(bytes)
    #expect(found.count == 5)
    #expect(found.last.map { "\($0)".contains("more of its parts lie outside of it") } == true)
  }
}
