package import Findings

/// The shape of a value of a manifest. One description serves the check of a manifest, its errors, and the JSON Schema.
package indirect enum Shape: Sendable {
  /// Any text: `1.10` and `yes` are text too.
  case text
  /// Text that becomes part of a file's name.
  case name
  case choice([String])
  /// `true` or `false`.
  case flag
  /// A path or a glob below the manifest's folder.
  case path
  case list(Shape)
  case oneOrMany(Shape)
  /// A map whose keys are the user's own.
  case map(Shape)
  case object([Key])
  /// An object whose `kind` says which keys it has.
  case kinds([Kind], default: String?)
  case either([Shape])
  case any
}

package struct Key: Sendable {
  package var name: String
  package var shape: Shape
  package var required: Bool
  package var summary: String

  package init(_ name: String, _ shape: Shape, required: Bool = false, _ summary: String) {
    self.name = name
    self.shape = shape
    self.required = required
    self.summary = summary
  }
}

/// A kind of step or deliverable: its name and its keys, `kind` itself left out.
package struct Kind: Sendable {
  package var name: String
  package var keys: [Key]
  package var summary: String
  package var choice: KeyChoice?

  package init(name: String, keys: [Key], summary: String, choice: KeyChoice? = nil) {
    self.name = name
    self.keys = keys
    self.summary = summary
    self.choice = choice
  }
}

/// Keys of which an object has one, one at most, or at least one. Only the JSON Schema reads it, because the kind's own
/// `plan` checks it for a build.
package struct KeyChoice: Sendable {
  package var keys: [String]
  package var required: Bool
  package var allowsSeveral: Bool

  package init(_ keys: String..., required: Bool, allowsSeveral: Bool = false) {
    self.keys = keys
    self.required = required
    self.allowsSeveral = allowsSeveral
  }
}

/// Compares a value with its shape and collects every mistake.
package struct SchemaCheck {
  package private(set) var mistakes: [Mistake] = []
  /// The name of the file itself in errors.
  private let root: String
  private var homes = KeyHomes()

  package init(root: String = "the manifest") { self.root = root }

  /// `what` names the value in errors, by its keys from the top: `deliverables.ios.items`; empty for the file itself.
  package mutating func check(_ node: Node, _ shape: Shape, _ what: String) {
    switch shape {
    case .any: break
    case .text: _ = text(node, what)
    case .name: checkName(node, what)
    case .path: checkPath(node, what)
    case .flag: checkChoice(node, ["true", "false"], what)
    case .choice(let choices): checkChoice(node, choices, what)
    case .list(let shape):
      guard let list = node.list else { return wrong(node, "a list", what) }
      for item in list { check(item, shape, what) }
    case .oneOrMany(let shape):
      if node.list != nil { check(node, .list(shape), what) } else { check(node, shape, what) }
    case .map(let shape):
      guard case .map(let members) = node.value else { return wrong(node, "a map", what) }
      for member in members { checkMember(member, shape, what) }
    case .object(let keys): checkObject(node, keys, what)
    case .kinds(let kinds, let defaultKind): checkKinds(node, kinds, defaultKind, what)
    case .either(let shapes):
      if let fitting = shapes.first(where: { $0.accepts(node) }) {
        check(node, fitting, what)
      } else {
        wrong(node, shapes.map(\.noun).joined(separator: " or "), what)
      }
    }
  }

  private mutating func add(_ message: String, at place: Place, hint: String? = nil) {
    mistakes.append(Mistake(message, at: place, hint: hint))
  }

  private func below(_ what: String, _ key: String) -> String { what.isEmpty ? key : "\(what).\(key)" }

  private func name(_ what: String) -> String { what.isEmpty ? root : what }

  private mutating func text(_ node: Node, _ what: String) -> String? {
    if let text = node.text { return text }
    wrong(node, "text", what)
    return nil
  }

  private mutating func wrong(_ node: Node, _ expected: String, _ what: String) {
    add("\(name(what)) must be \(expected), not \(node.kindName)", at: node.place)
  }

  private mutating func checkName(_ node: Node, _ what: String) {
    guard let name = text(node, what) else { return }
    // The comparison is by bytes: a slash with an accent is another `Character`, but still ends a folder's name.
    let isBad =
      name.isEmpty || name.utf8.first == UInt8(ascii: ".") || name.utf8.contains(where: "/\\:*?\"<>|".utf8.contains)
    guard isBad || name != printable(name) else { return }
    add(
      "\(what) becomes part of a file's name and cannot be '\(name)'", at: node.place,
      hint: "use letters, digits, '.', '-' and '_', and do not begin with '.'")
  }

  private mutating func checkPath(_ node: Node, _ what: String) {
    guard let path = text(node, what) else { return }
    let slash = UInt8(ascii: "/")
    if path.isEmpty {
      add("\(what) is an empty path", at: node.place)
    } else if path.utf8.contains(0) {
      add(
        "\(what) cannot be '\(path)': no path on a disk has a NUL in it", at: node.place,
        hint: "write the file's own name")
    } else if path.utf8.first == slash
      || path.utf8.split(separator: slash).contains(where: { $0.elementsEqual("..".utf8) })
    {
      add(
        "\(what) is outside the plugin's folder: '\(path)'", at: node.place,
        hint: "paths are relative to the manifest's folder, and cannot leave it")
    }
  }

  private mutating func checkChoice(_ node: Node, _ choices: [String], _ what: String) {
    guard let choice = text(node, what), !choices.contains(choice) else { return }
    add(
      "\(what) cannot be '\(choice)'", at: node.place,
      hint: suggestion(for: choice, among: choices, few: "one of"))
  }

  /// Checks a member of a map whose keys are the user's own.
  private mutating func checkMember(_ member: Node.Member, _ shape: Shape, _ what: String) {
    let known = mistakes.count
    check(member.node, shape, below(what, member.key))
    guard mistakes.count > known, !shape.knowsKey(of: member.node),
      let hint = homes.hint(for: member.key, named: shape, what)
    else { return }
    // A value without any key of its kind stands at the wrong place: one mistake with a hint replaces all others.
    mistakes.removeSubrange((known + 1)...)
    mistakes[known].hint = hint
  }

  private mutating func checkObject(_ node: Node, _ keys: [Key], _ what: String, of kinds: [Kind] = []) {
    guard case .map(let members) = node.value else { return wrong(node, "a map", what) }
    homes.open.append((name(what), keys))
    defer { homes.open.removeLast() }
    for member in members {
      if let key = keys.first(where: { sameBytes($0.name, member.key) }) {
        if !member.node.isNull { check(member.node, key.shape, below(what, key.name)) }
      } else {
        let names = keys.map(\.name)
        let home = homes.hint(for: member.key, in: node, what, of: kinds)
        add(
          "unknown key '\(member.key)' in \(name(what))", at: member.keyPlace,
          hint: didYouMean(member.key, among: names) ?? home
            ?? suggestion(for: member.key, among: names, few: "it may have"))
      }
    }
    for key in keys where key.required {
      if node.member(key.name).map(\.node.isNull) ?? true {
        add("\(name(what)) has no '\(key.name)'", at: node.place, hint: "'\(key.name)': \(key.summary)")
        let deeper = members.compactMap { $0.node.member(key.name)?.keyPlace }.first
        if let deeper { mistakes[mistakes.count - 1].notes = ["there is one at \(deeper), a level too deep"] }
      }
    }
  }

  private mutating func checkKinds(_ node: Node, _ kinds: [Kind], _ defaultKind: String?, _ what: String) {
    guard case .map = node.value else { return wrong(node, "a map", what) }
    let names = kinds.map(\.name)
    guard let name = node["kind"]?.text ?? defaultKind else {
      if let kind = node["kind"] { return wrong(kind, "text", below(what, "kind")) }
      add("\(what) has no 'kind'", at: node.place, hint: "one of: \(names.joined(separator: ", "))")
      return
    }
    guard let kind = kinds.first(where: { $0.name == name }) else {
      add(
        "\(what) has an unknown kind '\(name)'", at: node["kind"]?.place ?? node.place,
        hint: suggestion(for: name, among: names, few: "one of"))
      return
    }
    let keyOfKind = Key("kind", .choice(names), required: defaultKind == nil, "what is made")
    checkObject(node, [keyOfKind] + kind.keys, what, of: kinds)
  }
}

extension Shape {
  /// Whether a value has the form of this shape, so that an `either` can choose; its contents are checked afterwards.
  func accepts(_ node: Node) -> Bool {
    switch (self, node.value) {
    case (.text, .text), (.name, .text), (.choice, .text), (.flag, .text), (.path, .text), (.list, .list), (.map, .map),
      (.object, .map), (.kinds, .map), (.any, _), (.oneOrMany, .list):
      true
    case (.oneOrMany(let shape), _): shape.accepts(node)
    case (.either(let shapes), _): shapes.contains { $0.accepts(node) }
    default: false
    }
  }

  fileprivate var noun: String {
    switch self {
    case .text, .name: "text"
    case .choice(let choices): "one of \(choices.joined(separator: ", "))"
    case .flag: "true or false"
    case .path: "a path"
    case .list: "a list"
    case .oneOrMany(let shape): "\(shape.noun) or a list"
    case .map, .object, .kinds: "a map"
    case .either(let shapes): shapes.map(\.noun).joined(separator: " or ")
    case .any: "anything"
    }
  }
}
