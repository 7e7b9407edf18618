import Artifacts
import Linking
import ObjectFiles
import Store

extension DefinitionComparison {
  /// The definitions of a name; nil stands for one that no file has.
  struct Job: Sendable {
    var sites: [Site?]

    struct Site: Hashable, Sendable {
      var object: ObjectID
      var definition: Definition
    }
  }

  private typealias Site = (file: Int, definition: Definition)

  private struct ObjectFile: Sendable {
    var bytes: any LinkBytes
    var range: Range<Int>
  }

  /// Compares each definition with the first one of its job, on all cores: identical object files are found once, and
  /// one task for each first file on the line compares the others with it.
  static func results(_ jobs: [Job], in set: LinkSet) async -> [[Result]] {
    var numbers: [ObjectID: Int] = [:]
    var files: [ObjectFile] = []
    for object in jobs.lazy.flatMap(\.sites).compactMap(\.?.object) where numbers[object] == nil {
      numbers[object] = files.count
      let (bytes, range) = set.bytes(of: object)
      files.append(ObjectFile(bytes: bytes, range: range))
    }
    let originals = await originals(files)
    var results = jobs.map { [Result](repeating: .same, count: $0.sites.count) }
    var groups: [Int: [(number: Int, sites: [Site?])]] = [:]
    for (number, job) in jobs.enumerated() {
      let sites = job.sites.map { site -> Site? in
        site.flatMap { numbers[$0.object] }.flatMap { number in site.map { (originals[number], $0.definition) } }
      }
      guard let first = sites.first else { continue }
      if first == nil { results[number] = sites.map { _ in .unknown } }
      guard let first, sites.contains(where: { $0?.file != first.file }) else { continue }
      groups[first.file, default: []].append((number, sites))
    }
    // Large groups come first, so that no core is left with one at the end.
    let sorted = groups.values.sorted { ($1.count, $0[0].number) < ($0.count, $1[0].number) }
    try? await inOrder(sorted.count, { [files] in compare(sorted[$0], files) }) { found in
      for (number, result) in found { results[number] = result }
    }
    return results
  }

  /// For each object file, the index of the first file with the same bytes.
  private static func originals(_ files: [ObjectFile]) async -> [Int] {
    var hashes: [UInt64] = []
    try? await inParts(
      files, of: 64,
      { part in
        part.map { file in file.bytes.withReader { $0.hash(of: file.range, seed: UInt64(file.range.count)) } }
      }, { hashes += $0 })
    var comparison = DefinitionComparison()
    var first: [Source: Int] = [:]
    return files.indices.map { index in
      let source = comparison.add(files[index].bytes, files[index].range, hashes[index])
      let original = first[source] ?? index
      first[source] = original
      return original
    }
  }

  private static func compare(
    _ jobs: [(number: Int, sites: [Site?])], _ files: [ObjectFile]
  ) -> [(Int, [Result])] {
    var comparison = DefinitionComparison()
    var added: [Int: Source] = [:]
    func source(_ number: Int) -> Source {
      let source = added[number] ?? comparison.add(files[number].bytes, files[number].range, UInt64(number))
      added[number] = source
      return source
    }
    return jobs.map { number, sites in
      var known: [Int: Result] = [:]
      let results = sites.map { other -> Result in
        guard let other, let first = sites[0] else { return .unknown }
        if let result = known[other.file] { return result }
        let result = comparison.compare(
          (source(first.file), first.definition), (source(other.file), other.definition))
        known[other.file] = result
        return result
      }
      return (number, results)
    }
  }
}

extension Sequence<DefinitionComparison.Result> {
  /// True if all are the same, false if any differs, nil if that is not known.
  package var areSame: Bool? {
    var result: Bool? = true
    for one in self {
      switch one {
      case .different: return false
      case .unknown: result = nil
      case .same: break
      }
    }
    return result
  }
}
