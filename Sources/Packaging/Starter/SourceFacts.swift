/// What the first lines of a source file say, in a few words that need no compiler.
struct SourceFacts: Sendable {
  /// As they stand: `UIKit/UIKit.h`, `Foo.h`; modules of `@import` as `UIKit/UIKit.h`.
  private(set) var includes: [String] = []
  /// It has a `main`: a program.
  private(set) var isProgram = false
  /// Of Java and Kotlin.
  private(set) var package: String?
  private(set) var imports: [String] = []
  /// It names resources by `R`.
  private(set) var usesR = false
  /// The classes that it declares and what they extend, of Objective-C.
  private(set) var superclasses: [String: String] = [:]
  /// The first class that it implements.
  private(set) var className: String?
  private(set) var isAbstract = false
  /// What the first class extends, as it stands.
  private(set) var superclass: String?

  /// Of C and its family.
  static func c(_ text: Substring) -> SourceFacts {
    var facts = SourceFacts()
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      let line = line.drop { $0 == 0x20 || $0 == 0x09 }
      guard let first = line.first else { continue }
      if first == UInt8(ascii: "#") {
        let words = line.dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
        guard words.starts(with: "include".utf8) || words.starts(with: "import".utf8),
          let open = words.firstIndex(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "\"") })
        else { continue }
        let name = words[words.index(after: open)...].prefix {
          $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "\"")
        }
        facts.includes.append(String(decoding: name, as: UTF8.self))
      } else if first == UInt8(ascii: "@") {
        let words = SourceFacts.words(line, most: 3)
        if words.first == "@import", words.count > 1 {
          let module = words[1].split(separator: ".").first.map(String.init) ?? words[1]
          facts.includes.append("\(module)/\(module).h")
        } else if words.first == "@implementation", words.count > 1, facts.className == nil {
          facts.className = words[1]
        } else if words.first == "@interface", words.count > 2, line.contains(UInt8(ascii: ":")) {
          facts.superclasses[words[1]] = words[2]
        }
      } else if first == UInt8(ascii: "i") || first == UInt8(ascii: "v") {
        let words = SourceFacts.words(line, most: 2)
        if words.count > 1, words[0] == "int" || words[0] == "void", words[1] == "main",
          line.contains(UInt8(ascii: "("))
        {
          facts.isProgram = true
        }
      }
    }
    return facts
  }

  /// Of Java and Kotlin. What stands in comments at the beginning of a line is not read.
  static func java(_ text: Substring) -> SourceFacts {
    var facts = SourceFacts()
    var isComment = false
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      let line = line.drop { $0 == 0x20 || $0 == 0x09 }
      if isComment {
        isComment = !SourceFacts.has(line, "*/")
        continue
      }
      if line.starts(with: "//".utf8) { continue }
      if line.starts(with: "/*".utf8) {
        isComment = !SourceFacts.has(line, "*/")
        continue
      }
      if SourceFacts.namesR(line) { facts.usesR = true }
      if facts.className != nil { continue }
      let words = SourceFacts.words(line, most: 24)
      if words.first == "package", words.count > 1, facts.package == nil {
        facts.package = words[1]
      } else if words.first == "import", words.count > 1 {
        facts.imports.append(words[1] == "static" && words.count > 2 ? words[2] : words[1])
      } else if let index = words.firstIndex(of: "class"), index + 1 < words.count {
        facts.className = words[index + 1]
        facts.isAbstract = words[..<index].contains("abstract")
        facts.superclass = SourceFacts.superclass(words[(index + 2)...], line)
      }
    }
    return facts
  }

  /// `extends X` of Java, `: X(` of Kotlin.
  private static func superclass(_ words: ArraySlice<String>, _ line: Substring.UTF8View.SubSequence) -> String? {
    if let index = words.firstIndex(of: "extends"), index + 1 < words.endIndex { return words[index + 1] }
    guard let colon = line.lastIndex(of: UInt8(ascii: ":")) else { return nil }
    return SourceFacts.words(line[line.index(after: colon)...], most: 1).first
  }

  /// Names with their dots; all else divides them.
  private static func words(_ line: Substring.UTF8View.SubSequence, most: Int) -> [String] {
    line.split(maxSplits: most) { byte in
      let isLetter = byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
      return !isLetter && !(byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")) && !"_.@$*".utf8.contains(byte)
        && byte < 0x80
    }.prefix(most).map { String(decoding: $0, as: UTF8.self) }
  }

  /// `R.layout`, and no `BAR.x` or `r.x`.
  private static func namesR(_ line: Substring.UTF8View.SubSequence) -> Bool {
    var before: UInt8 = 0x20
    var wasR = false
    for byte in line {
      if wasR, byte == UInt8(ascii: ".") { return true }
      let isPart =
        before == UInt8(ascii: "_") || before == UInt8(ascii: ".")
        || before >= UInt8(ascii: "0") && before <= UInt8(ascii: "9")
        || before | 0x20 >= UInt8(ascii: "a") && before | 0x20 <= UInt8(ascii: "z")
      wasR = byte == UInt8(ascii: "R") && !isPart
      before = byte
    }
    return false
  }

  private static func has(_ line: Substring.UTF8View.SubSequence, _ text: String) -> Bool {
    Substring(line).contains(text)
  }
}
