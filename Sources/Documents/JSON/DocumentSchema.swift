package import Findings

/// A JSON Schema (draft 2020-12) of the keywords that documents of hosts need: `type`, `const`, `enum`, `required`,
/// `properties`, `additionalProperties`, `items`, `minItems`, `maxItems`, `uniqueItems`, `minLength`, `maxLength`,
/// `pattern` (`SimplePattern`), `$ref` to `#` or `#/$defs/NAME`; and `$schema`, `$defs`, `title`, `description`, which
/// constrain nothing. Any other keyword is a mistake, because its constraint would go unchecked.
package struct DocumentSchema: Sendable {
  /// The constraints on one value. Nested parts are indices into `all`.
  struct Part: Sendable {
    /// The schema is `false`, which no value satisfies.
    var refusesAll = false
    var types: [JSONType] = []
    /// The values of `const` and `enum`, as canonical texts.
    var choices: [String]?
    var required: [String] = []
    var properties: [(key: String, part: Int)] = []
    var others: Int?
    var items: Int?
    var itemCount = 0...Int.max
    var areUnique = false
    var length = 0...Int.max
    var pattern: (text: String, pattern: SimplePattern)?
    var reference: Int?
  }

  private(set) var all: [Part] = []
  /// The keys are the UTF-8 bytes of the names.
  private var definitions: [[UInt8]: Int] = [:]
  private var references: [(part: Int, node: Node)] = []
  private var mistakes: [Mistake] = []

  /// The canonical JSON of the schema: equal schemas have equal texts.
  package let text: String

  /// `what` names it in errors, by its keys from the top.
  package init(_ node: Node, _ what: String) throws(Mistakes) {
    text = node.canonical
    let root = add(node, what, isRoot: true)
    for (part, node) in references {
      let name = node.text ?? ""
      let prefix = "#/$defs/"
      let target = name == "#" ? root : definitions[Array(name.dropFirst(prefix.count).utf8)]
      if name == "#" || name.hasPrefix(prefix), let target {
        all[part].reference = target
      } else {
        mistakes.append(Mistake("'\(name)' leads to no schema", at: node.place, hint: "'#', or '#/$defs/' and a name"))
      }
    }
    for (part, node) in references where isCircle(from: part) {
      mistakes.append(Mistake("'\(node.text ?? "")' leads back to itself", at: node.place))
    }
    guard mistakes.isEmpty else { throw Mistakes(mistakes) }
  }

  /// Whether a chain of references has a cycle or is longer than the limit.
  private func isCircle(from part: Int) -> Bool {
    var next = all[part].reference
    for _ in 0..<YAMLText.deepest {
      guard let part = next else { return false }
      next = all[part].reference
    }
    return true
  }

  // MARK: Reading

  private mutating func add(_ node: Node, _ what: String, isRoot: Bool = false) -> Int {
    let number = all.count
    all.append(Part())
    var part = Part()
    if node.jsonType == .boolean {
      part.refusesAll = node.text == "false"
    } else if case .map(let members) = node.value {
      for member in members { read(member, into: &part, "\(what).\(member.key)", number, isRoot: isRoot) }
    } else {
      wrong(node, "a schema", what)
    }
    all[number] = part
    return number
  }

  private mutating func wrong(_ node: Node, _ expected: String, _ what: String) {
    mistakes.append(Mistake("\(what) must be \(expected)", at: node.place))
  }

  private mutating func read(
    _ member: Node.Member, into part: inout Part, _ what: String, _ number: Int, isRoot: Bool
  ) {
    let node = member.node
    switch member.key {
    case "$schema", "title", "description": if node.jsonType != .string { wrong(node, "text", what) }
    case "$defs" where isRoot:
      for member in map(node, what) {
        definitions[Array(member.key.utf8)] = add(member.node, "\(what).\(member.key)")
      }
    case "$ref": references.append((number, node))
    case "type":
      part.types = node.texts.compactMap { JSONType(rawValue: $0.text ?? "") }
      if part.types.isEmpty || part.types.count != (node.list?.count ?? 1) {
        wrong(node, "one of \(JSONType.allCases.map(\.rawValue).joined(separator: ", ")) or a list of them", what)
      }
    case "const": part.choices = [node.canonical]
    case "enum": part.choices = list(node, what).map(\.canonical)
    case "required":
      part.required = list(node, what).compactMap(\.text)
      if part.required.count != node.list?.count { wrong(node, "a list of texts", what) }
    case "properties":
      part.properties = map(node, what).map { ($0.key, add($0.node, "\(what).\($0.key)")) }
    case "additionalProperties": part.others = add(node, what)
    case "items": part.items = add(node, what)
    case "uniqueItems":
      part.areUnique = node.text == "true"
      if node.jsonType != .boolean { wrong(node, "true or false", what) }
    case "minItems": part.itemCount = bound(node, part.itemCount, isLower: true, what)
    case "maxItems": part.itemCount = bound(node, part.itemCount, isLower: false, what)
    case "minLength": part.length = bound(node, part.length, isLower: true, what)
    case "maxLength": part.length = bound(node, part.length, isLower: false, what)
    case "pattern":
      let text = node.jsonType == .string ? node.text ?? "" : ""
      part.pattern = SimplePattern(text).map { (text, $0) }
      if part.pattern == nil {
        mistakes.append(
          Mistake(
            "\(what) is a pattern that cannot be judged here: '\(node.text ?? "")'", at: node.place,
            hint: "of regular expressions there are ^ $ . [a-z] [^a-z] \\ ? * +, and no groups"))
      }
    default:
      mistakes.append(
        Mistake(
          "unknown keyword '\(member.key)' of JSON Schema", at: member.keyPlace,
          hint: didYouMean(member.key, among: DocumentSchema.keywords)
            ?? "these are judged: \(DocumentSchema.keywords.joined(separator: ", "))"))
    }
  }

  private static let keywords = [
    "type", "const", "enum", "required", "properties", "additionalProperties", "items", "minItems", "maxItems",
    "uniqueItems", "minLength", "maxLength", "pattern", "$ref", "$defs", "$schema", "title", "description",
  ]

  private mutating func map(_ node: Node, _ what: String) -> [Node.Member] {
    if case .map(let members) = node.value { return members }
    wrong(node, "a map", what)
    return []
  }

  private mutating func list(_ node: Node, _ what: String) -> [Node] {
    if let list = node.list { return list }
    wrong(node, "a list", what)
    return []
  }

  private mutating func bound(
    _ node: Node, _ range: ClosedRange<Int>, isLower: Bool, _ what: String
  ) -> ClosedRange<Int> {
    let (low, high) = (range.lowerBound, range.upperBound)
    guard let number = node.text.flatMap({ Int($0) }), number >= 0 else {
      wrong(node, "a whole number", what)
      return range
    }
    if isLower, number <= high { return number...high }
    if !isLower, number >= low { return low...number }
    wrong(
      node, isLower ? "\(high) at most, as the greatest number is" : "\(low) at least, as the least number is", what)
    return range
  }
}
