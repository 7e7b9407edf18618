import Artifacts
package import Linking
import ObjectFiles

extension DefinitionComparison {
  /// The definitions of one name, and the numbers of their object files.
  private struct Job: Sendable {
    /// Of the collision.
    var number: Int
    var name: String
    var sources: [Int]
  }

  private struct ObjectFile: Sendable {
    var bytes: any LinkBytes
    var range: Range<Int>
  }

  /// What collisions of one link set come to, in their order: of each definition whether it is the same as the first one.
  /// On all cores: object files are told from each other once, and the names of those that differ are compared with what
  /// is first on the line, whose other names the same task compares.
  package static func results(_ collisions: [Collision], in set: LinkSet) async -> [[Result]] {
    var numbers: [Int: Int] = [:]
    var files: [ObjectFile] = []
    for definition in collisions.lazy.flatMap(\.definitions) where numbers[definition.object] == nil {
      // What `-alias` defines lies in no file.
      guard definition.object >= 0 else { continue }
      numbers[definition.object] = files.count
      let (bytes, range) = set.bytes(of: ObjectID(definition.object))
      files.append(ObjectFile(bytes: bytes, range: range))
    }
    let originals = await originals(files)
    var results = collisions.map { [Result](repeating: .same, count: $0.definitions.count) }
    var jobs: [Int: [Job]] = [:]
    for (number, collision) in collisions.enumerated() {
      let sources = collision.definitions.map { numbers[$0.object].map { originals[$0] } ?? -1 }
      guard let first = sources.first else { continue }
      if first < 0 {
        results[number] = results[number].map { _ in .unknown }
      } else if sources.contains(where: { $0 != first }) {
        jobs[first, default: []].append(Job(number: number, name: collision.name, sources: sources))
      }
    }
    // Large ones first, so that no core is left with one at the end.
    let groups = jobs.values.sorted { ($1.count, $0[0].number) < ($0.count, $1[0].number) }
    try? await inOrder(groups.count, { [files] in compare(groups[$0], files) }) { found in
      for (number, result) in found { results[number] = result }
    }
    return results
  }

  /// Of each object file the first one that is the same bytes.
  private static func originals(_ files: [ObjectFile]) async -> [Int] {
    var hashes: [UInt64] = []
    let share = 64
    try? await inOrder(
      (files.count + share - 1) / share,
      { part in
        files[(part * share)..<min(files.count, (part + 1) * share)].map { file in
          file.bytes.withReader { $0.hash(of: file.range, seed: UInt64(file.range.count)) }
        }
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

  private static func compare(_ jobs: [Job], _ files: [ObjectFile]) -> [(Int, [Result])] {
    var comparison = DefinitionComparison()
    var added: [Int: Source] = [:]
    return jobs.map { job in
      var known: [Int: Result] = [:]
      let sources = job.sources.map { number -> Source? in
        guard number >= 0 else { return nil }
        let source = added[number] ?? comparison.add(files[number].bytes, files[number].range, UInt64(number))
        added[number] = source
        return source
      }
      let results = zip(job.sources, sources).map { number, source -> Result in
        guard let source, let first = sources[0] else { return .unknown }
        let result = known[number] ?? comparison.compare(job.name, first, source)
        known[number] = result
        return result
      }
      return (job.number, results)
    }
  }
}

extension Sequence<DefinitionComparison.Result> {
  /// The same if all are; different if any is; nil if that is not known.
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
