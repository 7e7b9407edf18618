import Artifacts
package import Collisions
package import Findings
import Store
package import SystemPackage

/// A small set of steps that end the collisions of an app: prefixes for names of native code, and new packages for
/// classes of Java. The steps have been run, and the app checked with what they made.
package struct FixPlan {
  let report: CollisionReport
  private(set) var steps: [FixStep] = []
  /// The collisions that no step ends, with the reasons.
  private(set) var left: [LeftClash] = []
  /// Whether so many plugins meet that fewer might do.
  private(set) var isCut = false

  private var clashes: Set<Clash> = []
  private var packages: JavaPackages
  private var names: FixNames
  /// Plugins that refuse every new name, those of their classes of Objective-C, and those of a package.
  private var refusals: [PluginID: String] = [:]
  private var classRefusals: [PluginID: String] = [:]
  private var packageRefusals: [PluginID: [(package: String, reason: String)]] = [:]

  /// Two or three do for most apps.
  private static let maxRounds = 32

  /// - Parameters:
  ///   - report: has the facts about the plugins.
  ///   - check: checks the app again, with other files in the place of some plugins.
  package init(
    _ report: CollisionReport, check: ([FilePath: FilePath]) async throws -> CollisionReport
  ) async throws(Mistakes) {
    self.report = report
    packages = JavaPackages(report)
    names = FixNames(report)
    var found = Clashes(report.collisions, in: report)
    clashes = packages.judged(found.all)
    do {
      // A link that fails says nothing about what it would fail for next, and new names let a linker load what it did not
      // load before.
      for _ in 0..<Self.maxRounds {
        let made = try await propose()
        if made.isEmpty { break }
        found = Clashes(try await check(made.plugins).collisions, in: report)
        let next = packages.judged(found.all).subtracting(clashes)
        if next.isEmpty { break }
        // A new name that meets another one is no name of the plugins.
        clashes.formUnion(next.subtracting(names.advance(past: next)))
      }
    } catch {
      throw Mistakes(from: error)
    }
    leave(found)
  }

  /// Keeps what the last check still finds.
  private mutating func leave(_ found: Clashes) {
    let still = Set(found.all.map(\.text))
    left = found.left + left.filter { still.contains($0.name) }
    let known = Set(left.map(\.name))
    for clash in found.all.sorted(by: { $0.text < $1.text }) where !known.contains(clash.text) {
      left.append(LeftClash(clash, "it is still there after the step"))
    }
  }

  // MARK: - Rounds

  /// The files and folders that the steps made; they are removed with this value.
  private struct Made: ~Copyable {
    let folder: OutputFolder
    var plugins: [FilePath: FilePath] = [:]

    var isEmpty: Bool { plugins.isEmpty }
  }

  /// Finds the steps, and runs them beside the system's other temporary files.
  private mutating func propose() async throws -> Made {
    while true {
      (left, steps) = ([], [])
      names.begin()
      var made = Made(
        folder: try OutputFolder.create("npi-pack-fixed", below: try OpenFolder(HostProcess.temporaryFolder)))
      // Each round knows of one more plugin what it refuses.
      if try await runs(&made) { return made }
    }
  }

  /// False if a plugin refuses its step.
  private mutating func runs(_ made: inout Made) async throws -> Bool {
    let changes = chosen()
    if let (plugin, package, reason) = packages.lost(changes) {
      packageRefusals[plugin, default: []].append((package, reason))
      return false
    }
    for (plugin, clashes) in changes.sorted(by: { $0.key < $1.key }) {
      var step = names.step(plugin, clashes)
      let input = FilePath(report[plugin].name.path)
      let output = made.folder.temporaryPath.appending("\(steps.count)")
        .appending(names.lastName(of: plugin))
      try FileSystem.makeFolders(output.removingLastComponent())
      do throws(Mistakes) { try await step.run(input, to: output) } catch {
        let reason = error.all.first?.message ?? "it is refused"
        if step.hasClasses, classRefusals[plugin] == nil {
          classRefusals[plugin] = reason
        } else {
          refusals[plugin] = reason
        }
        return false
      }
      steps.append(step)
      made.plugins[input] = output
    }
    return true
  }

  /// The plugins that change, with the names that they give up.
  private mutating func chosen() -> [PluginID: [Clash]] {
    let open = openClashes()
    var counts: [PluginID: Int] = [:]
    for plugin in clashes.flatMap(\.plugins) { counts[plugin, default: 0] += 1 }
    let shares = counts.keys.reduce(into: [:]) { $0[$1] = names.share(of: $1, counts[$1] ?? 0) }
    let choice = FixChoice(
      Set(open.map { FixChoice.Edge(plugins: $0.plugins, fixed: Set($0.fixed.keys)) }), shares: shares)
    isCut = choice.isCut
    var changes: [PluginID: [Clash]] = [:]
    for clash in open {
      let stays =
        clash.fixed.keys.first ?? clash.plugins.first { !choice.plugins.contains($0) } ?? clash.plugins.first
      for plugin in clash.plugins where plugin != stays { changes[plugin, default: []].append(clash) }
    }
    return changes
  }

  /// The clashes that new names can end; the others are put to those that are left.
  private mutating func openClashes() -> [Clash] {
    clashes.sorted { ($0.text, $0.plugins.count) < ($1.text, $1.plugins.count) }.compactMap { clash in
      var fixed = clash.fixed
      for plugin in clash.plugins where fixed[plugin] == nil { fixed[plugin] = refusal(of: clash, by: plugin) }
      if fixed.count < 2 { return Clash(name: clash.name, plugins: clash.plugins, fixed: fixed) }
      let reasons = fixed.sorted { $0.key < $1.key }.map(\.value)
      left.append(LeftClash(clash, Set(reasons).count == 1 ? reasons[0] : reasons.joined(separator: "; ")))
      return nil
    }
  }

  private func refusal(of clash: Clash, by plugin: PluginID) -> String? {
    if let reason = refusals[plugin] ?? (clash.isObjC ? classRefusals[plugin] : nil) { return reason }
    guard case .javaClass(let name) = clash.name else { return nil }
    return packageRefusals[plugin]?.first { name.hasPrefix($0.package + ".") }?.reason
  }
}
