/// Yams recurses once a level, so a line of ten thousand brackets would end the process.
package enum YAMLNesting {
  /// In levels; a block may be indented by two for each. Those that are in quotes or comments count too.
  private static let deepest = 256

  /// Where a text is nested more deeply than Yams may be given: the line and the byte in it, from 1 on. Nil: nowhere.
  package static func tooDeep(_ text: some Sequence<UInt8>) -> (line: Int, column: Int)? {
    var place = (line: 1, column: 0)
    var open = 0
    var indent = 0
    var isIndent = true
    var last: UInt8 = 0
    for byte in text {
      defer { last = byte }
      place.column += 1
      switch byte {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        if last != UInt8(ascii: "\r") || byte != UInt8(ascii: "\n") { place.line += 1 }
        place.column = 0
        indent = 0
        isIndent = true
      case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "?"): if isIndent { indent += 1 }
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        open += 1
        isIndent = false
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        open = max(0, open - 1)
        isIndent = false
      default: isIndent = false
      }
      if open + indent / 2 > deepest { return place }
    }
    return nil
  }
}
