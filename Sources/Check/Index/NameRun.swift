import Artifacts

/// A name that an artifact defines.
typealias SharedName = (hash: UInt64, artifact: Int)

/// The names of a slice in a record, for the artifacts of which it has entries.
struct NameRun: Sendable {
  private let record: NameRecord
  /// Which of the record's slices.
  private let slice: Int
  /// By the record's entry. Most are one artifact; none if it is not among those that are looked at; two if one file is
  /// there twice.
  private let artifacts: [[Int]]

  /// Of all slices that can be linked with `slice`.
  static func runs(of artifacts: [NameFacts], for slice: Slice) -> [NameRun] {
    var places: [ObjectIdentifier: Int] = [:]
    var records: [(record: NameRecord, artifacts: [[Int]])] = []
    for (index, facts) in artifacts.enumerated() {
      let place = places[ObjectIdentifier(facts.record)] ?? records.count
      if place == records.count {
        places[ObjectIdentifier(facts.record)] = place
        records.append((facts.record, Array(repeating: [], count: facts.record.count)))
      }
      records[place].artifacts[facts.number].append(index)
    }
    return records.flatMap { record, artifacts in
      record.slices.indices.filter { record.slices[$0].goes(with: slice) }.map {
        NameRun(record: record, slice: $0, artifacts: artifacts)
      }
    }
  }

  var nameCount: Int { record.nameCount(slice: slice) }

  /// Artifacts that are one entry, and so have all its names in common.
  var twins: [[Int]] {
    artifacts.indices.filter { artifacts[$0].count > 1 && record.defines($0, slice: slice) }.map { artifacts[$0] }
  }

  /// Appends bits of the hashes of names, as `ByteReader.appendMiddles` says, and tells which names they are.
  func appendMiddles(uppermost: Range<Int>, to output: inout [UInt32]) -> Range<Int> {
    let names = record.names(uppermost: uppermost, slice: slice)
    record.appendMiddles(of: names, slice: slice, to: &output)
    return names
  }

  func append(_ name: Int, to output: inout [SharedName]) {
    guard let (hash, owner) = record.name(name, slice: slice) else { return }
    append(hash, owner, to: &output)
  }

  /// Who defines names of these hashes: as often as it defines them, however often a hash is given.
  static func find(_ hashes: some Sequence<UInt64>, in runs: [NameRun]) async -> [SharedName] {
    // In the order of the indexes: what follows one another is near in memory.
    let sorted = hashes.sorted()
    let hashes = sorted.indices.filter { $0 == 0 || sorted[$0] != sorted[$0 - 1] }.map { sorted[$0] }
    let chunks = min(16, 1 + hashes.count / 256)
    var found: [SharedName] = []
    try? await inOrder(
      chunks,
      { chunk in
        let part = hashes[(chunk * hashes.count / chunks)..<((chunk + 1) * hashes.count / chunks)]
        return runs.flatMap { $0.shared($0.record.find(part, slice: $0.slice)) }
      }, { found += $0 })
    return found
  }

  /// All names of some artifacts.
  func names(of isWanted: [Bool]) -> [SharedName] {
    let owners = artifacts.map { $0.contains { isWanted[$0] } }
    if !owners.contains(true) { return [] }
    return shared(record.names(of: owners, slice: slice)).filter { isWanted[$0.artifact] }
  }

  private func shared(_ names: [(hash: UInt64, owner: Int)]) -> [SharedName] {
    var shared: [SharedName] = []
    shared.reserveCapacity(names.count)
    for (hash, owner) in names { append(hash, owner, to: &shared) }
    return shared
  }

  private func append(_ hash: UInt64, _ owner: Int, to output: inout [SharedName]) {
    guard artifacts.indices.contains(owner) else { return }
    for artifact in artifacts[owner] { output.append((hash, artifact)) }
  }
}
