package import Artifacts
package import Findings
package import Linking

/// Something that several files of an app have in common, with its outcome. The search makes it, the report shows it,
/// and its rule words it.
package struct Collision: Hashable, Sendable {
  package enum Verdict: String, Sendable {
    case error, warning, silent
    /// An error once the app refers to all of the triggers.
    case possible
  }

  package struct Name: Hashable, Sendable {
    /// The raw name: a symbol, a class, a path.
    package var text: String
    /// Nil if demangling does not change the raw name.
    package var demangled: String?

    package var shown: String { demangled ?? text }
  }

  package struct Site: Hashable, Sendable {
    package enum Kind: String, Sendable {
      case strong, weak, common, absolute, alias, category, library
      case objcClass = "class"
      case sends, receives, policy
      case header, framework, bundle, resource
      case manifest, metadata, rules
      case moduleMap = "module-map"
      case swiftModule = "swift-module"
      case debugSymbols = "debug-symbols"
      case privacyManifest = "privacy-manifest"
      case package
    }

    /// The file, with its outermost container first.
    package var artifact: Place
    /// Nil for a file that a link line names.
    package var plugin: PluginID?
    package var member: String?
    package var kind: Kind
    /// The reason why its member is loaded; nil if it is not loaded or is in no static library.
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
  /// Nil on Android and for messages.
  package var slice: Slice?
  package var name: Name
  /// In the order of the line or of the plugins; an error has only the sites that take part in it.
  package var sites: [Site]
  /// The definition that the app gets, or would get if the name were wanted; nil after an error or if that is not
  /// known.
  package var winner: String?
  /// Whether the winner is the app's own, so that the app has decided.
  package internal(set) var isAppsChoice = false
  /// Whether all definitions are the same; nil if that is not known.
  package var identical: Bool?
  package var triggers: [Name] = []
  /// The number of names or differences that it stands for; `examples` has some of them.
  package var count = 1
  package var examples: [String] = []
  /// Set for collisions of messages only.
  package internal(set) var message: MessageClash?
  /// The level that the user has set for its rule.
  package var chosenLevel: Level?
  /// An additional note, such as that an exception for it has expired.
  package var remark: String?
  /// A sentence on the outcome by ld64, if the verdict rests on a trait that is only reported of the chosen linker.
  package internal(set) var parting: String?
  /// The versions of its library in the plugins: `3.45.1 and 3.39.0`.
  package internal(set) var copies: String?
  /// A sentence on what its definitions have or lack.
  package internal(set) var detail: String?
  /// The packages that it is of, as jars and lock files say.
  package internal(set) var packages: String?
  /// The module of Gradle, `group:name`, that one of its sites is.
  package internal(set) var module: String?

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

  var additions: [String] { [detail, packages, parting, remark].compactMap(\.self) }

  var shownTriggers: String { triggers.map(\.shown).joined(separator: " and ") }

  /// An object file that a line names again is its own duplicate.
  var isOfOneFile: Bool { sites.count == 1 }

  /// `twice`, `3 times`.
  var times: String { sites.count <= 2 ? "twice" : "\(sites.count) times" }

  /// The causes for which members are loaded, with the members' short names.
  var reasons: [(place: String, cause: String)] {
    if sites.allSatisfy({ $0.reason == nil }) { return [] }
    return zip(sites, siteNames).compactMap { site, name -> (place: String, cause: String)? in
      switch site.reason {
      case DuplicateSymbol.aliasReason: nil
      case .flag(let flag): (name, "by \(flag)")
      case .symbol(let symbol): (name, "for \(symbol)")
      case nil: nil
      }
    }
  }

  /// The short name of the winner, if that is one of the sites.
  var shownWinner: String? {
    guard let winner else { return nil }
    let index = sites.firstIndex { LinkPlace(file: $0.artifact.description, member: $0.member).description == winner }
    return index.map { siteNames[$0] } ?? winner
  }

  /// For each site the shortest name that tells it from the others, whose places are listed in full.
  private var siteNames: [String] {
    let kinds: [(Site) -> String] = [
      { $0.place.lastName }, { $0.member == nil ? $0.place.lastName : "\($0.artifact.lastName)(\($0.place.lastName))" },
      { "\($0.place.lastName) of \($0.artifact.shortName)" },
    ]
    var names: [String?] = Array(repeating: nil, count: sites.count)
    for kind in kinds where names.contains(nil) {
      let all = sites.map(kind)
      let counts = Dictionary(all.map { ($0, 1) }, uniquingKeysWith: +)
      for (index, name) in all.enumerated() where names[index] == nil && counts[name] == 1 { names[index] = name }
    }
    return zip(sites, names).map { $1 ?? LinkPlace(file: $0.artifact.description, member: $0.member).description }
  }

  /// The finding for this one name in this one slice.
  package func finding(_ plugins: [PluginName]) -> Finding {
    let (message, notes, hint) = words.text(self)
    let reasons = reasons.map { "\($0.place) is loaded \($0.cause)" }
    var seen: Set<Place> = []
    var finding = Finding(
      rule, level, message, at: sites.map(\.place).filter { seen.insert($0).inserted },
      notes: [name.demangled].compactMap(\.self) + reasons + notes + additions, hint: hint, edit: edit(of: [self]))
    finding.subject.covered = [identity(plugins)]
    if words.leads { finding.rank = .leading }
    return finding
  }

  /// The edit that ends a finding about all of these collisions; nil for a note, which needs no change.
  func edit(of all: [Collision]) -> Edit? { level > .note ? words.edit(all) : nil }

  /// The identity for baselines, which does not depend on the wording.
  package func identity(_ plugins: [PluginName]) -> FindingIdentity {
    let plugins = message?.plugins.map { StableName.plugin($0) } ?? stableNames(plugins)
    // A collision of messages is identified by the message's name, not by the policy files.
    let places = message == nil ? sites.map { StableName.place($0.place.lastName) } : []
    let platform =
      slice.map { [$0.platform, $0.variant].compactMap(\.self).joined(separator: "-") } ?? words.platform ?? ""
    // A plugin without a policy is identified by the plugin alone.
    let isOfPlugin = message?.plugins == [name.text]
    var identity = FindingIdentity(
      rule: rule, plugins: plugins, places: places, name: isOfPlugin ? "" : name.text, platform: platform)
    if verdict == .error, slice != nil { identity.harm = .failure }
    if verdict == .silent, identical == true { identity.harm = .none }
    return identity
  }

  /// The name of each plugin once. Namesakes are numbered so that they stay distinct.
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
    // Literals of `JSONValue` are copied, which is felt in reports of thousands of names.
    let sites = sites.map { site in
      JSONValue.object([
        ("artifact", .string(site.artifact.description)), ("member", text(site.member)),
        ("kind", .string(site.kind.rawValue)),
      ])
    }
    let (message, _, hint) = words.text(self)
    var members: [(key: String, value: JSONValue)] = [
      ("rule", .string(rule.rawValue)), ("level", .string(level.rawValue)), ("verdict", .string(verdict.rawValue)),
      ("slice", text(slice?.description ?? words.platform)),
      ("name", .string(name.text)), ("demangled", text(name.demangled)), ("winner", text(winner)),
      ("identical", identical.map(JSONValue.bool) ?? .null), ("sites", .array(sites)),
      ("trigger", verdict == .possible ? .array(triggers.map { .string($0.text) }) : .null),
      ("message", .string(message)), ("hint", .string(hint)),
    ]
    for (key, value) in [("detail", detail), ("packages", packages), ("reported", parting), ("remark", remark)] {
      if let value { members.append((key, .string(value))) }
    }
    if let edit = edit(of: [self]) { members.append(("edit", edit.json)) }
    return .object(members)
  }
}
