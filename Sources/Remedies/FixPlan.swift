import Android
import Artifacts
package import Collisions
import Documents
package import Findings
import Rewriting
import Store
package import SystemPackage

/// The smallest set of steps that end the collisions of an app: prefixes for names of native code, and new packages for
/// classes of Java. The steps have been run, and the app checked with what they made.
package struct FixPlan {
  private var steps: [FixStep] = []
  /// The collisions that no step ends, with the reasons.
  private var left: [LeftClash] = []
  private let report: CollisionReport
  private var clashes: Set<Clash>
  /// Plugins that refuse every new name, or those of their classes of Objective-C.
  private var refusals: [PluginID: String] = [:]
  private var classRefusals: [PluginID: String] = [:]
  private var ownNames: [PluginID: OwnNames] = [:]

  /// - Parameters:
  ///   - report: has the facts about the plugins.
  ///   - check: checks the app again, with other files in the place of some plugins.
  package init(
    _ report: CollisionReport, check: ([FilePath: FilePath]) async throws -> CollisionReport
  ) async throws(Mistakes) {
    self.report = report
    var found = Clashes(report.collisions, in: report)
    var packages = JavaPackages(report)
    clashes = packages.judged(found.all)
    do {
      // A link that fails says nothing about what it would fail for next, and new names let a linker load what it did not
      // load before.
      while true {
        let made = try await propose()
        if made.isEmpty { break }
        found = Clashes(try await check(made.plugins).collisions, in: report)
        let next = packages.judged(found.all).subtracting(clashes)
        if next.isEmpty { break }
        clashes.formUnion(next)
      }
      left = found.left + left
    } catch {
      throw Mistakes(from: error)
    }
  }

  /// What the steps made.
  private struct Made: ~Copyable {
    let folder: OutputFolder
    var plugins: [FilePath: FilePath] = [:]

    var isEmpty: Bool { plugins.isEmpty }
  }

  /// Finds the steps, and runs them beside the system's other temporary files.
  private mutating func propose() async throws -> Made {
    while true {
      left = []
      var made = Made(
        folder: try OutputFolder.create("npi-pack-fixed", below: try OpenFolder(HostProcess.temporaryFolder)))
      // Each round knows of one more plugin what it refuses.
      if try await runs(&made) { return made }
    }
  }

  /// False if a plugin refuses its step.
  private mutating func runs(_ made: inout Made) async throws -> Bool {
    let open = openClashes()
    var shares: [PluginID: Int] = [:]
    for plugin in Set(open.flatMap(\.plugins)) { shares[plugin] = share(of: plugin) }
    let edges = Set(open.map { FixChoice.Edge(plugins: $0.plugins, fixed: Set($0.fixed.keys)) })
    let chosen = FixChoice.plugins(edges, shares: shares)
    var names: [PluginID: [Clash]] = [:]
    for clash in open {
      let stays =
        clash.fixed.keys.first ?? clash.plugins.first { !chosen.contains($0) } ?? clash.plugins.first
      for plugin in clash.plugins where plugin != stays { names[plugin, default: []].append(clash) }
    }
    steps = []
    for (plugin, clashes) in names.sorted(by: { $0.key < $1.key }) {
      for var step in proposed(plugin, clashes) {
        let input = FilePath(report[plugin].name.path)
        let output = made.folder.temporaryPath.appending("\(made.plugins.count)")
          .appending(input.lastComponent?.string ?? step.name)
        try FileSystem.makeFolders(output.removingLastComponent())
        do throws(Mistakes) { try await step.run(to: output) } catch {
          refuse(error.all.first?.message ?? "it is refused", step, plugin)
          return false
        }
        steps.append(step)
        made.plugins[input] = output
      }
    }
    return true
  }

  private mutating func refuse(_ reason: String, _ step: FixStep, _ plugin: PluginID) {
    if case .prefix(_, _, _, let classes) = step.change, classes, classRefusals[plugin] == nil {
      classRefusals[plugin] = reason
    } else {
      refusals[plugin] = reason
    }
  }

  /// The clashes that new names can end; the others are put to those that are left.
  private mutating func openClashes() -> [Clash] {
    clashes.sorted { $0.text < $1.text }.compactMap { clash in
      var fixed = clash.fixed
      for plugin in clash.plugins where fixed[plugin] == nil {
        fixed[plugin] = refusals[plugin] ?? (clash.isObjC ? classRefusals[plugin] : nil)
      }
      if fixed.count < 2 { return Clash(name: clash.name, plugins: clash.plugins, fixed: fixed) }
      let reasons = fixed.sorted { $0.key < $1.key }.map(\.value)
      left.append(
        LeftClash(
          rule: clash.rule, name: clash.text,
          reason: Set(reasons).count == 1 ? reasons[0] : reasons.joined(separator: "; ")))
      return nil
    }
  }

  /// How much of a plugin collides, in thousandths. A plugin that consists of it is the library of a third party, which
  /// others may use; one that has a copy in its own code is changed before.
  private mutating func share(of plugin: PluginID) -> Int {
    let colliding = clashes.count { $0.plugins.contains(plugin) }
    let all = names(of: plugin).count + report[plugin].android.classes.count
    return 1000 * colliding / max(all, colliding, 1)
  }

  private mutating func names(of plugin: PluginID) -> OwnNames {
    if let known = ownNames[plugin] { return known }
    let names = OwnNames(FilePath(report[plugin].name.path))
    ownNames[plugin] = names
    return names
  }

  // MARK: - Steps

  private static let fewNames = 8

  private mutating func proposed(_ plugin: PluginID, _ clashes: [Clash]) -> [FixStep] {
    let facts = report[plugin]
    let word = FixWord(facts.name.path).text
    let path = FilePath(facts.name.path)
    var name = word
    var number = 1
    while steps.contains(where: { $0.name == name }) {
      name = number == 1 ? "\(word)_\(FixWord.letters(path.extension ?? "own"))" : "\(word)_\(number)"
      number += 1
    }
    let isFolder = ((try? FileSystem.status(of: path, followingLinks: true)) ?? nil)?.kind == .directory
    let isPlain = isFolder && !["framework", "xcframework"].contains(path.extension)
    let input = facts.name.path + (isPlain && !facts.name.path.hasSuffix("/") ? "/" : "")
    let last = path.lastComponent?.string ?? word
    let isTaken = steps.contains { $0.output == "fixed/\(last)" }
    let output = isTaken ? "fixed/\(name)/\(last)" : "fixed/\(last)"
    let others = Set(clashes.flatMap(\.plugins)).subtracting([plugin]).sorted()
      .map { report[$0].name.shown }
    func comment(_ what: String) -> String {
      "\(name): other names for \(what) that \(facts.name.shown) has in common with \(listed(others, limit: 3))"
    }
    let java = clashes.compactMap { clash -> String? in
      if case .javaClass(let name) = clash.name { name } else { nil }
    }
    if !java.isEmpty {
      let own = JavaPackages.namespace(of: facts) ?? name.lowercased()
      let packages = JavaPackages.outermost(java)
      return [
        FixStep(
          name: name, input: facts.name.path, output: output,
          .packages(packages.map { ($0, JavaPackages.newName($0, below: own)) }),
          comment: comment(counted(packages.count, "package")))
      ]
    }
    let classes = Set(clashes.filter(\.isObjC).map(\.bytes))
    let chosen = classes.union(clashes.map(\.bytes))
    let own = names(of: plugin)
    let all = own.symbols.union(classes.isEmpty ? [] : own.classes)
    var only = NameSelection.patterns(of: chosen, among: all)
    let keep = own.hasOthers ? nil : NameSelection.patterns(of: all.subtracting(chosen), among: all)
    // A list of what changes still fits when the plugin gets more names of its own.
    if let keep, only.count > Self.fewNames, 2 * keep.count < only.count { only = [] }
    let prefix = FixStep.Change.prefix(
      "\(name)_", keep: only.isEmpty ? keep ?? [] : [], only: only,
      classes: !classes.isEmpty)
    return [
      FixStep(
        name: name, input: input, output: output, prefix,
        comment: comment(counted(chosen.count, "symbol")))
    ]
  }
}

// MARK: - Text

extension FixPlan {
  /// Whether nothing is left that no step ends.
  package var isWhole: Bool { left.isEmpty }
  package var isEmpty: Bool { steps.isEmpty && left.isEmpty }

  /// The plan as text for `npi.yml`.
  package func text() throws(Mistakes) -> String {
    var blocks: [YAMLEmitter.Block] = []
    if !steps.isEmpty {
      let names = steps.map(\.name).joined(separator: " ")
      let count = "\(steps.count) of \(counted(report.plugins.count, "plugin"))"
      blocks.append(
        YAMLEmitter.Block([
          "For \(count): npi-pack build \(names)",
          "Put what it makes in fixed/ in the place of the old ones.",
        ]))
      blocks.append(YAMLEmitter.Block([], YAMLValue.Member("name", .text("fixed-plugins"))))
      blocks.append(YAMLEmitter.Block([], YAMLValue.Member("version", .text("1.0.0"))))
      blocks.append(
        YAMLEmitter.Block(steps.map(\.comment), YAMLValue.Member("steps", .map(steps.map(\.member)))))
    }
    let lines = leftLines
    if !lines.isEmpty { blocks.append(YAMLEmitter.Block(["No step ends these:"] + lines)) }
    do throws(YAMLEmitter.Failure) { return try YAMLEmitter.text(blocks) } catch {
      throw Mistakes("the plan cannot be written: \(error.reason)")
    }
  }

  /// A line for each rule and reason.
  private var leftLines: [String] {
    var lines: [(rule: RuleID, reason: String, names: [String])] = []
    for clash in left {
      if let index = lines.firstIndex(where: { $0.rule == clash.rule && $0.reason == clash.reason }) {
        if !lines[index].names.contains(clash.name) { lines[index].names.append(clash.name) }
      } else {
        lines.append((clash.rule, clash.reason, [clash.name]))
      }
    }
    return lines.map { "\($0.rule): \(listed($0.names, limit: 3)): \($0.reason)" }
  }
}

/// The name of a plugin as a word of letters, digits and underscores: `Scanner` of `Scanner-2.0.1-ios.zip`.
struct FixWord {
  let text: String

  static func letters(_ text: String) -> String { String(decoding: text.utf8.filter(\.isInName), as: UTF8.self) }

  init(_ name: String) {
    let last = FilePath(name).lastComponent
    var stem = last?.stem ?? name
    if last?.extension == "a", stem.hasPrefix("lib") { stem.removeFirst(3) }
    func isDigit(_ byte: UInt8?) -> Bool { byte.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false }
    // A version, and what follows it, is no part of the name.
    let parts = stem.utf8.split { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: " ") }
    let words = parts.prefix { !isDigit($0.first) }.map { $0.filter(\.isInName) }.filter { !$0.isEmpty }
    var bytes = Array(words.joined(separator: [UInt8(ascii: "_")]))
    if bytes.isEmpty || isDigit(bytes.first) { bytes = Array("own".utf8) + bytes }
    text = String(decoding: bytes, as: UTF8.self)
  }
}
