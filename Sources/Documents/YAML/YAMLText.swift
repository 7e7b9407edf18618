package import Findings

/// YAML text → `Node`. JSON is YAML, so a JSON manifest works too.
package struct YAMLText {
  /// The name of the file in errors.
  private let name: String
  private let text: String
  private let lines: [Substring]
  private var budget = YAMLText.maxNodes

  /// A manifest is written by hand; a larger one is a mistake or an attack by aliases.
  package static let maxBytes = 4 << 20
  static let maxNodes = 200_000
  static let deepest = 64
  /// In bytes. A longer line is not shown, and its columns are counted in scalars.
  static let maxLineLength = 1000

  package static func parse(_ bytes: [UInt8], name: String) throws(Mistakes) -> Node {
    // Some editors write a byte order mark, which libyaml takes for text when it is told the encoding.
    let text = try text(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...], name)
    // JSON is YAML except for some escapes in its quotes, which libyaml does not read.
    let first = text.utf8.first { !" \t\r\n".utf8.contains($0) }
    if first == UInt8(ascii: "{"), let node = try? JSONText.parse(Array(text.utf8), name: name) { return node }
    var parser = YAMLText(name: name, text: text)
    return try parser.root()
  }

  static func text(_ bytes: ArraySlice<UInt8>, _ name: String) throws(Mistakes) -> String {
    guard bytes.count <= maxBytes else {
      throw Mistakes("the file is larger than \(maxBytes >> 20) MB: not a manifest", at: Place(name))
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Mistakes("the file is not UTF-8 text", at: Place(name))
    }
    return text
  }

  private init(name: String, text: String) {
    self.name = name
    self.text = text
    self.lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
  }

  private mutating func root() throws(Mistakes) -> Node {
    let documents: [YAMLNode]
    do throws(YAMLProblem) {
      documents = try YAMLDocuments.read(Array(text.utf8), deepest: Self.deepest, maxNodes: Self.maxNodes)
    } catch {
      throw Mistakes([mistake(error)])
    }
    guard let first = documents.first else { return Node(.map([]), at: place(line: 1, column: 1)) }
    if documents.count > 1 {
      throw Mistakes("there is a second document ('---')", at: place(documents[1].mark), hint: "a file holds one")
    }
    return try convert(first)
  }

  private mutating func convert(_ node: YAMLNode) throws(Mistakes) -> Node {
    budget -= 1
    let place = place(node.mark, length: node.style == .plain ? node.text?.count ?? 1 : 1)
    guard budget > 0 else { throw Mistakes("too many values: an alias is repeated over and over", at: place) }
    switch node.content {
    case .text(let text):
      let isNull = node.style == .plain && ["", "~", "null", "Null", "NULL"].contains(text)
      return Node(isNull ? .null : .text(text), at: place, isQuoted: node.style == .quoted)
    case .list(let items):
      var list: [Node] = []
      for item in items { list.append(try convert(item)) }
      return Node(.list(list), at: place)
    case .map(let found):
      var members: [Node.Member] = []
      for member in found {
        let keyPlace = self.place(member.key.mark, length: member.key.text?.count ?? 1)
        guard let key = member.key.text else { throw Mistakes("a key must be text", at: keyPlace) }
        if member.key.style == .plain, key == "<<" {
          throw Mistakes(
            "merge keys ('<<') are not supported", at: keyPlace, hint: "write the keys out, or put them in a recipe")
        }
        members.append(Node.Member(key: key, keyPlace: keyPlace, node: try convert(member.value)))
      }
      return Node(.map(members), at: place)
    }
  }

  private func place(_ mark: YAMLMark, length: Int = 1) -> Place {
    place(line: mark.line, column: mark.column, length: length)
  }

  /// Both numbers count from 1, the column in Unicode scalars as in libyaml. An editor counts characters.
  private func place(line: Int, column: Int, length: Int = 1) -> Place {
    let whole = line >= 1 && line <= lines.count ? lines[line - 1] : ""
    guard whole.utf8.count <= YAMLText.maxLineLength else {
      // JSON may be one line of megabytes with thousands of values, so the line is not copied or walked for each value.
      return Place(
        name,
        position: TextPosition(line: line, column: max(1, column), length: length, text: String(whole.prefix(250))))
    }
    let text = String(whole)
    // In ASCII each scalar is one byte and one character.
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      let column = min(max(0, column - 1), text.utf8.count) + 1
      return Place(name, position: TextPosition(line: line, column: column, length: length, text: text))
    }
    let before = String(String.UnicodeScalarView(text.unicodeScalars.prefix(max(0, column - 1))))
    return Place(name, position: TextPosition(line: line, column: before.count + 1, length: length, text: text))
  }

  private func mistake(_ problem: YAMLProblem) -> Mistake {
    switch problem.reason {
    case .syntax(let what, let context, let mark):
      var notes: [String] = []
      // In brackets a line may begin anywhere.
      if context.map({ !$0.contains("flow") }) ?? true,
        let mistake = YAMLIndentation(lines: lines).mistake(at: problem.mark.line)
      {
        let place = place(line: problem.mark.line, column: mistake.column)
        return Mistake(mistake.message, at: place, hint: mistake.hint)
      }
      if let context, let mark { notes = ["\(context) that begins on line \(mark.line)"] }
      return Mistake("not YAML: \(what)", at: place(problem.mark), notes: notes)
    case .keyTwice(let key, let first):
      return Mistake(
        "the key '\(key)' is there twice", at: place(problem.mark, length: key.count),
        notes: ["the first is at \(place(first))"])
    case .tooDeep: return Mistake("nested too deeply", at: place(problem.mark))
    case .tooMany(let limit): return Mistake("more than \(limit) values: not a manifest", at: place(problem.mark))
    case .unknownAlias: return Mistake("an alias to something that is not there", at: place(problem.mark))
    }
  }
}
