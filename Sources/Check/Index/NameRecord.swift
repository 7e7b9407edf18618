package import Artifacts
import ObjectFiles
package import Store
import SystemPackage

/// The names of several artifacts, in memory or mapped, for any number of readers.
///
/// Defined are names that other files of a link see, and the methods of Objective-C classes and categories; one that an
/// artifact defines twice is there twice. Wanted are names that an artifact does not define itself: if it does, it shares
/// them with whoever else defines them.
package final class NameRecord: Sendable {
  private let file: MappedFile
  package let slices: [Slice]
  let entries: [NameLayout.Entry]
  /// By slice.
  private let indexes: [HashIndex]

  /// Of artifacts.
  package static let limit = HashIndex.ownerLimit

  /// No more artifacts than `limit`.
  package init(_ artifacts: [ArtifactNames]) {
    var bytes: [UInt8] = []
    let layout = NameLayout(artifacts, to: &bytes)
    file = MappedFile(bytes, path: "")
    (slices, entries, indexes) = (layout.slices, layout.entries, layout.indexes)
  }

  /// Nil if it is not what was kept. `isSound`: nobody has written to it since it was looked at.
  package init?(_ file: consuming MappedFile, isSound: Bool) {
    guard let layout = file.withBytes({ bytes in try? NameLayout(bytes, isSound: isSound) }) else { return nil }
    self.file = file
    (slices, entries, indexes) = (layout.slices, layout.entries, layout.indexes)
  }

  package var count: Int { entries.count }

  /// Of each artifact.
  package var facts: [NameFacts] { entries.indices.map { NameFacts(record: self, number: $0) } }

  /// Nil if there is none of this number.
  package func facts(of number: Int) -> NameFacts? {
    entries.indices.contains(number) ? NameFacts(record: self, number: number) : nil
  }

  /// How many names some artifacts define, and all of them.
  package func nameCounts(of numbers: [Int]) -> (own: Int, all: Int) {
    let own = Set(numbers).filter(entries.indices.contains).lazy.flatMap { self.entries[$0].parts }
    return (own.reduce(0) { $0 + $1.definedCount }, indexes.reduce(0) { $0 + $1.count })
  }

  package func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R { try file.withBytes(body) }

  func wanted(of part: NameLayout.Part) -> [UInt64] {
    var hashes: [UInt64] = []
    let (start, count) = part.wanted
    withReader { $0.append48(upper: start, lower: start + 4 * count, count: count, to: &hashes) }
    return hashes
  }

  /// Whether an artifact defines any name of a slice.
  package func defines(_ number: Int, slice: Int) -> Bool {
    entries[number].parts.contains { $0.slice == slice && $0.definedCount > 0 }
  }

  /// The names of one artifact, by the numbers of the slices.
  func names(of number: Int) -> [FoundNames] {
    let isOwner = entries.indices.map { $0 == number }
    return entries[number].parts.map { part in
      FoundNames(
        slice: slices[part.slice], defined: names(of: isOwner, slice: part.slice).map(\.hash),
        wanted: wanted(of: part))
    }
  }

  // MARK: The index of a slice

  package func nameCount(slice: Int) -> Int { indexes[slice].count }

  package func find(_ hashes: ArraySlice<UInt64>, slice: Int) -> [(hash: UInt64, owner: Int)] {
    var found: [(hash: UInt64, owner: Int)] = []
    withReader { $0.find(hashes, in: indexes[slice], to: &found) }
    return found
  }

  package func names(of isWanted: [Bool], slice: Int) -> [(hash: UInt64, owner: Int)] {
    var names: [(hash: UInt64, owner: Int)] = []
    withReader { $0.appendNames(of: isWanted, in: indexes[slice], to: &names) }
    return names
  }

  package func names(uppermost: Range<Int>, slice: Int) -> Range<Int> {
    withReader { $0.names(uppermost: uppermost, in: indexes[slice]) }
  }

  package func appendMiddles(of names: Range<Int>, slice: Int, to output: inout [UInt32]) {
    withReader { $0.appendMiddles(of: names, in: indexes[slice], to: &output) }
  }

  package func name(_ name: Int, slice: Int) -> (hash: UInt64, owner: Int)? {
    withReader { $0.name(name, in: indexes[slice]) }
  }

  private func withReader<R>(_ body: (borrowing ByteReader) -> R) -> R {
    file.withBytes { bytes in body(ByteReader(bytes)) }
  }
}
