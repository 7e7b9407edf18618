package import Artifacts
package import Findings
package import Linking

/// What several files of an app have in common, and what comes of it, from the search to the report; its rule words it.
package struct Collision: Hashable, Sendable {
  package enum Verdict: String, Sendable {
    case error, warning, silent
    /// An error once the app refers to all of the triggers.
    case possible
  }

  package struct Name: Hashable, Sendable {
    /// As it stands: a symbol, a class, a path.
    package var text: String
    /// As its author wrote it, if that is something else.
    package var demangled: String?

    package var shown: String { demangled ?? text }
  }

  package struct Site: Hashable, Sendable {
    package enum Kind: String, Sendable {
      case strong, weak, common, absolute, alias, category, library
      case objcClass = "class"
      case sends, receives, policy
    }

    /// The file, from the outside in.
    package var artifact: Place
    /// The plugin that it is of; nil of a file that a link line names.
    package var plugin: PluginID?
    package var member: String?
    package var kind: Kind
    /// Why its member is in the link; nil if it is not, or lies in no static library.
    package var reason: LinkVerdict.Reason?

    init(
      _ artifact: Place, member: String? = nil, of plugin: PluginID?, _ kind: Kind, _ reason: LinkVerdict.Reason? = nil
    ) {
      self.artifact = artifact
      self.plugin = plugin
      self.member = member
      self.kind = kind
      self.reason = reason
    }

    package var place: Place { member.map(artifact.inside) ?? artifact }
  }

  package var rule: RuleID
  package var verdict: Verdict
  /// Nil of what all architectures of Android share.
  package var slice: Slice?
  package var name: Name
  /// In the order of the line or of the plugins; those that take part in the error, if there is one.
  package var sites: [Site]
  /// What the app has, or would have if the name were wanted. Nil after an error, and if that is not known.
  package var winner: String?
  /// Whether all definitions are the same; nil if that is not known.
  package var identical: Bool?
  package var triggers: [Name] = []
  /// If it stands for several names: how many, and some of them.
  package var count = 1
  package var examples: [String] = []
  /// Of plugins that talk to each other: what of it.
  package internal(set) var message: MessageClash?
  /// What the user has set its rule to.
  package var chosenLevel: Level?
  /// What is to be said besides: that it was put up with until a day.
  package var remark: String?

  init(
    _ rule: RuleID, _ verdict: Verdict, _ slice: Slice?, _ name: String, _ sites: [Site], winner: String? = nil,
    identical: Bool? = nil
  ) {
    self.rule = rule
    self.verdict = verdict
    self.slice = slice
    self.name = Name(text: name)
    self.sites = sites
    self.winner = winner
    self.identical = identical
  }

  private var words: any CollisionRule.Type { CollisionRegistry.rule(rule) }

  package var level: Level { chosenLevel ?? words.level(self) }

  var shownTriggers: String { triggers.map(\.shown).joined(separator: " and ") }

  /// `twice`, `3 times`.
  var times: String { sites.count == 2 ? "twice" : "\(sites.count) times" }

  /// Why members are in the link; they are called by their short names.
  var reasons: [(place: String, cause: String)] {
    sites.compactMap { site -> (place: String, cause: String)? in
      switch site.reason {
      case DuplicateSymbol.aliasReason: nil
      case .flag(let flag): (shortName(of: site), "by \(flag)")
      case .symbol(let name): (shortName(of: site), "for \(name)")
      case nil: nil
      }
    }
  }

  /// Of what the app has, if that is one of the sites.
  var shownWinner: String? {
    guard let winner else { return nil }
    let site = sites.first { LinkPlace(file: $0.artifact.description, member: $0.member).description == winner }
    return site.map(shortName) ?? winner
  }

  /// The last part of a place that tells it from the other sites: those say in full where they are.
  private func shortName(of site: Site) -> String {
    let names: [(Site) -> String] = [
      { $0.place.lastName }, { $0.member == nil ? $0.place.lastName : "\($0.artifact.lastName)(\($0.place.lastName))" },
      { "\($0.place.lastName) of \($0.artifact.shortName)" },
    ]
    for name in names where sites.count(where: { name($0) == name(site) }) == 1 { return name(site) }
    return LinkPlace(file: site.artifact.description, member: site.member).description
  }

  /// By itself: of one name in one slice.
  package func finding(_ plugins: [PluginName]) -> Finding {
    let (message, notes, hint) = words.text(self)
    let reasons = reasons.map { "\($0.place) is loaded \($0.cause)" }
    var finding = Finding(
      rule, level, message, at: sites.map(\.place),
      notes: [name.demangled].compactMap(\.self) + reasons + notes + [remark].compactMap(\.self), hint: hint)
    finding.subject.covered = [identity(plugins)]
    if words.leads { finding.rank = .leading }
    return finding
  }

  /// What it is known again by, without the words for it.
  package func identity(_ plugins: [PluginName]) -> FindingIdentity {
    let plugins = message?.plugins.map { StableName.plugin($0) } ?? stableNames(plugins)
    // What a policy says is in one file; what it names is the name.
    let places = message == nil ? sites.map { StableName.place($0.place.lastName) } : []
    let platform =
      slice.map { [$0.platform, $0.variant].compactMap(\.self).joined(separator: "-") } ?? words.platform ?? ""
    // A plugin without a policy is named, and nothing else.
    let isOfPlugin = message?.plugins == [name.text]
    var identity = FindingIdentity(
      rule: rule, plugins: plugins, places: places, name: isOfPlugin ? "" : name.text, platform: platform)
    if verdict == .error, slice != nil { identity.harm = .failure }
    if verdict == .silent, identical == true { identity.harm = .none }
    return identity
  }

  /// Of each plugin that takes part, once. Namesakes are numbered among each other, so that two of them are not one.
  private func stableNames(_ plugins: [PluginName]) -> [String] {
    var seen: Set<PluginID> = []
    var namesakes = Namesakes<String, PluginID>()
    return sites.compactMap { site in
      guard let plugin = site.plugin else { return StableName.plugin(site.artifact.parts.first ?? "") }
      guard seen.insert(plugin).inserted else { return nil }
      let name = plugins[plugin.index].stable
      return namesakes.name(name, of: plugin, in: name)
    }
  }

  package var json: JSONValue {
    func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
    let sites = sites.map { site -> JSONValue in
      ["artifact": text(site.artifact.description), "member": text(site.member), "kind": text(site.kind.rawValue)]
    }
    let (message, _, hint) = words.text(self)
    let members: [(key: String, value: JSONValue)] = [
      ("rule", text(rule.rawValue)), ("level", text(level.rawValue)), ("verdict", text(verdict.rawValue)),
      ("slice", text(slice?.description ?? words.platform)),
      ("name", text(name.text)), ("demangled", text(name.demangled)), ("winner", text(winner)),
      ("identical", identical.map(JSONValue.bool) ?? .null), ("sites", .array(sites)),
      ("trigger", verdict == .possible ? .array(triggers.map { text($0.text) }) : .null), ("message", text(message)),
      ("hint", text(hint)),
    ]
    return .object(members + (remark.map { [(key: "remark", value: text($0))] } ?? []))
  }
}
