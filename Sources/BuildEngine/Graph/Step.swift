package import Findings
package import Store
package import SystemPackage

/// A node of the build graph: declared inputs, one action, declared outputs.
package struct Step: Sendable {
  /// Unique in its graph; the build log identifies the step by it.
  package let name: String
  /// A few words for the user, as `aar RallyConnector.aar`.
  package let summary: String
  package let inputs: [Input]
  /// Relative to the root of the tree. A folder stands for all that is in it.
  package let outputs: [FilePath]
  package let action: any Action
  package let place: Place
  package var noun = Noun.step

  /// The word for a step in messages, and the hint for two steps with one output.
  package struct Noun: Sendable, Equatable {
    let word: String
    let otherOutput: String

    package init(_ word: String, otherOutput: String) {
      self.word = word
      self.otherOutput = otherOutput
    }

    package static let step = Noun("step", otherOutput: "give one of them another output")
  }

  /// `step 'library'`, in messages.
  var title: String { "\(noun.word) '\(name)'" }

  package init(
    name: String, summary: String, inputs: [Input], outputs: [FilePath], action: any Action, place: Place
  ) {
    self.name = name
    self.summary = summary
    self.inputs = inputs.map(\.normalized)
    self.outputs = outputs.map { $0.lexicallyNormalized() }
    self.action = action
    self.place = place
  }
}

/// A declared input, and its place in the manifest.
package enum Input: Sendable {
  /// A file, or a folder with all below it, relative to the root; it may lie outside. Only named links are followed.
  case path(FilePath, Place)
  /// Everything that matches; a folder that matches stands for everything below it.
  case glob(Glob, Place)

  package var place: Place {
    switch self {
    case .path(_, let place), .glob(_, let place): place
    }
  }

  package var text: String {
    switch self {
    case .path(let path, _): path.string
    case .glob(let glob, _): glob.text
    }
  }

  /// Whether it may include a path, relative to the root.
  func covers(_ path: FilePath) -> Bool {
    switch self {
    case .path(let named, _): path.starts(with: named) || named == "."
    case .glob(let glob, _): glob.touches(path.components.map(\.nameBytes)) != .no
    }
  }

  fileprivate var normalized: Input {
    guard case .path(let path, let place) = self else { return self }
    let normal = path.lexicallyNormalized()
    return .path(normal.isEmpty ? "." : normal, place)
  }
}

/// A file or folder of an input, as it is on the disk.
package struct ResolvedInput: Sendable, Hashable {
  /// Relative to the root (or outside of it, if the input was named so).
  package let path: FilePath
  /// The path that was named, or matched by the glob: `path` itself, or a folder above it.
  package let match: FilePath
  /// The type; for a named link, the type of its target.
  package let kind: FileType
  /// The content's digest for a file, or for a link to one; else nil.
  package let digest: Digest?
  /// The owner's executable bit of a file.
  package let executable: Bool
  /// The link's own text, if `path` is a link, followed or not.
  package let linkTarget: FilePath?
  /// In bytes, for a file; else 0.
  package let size: Int64
}
