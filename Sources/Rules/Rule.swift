package import Artifacts
package import Findings

/// A named check: facts and settings in, findings out. A rule reads no file and sees no manifest.
package protocol Rule: Sendable {
  static var entry: RuleEntry { get }
  static var parameters: [RuleParameter] { get }
  /// What it judges besides names and sizes.
  static var facts: [any Facts.Type] { get }
  /// What it is for; nil: any artifact.
  static var kinds: Set<ArtifactKind>? { get }
  /// Of an artifact of these kinds. The findings carry `settings.level`.
  static func check(_ inventory: Inventory, _ settings: RuleSettings) -> [Finding]
}

extension Rule {
  package static var id: RuleID { entry.id }
  package static var parameters: [RuleParameter] { [] }
  package static var facts: [any Facts.Type] { [] }
  package static var kinds: Set<ArtifactKind>? { nil }

  /// What it says of any artifact: nothing if it is off, or not for that kind.
  package static func judge(_ inventory: Inventory, _ settings: RuleSettings) -> [Finding] {
    settings.level != .off && kinds?.contains(inventory.role) ?? true ? check(inventory, settings) : []
  }

  static func finding(
    _ settings: RuleSettings, _ message: String, at sites: Place..., notes: [String] = [], hint: String? = nil
  ) -> Finding {
    Finding(id, settings.level, message, at: sites, notes: notes, hint: hint)
  }
}

/// A parameter that a recipe or manifest may give to a rule.
package struct RuleParameter: Sendable {
  package enum Kind: Sendable { case text, list, map }

  package let name: String
  package let kind: Kind
  package let summary: String
}

/// How a rule is set: plain values.
package struct RuleSettings: Sendable {
  package var level: Level
  /// A text is a list of one.
  package var lists: [String: [String]] = [:]
  package var maps: [String: [(key: String, value: String)]] = [:]

  package init(level: Level) { self.level = level }
}

/// Every rule that is implemented. A new one, with its entry in the catalogue, is one file and one line here.
package enum AllRules {
  package static let all: [any Rule.Type] = [
    AARMetadataRule.self, AARStructure.self, ArchiveStructure.self, BundleExecutable.self, ConfigKeys.self,
    DuplicateClass.self, ExtendedAttributes.self, FinderMetadata.self, MinimumSDK.self, MissingArchitecture.self,
    MissingLibrary.self, PageSize16K.self, ParentFolder.self, ResourceForks.self, TargetSDK.self,
    UnreadablePropertyList.self,
  ]

  /// What one of them judges, each once.
  package static let facts: [any Facts.Type] = {
    var seen: Set<ObjectIdentifier> = []
    return all.flatMap { $0.facts }.filter { seen.insert(ObjectIdentifier($0)).inserted }
  }()

  package static func rule(_ id: RuleID) -> (any Rule.Type)? { all.first { $0.id == id } }

  /// What all rules say of one deliverable. A rule without settings has its default level and no parameter.
  package static func check(_ inventory: Inventory, _ settings: [RuleID: RuleSettings]) -> [Finding] {
    all.flatMap { rule in rule.judge(inventory, settings[rule.id] ?? RuleSettings(level: rule.entry.level)) }
  }
}
