package import SystemPackage

/// What a step turned out to read besides its inputs: files that its depfile named. They decide the next time.
///
/// A result is found in two steps: under the key of what is declared there are lists of discovered paths, one for each
/// way that the step has gone; the digest of what is there now, with the declared key, is the key of the result.
package struct Discovered: Sendable, Hashable {
  /// Sorted by bytes, each once; relative to the root what lies in the tree, or was named so.
  package let paths: [FilePath]

  package init(_ paths: some Sequence<FilePath> = []) {
    self.paths = sortedByBytes(Set(paths))
  }

  /// Of paths that are in order already.
  init(sorted paths: [FilePath]) { self.paths = paths }
}

/// One of the discovered paths, as it is now.
package struct DiscoveredInput: Sendable, Hashable {
  package let path: FilePath
  /// What it stands for: the file, or the folder and everything below it; nothing if it is not there.
  package let inputs: [ResolvedInput]

  package init(_ path: FilePath, _ inputs: [ResolvedInput]) {
    self.path = path
    self.inputs = inputs
  }
}
