import Artifacts
package import Collisions
package import Findings
package import Linking
package import Rules
import Store
package import SystemPackage

/// Finds what collides when plugins go into one app.
package struct AppCheck: Sendable {
  /// The app's own libraries, which come first on the line.
  package var apps: [FilePath] = []
  /// In the order of the link.
  package var plugins: [FilePath] = []
  package var linker = LinkerProfile.ldPrime
  /// Whether the files and flags are the whole link.
  package var isClosed = false
  package var isDylib = false
  /// Whether frameworks and static libraries are found by their names, as Xcode links them; nil: unless the files and
  /// flags are the whole link, which names files by their paths.
  package var isByName: Bool?
  /// A link line, or flags and further files; nil stands for the usual flags of apps with plugins.
  package var words: [String]?
  /// The folder of relative paths in `words`; empty for the working folder.
  package var folder: FilePath = ""
  /// The check adds the settings that the app's own module has.
  package var android = AndroidApp()
  /// Whether the report has the facts about the plugins.
  package var keepsFacts = false
  /// Files and folders that are read in the place of plugins.
  var replaced: [FilePath: FilePath] = [:]
  /// The parts of a policy file that violate its host's schema.
  package var policyDefects: @Sendable (FilePath) -> [Mistake] = { _ in [] }

  package init() {}

  package struct Outcome: Sendable {
    package let report: CollisionReport
    /// Unreadable parts; the rest was checked.
    package let mistakes: [Mistake]
    /// One-liners for the user.
    package let notes: [String]
  }

  /// Whether its line names files, besides the plugins.
  var namesFiles: Bool {
    guard let words, let line = try? LinkLine(words, in: folder.string) else { return false }
    return line.inputs.contains { input in
      switch input.source {
      case .path, .list: true
      case .library, .framework: false
      }
    }
  }

  var linksByName: Bool { isByName ?? !isClosed }

  /// Apps link plugins with this flag, which loads classes and categories that nothing refers to by name.
  private static let usualFlags = ["-ObjC"]

  package func run(_ policy: FindingPolicy) async throws -> Outcome {
    try await run(policy, try CheckStore(nil), await named)
  }

  /// The files that it names.
  var named: CheckPlugins { get async { await CheckPlugins(apps: apps, plugins, replaced) } }

  func run(_ policy: FindingPolicy, _ store: CheckStore, _ named: CheckPlugins) async throws -> Outcome {
    let line = try LinkLine(words ?? (isClosed ? [] : AppCheck.usualFlags), in: folder.string)
    if apps.isEmpty, plugins.isEmpty, line.inputs.isEmpty {
      throw Mistakes("nothing to check", hint: "name plugins, or files of a link line after --")
    }
    // Telling plugins apart asks the system for real paths, meanwhile.
    async let names = named.names
    var index = await PluginIndex(named, store)
    // The network takes its time, and the links are waiting.
    let new = index.new
    async let isGiven: Void? = store.remote?.give(new)
    let links = await AppLinks(check: self, line: line, plugins: named, store: store.local).run(&index)
    let context = await named.context(index, names, links, line.target, of: self)
    let meeting = CheckMeeting(context)
    var (found, coverage) = try await AppCheck.judge(context, policy, atOnce: named.isSmall ? 1 : nil)
    let labels = context.plugins.map(\.name)
    found = found.levelled(by: policy).unaccepted(by: policy, labels)
      .located(in: LockedPackages(context.locks))
    let (collisions, demanglerNotes) = await found.demangled()
    // A demangler that failed may do better the next time.
    if !demanglerNotes.isEmpty { Lookups.giveUp() }
    var mistakes = named.mistakes + context.plugins.flatMap(\.mistakes) + links.flatMap(\.mistakes)
    var notes = named.notes + links.flatMap(\.notes)
    if links.contains(where: { $0.summary.linker == linker.name }), let model = linker.modelledOn {
      notes.append("what \(linker.name) does is modelled on \(model)")
    }
    if mistakes.isEmpty, line.inputs.isEmpty {
      mistakes += [meeting.mistake].compactMap(\.self)
      if !isClosed { notes += [meeting.note].compactMap(\.self) }
    }
    if mistakes.isEmpty { notes += context.withoutCode }
    var report = CollisionReport()
    (report.plugins, report.links, report.collisions) = (labels, links.map(\.summary), collisions)
    (report.compared, report.coverage, report.inputs) = (context.compared, coverage, PluginInputs(context.parties))
    report.versions = context.versions
    if keepsFacts { (report.facts, report.entryClasses) = (context.plugins, named.classesByPlugin) }
    if !links.isEmpty { report.linker = linker.name }
    let exchange = MessageExchange(context.parties.flatMap(\.policies))
    if !exchange.plugins.isEmpty { report.picture = exchange.picture }
    _ = try await isGiven
    return Outcome(
      report: report, mistakes: mistakes.withoutRepetition, notes: (notes + demanglerNotes).withoutRepetition)
  }

  /// Asks each family that has a rule which is not off.
  private static func judge(
    _ context: CheckContext, _ policy: FindingPolicy, atOnce: Int?
  ) async throws -> (collisions: [Collision], coverage: Coverage) {
    let families = CollisionRegistry.current.families
    var collisions: [Collision] = []
    var coverage = Coverage()
    // A few families take most of the time, so none waits for the ones before it.
    try await inOrder(families.count, atOnce: atOnce, ahead: families.count) { index in
      let family = families[index]
      let isOff = family.rules.allSatisfy { policy.level(of: $0.id, [:], otherwise: .warning) == .off }
      return (name: family.name, judgement: isOff ? .off : family.judge(context))
    } _: { (name: String, judgement: Judgement<Collision>) in
      collisions += judgement.found
      coverage.add(name, judgement, of: "check", called: ("family of collisions", "families of collisions"))
    }
    return (collisions, coverage)
  }
}

extension Array where Element: Hashable {
  /// Each element once, in the order of their first places.
  var withoutRepetition: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
