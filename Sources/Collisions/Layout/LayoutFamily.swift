package import Artifacts
package import Findings
import Linking

/// A family that compares where the files of plugins go. Files for different platforms never meet.
package protocol LayoutFamily: CollisionFamily, CollisionRule {
  static var kinds: Set<LayoutItem.Kind> { get }
  static func collisions(_ context: CheckContext) -> [Collision]
}

extension LayoutFamily {
  package static var rules: [any CollisionRule.Type] { [Self.self] }
  package static var membersRepeatNames: Bool { true }

  package static func judge(_ context: CheckContext) -> Judgement<Collision> {
    let items = context.plugins.lazy.flatMap(\.layout.items)
    guard items.contains(where: { kinds.contains($0.kind) }) else { return .nothingToCompare }
    return .found(collisions(context))
  }

  /// Sorted by the bytes of the names, then by platform.
  static func clashes(_ context: CheckContext, by names: (LayoutItem) -> [String]) -> [LayoutClash] {
    var found: [String: [LayoutClash.Member]] = [:]
    for (plugin, facts) in context.numbered {
      for item in facts.layout.items where kinds.contains(item.kind) {
        for name in names(item) { found[name, default: []].append(.init(plugin: plugin, item: item)) }
      }
    }
    return found.filter { members in members.value.contains { $0.plugin != members.value[0].plugin } }
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .flatMap { name, members in
        let targets = Set(members.flatMap(\.item.targets)).sorted()
        return (targets.isEmpty ? [nil] : targets.map(Optional.some)).compactMap { LayoutClash(name, $0, members) }
      }
  }

  /// Clashes by destination. Of files that Xcode copies, two are an error whatever is in them. Two that a compiler
  /// searches for count only if they differ.
  static func byDestination(_ context: CheckContext) -> [Collision] {
    clashes(context, by: { [$0.destination] }).compactMap { clash in
      if let copied = clash.only({ $0.isCopied }) {
        var collision = copied.collision(id, .error)
        collision.examples = copied.members.last?.item.modules ?? []
        return collision
      }
      return clash.isIdentical == false ? clash.collision(id, .silent) : nil
    }
  }

  /// `Xcode prints: Multiple commands produce '…/include/Foo.h'`
  static func xcodeMessage(_ destination: String) -> String {
    "Xcode prints: Multiple commands produce '…/\(destination)'"
  }

  /// The name of the file's XCFramework or plugin, for a folder of its own: `Scanner`.
  static func ownName(_ collision: Collision) -> String {
    let name = collision.sites.last?.ownName ?? ""
    return name.isEmpty ? "MODULE" : name
  }

  /// Packs a file into the plugin's bundle.
  static func intoBundle(_ collision: Collision) -> Edit? {
    let name = collision.name.text
    return Edit(.manifest, "items: [{ from: \(name), to: \(ownName(collision)).bundle/\(name) }]")
  }

  /// Moves all headers of the last XCFramework to a folder in `Headers` that has the name of the module.
  static func ownFolder(_ collision: Collision) -> Edit? {
    guard collision.verdict == .error, collision.examples.count < 2, let place = collision.sites.last?.place,
      !place.parts.dropLast().contains(where: \.isArchive), let (root, rest) = XCFramework.split(place.filePath),
      rest.pathParts.dropFirst().first == "Headers"
    else { return nil }
    let folder = collision.examples.first ?? ownName(collision)
    return Edit(
      .shell, "for h in \(root)/*/Headers; do mkdir $h.new && mv $h $h.new/\(folder) && mv $h.new $h; done")
  }
}

/// Files of several plugins with one name, for one platform: the first file of each plugin.
struct LayoutClash {
  struct Member {
    let plugin: PluginID
    let item: LayoutItem
  }

  let name: String
  /// Nil if the files are for all platforms.
  let target: Slice?
  let members: [Member]

  /// Nil unless two plugins have files for the platform.
  init?(_ name: String, _ target: Slice?, _ all: [Member]) {
    var seen: Set<PluginID> = []
    members = all.filter { member in
      let targets = member.item.targets
      let isFor = targets.isEmpty || target.map(targets.contains) ?? true
      return isFor && seen.insert(member.plugin).inserted
    }
    (self.name, self.target) = (name, target)
    if members.count < 2 { return nil }
  }

  /// Nil unless two plugins are left.
  func only(_ isIncluded: (LayoutItem) -> Bool) -> LayoutClash? {
    LayoutClash(name, target, members.filter { isIncluded($0.item) })
  }

  /// Nil if that is not known.
  var isIdentical: Bool? {
    let contents = members.map(\.item.content)
    if Set(contents.compactMap(\.self)).count > 1 { return false }
    return contents.contains(nil) ? nil : true
  }

  func collision(_ rule: RuleID, _ verdict: Collision.Verdict) -> Collision {
    let sites = members.map { member in
      Collision.Site(
        member.item.container, member: member.item.member, of: member.plugin, .init(member.item.kind))
    }
    return Collision(rule, verdict, target, name, sites, identical: isIdentical)
  }
}

extension Collision.Site.Kind {
  init(_ kind: LayoutItem.Kind) {
    switch kind {
    case .header: self = .header
    case .moduleMap: self = .moduleMap
    case .swiftModule: self = .swiftModule
    case .debugSymbols: self = .debugSymbols
    case .framework: self = .framework
    case .bundle: self = .bundle
    case .resource: self = .resource
    case .privacyManifest: self = .privacyManifest
    }
  }
}
