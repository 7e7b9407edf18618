import Artifacts
import Collisions
import Findings
import ObjectFiles
import Rewriting

/// A name that several plugins define, and that all but one of them can do without.
struct Clash: Hashable {
  enum Name: Hashable {
    /// As lists of `prefix-symbols` spell it.
    case symbol([UInt8])
    /// The same for a class of Objective-C: `_OBJC_CLASS_$_View`.
    case objcClass([UInt8])
    /// With dots.
    case javaClass(String)
  }

  let name: Name
  /// Sorted, and at least two.
  let plugins: [PluginID]
  /// The plugins that have to keep the name, with the reasons.
  let fixed: [PluginID: String]

  var isObjC: Bool { if case .objcClass = name { true } else { false } }

  var rule: RuleID { if case .javaClass = name { DuplicateJavaClass.id } else { DuplicateSymbol.id } }

  /// Each two of its plugins.
  var pairs: [[PluginID]] {
    plugins.indices.flatMap { first in plugins[(first + 1)...].map { [plugins[first], $0] } }
  }

  /// The name as bytes.
  var bytes: [UInt8] {
    switch name {
    case .symbol(let bytes), .objcClass(let bytes): bytes
    case .javaClass(let name): Array(name.utf8)
    }
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// A collision that no step ends, with the reason.
struct LeftClash {
  let rule: RuleID
  let name: String
  let reason: String

  init(rule: RuleID, name: String, reason: String) { (self.rule, self.name, self.reason) = (rule, name, reason) }

  init(_ clash: Clash, _ reason: String) { self.init(rule: clash.rule, name: clash.text, reason: reason) }
}

/// The clashes of an app, and the collisions that no new name ends.
struct Clashes {
  private(set) var all: Set<Clash> = []
  private(set) var left: [LeftClash] = []

  /// Nothing has to be done about notes, unless the plugins change anyway: a copy of a library is one as a whole, and
  /// must not share some of its data with another copy.
  ///
  /// - Parameter report: tells of the plugins.
  init(_ collisions: [Collision], in report: CollisionReport) {
    for collision in collisions where collision.level > .note && !Self.derived.contains(collision.rule) {
      switch Self.clash(collision, report) {
      case .found(let clash): all.insert(clash)
      case .none(let reason): left.append(LeftClash(rule: collision.rule, name: collision.name.shown, reason: reason))
      }
    }
    let together = Set(all.flatMap(\.pairs))
    for collision in collisions where collision.level == .note && collision.rule == DuplicateSymbol.id {
      guard case .found(let clash) = Self.clash(collision, report) else { continue }
      if clash.pairs.contains(where: together.contains) { all.insert(clash) }
    }
  }

  /// It tells of names that collide one by one.
  private static let derived: Set<RuleID> = [DuplicateLibrary.id]

  private enum Outcome {
    case found(Clash)
    case none(String)
  }

  private static func clash(_ collision: Collision, _ report: CollisionReport) -> Outcome {
    guard let name = name(of: collision) else { return .none(collision.hint(report)) }
    // Repaired for reports: lists could not spell it.
    if collision.name.text.unicodeScalars.contains("\u{FFFD}") { return .none("its name is no UTF-8") }
    if collision.sites.isEmpty || collision.sites.contains(where: { $0.plugin == nil }) {
      return .none("a file of the link line has it")
    }
    var fixed: [PluginID: String] = [:]
    var plugins: [PluginID] = []
    for site in collision.sites {
      guard let plugin = site.plugin else { continue }
      let facts = report[plugin]
      if !plugins.contains(plugin) { plugins.append(plugin) }
      fixed[plugin] = fixed[plugin] ?? reason(name, site, facts, report)
    }
    // A plugin's step gives all its copies the same new name, so that they would still meet.
    guard plugins.count > 1 else {
      return .none("\(report[plugins[0]].name.shown) has it twice: its vendor has to leave one out")
    }
    if fixed.count > 1 {
      return .none(
        fixed.sorted { $0.key < $1.key }.map(\.value).reduce(into: []) { all, one in
          if !all.contains(one) { all.append(one) }
        }.joined(separator: "; "))
    }
    return .found(Clash(name: name, plugins: plugins.sorted(), fixed: fixed))
  }

  private static func name(of collision: Collision) -> Clash.Name? {
    let text = collision.name.text
    switch collision.rule {
    case DuplicateSymbol.id, OneDefinitionRule.id:
      guard let listed = SymbolRewrite.listed(Array(text.utf8)) else { return nil }
      return listed.isClass ? .objcClass(listed.name) : .symbol(listed.name)
    case ClassInLibrary.id:
      guard let listed = SymbolRewrite.listed(Array("_OBJC_CLASS_$_\(text)".utf8)) else { return nil }
      return .objcClass(listed.name)
    case DuplicateJavaClass.id: return .javaClass(text)
    default: return nil
    }
  }

  /// The reason why a plugin keeps a name; nil if it can have another one.
  private static func reason(
    _ name: Clash.Name, _ site: Collision.Site, _ facts: PluginFacts, _ report: CollisionReport
  ) -> String? {
    let shown = facts.name.shown
    let classes = site.plugin.flatMap { report.entryClasses[$0] } ?? []
    if facts.isApp { return "\(shown) is the app's own" }
    switch name {
    case .symbol: break
    case .objcClass(let name):
      let own = String(decoding: name.dropFirst("_OBJC_CLASS_$_".utf8.count), as: UTF8.self)
      if classes.contains(own) { return "\(shown) is found by the name of its class \(own)" }
    case .javaClass(let name):
      return JavaPackages.reason(name, facts, classes)
    }
    if site.kind == .library { return "\(site.artifact.parts.last ?? "") of \(shown) is linked already" }
    if site.kind == .alias { return "the link line gives \(shown) the name" }
    return nil
  }
}

extension Collision {
  fileprivate func hint(_ report: CollisionReport) -> String {
    finding(report.plugins).hint ?? "its rule names no way out"
  }
}
