import Artifacts
package import Findings
import Recipes

/// Two plugins that carry different builds of one library. No linker reports it as long as each name is taken once, and
/// yet it is the worst finding: code of one build works on data of the other. It is derived from the names that
/// collide.
package enum DuplicateLibrary: CollisionRule, CollisionFamily {
  package static let id: RuleID = "duplicate-library"
  package static let noun = (one: "library in different builds", many: "libraries in different builds")
  package static let isInCommon = false
  package static let leads = true
  package static let name = "libraries"
  package static var rules: [any CollisionRule.Type] { [Self.self] }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    let name = collision.name.text.isEmpty ? "one library" : collision.name.text
    let what = "copies of \(name)" + (collision.copies.map { ", \($0)" } ?? "")
    return (
      "\(CollisionGroup.together(collision.examples)) carry different \(what) (\(collision.count) of their names differ): "
        + "the app may crash, and no linker says so",
      [],
      "let the plugins share one build of it, leave one of them out, or ask a vendor to hide its own"
    )
  }

  /// This many names that differ are no coincidence.
  private static let maxByChance = 100
  /// The same limit for names of a library that is known.
  private static let maxOfKnownByChance = 10

  /// One collision for each set of plugins and slice. Names for which the link fails do not count, because there will
  /// be no app.
  package static func judge(_ context: CheckContext) -> Judgement<Collision> {
    if context.links.isEmpty { return .cannot("no plugin has code for Apple's platforms") }
    let all = context.links.flatMap(\.collisions)
    var groups: [[String]: Group] = [:]
    // Many consecutive collisions are of the same files: comparing files is cheaper than hashing plugins for each name.
    var run: (first: Int, key: [String])?
    var members: [Int] = []
    func end() {
      if let run { groups[run.key, default: Group()].add(members, of: all) }
      members = []
    }
    for index in all.indices
    where all[index].rule == DuplicateSymbol.id && all[index].verdict != .error && all[index].identical == false {
      if let run, all[index].isOfFiles(of: all[run.first]) {
        members.append(index)
        continue
      }
      end()
      let plugins = Set(
        all[index].sites.map { site in site.plugin.map { context[$0].name.shown } ?? site.artifact.parts.first ?? "" })
      run = plugins.count > 1 ? (index, [all[index].sliceName] + plugins.sorted()) : nil
      if run != nil { members = [index] }
    }
    end()
    let found = groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.compactMap { key, group -> Collision? in
      let library = group.library
      guard library != nil || group.count >= maxByChance else { return nil }
      var collision = Collision(id, .silent, group.slice, library ?? "", group.sites, identical: false)
      (collision.count, collision.examples) = (group.count, Array(key.dropFirst()))
      let plugins = collision.examples.compactMap { name in
        group.sites.lazy.compactMap(\.plugin).first { context[$0].name.shown == name }
      }
      if let library, plugins.count == collision.examples.count {
        collision.copies = context.versions(library, plugins)
      }
      return collision
    }
    return .found(found)
  }

  /// The collisions of the same plugins in one slice.
  private struct Group {
    var count = 0
    var slice: Slice?
    var sites: [Collision.Site] = []
    private var counts: [Int: Int] = [:]

    /// The known library that most names are of, if these are no coincidence; of equal ones the first in the list.
    var library: String? {
      counts.filter { $0.value >= maxOfKnownByChance }.max { ($0.value, $1.key) < ($1.value, $0.key) }
        .map { ThirdParties.all.names[$0.key] }
    }

    /// `members` are of the same files.
    mutating func add(_ members: [Int], of all: [Collision]) {
      guard let first = members.first else { return }
      count += members.count
      slice = all[first].slice
      for site in all[first].sites where !sites.contains(where: { $0.artifact == site.artifact }) {
        sites.append(Collision.Site(site.artifact, of: site.plugin, .library))
      }
      for index in members {
        if let library = ThirdParties.all.index(of: all[index].name.text) { counts[library, default: 0] += 1 }
      }
    }
  }
}

extension Collision {
  /// Whether it is of the same slice and files as another.
  fileprivate func isOfFiles(of other: Collision) -> Bool {
    sites.count == other.sites.count && slice == other.slice
      && zip(sites, other.sites).allSatisfy { $0.artifact == $1.artifact }
  }
}
