/// A name in which `*` stands for any text, `?` for a character and `[abc]` for one of several.
package struct Pattern: Sendable {
  private enum Part: Equatable, Sendable {
    case oneOf([ClosedRange<UInt8>])
    case anyText
  }

  private var parts: [Part] = []

  package static func isPattern(_ text: String) -> Bool { text.utf8.contains { "*?[".utf8.contains($0) } }

  package init(_ text: String) {
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "*"): if parts.last != .anyText { parts.append(.anyText) }
      case UInt8(ascii: "?"): parts.append(.oneOf([0 ... .max]))
      case UInt8(ascii: "["):
        guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else {
          parts.append(.oneOf([byte...byte]))
          continue
        }
        var ranges: [ClosedRange<UInt8>] = []
        var members = rest[..<end]
        while let first = members.popFirst() {
          var last = first
          if members.count > 1, members.first == UInt8(ascii: "-"), let end = members.dropFirst().first, first <= end {
            members = members.dropFirst(2)
            last = end
          }
          ranges.append(first...last)
        }
        rest = rest[(end + 1)...]
        parts.append(.oneOf(ranges))
      default: parts.append(.oneOf([byte...byte]))
      }
    }
  }

  /// A text that does not match is tried again from the last `*` on, one byte later: the time is at most the product
  /// of the lengths.
  package func matches(_ text: [UInt8]) -> Bool {
    var (part, position) = (0, 0)
    var retry: (part: Int, position: Int)?
    while position < text.count {
      if part < parts.count, parts[part] == .anyText {
        retry = (part, position)
        part += 1
      } else if part < parts.count, case .oneOf(let ranges) = parts[part],
        ranges.contains(where: { $0.contains(text[position]) })
      {
        part += 1
        position += 1
      } else if let last = retry {
        retry = (last.part, last.position + 1)
        (part, position) = (last.part + 1, last.position + 1)
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { $0 == .anyText }
  }
}
