import Linking
import ObjectFiles

/// The padding that assemblers put between two definitions to align the second one: instructions that do nothing, or
/// zeros.
///
/// Object files do not say where a definition ends: its size may be anything from `shortest` to all of the bytes.
struct DefinitionPadding {
  /// In bytes.
  let shortest: Int

  /// `content` is a definition with its padding, and its first `from` bytes are certainly no padding. `end` is the
  /// address behind it.
  init(_ content: [UInt8], from: Int, end: UInt64, in section: MachOSection, _ cpu: CPUType) {
    let least = max(from, content.count - DefinitionPadding.most(before: end, in: section, cpu))
    var position = content.count
    while position > least {
      let size = DefinitionPadding.size(of: content[..<position], isCode: section.hasInstructions, cpu)
      guard size > 0, position - size >= least else { break }
      position -= size
    }
    shortest = position
  }

  /// The most padding before an address, in bytes: none behind the last definition, else what its alignment asks for.
  static func most(before end: UInt64, in section: MachOSection, _ cpu: CPUType) -> Int {
    let alignment =
      end >= section.address &+ section.size ? 0 : min(Int(section.alignment), end.trailingZeroBitCount, 12)
    // So that no branch crosses 32 bytes, assemblers for x86 put further instructions in front of the next function.
    let least = section.hasInstructions && [.i386, .x86_64].contains(cpu) ? 31 : 0
    return max(least, (1 << alignment) - 1)
  }

  /// The size of one filler at the end of `content`; 0 if there is none.
  private static func size(of content: ArraySlice<UInt8>, isCode: Bool, _ cpu: CPUType) -> Int {
    guard isCode else { return content.last == 0 ? 1 : 0 }
    let fillers: [[UInt8]]
    switch cpu {
    case .arm64, .arm64_32: fillers = [[0x1F, 0x20, 0x03, 0xD5], [0, 0, 0, 0]]
    case .arm:
      fillers = [[0x00, 0xF0, 0x20, 0xE3], [0x00, 0x00, 0xA0, 0xE1], [0x00, 0xBF], [0xC0, 0x46], [0, 0]]
    default: return sizeOfX86(content)
    }
    return fillers.first { content.suffix($0.count).elementsEqual($0) }?.count ?? 0
  }

  /// `nop`, and `nopw`, `nopl` with all kinds of operands, behind any number of prefixes.
  private static func sizeOfX86(_ content: ArraySlice<UInt8>) -> Int {
    let operands: [[UInt8]] = [
      [0x84, 0, 0, 0, 0, 0], [0x80, 0, 0, 0, 0], [0x44, 0, 0], [0x40, 0], [0x00],
    ]
    var size = 0
    if content.last == 0x90 { size = 1 }
    for operand in operands where size == 0 {
      let nop = [0x0F, 0x1F] + operand
      if content.suffix(nop.count).elementsEqual(nop) { size = nop.count }
    }
    if size == 0 { return 0 }
    while let prefix = content.dropLast(size).last, prefix == 0x66 || prefix == 0x2E { size += 1 }
    return size
  }
}
