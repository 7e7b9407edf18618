import Findings

/// The texts and signs of a project.pbxproj, a property list in the braces of NeXTSTEP: `key = value;`, `key = (a, b, );`. The
/// cost is linear in the bytes, whatever they are.
struct XcodeTokens {
  enum Token {
    /// With the comment behind it, which names what an identifier stands for: `0A1B /* libRally.a */`.
    case text(Substring, comment: Substring?)
    case sign(UInt8)
  }

  private let text: Substring.UTF8View
  private var position: Substring.UTF8View.Index

  init(_ text: String) {
    self.text = Substring(text).utf8
    position = self.text.startIndex
  }

  mutating func next() -> Token? {
    while position < text.endIndex {
      let start = position
      let byte = text[start]
      text.formIndex(after: &position)
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: continue
      case UInt8(ascii: "/") where isAt(UInt8(ascii: "*")): _ = comment(from: start)
      case UInt8(ascii: "/") where isAt(UInt8(ascii: "/")):
        position = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
      case UInt8(ascii: "\""): return named(quoted())
      case _ where XcodeTokens.signs.contains(byte): return .sign(byte)
      default:
        position = text[start...].firstIndex(where: XcodeTokens.endsWord) ?? text.endIndex
        return named(text[start..<position])
      }
    }
    return nil
  }

  private static let signs: Set<UInt8> = Set("{}()=;,".utf8)
  private static func endsWord(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: "\"") || signs.contains(byte)
  }

  private func isAt(_ byte: UInt8) -> Bool { position < text.endIndex && text[position] == byte }

  /// Without its quotes; escaped bytes stay as they are written.
  private mutating func quoted() -> Substring.UTF8View {
    let start = position
    while position < text.endIndex, text[position] != UInt8(ascii: "\"") {
      let isEscape = text[position] == UInt8(ascii: "\\")
      text.formIndex(after: &position)
      if isEscape, position < text.endIndex { text.formIndex(after: &position) }
    }
    let value = text[start..<position]
    if position < text.endIndex { text.formIndex(after: &position) }
    return value
  }

  /// The comment is on the same line.
  private mutating func named(_ value: Substring.UTF8View) -> Token {
    guard let start = text[position...].firstIndex(where: { $0 != 0x20 }), text[start] == UInt8(ascii: "/") else {
      return .text(Substring(value), comment: nil)
    }
    position = text.index(after: start)
    if isAt(UInt8(ascii: "*")) { return .text(Substring(value), comment: comment(from: start)) }
    position = start
    return .text(Substring(value), comment: nil)
  }

  /// What stands between `/*` and `*/`, without the blanks.
  private mutating func comment(from start: Substring.UTF8View.Index) -> Substring {
    text.formIndex(after: &position)
    let first = position
    var before: UInt8 = 0
    while position < text.endIndex {
      let byte = text[position]
      text.formIndex(after: &position)
      if before == UInt8(ascii: "*"), byte == UInt8(ascii: "/") {
        return Substring(text[first..<position].dropLast(2)).trimmed
      }
      before = byte
    }
    return Substring(text[first...])
  }
}
