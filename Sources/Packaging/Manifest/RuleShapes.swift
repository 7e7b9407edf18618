import Documents
import Findings
import Rules

/// The `rules` key of a manifest: a level, or a map of a level and the rule's own parameters.
enum RuleShapes {
  private static let levels = Shape.choice(Level.allCases.map(\.rawValue))
  private static let levelKey = Key("level", levels, "off, note, warning or error")

  /// A key for each rule of the catalogue.
  static var keys: [Key] {
    RuleCatalogue.all.map { entry in
      let keys = AllRules.rule(entry.id)?.parameters.map { Key($0.name, shape($0.kind), $0.summary) } ?? []
      return Key(entry.id.rawValue, .either([levels, .object([levelKey] + keys)]), entry.summary)
    }
  }

  private static func shape(_ kind: RuleParameter.Kind) -> Shape {
    switch kind {
    case .text: .text
    case .list: .oneOrMany(.text)
    case .map: .map(.text)
    case .table: .map(.oneOrMany(.text))
    }
  }

  /// A layer whose rules are all maps, so that a plain level replaces only the level below it, and not the parameters.
  static func spelledOut(_ layer: Node) -> Node {
    guard case .map(var members) = layer.value, let index = members.firstIndex(where: { $0.key == "rules" }),
      case .map(var rules) = members[index].node.value
    else { return layer }
    for (rule, member) in rules.enumerated() where member.node.text.flatMap(Level.init) != nil {
      let level = Node.Member(key: "level", keyPlace: member.keyPlace, node: member.node)
      rules[rule].node = Node(.map([level]), at: member.node.place)
    }
    members[index].node = Node(.map(rules), at: members[index].node.place)
    return Node(.map(members), at: layer.place)
  }

  static func settings(_ node: Node?) -> [RuleID: RuleSettings] {
    var all: [RuleID: RuleSettings] = [:]
    for member in node?.members ?? [] {
      let id = RuleID(rawValue: member.key)
      var settings = RuleSettings(level: RuleCatalogue.level(of: id))
      if let level = (member.node.text ?? member.node["level"]?.text).flatMap(Level.init) { settings.level = level }
      for parameter in member.node.members where parameter.key != "level" {
        if case .map(let members) = parameter.node.value {
          settings.tables[parameter.key] = members.map { ($0.key, $0.node.texts.compactMap(\.text)) }
        } else {
          settings.lists[parameter.key] = parameter.node.texts.compactMap(\.text)
        }
      }
      all[id] = settings
    }
    return all
  }
}
