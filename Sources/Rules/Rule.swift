import Android
package import Artifacts
import ObjectFiles
package import Findings

/// A named check: facts and settings in, findings out. A rule reads no file and sees no manifest.
package protocol Rule: Sendable {
  static var id: RuleID { get }
  static var parameters: [RuleParameter] { get }
  /// The facts that it judges besides names and sizes.
  static var facts: [any Facts.Type] { get }
  /// Further facts that it judges if an archive has such entries.
  static func furtherFacts(holding entries: [[UInt8]]) -> [any Facts.Type]
  /// The kinds of artifacts that it judges; nil for all.
  static var kinds: Set<ArtifactKind>? { get }
  /// Keys of the configuration whose values it judges.
  static func configurationKeys(_ settings: RuleSettings) -> [String]
  /// Called for artifacts of these kinds if the rule is on. The findings carry `judging.level`.
  static func check(_ inventory: Inventory, _ judging: Judging) throws(CannotJudge) -> [Finding]
}

extension Rule {
  package static var parameters: [RuleParameter] { [] }
  package static var facts: [any Facts.Type] { [] }
  package static func furtherFacts(holding entries: [[UInt8]]) -> [any Facts.Type] { [] }
  package static var kinds: Set<ArtifactKind>? { nil }
  package static func configurationKeys(_ settings: RuleSettings) -> [String] { [] }

  package static var isOfHosts: Bool { self is any HostRule.Type }

  package static func isFor(_ kind: ArtifactKind) -> Bool { kinds?.contains(kind) ?? true }

  package static func judge(_ inventory: Inventory, _ judging: Judging) -> Judgement<Finding> {
    guard judging.level != .off, isFor(inventory.role) else { return .off }
    do throws(CannotJudge) { return .found(try check(inventory, judging)) } catch { return .cannot(error.reason) }
  }

  static func finding(
    _ judging: Judging, _ message: String, about names: [String] = [], at sites: Place..., notes: [String] = [],
    hint: String? = nil, edit: Edit? = nil
  ) -> Finding {
    Finding(id, judging.level, message, about: names, at: sites, notes: notes, hint: hint, edit: edit)
  }

  /// A finding on code, at its first place. The file identifies it in the next version.
  static func finding(
    _ judging: Judging, _ message: String, about names: [String], at use: CodeSighting, in inventory: Inventory,
    notes: [String] = [], hint: String?, edit: Edit? = nil
  ) -> Finding {
    finding(judging, message, about: names, at: use.site(in: inventory), notes: notes, hint: hint, edit: edit)
      .identified(by: [use.item.name])
  }

  /// `whole` is the place of a defect that belongs to no item.
  static func finding(_ judging: Judging, _ defect: Defect, in inventory: Inventory, whole: Place) -> Finding {
    finding(
      judging, defect.message, about: defect.names, at: defect.item.map { inventory.site($0) } ?? whole,
      notes: defect.notes, hint: defect.hint)
  }
}

/// A demand of a host, not a defect in itself: off unless a recipe, a manifest or `--level` sets it.
package protocol HostRule: Rule {}

/// A demand of a host on code for iOS, judged by the names in the code.
package protocol CodeRule: HostRule {}

extension CodeRule {
  package static var kinds: Set<ArtifactKind>? { .apple }
  package static var facts: [any Facts.Type] { [CodeNames.self] }
}

package protocol ExtensionRule: HostRule {}

extension ExtensionRule {
  package static var kinds: Set<ArtifactKind>? { [.appExtension, .tree, .archive] }
}

extension Optional where Wrapped == Set<ArtifactKind> {
  /// The kinds that hold code for iOS, and folders and archives, which may.
  static var apple: Set<ArtifactKind>? { [.iosZip, .appExtension, .framework, .xcframework, .tree, .archive] }
}

struct Defect {
  let names: [String]
  let message: String
  let hint: String?
  /// Nil if the defect is about the artifact, or its judged part, as a whole.
  let item: Item?
  let notes: [String]

  init(
    _ message: String, about names: String..., hint: String? = nil, of item: Item? = nil, notes: [String] = []
  ) {
    self.init(message, about: names, hint: hint, of: item, notes: notes)
  }

  init(_ message: String, about names: [String], hint: String? = nil, of item: Item? = nil, notes: [String] = []) {
    (self.names, self.message, self.hint, self.item, self.notes) = (names, message, hint, item, notes)
  }
}

/// A parameter that a recipe or manifest may give to a rule.
package struct RuleParameter: Sendable {
  package enum Kind: Sendable {
    case text, list, map
    /// A list of texts for each key.
    case table
  }

  package let name: String
  package let kind: Kind
  package let summary: String
}

package struct RuleSettings: Sendable {
  package var level: Level
  /// A text is a list of one.
  package var lists: [String: [String]] = [:]
  /// The rows of a map have one value each.
  package var tables: [String: [(key: String, values: [String])]] = [:]

  package init(level: Level) { self.level = level }
}

/// Every rule. A new one is one file, one line here, and its page.
package enum AllRules {
  static let builtIn: [any Rule.Type] = [
    AARMetadataRule.self, AARStructure.self, AppGroup.self, AppPluginReleased.self, ArchiveStructure.self,
    BitcodePresent.self, BucketManifestRule.self, BundleExecutable.self, ClassFileVersion.self, CodeSignature.self,
    ConfigKeys.self,
    ConsumerRules.self,
    DuplicateClass.self,
    EmbeddedFramework.self, EmptyDeliverable.self, EntryClass.self, EntryInitializer.self, ExtendedAttributes.self,
    ExtensionInfo.self,
    ExtensionUnsafeAPI.self, FinderMetadata.self, KotlinMetadataRule.self, ListedSDK.self, MinimumOS.self,
    MinimumSDK.self,
    MisalignedMember.self,
    MissingArchitecture.self, MissingAsset.self, MissingLibrary.self, MissingSimulator.self, NeedsInfoPlist.self,
    NeedsLinkerFlag.self,
    NestedFramework.self, FrameworkInfo.self,
    PageSize16K.self, ParentFolder.self, PolicyFileRule.self, PrivacyManifest.self, PrivateAPI.self,
    ProvidedByHost.self,
    RequiredResources.self, ResourceForks.self, SwiftCode.self, Swizzling.self, TargetSDK.self, UnknownRoute.self,
    UnportableName.self, UnprefixedClass.self, UnreadablePropertyList.self, UnregisteredScheme.self,
    UnsafeFileName.self,
    UnsupportedClass.self, UnsupportedFramework.self, XCFrameworkStructure.self,
  ]

  package static var all: [any Rule.Type] { RuleRegistry.current.rules }

  package static func rule(_ id: RuleID) -> (any Rule.Type)? { RuleRegistry.current.ruleOfID[id] }

  /// The facts of the rules that are on. Facts on code and jars show what cannot be read, and whether there is code.
  /// - Parameter entries: the names of an archive's entries, for rules whose facts depend on them.
  package static func facts(
    _ settings: [RuleID: RuleSettings], of kind: ArtifactKind, holding entries: [[UInt8]]? = nil
  ) -> [any Facts.Type] {
    var seen: Set<ObjectIdentifier> = []
    let judging = all.filter { self.settings(of: $0, settings).level != .off && $0.isFor(kind) }
    let further = entries.map { entries in judging.flatMap { $0.furtherFacts(holding: entries) } } ?? []
    return ([CodeFacts.self, JarFacts.self] + judging.flatMap { $0.facts } + further).filter {
      seen.insert(ObjectIdentifier($0)).inserted
    }
  }

  /// The findings of all rules on one deliverable, and which rules could judge it. `host`: the recipes that set them.
  package static func judge(
    _ inventory: Inventory, _ judging: Judging, by settings: [RuleID: RuleSettings], of host: String?
  ) -> (findings: [Finding], coverage: Coverage) {
    var (judging, findings, coverage) = (judging, [Finding](), Coverage())
    let words = host.map { ("rule of \($0)", "rules of \($0)") } ?? ("general rule", "general rules")
    for rule in all {
      judging.settings = self.settings(of: rule, settings)
      let judgement = rule.judge(inventory, judging)
      findings += judgement.found
      coverage.add(rule.id.rawValue, judgement, of: host ?? "", called: words)
    }
    return (findings, coverage)
  }

  /// A rule that nothing sets has its default level and no parameter; a host's is off.
  static func settings(of rule: any Rule.Type, _ settings: [RuleID: RuleSettings]) -> RuleSettings {
    settings[rule.id] ?? RuleSettings(level: rule.isOfHosts ? .off : RuleCatalogue.level(of: rule.id))
  }
}
