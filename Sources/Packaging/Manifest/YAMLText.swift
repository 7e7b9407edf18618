import Artifacts
package import Findings
import Yams

/// YAML text → `Node`. The one file that knows Yams. JSON is YAML, so a JSON manifest works too.
package struct YAMLText {
  /// As it is shown in errors.
  private let name: String
  private let text: String
  private let lines: [Substring]
  private var budget = YAMLText.mostNodes

  /// A manifest is written by hand; what is larger than these is a mistake or an attack by aliases.
  static let mostBytes = 4 << 20
  static let mostNodes = 200_000
  static let deepest = 64
  /// In bytes. A longer line is not shown, and its columns are counted in scalars.
  static let longestLine = 1000

  package static func parse(_ bytes: [UInt8], name: String) throws(Mistakes) -> Node {
    guard bytes.count <= mostBytes else {
      throw Mistakes("the file is larger than \(mostBytes >> 20) MB: not a manifest", at: Place(name))
    }
    // Some editors write a byte order mark, which libyaml takes for text when it is told the encoding.
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    guard let text = String(validating: bytes.starts(with: mark) ? bytes[3...] : bytes[...], as: UTF8.self) else {
      throw Mistakes("the file is not UTF-8 text", at: Place(name))
    }
    // JSON is YAML, but for some of what may stand in its quotes.
    let first = text.utf8.first { !" \t\r\n".utf8.contains($0) }
    if first == UInt8(ascii: "{"), let node = try? JSONText.parse(Array(text.utf8), name: name) { return node }
    var parser = YAMLText(name: name, text: text)
    return try parser.root()
  }

  private init(name: String, text: String) {
    self.name = name
    self.text = text
    self.lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
  }

  private mutating func root() throws(Mistakes) -> Node {
    if let (line, column) = YAMLNesting.tooDeep(text.utf8) {
      let place = Place(name, position: TextPosition(line: line, column: column, text: ""))
      throw Mistakes("nested too deeply", at: place)
    }
    let start = place(line: 1, column: 1)
    let found: Yams.Node?
    do {
      found = try Yams.compose(yaml: text)
    } catch let error as YamlError {
      throw Mistakes([mistake(error)])
    } catch {
      throw Mistakes("\(error)", at: start)
    }
    guard let found else { return Node(.map([]), at: start) }
    return try convert(found, depth: 0)
  }

  private mutating func convert(_ node: Yams.Node, depth: Int) throws(Mistakes) -> Node {
    budget -= 1
    let place = place(node.mark, length: node.scalar.map { $0.style == .plain ? $0.string.count : 1 } ?? 1)
    guard budget > 0 else { throw Mistakes("too many values: an alias is repeated over and over", at: place) }
    guard depth < YAMLText.deepest else { throw Mistakes("nested too deeply", at: place) }
    switch node {
    case .scalar(let scalar):
      let isNull = scalar.style == .plain && ["", "~", "null", "Null", "NULL"].contains(scalar.string)
      var node = Node(isNull ? .null : .text(scalar.string), at: place)
      node.isQuoted = scalar.style == .doubleQuoted || scalar.style == .singleQuoted
      return node
    case .sequence(let sequence):
      var list: [Node] = []
      for item in sequence { list.append(try convert(item, depth: depth + 1)) }
      return Node(.list(list), at: place)
    case .mapping(let mapping):
      var members: [Node.Member] = []
      for (key, value) in mapping {
        let keyPlace = self.place(key.mark, length: key.scalar?.string.count ?? 1)
        guard let scalar = key.scalar else { throw Mistakes("a key must be text", at: keyPlace) }
        if scalar.style == .plain, scalar.string == "<<" {
          throw Mistakes(
            "merge keys ('<<') are not supported", at: keyPlace, hint: "write the keys out, or put them in a recipe")
        }
        members.append(
          Node.Member(key: scalar.string, keyPlace: keyPlace, node: try convert(value, depth: depth + 1)))
      }
      return Node(.map(members), at: place)
    case .alias:
      throw Mistakes("an alias to something that is not there", at: place)
    }
  }

  private func place(_ mark: Mark?, length: Int = 1) -> Place {
    mark.map { place(line: $0.line, column: $0.column, length: length) } ?? Place(name)
  }

  /// Both counted from 1; the column in Unicode scalars, as Yams counts. An editor counts characters.
  private func place(line: Int, column: Int, length: Int = 1) -> Place {
    let whole = line >= 1 && line <= lines.count ? lines[line - 1] : ""
    guard whole.utf8.count <= YAMLText.longestLine else {
      // JSON may be one line of megabytes with thousands of values: no copy of it and no walk through it for each.
      return Place(
        name,
        position: TextPosition(line: line, column: max(1, column), length: length, text: String(whole.prefix(250))))
    }
    let text = String(whole)
    // Of plain ASCII a scalar is a byte, and a character too, but for the end of a line, which is not in it.
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      let column = min(max(0, column - 1), text.utf8.count) + 1
      return Place(name, position: TextPosition(line: line, column: column, length: length, text: text))
    }
    let before = String(String.UnicodeScalarView(text.unicodeScalars.prefix(max(0, column - 1))))
    return Place(name, position: TextPosition(line: line, column: before.count + 1, length: length, text: text))
  }

  private func mistake(_ error: YamlError) -> Mistake {
    switch error {
    case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      let notes = context.map { ["\($0.text) that begins on line \($0.mark.line)"] } ?? []
      return Mistake("not YAML: \(problem)", at: place(mark), notes: notes)
    case .duplicatedKeysInMapping(let keys, let context):
      let key = keys.first ?? ""
      return Mistake("the key '\(key)' is there twice", at: secondPlace(of: key, after: context.mark))
    case .reader(let problem, _, _, _):
      return Mistake("not YAML: \(problem)", at: Place(name))
    default:
      return Mistake("not YAML: \(error)", at: Place(name))
    }
  }

  /// Yams names the map that has a key twice, not the key's line: it is the second line that begins with it.
  private func secondPlace(of key: String, after mark: Mark) -> Place {
    var seen = 0
    var indent: Int?
    for index in max(0, mark.line - 1)..<lines.count {
      let trimmed = lines[index].drop { $0 == " " }
      let column = lines[index].count - trimmed.count
      let bare = trimmed.drop { $0 == "\"" || $0 == "'" || $0 == "{" || $0 == " " }
      guard bare.hasPrefix(key), bare.dropFirst(key.count).drop(while: { "\"' ".contains($0) }).first == ":" else {
        continue
      }
      if let indent, indent != column { continue }
      indent = column
      seen += 1
      if seen == 2 { return place(line: index + 1, column: column + 1, length: key.count) }
    }
    return place(mark)
  }
}
