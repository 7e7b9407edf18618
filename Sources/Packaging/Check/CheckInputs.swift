import Artifacts
import Collisions
import Findings
import Foundation
import ObjectFiles
import Store
import SystemPackage

/// The plugins of a check: files as the command line names them, release records as what they list.
struct CheckPlugins: Sendable {
  private(set) var paths: [FilePath] = []
  /// Classes that configurations name: the host makes objects of them by name.
  private(set) var entryClasses: [String] = []
  private(set) var mistakes: [Mistake] = []

  init(_ arguments: [FilePath]) {
    for argument in arguments {
      do throws(Mistakes) { try add(argument) } catch { mistakes += error.all }
    }
  }

  private mutating func add(_ path: FilePath) throws(Mistakes) {
    if path.string.hasSuffix(".release.json") {
      let record = try ReleaseRecord.read(path)
      for deliverable in record.deliverables { try add(path.removingLastComponent().appending(deliverable.path)) }
    } else if path.string.hasSuffix(".json") {
      try addClasses(path)
    } else {
      paths.append(path)
      guard (try? FileSystem.status(of: path, followingLinks: true))?.kind == .folder else { return }
      for name in (try? FileSystem.list(path)) ?? [] {
        let isConfiguration = name.string.hasSuffix(".json") && !name.string.hasSuffix(".release.json")
        if isConfiguration { try addClasses(path.appending(name)) }
      }
    }
  }

  /// Every text of a configuration that could be a class's name: a class that nobody defines collides with nothing.
  private mutating func addClasses(_ path: FilePath) throws(Mistakes) {
    let bytes: [UInt8]
    do throws(FileError) { bytes = try FileSystem.read(path) } catch { throw Mistakes(error) }
    guard case .map(let members) = try JSONText.parse(bytes, name: path.string).value else { return }
    for member in members {
      guard case .text(let text) = member.node.value, member.node.isQuoted, text.utf8.count < 256 else { continue }
      let isName = text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
      if isName, !text.isEmpty { entryClasses.append(text) }
    }
  }
}

/// The files of plugins, opened once, as linkers take them.
struct CheckInputs: Sendable {
  private var artifacts: [Artifact] = []
  private var places: [String: Place] = [:]
  private var bytes: [String: any LinkBytes] = [:]

  /// What cannot be read has been said before.
  init(_ paths: [FilePath]) async {
    let temporary = FilePath(FileManager.default.temporaryDirectory.path)
    try? await inOrder(
      paths.count, atOnce: ProcessInfo.processInfo.activeProcessorCount,
      { Artifact(paths[$0], temporary: temporary) }, { artifacts.append($0) })
    for file in artifacts.flatMap(\.code).map(\.file) {
      places[file.place.description] = file.place
      bytes[file.place.description] = file
    }
  }

  func place(_ path: String) -> Place { places[path] ?? Place(path) }

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
