import Artifacts
package import Documents
package import Findings
import Packaging
import Store
package import SystemPackage

/// `npi-pack init`: writes a first manifest for the contents of a tree.
///
/// It packs finished parts as they are, and calls the tree's own build where that is known to leave one file. It
/// evaluates no script, composes no compiler's command, and writes nothing where two answers are equally good.
package enum Scaffold {
  package struct Proposal: Sendable {
    /// The text of the manifest.
    package let text: String
    /// The text of a first `PrivacyInfo.xcprivacy`, if one is missing.
    package let privacy: String?
    /// The content of the manifest without its comments.
    package let value: YAMLValue
    /// One line each, for the user.
    package let notes: [String]
  }

  /// - Parameter taken: the user's answers, which are paths and names that a refusal has listed.
  /// - Throws: a `Refusal` if the tree allows several answers or none, `Mistakes` if it cannot be read.
  package static func propose(in directory: FilePath, taken: [String] = []) throws -> Proposal {
    let root = try explained {
      guard let status = try FileSystem.status(of: directory, followingLinks: true) else {
        throw FileError(directory, doing: "look at", reason: "it is not there")
      }
      guard status.kind == .directory else {
        throw FileError(directory, doing: "look at", reason: "it is not a folder")
      }
      return try FileSystem.realPath(directory)
    }
    for take in taken where take.isEmpty || take.hasPrefix("/") || PathText.resolved(take) == nil {
      throw Mistakes(
        "--take '\(take)' is outside of the folder", hint: "name a path below it, or what a refusal has listed")
    }
    let taken = taken.map(PathText.trimmed)
    let answers = Answers(taken: taken, directory: directory.string)
    let tree = try explained { try SourceTree(root, taken: taken) }
    let survey = try Survey(tree, answers)
    for take in taken where take != "." && !survey.knows(take) {
      throw Mistakes(
        "--take '\(take)': nothing here is called that", hint: "name a path of the tree, or what a refusal has listed")
    }
    return try FirstManifest(survey).proposal()
  }

  /// Writes the manifest unless there is one, and returns its path.
  package static func write(_ proposal: Proposal, in directory: FilePath) throws(Mistakes) -> FilePath {
    let file = directory == "." ? "npi.yml" : directory.appending("npi.yml")
    try explained {
      guard try FileSystem.status(of: file) == nil else {
        throw FileError(file, doing: "write", reason: "it is there already", hint: "npi-pack init -n prints a new one")
      }
    }
    if let privacy = proposal.privacy {
      let place =
        directory == "." ? FilePath(FirstPrivacyManifest.name) : directory.appending(FirstPrivacyManifest.name)
      // One that the survey did not see is left as it is.
      if try explained({ try FileSystem.status(of: place) }) == nil { try Project.write(privacy, to: place) }
    }
    try Project.write(proposal.text, to: file)
    return file
  }
}
