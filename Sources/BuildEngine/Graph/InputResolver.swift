import Findings
import Store
import SystemPackage

struct InputResolver {
  let view: DiskView
  /// Relative folders that globs and input folders leave out.
  let hidden: Set<FilePath>
  /// Leaves the digests out, which are most of the work.
  var skipsDigests = false

  /// In the order of the step's inputs, without its own outputs. Throws `Mistakes` of all that is missing.
  func resolve(_ step: Step) throws -> [[ResolvedInput]] {
    var mistakes: [Mistake] = []
    var lists: [[ResolvedInput]] = []
    for input in step.inputs {
      var list: [ResolvedInput] = []
      switch input {
      case .path(let path, let place):
        if let mistake = try missing(path, place, of: step) {
          mistakes.append(mistake)
        } else {
          try add(path, match: path, named: true, without: step.outputs, to: &list)
        }
      case .glob(let glob, let place):
        for match in try matches(glob, of: step) {
          try add(match, match: match, named: false, without: step.outputs, to: &list)
        }
        if list.isEmpty { mistakes.append(nothing(glob, place, of: step)) }
      }
      lists.append(sorted(list))
    }
    guard mistakes.isEmpty else { throw Mistakes(mistakes) }
    return lists
  }

  /// Resolves discovered paths as they are now. A missing one is a change and no mistake.
  func resolve(_ discovered: Discovered, of step: Step) throws(FileError) -> [DiscoveredInput] {
    var result: [DiscoveredInput] = []
    result.reserveCapacity(discovered.paths.count)
    for path in discovered.paths {
      var list: [ResolvedInput] = []
      try add(path, match: path, named: true, without: step.outputs, to: &list)
      result.append(DiscoveredInput(path: path, inputs: sorted(list)))
    }
    return result
  }

  /// Digests inputs in parallel, so that `resolve` finds their digests in the view.
  func digestInParallel(_ step: Step) async throws {
    var walk = self
    walk.skipsDigests = true
    let files = try walk.resolve(step).flatMap { $0 }.filter { $0.linkTarget == nil && $0.kind == .regular }
    guard files.count > 1 else { return }
    // The largest come first, so that none of them runs alone at the end; small files share a batch.
    var batches: [[FilePath]] = []
    var size = Int64.max
    for file in files.sorted(by: { $0.size > $1.size }) {
      if size > 1 << 20 || batches[batches.count - 1].count == 256 {
        batches.append([])
        size = 0
      }
      batches[batches.count - 1].append(file.path)
      size += file.size
    }
    let view = view
    try await withThrowingTaskGroup(of: Void.self) { group in
      for batch in batches {
        group.addTask {
          for path in batch {
            try Task.checkCancellation()
            _ = try view.digest(path)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// The glob's matches without the step's own outputs.
  func matches(_ glob: Glob, of step: Step) throws(FileError) -> [FilePath] {
    let matches = try view.matches(glob, hidden: hidden)
    // Bytes are compared, because comparing paths takes them apart each time.
    let own = step.outputs.map(\.pathBytes)
    return matches.filter { match in
      let bytes = match.pathBytes
      return !own.contains { bytes.starts(with: $0) && (bytes.count == $0.count || bytes[$0.count] == 0x2F) }
    }
  }

  func nothing(_ glob: Glob, _ place: Place, of step: Step) -> Mistake {
    let near = NearestFiles(view: view, hidden: hidden).nearest(3, to: glob, without: step.outputs)
    return Mistake(
      "the pattern '\(glob.text)' of \(step.title) matches nothing", at: place,
      hint: near.isEmpty
        ? nil : "the nearest \(near.count == 1 ? "file is" : "files are") \(named(near, atMost: near.count))")
  }

  /// Nil if something is there that can be read.
  func missing(_ path: FilePath, _ place: Place, of step: Step) throws(FileError) -> Mistake? {
    func mistake(_ what: String, hint: String? = nil) -> Mistake {
      Mistake("'\(path)', which \(step.title) needs, is \(what)", at: place, hint: hint)
    }
    guard let status = try view.status(path) else {
      return mistake("not there and no step makes it", hint: try neighbour(of: path))
    }
    guard let target = try view.target(path) else { return mistake("a link that leads nowhere") }
    return status.kind.isSpecial || target.kind.isSpecial ? mistake("neither a file nor a folder") : nil
  }

  private func neighbour(of path: FilePath) throws(FileError) -> String? {
    let folder = path.removingLastComponent()
    guard let name = path.lastComponent else { return nil }
    if !folder.isEmpty, try view.target(folder)?.kind != .directory { return nil }
    let near = nearest(to: name.string, among: try view.list(folder).map(\.string))
    return near.map { "did you mean '\(folder.appending($0))'?" }
  }

  /// Adds a path and, for a folder, everything below it.
  private func add(
    _ path: FilePath, match: FilePath, named: Bool, without outputs: [FilePath], to list: inout [ResolvedInput]
  ) throws(FileError) {
    guard let own = try view.status(path) else { return }
    let isLink = own.kind == .symbolicLink
    let target = isLink ? try view.target(path) : own
    // A link found in a folder stays a link; the content behind it counts, because commands read through the link.
    let status = named ? target ?? own : own
    let isFile = target?.kind == .regular
    list.append(
      ResolvedInput(
        path: path, match: match, kind: status.kind, digest: isFile && !skipsDigests ? try view.digest(path) : nil,
        executable: isFile && target?.executable == true, linkTarget: isLink ? try view.linkTarget(path) : nil,
        size: isFile ? target?.size ?? 0 : 0))
    guard status.kind == .directory else { return }
    for name in try view.list(path) {
      // The root itself is written as "."; what is below it is not.
      let child = path == "." ? FilePath(root: nil, [name]) : path.appending(name)
      if hidden.contains(child) || outputs.contains(child) { continue }
      try add(child, match: match, named: false, without: outputs, to: &list)
    }
  }

  private func sorted(_ list: [ResolvedInput]) -> [ResolvedInput] {
    guard list.count > 1 else { return list }
    var seen: Set<FilePath> = []
    return list.filter { seen.insert($0.path).inserted }
      .map { (input: $0, bytes: $0.path.pathBytes) }
      .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
      .map(\.input)
  }

  /// The digest of an output with all below it: names, kinds, links, executable bits. Nil if it is not there.
  func outputDigest(_ output: FilePath) throws(FileError) -> Digest? {
    try outputEntries(output).map(InputResolver.digest)
  }

  /// The output itself and everything below it; nil if it is not there.
  func outputEntries(_ output: FilePath) throws(FileError) -> [ResolvedInput]? {
    guard try view.status(output) != nil else { return nil }
    var list: [ResolvedInput] = []
    try add(output, match: output, named: false, without: [], to: &list)
    return sorted(list)
  }

  static func digest(_ entries: [ResolvedInput]) -> Digest {
    var encoder = HashEncoder()
    for entry in entries { encoder.add("entry", .input(entry)) }
    return encoder.finish()
  }
}

/// Finds the inputs that are not there and that no step makes, before anything runs: all of them at once.
struct InputCheck {
  let graph: Graph
  let resolver: InputResolver

  func check(_ selection: [Int]) throws {
    var mistakes: [Mistake] = []
    for index in selection {
      let step = graph.steps[index]
      let made = graph.needs[index].flatMap { graph.steps[$0].outputs }
      for input in step.inputs {
        switch input {
        case .path(let path, let place):
          if made.contains(where: { path.starts(with: $0) || $0.starts(with: path) || path == "." }) { continue }
          if let mistake = try resolver.missing(path, place, of: step) { mistakes.append(mistake) }
        case .glob(let glob, let place):
          let visible = made.filter { output in !graph.hidden.contains { output.starts(with: $0) } }
          if visible.contains(where: { glob.touches($0.components.map(\.nameBytes)) != .no }) { continue }
          if try resolver.matches(glob, of: step).isEmpty {
            mistakes.append(resolver.nothing(glob, place, of: step))
          }
        }
      }
    }
    if !mistakes.isEmpty { throw Mistakes(mistakes) }
  }
}
