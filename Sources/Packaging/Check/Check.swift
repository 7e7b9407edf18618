import Artifacts
package import Collisions
package import Findings
import Foundation
import ObjectFiles
import Store
package import SystemPackage

/// What will collide when plugins go into one app.
package struct Check: Sendable {
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

  package init() {}

  package struct Outcome: Sendable {
    package internal(set) var report = CollisionReport()
    /// What could not be read; the rest was checked.
    package internal(set) var mistakes: [Mistake] = []
    /// One-liners for the user.
    package internal(set) var notes: [String] = []
  }

  /// Hosts link with this: classes and categories that nobody refers to by name are loaded.
  private static let usualFlags = ["-ObjC"]

  package func run(_ policy: FindingPolicy) async throws(Mistakes) -> Outcome {
    var outcome = Outcome()
    let line = try LinkLine(words ?? (isClosed ? [] : Check.usualFlags))
    if apps.isEmpty, self.plugins.isEmpty, line.inputs.isEmpty {
      throw Mistakes("nothing to check", hint: "name plugins, or files of a link line after --")
    }
    let plugins = CheckPlugins(apps: apps, self.plugins)
    var known = await PluginFacts(plugins.paths, BuildStore.shared)
    let facts = known.facts
    outcome.mistakes = plugins.mistakes + known.mistakes
    let slices = Check.slices(facts, line)
    // The files of a line may have to do with any plugin.
    let all = Array(plugins.paths.indices)
    var related: [[Int]] = []
    for slice in slices {
      let isWhole = isClosed || !line.inputs.isEmpty
      related.append(isWhole ? all : RelatedArtifacts.find(facts, await known.shared(for: slice), for: slice))
    }
    known.keep()
    let numbers = Set(related.joined()).sorted()
    let inputs = await CheckInputs(numbers.map { plugins.paths[$0] })
    for slice in slices { await add(slice, line, inputs, plugins.entryClasses, to: &outcome) }
    if !slices.isEmpty, let model = linker.modelledOn {
      outcome.notes.append("what \(linker.name) does is modelled on \(model)")
    }
    let android = await Check.android(plugins.paths, facts)
    for (index, path) in plugins.paths.enumerated() where facts[index].slices.isEmpty && android[index].isEmpty {
      if !outcome.mistakes.isEmpty { continue }
      outcome.notes.append("there is no code in \(path): nothing of it was checked")
    }
    outcome.report.findings += AndroidCollisions.findings(android, appCount: plugins.appCount)
    for mistake in android.flatMap(\.mistakes) where !outcome.mistakes.contains(mistake) {
      outcome.mistakes.append(mistake)
    }
    for index in outcome.report.findings.indices {
      let (rule, level) = (outcome.report.findings[index].rule, outcome.report.findings[index].level)
      outcome.report.findings[index].level = policy.level(of: rule, [:], otherwise: level)
    }
    await outcome.demangle()
    outcome.report.findings.removeAll { $0.level == .off || policy.isAccepted($0.finding) }
    return outcome
  }

  private static func android(_ paths: [FilePath], _ facts: [NameFacts]) async -> [AndroidContents] {
    let temporary = FilePath(FileManager.default.temporaryDirectory.path)
    var contents = [AndroidContents](repeating: AndroidContents(), count: paths.count)
    let some = paths.indices.filter { !facts[$0].isForApple }
    var taken = 0
    try? await inOrder(
      some.count,
      { AndroidContents(paths[some[$0]], temporary: temporary) },
      { found in
        contents[some[taken]] = found
        taken += 1
      })
    return contents
  }

  /// Of Apple's platforms, each once, sorted. Code that does not say its platform goes with all that does, and makes a
  /// slice of its own only where there is no other of its architecture.
  private static func slices(_ facts: [NameFacts], _ line: LinkLine) -> [Slice] {
    var found = Set(facts.flatMap(\.slices).map(\.slice))
    found.formUnion(slices(named: line))
    found = found.filter { Architecture(name: $0.architecture) != nil && $0.platform != "android" }
    if let architecture = line.architecture { found = found.filter { $0.architecture == architecture.name } }
    let said = Set(found.filter { $0.platform != nil }.map(\.architecture))
    return found.filter { $0.platform != nil || !said.contains($0.architecture) }.sorted()
  }

  /// Of the files of a link line: all of them are linked for what the first is for.
  private static func slices(named line: LinkLine) -> [Slice] {
    let temporary = FilePath(FileManager.default.temporaryDirectory.path)
    let slices = line.first(in: InputFolder(".")) { Artifact(FilePath($0), temporary: temporary).slices }
    // Of files that are not there the linker has something to say, too.
    if slices.isEmpty, !line.inputs.isEmpty { return [Slice(line.architecture ?? .arm64, nil)] }
    return slices
  }

  /// What is linked for one slice.
  private func add(
    _ slice: Slice, _ line: LinkLine, _ inputs: CheckInputs, _ entryClasses: [String], to outcome: inout Outcome
  ) async {
    guard let architecture = Architecture(name: slice.architecture) else { return }
    let namesFiles = !line.inputs.isEmpty
    var line = line
    line.inputs += inputs.files(for: slice).map { LinkLine.Input(path: $0) }
    // Whatever an app does not refer to, it may.
    if isDylib || !isClosed { line.output = .dylib }
    if !isClosed { line.wanted += entryClasses.map { "_OBJC_CLASS_$_\($0)" } }
    let set = LinkSet(architecture, inputs.folder)
    await set.read(line, linker)
    let search = CollisionSearch(line, linker, set, isOpen: !isClosed)
    let name = slice.description
    outcome.report.links.append(
      CollisionReport.Link(slice: name, linker: linker.name, isClosed: isClosed, verdict: search.verdict))
    var comparison = DefinitionComparison()
    for collision in search.collisions {
      let identical = comparison.compare(collision, in: set).isSame
      let finding = DuplicateSymbols.finding(collision, slice: name, identical: identical, place: inputs.place)
      if let finding { outcome.report.findings.append(finding) }
    }
    outcome.report.findings += CategoryCollisions.findings(search, slice: name, place: inputs.place)
    outcome.report.findings += search.classesInLibraries.map { $0.finding(slice: name, place: inputs.place) }
    // What cannot be read of plugins has been said.
    if isClosed || namesFiles {
      outcome.mistakes += search.verdict.mistakes.filter { mistake in !outcome.mistakes.contains(mistake) }
    }
    for remark in search.verdict.remarks {
      let note = "\(linker.name) warns: \(remark)"
      if !outcome.notes.contains(note) { outcome.notes.append(note) }
    }
    for file in search.verdict.missing {
      // Without an SDK its libraries are not there, and they define nothing that a plugin should.
      guard line.root != nil || !file.hasPrefix("-") else {
        let note = "\(file) is not found: the link is checked without it"
        if !outcome.notes.contains(note) { outcome.notes.append(note) }
        continue
      }
      let mistake = Mistake("there is no \(file)", hint: file.hasPrefix("-") ? "say where it is with -L or -F" : nil)
      if !outcome.mistakes.contains(mistake) { outcome.mistakes.append(mistake) }
    }
    for refusal in search.verdict.refusals {
      let mistake = Mistake(refusal.hasPrefix(linker.name) ? refusal : "\(linker.name): \(refusal)")
      if !outcome.mistakes.contains(mistake) { outcome.mistakes.append(mistake) }
    }
  }
}
