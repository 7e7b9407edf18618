import Android
import Artifacts
package import Collisions
package import Findings
package import Linking
import ObjectFiles
package import Rules
import Store
package import SystemPackage

/// What will collide when plugins go into one app.
package struct AppCheck: Sendable {
  /// The app's own libraries, which come first on the line.
  package var apps: [FilePath] = []
  /// In the order in which they are linked.
  package var plugins: [FilePath] = []
  package var linker = LinkerProfile.ldPrime
  /// The files and flags are the whole link.
  package var isClosed = false
  package var isDylib = false
  /// A link line, or flags and further files; nil: what apps with plugins are linked with.
  package var words: [String]?
  /// What the paths in `words` are relative to; empty: where this process runs.
  package var folder: FilePath = ""
  /// Of the app, if that is known.
  package var agp: AndroidGradlePlugin?

  package init() {}

  package struct Outcome: Sendable {
    package internal(set) var report = CollisionReport()
    /// What could not be read; the rest was checked.
    package internal(set) var mistakes: [Mistake] = []
    /// One-liners for the user.
    package internal(set) var notes: [String] = []

    /// Each is said once: plugins are read for their names, for the link and for Android.
    mutating func add(_ more: [Mistake]) {
      var known = Set(mistakes)
      mistakes += more.filter { known.insert($0).inserted }
    }
  }

  /// Each holds the symbols of all its files.
  private static let maxLinksAtOnce = 4

  /// Hosts link with this: classes and categories that nobody refers to by name are loaded.
  private static let usualFlags = ["-ObjC"]

  package func run(_ policy: FindingPolicy) async throws(Mistakes) -> Outcome {
    var outcome = Outcome()
    let line = try LinkLine(words ?? (isClosed ? [] : AppCheck.usualFlags), in: folder.string)
    if apps.isEmpty, self.plugins.isEmpty, line.inputs.isEmpty {
      throw Mistakes("nothing to check", hint: "name plugins, or files of a link line after --")
    }
    let plugins = await CheckPlugins(apps: apps, self.plugins)
    let (store, refusal) = UserStore.prepared
    if let refusal { outcome.notes.append(refusal) }
    var known = await PluginIndex(plugins, store)
    outcome.mistakes = plugins.mistakes
    outcome.add(known.mistakes)
    let slices = AppCheck.slices(plugins.paths.indices.flatMap { known.slices(of: $0) }, line)
    // The files of a line may have to do with any plugin.
    let all = Array(plugins.paths.indices)
    var related: [[Int]] = []
    for slice in slices {
      let isWhole = isClosed || !line.inputs.isEmpty
      related.append(isWhole ? all : await known.related(for: slice))
    }
    known.keep()
    outcome.report.plugins = plugins.paths.map(\.string)
    await link(slices, line, plugins, related, known, &outcome)
    if !slices.isEmpty, let model = linker.modelledOn {
      outcome.notes.append("what \(linker.name) does is modelled on \(model)")
    }
    let android = await AppCheck.android(plugins.paths, known)
    let meeting = CheckMeeting(plugins, known, android)
    if outcome.mistakes.isEmpty, android.allSatisfy(\.mistakes.isEmpty), line.inputs.isEmpty {
      if let mistake = meeting.mistake { outcome.mistakes.append(mistake) }
      if !isClosed, let note = meeting.note { outcome.notes.append(note) }
    }
    // A folder may hold a policy and nothing else.
    let talking = Set(plugins.parties.filter { !$0.policies.isEmpty }.flatMap(\.numbers))
    for (index, path) in plugins.paths.enumerated() where known.slices(of: index).isEmpty && android[index].isEmpty {
      if talking.contains(index) { continue }
      if !outcome.mistakes.isEmpty { continue }
      outcome.notes.append("there is no code in \(path): nothing of it was checked")
    }
    outcome.report.collisions += AndroidCollisions.all(in: android, appCount: plugins.appCount)
    outcome.add(android.flatMap(\.mistakes))
    outcome.report.collisions += await plugins.messageClashes(known)
    outcome.report.namePlugins(plugins.paths.map(\.string), plugins.names)
    outcome.report.addDuplicateLibraries()
    let exchange = MessageExchange(plugins.messageParties)
    if !exchange.plugins.isEmpty { outcome.report.picture = exchange.picture }
    for index in outcome.report.collisions.indices {
      let (rule, level) = (outcome.report.collisions[index].rule, outcome.report.collisions[index].level)
      outcome.report.collisions[index].chosenLevel = policy.level(of: rule, [:], otherwise: level)
    }
    await outcome.demangle()
    outcome.report.collisions.removeAll { $0.level == .off || policy.acceptsAny && policy.isAccepted($0.identity) }
    for index in policy.acceptsAny ? outcome.report.collisions.indices : 0..<0 {
      outcome.report.collisions[index].remark = policy.ended([outcome.report.collisions[index].identity])
    }
    return outcome
  }

  /// Links each slice of the plugins that have to do with each other there (`related`, by slice, numbers of plugins).
  private func link(
    _ slices: [Slice], _ line: LinkLine, _ plugins: CheckPlugins, _ related: [[Int]], _ known: PluginIndex,
    _ outcome: inout Outcome
  ) async {
    var links: [(slice: CheckSlice, numbers: [Int], cache: LinkCache?)] = []
    var found: [SliceLink?] = []
    var wanted: Set<Int> = []
    for (slice, numbers) in zip(slices, related) {
      guard let architecture = Architecture(name: slice.architecture) else { continue }
      let link = CheckSlice(
        slice: slice, architecture: architecture, line: line, linker: linker, isClosed: isClosed, isDylib: isDylib,
        entryClasses: plugins.entryClasses)
      let cache = LinkCache(
        link, [folder.string] + (words ?? []), numbers.map { (plugins.paths[$0], known.key(of: $0)) }, known.store)
      let known = cache?.link()
      if known == nil { wanted.formUnion(numbers) }
      links.append((link, numbers, cache))
      found.append(known)
    }
    let inputs = await CheckInputs(wanted.sorted(), of: plugins.paths)
    var left = links.indices.filter { found[$0] == nil }[...]
    await withTaskGroup(of: (Int, SliceLink).self) { tasks in
      func add() {
        guard let index = left.popFirst() else { return }
        let (link, own) = (links[index].slice, inputs.among(links[index].numbers))
        tasks.addTask { (index, await link.link(own)) }
      }
      for _ in 0..<min(HostProcess.processors, AppCheck.maxLinksAtOnce) { add() }
      while let (index, slice) = await tasks.next() {
        links[index].cache?.keep(slice)
        found[index] = slice
        add()
      }
    }
    for case let slice? in found {
      outcome.report.links.append(slice.summary)
      outcome.report.collisions += slice.collisions
      outcome.add(slice.mistakes)
      for note in slice.notes where !outcome.notes.contains(note) { outcome.notes.append(note) }
    }
  }

  /// What was opened for its names is not opened again.
  private static func android(_ paths: [FilePath], _ known: PluginIndex) async -> [AndroidContents] {
    let temporary = HostProcess.temporaryFolder
    var contents = known.android.map { $0 ?? AndroidContents() }
    let missing = paths.indices.filter { known.android[$0] == nil && !known.isForApple($0) }
    var taken = 0
    try? await inOrder(
      missing.count,
      { AndroidContents(paths[missing[$0]], temporary: temporary) },
      { found in
        contents[missing[taken]] = found
        taken += 1
      })
    return contents
  }

  /// Of Apple's platforms, sorted. Code without a platform goes with all, and is a slice only where there is no other.
  private static func slices(_ found: [Slice], _ line: LinkLine) -> [Slice] {
    var found = Set(found)
    found.formUnion(slices(named: line))
    found = found.filter { Architecture(name: $0.architecture) != nil && $0.platform != "android" }
    if let architecture = line.architecture { found = found.filter { $0.architecture == architecture.name } }
    let said = Set(found.filter { $0.platform != nil }.map(\.architecture))
    return found.filter { $0.platform != nil || !said.contains($0.architecture) }.sorted()
  }

  /// Of the files of a link line: all of them are linked for what the first is for.
  private static func slices(named line: LinkLine) -> [Slice] {
    let temporary = HostProcess.temporaryFolder
    let slices = line.first(in: InputFolder(".")) { Artifact(FilePath($0), temporary: temporary).slices }
    // Of files that are not there the linker has something to say, too.
    if slices.isEmpty, !line.inputs.isEmpty { return [Slice(line.architecture ?? .arm64, nil)] }
    return slices
  }
}

extension AppCheck.Outcome {
  /// Names as their authors wrote them.
  mutating func demangle() async {
    var names = DemangledNames()
    let indices = report.collisions.indices.filter { report.collisions[$0].slice != nil }
    for index in indices {
      names.add(report.collisions[index].name.text)
      for trigger in report.collisions[index].triggers { names.add(trigger.text) }
    }
    var said: [String] = []
    var (cPlusPlus, swift) = (CPlusPlusDemangler(), SwiftDemangler())
    if !names.unknownCPlusPlus.isEmpty {
      names.answerCPlusPlus(await cPlusPlus.texts(of: names.unknownCPlusPlus) { said.append($0) })
    }
    // Without Swift's program the names stay as they are: nothing is lost by it.
    if !names.unknownSwift.isEmpty { names.answerSwift(await swift.texts(of: names.unknownSwift) { _ in }) }
    for index in indices {
      report.collisions[index].name.demangled = names.text(report.collisions[index].name.text)
      for trigger in report.collisions[index].triggers.indices {
        let name = report.collisions[index].triggers[trigger].text
        report.collisions[index].triggers[trigger].demangled = names.text(name)
      }
    }
    notes += said
  }
}
