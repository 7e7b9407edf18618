import ObjectFiles
package import Artifacts
package import Findings

/// What an artifact defines and wants, by hashes of the names: enough to tell which artifacts have to do with each other,
/// small enough to be kept for a thousand of them. An entry of a record.
package struct NameFacts: Sendable {
  package let record: NameRecord
  /// Which entry of the record.
  package let number: Int

  /// In the order in which the artifact has them.
  package var slices: [Slice] { record.entries[number].parts.map { record.slices[$0.slice] } }
  /// It has nothing for Android.
  package var isForApple: Bool { record.entries[number].isForApple }

  /// The hashes of the names that it wants of others, each once for each slice that goes with this one.
  package func wanted(for slice: Slice) -> [UInt64] {
    record.entries[number].parts.flatMap { record.slices[$0.slice].goes(with: slice) ? record.wanted(of: $0) : [] }
  }
}

/// The names of an artifact as they are found, for a record.
package struct ArtifactNames: Sendable {
  /// Slice by slice.
  private(set) var found: [FoundNames] = []
  let isForApple: Bool
  /// Files whose names could not be read.
  package private(set) var mistakes: [Mistake] = []

  package init(_ artifact: Artifact, isForApple: Bool) {
    self.isForApple = isForApple
    for code in artifact.code where code.file.isLinked {
      for slice in code.slices {
        let index = found.firstIndex { $0.slice == slice } ?? found.count
        if index == found.count { found.append(FoundNames(slice: slice)) }
        mistakes += found[index].add(code.file)
      }
    }
    for (_, stub) in artifact.stubs {
      for index in found.indices { found[index].add(stub) }
    }
    for index in found.indices { found[index].finish() }
  }

  /// As they are in another record.
  package init(_ facts: NameFacts) {
    isForApple = facts.isForApple
    found = facts.record.names(of: facts.number)
  }
}

extension CodeFile {
  /// Whether a linker of an app takes it: no executable, no debug symbols.
  package var isLinked: Bool {
    if !units.archives.isEmpty { return true }
    guard let unit = units.units.first else { return false }
    switch unit.kind {
    case .machO(.object), .machO(.dylib), .machO(.dylibStub), .bitcode: return true
    default: return false
    }
  }
}
