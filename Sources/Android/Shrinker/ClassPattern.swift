import Findings

/// The classes that an option of a shrinker is about: `public class com.x.** extends com.x.Base`.
package struct ClassPattern: Sendable {
  /// Patterns of names; `!` is before one that excludes.
  package private(set) var names: [String] = []
  /// Whether it asks for more than a name: an annotation, or a class that it extends.
  package private(set) var isLimited = false

  /// Nil for an option without classes.
  init?(_ words: [String]) {
    guard let kind = words.firstIndex(where: { ClassPattern.kinds.contains($0) }) else { return nil }
    isLimited =
      words[..<kind].contains { $0.hasPrefix("@") || $0.hasPrefix("!") } || words[kind].hasPrefix("!")
      || words[kind].hasPrefix("@")
    var rest = words[(kind + 1)...]
    while let name = rest.popFirst() {
      names.append(name)
      guard rest.first == "," else { break }
      rest.removeFirst()
    }
    if !rest.isEmpty { isLimited = true }
    if names.isEmpty { return nil }
  }

  private static let kinds: Set<String> = [
    "class", "interface", "enum", "@interface", "!class", "!interface", "!enum", "!@interface",
  ]

  /// Whether it is about every class of an app.
  var isOfAll: Bool {
    !isLimited && names.allSatisfy { name in name.utf8.allSatisfy { $0 == UInt8(ascii: "*") } }
  }

  /// `?` is a character of a name without dots, `*` any number of them, `**` and `***` any characters. A reference such
  /// as `<1>` stands for some text. In linear memory, and in time of the product of the lengths.
  static func matches(_ bytes: [UInt8], _ pattern: [UInt8]) -> Bool {
    var reached = [Bool](repeating: false, count: bytes.count + 1)
    reached[0] = true
    var rest = pattern[...]
    while let sign = rest.popFirst() {
      var next = [Bool](repeating: false, count: bytes.count + 1)
      let isWild = sign == UInt8(ascii: "*") || sign == UInt8(ascii: "<")
      var crossesDots = sign == UInt8(ascii: "<")
      if sign == UInt8(ascii: "<") { rest = rest.drop { $0 != UInt8(ascii: ">") }.dropFirst() }
      if sign == UInt8(ascii: "*") {
        while rest.first == UInt8(ascii: "*") {
          rest.removeFirst()
          crossesDots = true
        }
      }
      if isWild, reached[0] { next[0] = true }
      for (index, byte) in bytes.enumerated() {
        let isDot = byte == UInt8(ascii: ".")
        if isWild {
          next[index + 1] = reached[index + 1] || next[index] && (crossesDots || !isDot)
        } else {
          next[index + 1] = reached[index] && (byte == sign || sign == UInt8(ascii: "?") && !isDot)
        }
      }
      reached = next
    }
    return reached[bytes.count]
  }
}
