/// What a finding is about, by which a baseline accepts it and services know it again: rule, plugins, places in them, a name,
/// a platform. Versions, folders, orders, architectures, lines and wordings change from one release to the next and are no
/// part of it.
package struct FindingIdentity: Hashable, Comparable, Sendable {
  package let rule: RuleID
  /// Sorted names.
  package let plugins: [String]
  /// Members, classes, entries; sorted.
  package let places: [String]
  /// A class, a symbol, a key, an architecture; empty if the place says it all.
  package let name: String
  /// `ios`, `ios-simulator`, `android`; empty if the finding is of none or of all.
  package let platform: String
  package var harm = Harm.usual

  /// What comes of it: what was accepted as harmless is not accepted as more.
  package enum Harm: String, CaseIterable, Comparable, Sendable {
    /// Copies that are the same.
    case none = " same"
    case usual = ""
    /// The build ends with it.
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

/// What a finding says of its identity besides its rule and its sites.
package struct FindingSubject: Hashable, Sendable {
  /// Each is accepted by itself: of a class that is new among accepted ones the finding is new.
  package var names: [String] = []
  /// Empty: the outermost parts of the sites are files of plugins.
  package var plugins: [String] = []
  /// Nil: the inner parts of the sites.
  package var places: [String]?
  /// Of a finding that stands for others: theirs.
  package var covered: [FindingIdentity] = []

  package init(names: [String] = []) { self.names = names }
}

extension Finding {
  private var innerPlaces: [String] {
    sites.map { site in site.parts.dropFirst().map { StableName.place($0) }.joined(separator: " › ") }
      .filter { !$0.isEmpty }
  }

  /// The same, shown at other places, and known again by those that it has.
  package func placed(_ shown: (Place) -> Place) -> Finding {
    var finding = self
    if subject.covered.isEmpty { finding.subject.places = subject.places ?? innerPlaces }
    finding.sites = sites.map(shown)
    return finding
  }

  /// The same, known again by this plugin, whatever the file is called.
  package func of(plugin name: String) -> Finding {
    var finding = self
    finding.subject.plugins = [name]
    return finding
  }

  /// The same, known again by these places in its plugin and not by its sites, which only show some of what is meant.
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
