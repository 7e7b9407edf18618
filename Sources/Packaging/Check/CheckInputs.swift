import Artifacts
import Collisions
import Findings
import Foundation
import SystemPackage

/// The files of plugins, opened once, as linkers take them.
struct CheckInputs: Sendable {
  private var artifacts: [Artifact] = []
  private var places: [String: Place] = [:]
  private var bytes: [String: any LinkBytes] = [:]

  /// What cannot be read has been said before.
  init(_ paths: [FilePath]) async {
    let temporary = FilePath(FileManager.default.temporaryDirectory.path)
    try? await inOrder(
      paths.count,
      { Artifact(paths[$0], temporary: temporary) }, { artifacts.append($0) })
    for file in artifacts.flatMap(\.code).map(\.file) {
      places[file.place.description] = file.place
      bytes[file.place.description] = file
    }
  }

  func place(_ path: String) -> Place { places[path] ?? Place(path) }

  /// Whether a path in `folder` is of a plugin.
  func has(_ path: String) -> Bool { bytes[path] != nil }

  /// Paths in `folder`, in the order of the line.
  func files(for slice: Slice) -> [String] {
    artifacts.flatMap(\.code).filter { code in code.file.isLinked && code.slices.contains { $0.goes(with: slice) } }
      .map(\.file.place.description)
  }

  /// What plugins hold, and the file system for what a link line names.
  var folder: any LinkFolder { Folder(bytes: bytes, disk: InputFolder(".")) }

  private struct Folder: LinkFolder {
    let bytes: [String: any LinkBytes]
    let disk: InputFolder

    func bytes(at path: String) throws(Mistakes) -> (any LinkBytes)? {
      if let known = bytes[path] { return known }
      let found: InputBytes? = try disk.bytes(at: path)
      return found
    }
  }
}
