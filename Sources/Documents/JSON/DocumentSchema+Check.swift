package import Findings

extension DocumentSchema {
  /// The values of a document that violate the schema. `root` names the document itself in the messages.
  package func mistakes(in node: Node, root: String) -> [Mistake] {
    var check = DocumentCheck(schema: self, root: root)
    check.check(node, 0, "")
    return check.mistakes
  }
}

private struct DocumentCheck {
  let schema: DocumentSchema
  let root: String
  var mistakes: [Mistake] = []
  /// Checks that parts with a `$ref` began. Parts that refer to each other would otherwise check a value once for each way
  /// to it, and the ways double with each level of a document.
  private var begun: Set<Visit> = []

  private struct Visit: Hashable {
    let file: [String]
    let line: Int
    let column: Int
    let part: Int
  }

  init(schema: DocumentSchema, root: String) { (self.schema, self.root) = (schema, root) }

  /// A large file may have thousands of mistakes, which are too many to read.
  private static let maxMistakes = 20

  private mutating func add(_ message: String, at place: Place, hint: String? = nil) {
    if mistakes.count < Self.maxMistakes { mistakes.append(Mistake(message, at: place, hint: hint)) }
  }

  private func name(_ what: String) -> String { what.isEmpty ? root : what }

  /// `what` names the value by its keys from the top: `sends.queries`; empty for the document itself.
  mutating func check(_ node: Node, _ number: Int, _ what: String) {
    var next: Int? = number
    // The target of a `$ref` is checked in addition to the keywords next to it.
    while let number = next, mistakes.count < Self.maxMistakes {
      let part = schema.all[number]
      if part.reference != nil, let at = node.place.position {
        let visit = Visit(file: node.place.parts, line: at.line, column: at.column, part: number)
        guard begun.insert(visit).inserted else { return }
      }
      check(node, part, what)
      next = part.reference
    }
  }

  private mutating func check(_ node: Node, _ part: DocumentSchema.Part, _ what: String) {
    let type = node.jsonType
    if part.refusesAll { return add("\(name(what)) cannot be there", at: node.place) }
    if !part.types.isEmpty, !part.types.contains(type), !(type == .integer && part.types.contains(.number)) {
      let expected = part.types.map(\.noun).joined(separator: " or ")
      let found = type == .number && part.types.contains(.integer) ? "one with a fraction" : type.noun
      return add("\(name(what)) must be \(expected), not \(found)", at: node.place)
    }
    if let choices = part.choices, !isOne(of: choices, node) {
      let shown = choices.joined(separator: ", ")
      add(
        "\(name(what)) cannot be \(node.list == nil && node.members.isEmpty ? "'\(node.text ?? "null")'" : type.noun)",
        at: node.place, hint: choices.count == 1 ? "it is \(shown)" : "one of: \(shown)")
    }
    switch node.value {
    case .map(let members): check(node, members, part, what)
    case .list(let list): check(node, list, part, what)
    case .text(let text) where type == .string: check(node, text, part, what)
    default: break
    }
  }

  private func isOne(of choices: [String], _ node: Node) -> Bool {
    let own = node.canonical
    return choices.contains { sameBytes($0, own) }
  }

  private mutating func check(_ node: Node, _ members: [Node.Member], _ part: DocumentSchema.Part, _ what: String) {
    let properties = Dictionary(part.properties.map { (Array($0.key.utf8), $0.part) }) { first, _ in first }
    for member in members {
      if let own = properties[Array(member.key.utf8)] {
        check(member.node, own, what.isEmpty ? member.key : "\(what).\(member.key)")
      } else if let others = part.others {
        if schema.all[others].refusesAll {
          let names = part.properties.map(\.key)
          add(
            "unknown key '\(member.key)' in \(name(what))", at: member.keyPlace,
            hint: suggestion(for: member.key, among: names, few: "it may have"))
        } else {
          check(member.node, others, what.isEmpty ? member.key : "\(what).\(member.key)")
        }
      }
    }
    if part.required.isEmpty { return }
    let keys = Set(members.map { Array($0.key.utf8) })
    for key in part.required where !keys.contains(Array(key.utf8)) {
      add("\(name(what)) has no '\(key)'", at: node.place)
    }
  }

  private mutating func check(_ node: Node, _ list: [Node], _ part: DocumentSchema.Part, _ what: String) {
    checkCount(list.count, part.itemCount, "values", node, what)
    if let items = part.items {
      for (index, item) in list.enumerated() { check(item, items, "\(what)[\(index)]") }
    }
    guard part.areUnique else { return }
    var seen: Set<[UInt8]> = []
    for item in list where !seen.insert(Array(item.canonical.utf8)).inserted {
      add("\(item.text.map { "'\($0)'" } ?? "a value") is there twice in \(name(what))", at: item.place)
    }
  }

  private mutating func check(_ node: Node, _ text: String, _ part: DocumentSchema.Part, _ what: String) {
    checkCount(text.unicodeScalars.count, part.length, "characters", node, what)
    if let (pattern, read) = part.pattern, !read.matches(text) {
      add("\(name(what)) cannot be '\(text)'", at: node.place, hint: "it is to match \(pattern)")
    }
  }

  private mutating func checkCount(
    _ count: Int, _ range: ClosedRange<Int>, _ things: String, _ node: Node, _ what: String
  ) {
    if count < range.lowerBound {
      add("\(name(what)) has \(count) \(things): it must have at least \(range.lowerBound)", at: node.place)
    } else if count > range.upperBound {
      add("\(name(what)) has \(count) \(things): it must have at most \(range.upperBound)", at: node.place)
    }
  }
}

extension JSONType {
  fileprivate var noun: String {
    switch self {
    case .null: "nothing"
    case .boolean: "true or false"
    case .number: "a number"
    case .integer: "a whole number"
    case .string: "text"
    case .array: "a list"
    case .object: "a map"
    }
  }
}
