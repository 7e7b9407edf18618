import Artifacts
import Collisions
import Findings
import Linking
import ObjectFiles

/// The link of one slice of an app.
struct CheckSlice: Sendable {
  let slice: Slice
  let architecture: Architecture
  /// It has the files that the command line names.
  let line: LinkLine
  let linker: LinkerProfile
  let isClosed: Bool
  let isDylib: Bool
  let linksByName: Bool
  let entryClasses: [String]

  /// Links the files of plugins after those of the line.
  func link(_ inputs: CheckInputs) async -> SliceLink {
    let files = inputs.files(for: slice)
    var line = line.heeded(by: linker)
    line.inputs += files.map { LinkLine.Input(path: $0.path) }
    // An unknown app may refer to any name, as the users of a dynamic library may.
    if isDylib || !isClosed { line.output = .dylib }
    if !isClosed { line.wanted += entryClasses.map { "_OBJC_CLASS_$_\($0)" } }
    // Code for another platform belongs to another slice: it is an error only in a link that is known whole.
    if isClosed, line.target == nil { line.target = slice.codePlatform.map { LinkTarget($0) } }
    if !isClosed { line.target = nil }
    let set = LinkSet(architecture, inputs.folder, linker, only: isClosed ? nil : slice.codePlatform)
    await set.read(line, linker)
    let namesakes = linksByName ? CheckSlice.namesakes(files) : []
    var shadowed: [Collision] = []
    if !namesakes.isEmpty {
      shadowed = ShadowedLibrary.collisions(
        namesakes, in: LinkResult(line, linker, set), slice, origin: inputs.origin)
      let unseen = Set(namesakes.flatMap { $0.paths.dropFirst() }.map { LinkLine.Input.Source.path($0) })
      line.inputs.removeAll { unseen.contains($0.source) }
    }
    let search = CollisionSearch(line, linker, set, isOpen: !isClosed, slice: slice, origin: inputs.origin)
    var outcome = SliceLink(summary: LinkSummary(search.verdict, slice: slice, isClosed: isClosed))
    outcome.collisions = await search.collisions() + shadowed
    outcome.mistakes += inputs.mistakes
    addRemarks(search.verdict, to: &outcome)
    outcome.lookedFor = set.lookedFor.filter { !inputs.has($0) }.sorted()
    return outcome
  }

  /// Files that have a name in common, in the order of the first ones.
  private static func namesakes(
    _ files: [(path: String, linkName: String?)]
  ) -> [(name: String, paths: [String])] {
    var found: [(name: String, paths: [String])] = []
    var numbers: [String: Int] = [:]
    for (path, name) in files {
      guard let name else { continue }
      let number = numbers[name] ?? found.count
      if number == found.count { found.append((name, [])) }
      numbers[name] = number
      if !found[number].paths.contains(path) { found[number].paths.append(path) }
    }
    return found.filter { $0.paths.count > 1 }
  }

  private func addRemarks(_ verdict: LinkVerdict, to outcome: inout SliceLink) {
    // Unreadable parts of plugins have already been reported.
    if isClosed || !line.inputs.isEmpty { outcome.mistakes += verdict.mistakes }
    outcome.notes += LinkRemark.lines(verdict.remarks).map { "\(linker.name) warns: \($0)" }
    for file in verdict.missing {
      // Without an SDK its libraries are missing, and they define nothing that a plugin should define.
      if line.root == nil, file.hasPrefix("-") {
        outcome.notes.append("\(file) is not found: the link is checked without it")
      } else {
        outcome.mistakes.append(
          Mistake("there is no \(file)", hint: file.hasPrefix("-") ? "say where it is with -L or -F" : nil))
      }
    }
    outcome.mistakes += LinkRemark.lines(verdict.refusals).map { refusal in
      Mistake(refusal.hasPrefix(linker.name) ? refusal : "\(linker.name): \(refusal)")
    }
  }
}
