import Artifacts
import Collisions
import Findings
import Linking
import Store
import SystemPackage

/// The linkable files of plugins, opened once.
struct CheckInputs: Sendable {
  private var plugins: [(number: Int, artifact: Artifact)] = []
  private var origins: [String: FileOrigin] = [:]
  private var bytes: [String: any LinkBytes] = [:]

  /// Unreadable parts: reading may fail this second time only, and must not fail silently.
  var mistakes: [Mistake] { plugins.flatMap(\.artifact.mistakes) }

  /// Opens the plugins with these numbers, unless they are in `opened`.
  init(_ numbers: [Int], of paths: [FilePath], opened: [Int: Artifact]) async {
    let temporary = HostProcess.temporaryFolder
    var found: [Artifact] = []
    try? await inOrder(
      numbers.count,
      { opened[numbers[$0]] ?? Artifact(paths[numbers[$0]], temporary: temporary) }, { found.append($0) })
    self.init(Array(zip(numbers, found)))
  }

  private init(_ plugins: [(Int, Artifact)]) {
    self.plugins = plugins
    for (number, artifact) in plugins {
      for file in artifact.code.map(\.file) {
        origins[file.place.description] = FileOrigin(file.place, PluginID(number))
        bytes[file.place.description] = file
      }
    }
  }

  /// Only the plugins with these numbers: a slice's link must not depend on the plugins of other slices.
  func among(_ numbers: [Int]) -> CheckInputs {
    let wanted = Set(numbers)
    return CheckInputs(plugins.filter { wanted.contains($0.number) })
  }

  /// The origin of a path in `folder`.
  func origin(_ path: String) -> FileOrigin { origins[path] ?? FileOrigin(Place(path)) }

  /// Whether a path in `folder` belongs to a plugin.
  func has(_ path: String) -> Bool { bytes[path] != nil }

  /// Files in the order of the line: paths in `folder`, with the names by which Xcode links them.
  func files(for slice: Slice) -> [(path: String, linkName: String?)] {
    plugins.flatMap(\.artifact.code).filter { code in
      code.file.isLinked && code.slices.contains { $0.goes(with: slice) }
    }.map { ($0.file.place.description, $0.file.linkName) }
  }

  /// The files of plugins, and the file system for other files of a link line.
  var folder: any LinkFolder { Folder(bytes: bytes, disk: InputFolder(".")) }

  private struct Folder: LinkFolder {
    let bytes: [String: any LinkBytes]
    let disk: InputFolder

    func bytes(at path: String) throws(Mistakes) -> (any LinkBytes)? {
      if let known = bytes[path] { return known }
      let found: EntryBytes? = try disk.bytes(at: path)
      return found
    }
  }
}
