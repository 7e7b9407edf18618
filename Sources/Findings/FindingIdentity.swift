/// The identity by which baselines and services recognize a finding: rule, plugins, places in them, a name, a platform.
/// Versions, folders, orders, architectures, lines and wordings change from one release to the next and are no part of
/// it.
package struct FindingIdentity: Hashable, Comparable, Sendable {
  package let rule: RuleID
  /// Sorted names.
  package let plugins: [String]
  /// Members, classes and entries, sorted.
  package let places: [String]
  /// A class, a symbol, a key or an architecture; empty if the place is enough.
  package let name: String
  /// `ios`, `ios-simulator`, `android`; empty if the finding is for no platform or for all.
  package let platform: String
  package var harm = Harm.usual

  /// The severity of the outcome: a finding that was accepted as harmless is not accepted as a worse one.
  package enum Harm: String, CaseIterable, Comparable, Sendable {
    /// The copies are identical.
    case none = " same"
    case usual = ""
    /// The build fails.
    case failure = " fails"

    package static func < (a: Harm, b: Harm) -> Bool {
      (allCases.firstIndex(of: a) ?? 0) < (allCases.firstIndex(of: b) ?? 0)
    }
  }

  package init(rule: RuleID, plugins: [String], places: [String], name: String, platform: String) {
    self.rule = rule
    self.plugins = Set(plugins).sorted()
    self.places = Set(places).sorted()
    self.name = name
    self.platform = platform
  }

  /// Five fields with tabs between them.
  package var line: String {
    let fields = [
      rule.rawValue, plugins.joined(separator: FindingIdentity.separator),
      places.joined(separator: FindingIdentity.separator), name, platform + harm.rawValue,
    ]
    return fields.map(printable).joined(separator: "\t")
  }

  static let separator = ", "

  package static func < (a: FindingIdentity, b: FindingIdentity) -> Bool { a.line < b.line }
}

/// The parts of a finding's identity besides its rule and its sites.
package struct FindingSubject: Hashable, Sendable {
  /// Each name is accepted by itself: if a new class joins accepted ones, the finding is new.
  package var names: [String] = []
  /// If empty, the outermost parts of the sites are used as files of plugins.
  package var plugins: [String] = []
  /// If nil, the inner parts of the sites are used.
  package var places: [String]?
  /// The identities of other findings that this one stands for.
  package var covered: [FindingIdentity] = []

  package init(names: [String] = []) { self.names = names }
}

extension Finding {
  private var innerPlaces: [String] {
    sites.map { site in site.parts.dropFirst().map { StableName.place($0) }.joined(separator: " › ") }
      .filter { !$0.isEmpty }
  }

  /// The same finding, shown at other places but with the identity of its own places.
  package func placed(_ shown: (Place) -> Place) -> Finding {
    var finding = self
    if subject.covered.isEmpty { finding.subject.places = subject.places ?? innerPlaces }
    finding.sites = sites.map(shown)
    return finding
  }

  /// The same finding, with the identity of this plugin, whatever the file is called.
  package func of(plugin name: String) -> Finding {
    var finding = self
    finding.subject.plugins = [name]
    return finding
  }

  /// The same finding, with the identity of these places in its plugin: its sites are only some of them.
  package func identified(by places: [String]) -> Finding {
    var finding = self
    finding.subject.places = places.map { StableName.place($0) }
    return finding
  }

  /// One for each name; never empty.
  package var identities: [FindingIdentity] {
    if !subject.covered.isEmpty { return subject.covered }
    let plugins =
      subject.plugins.isEmpty ? sites.compactMap { $0.parts.first.map { StableName.plugin($0) } } : subject.plugins
    let places = subject.places ?? innerPlaces
    return (subject.names.isEmpty ? [""] : subject.names).map {
      FindingIdentity(rule: rule, plugins: plugins, places: places, name: $0, platform: "")
    }
  }
}
