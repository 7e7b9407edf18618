/// A Mach-O object file for arm64 and iOS 13 with nothing but functions of one instruction and references: for corpora of
/// millions of symbols, which an assembler would need minutes for.
enum ObjectWriter {
  static func object(defines: [String], wants: [String]) -> [UInt8] {
    var strings: [UInt8] = [0]
    var symbols: [UInt8] = []
    for (index, name) in defines.enumerated() {
      symbols += number(strings.count) + [0x0F, 1, 0, 0] + number(4 * index) + number(0)
      strings += Array(name.utf8) + [0]
    }
    for name in wants {
      symbols += number(strings.count) + [0x01, 0, 0, 0] + number(0) + number(0)
      strings += Array(name.utf8) + [0]
    }
    while strings.count % 8 != 0 { strings.append(0) }
    let code = Array(repeatElement([0xC0, 0x03, 0x5F, 0xD6] as [UInt8], count: defines.count).joined())
    let commandSize = 72 + 80 + 24 + 24
    let codeStart = 32 + commandSize
    let symbolStart = codeStart + code.count + (8 - (codeStart + code.count) % 8) % 8
    var file = number(0xFEED_FACF) + number(0x0100_000C) + number(0) + number(1) + number(3) + number(commandSize)
    file += number(0x2000) + number(0)
    // LC_SEGMENT_64 with one section, LC_BUILD_VERSION, LC_SYMTAB.
    file += number(0x19) + number(152) + name("") + wide(0) + wide(code.count) + wide(codeStart) + wide(code.count)
    file += number(7) + number(7) + number(1) + number(0)
    file += name("__text") + name("__TEXT") + wide(0) + wide(code.count) + number(codeStart) + number(2) + number(0)
    file += number(0) + number(0x8000_0400) + number(0) + number(0) + number(0)
    file += number(0x32) + number(24) + number(2) + number(13 << 16) + number(13 << 16) + number(0)
    file += number(2) + number(24) + number(symbolStart) + number(defines.count + wants.count)
    file += number(symbolStart + symbols.count) + number(strings.count)
    file += code
    file += [UInt8](repeating: 0, count: symbolStart - file.count)
    return file + symbols + strings
  }

  private static func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

  private static func wide(_ value: Int) -> [UInt8] { number(value) + number(value >> 32) }

  private static func name(_ text: String) -> [UInt8] {
    Array(text.utf8) + [UInt8](repeating: 0, count: 16 - text.utf8.count)
  }
}
