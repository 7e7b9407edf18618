import Artifacts
import Collisions
import Findings
import Foundation
import ObjectFiles
import Store
import SystemPackage

/// The files of plugins, opened once, as linkers take them.
struct CheckInputs: Sendable {
  private(set) var artifacts: [Artifact] = []
  private(set) var mistakes: [Mistake] = []
  /// Classes that a plugin's configuration names: the host makes objects of them by name.
  private(set) var entryClasses: [String] = []
  private var places: [String: Place] = [:]
  private var bytes: [String: any LinkBytes] = [:]

  init(_ paths: [FilePath]) async {
    var opened: [FilePath] = []
    for path in paths {
      do throws(Mistakes) { opened += try CheckInputs.files(of: path) } catch { mistakes += error.all }
    }
    let temporary = FilePath(FileManager.default.temporaryDirectory.path)
    let all = opened
    do {
      try await inOrder(
        all.count, atOnce: ProcessInfo.processInfo.activeProcessorCount,
        { Artifact(all[$0], temporary: temporary) }, { artifacts.append($0) })
    } catch {
      mistakes.append(Mistake("\(error)"))
    }
    for artifact in artifacts {
      mistakes += artifact.mistakes
      for code in artifact.code {
        places[code.file.place.description] = code.file.place
        bytes[code.file.place.description] = code.file
      }
    }
  }

  /// A release record stands for its deliverables.
  private static func files(of path: FilePath) throws(Mistakes) -> [FilePath] {
    guard path.string.hasSuffix(".release.json") else { return [path] }
    let record = try ReleaseRecord.read(path)
    return record.deliverables.map { path.removingLastComponent().appending($0.path) }
      .filter { !$0.string.hasSuffix(".json") }
  }

  func place(_ path: String) -> Place { places[path] ?? Place(path) }

  // MARK: Slices

  /// Of Apple's platforms, each once, sorted. Code that does not say its platform goes with all that does, and makes a
  /// slice of its own only where there is no other of its architecture.
  func slices(with line: LinkLine) -> [Slice] {
    var found = Set(artifacts.flatMap { $0.code.filter { CheckInputs.isLinked($0.file) }.flatMap(\.slices) })
    found.formUnion(CheckInputs.slices(named: line))
    if let architecture = line.architecture { found = found.filter { $0.architecture == architecture.name } }
    let said = Set(found.filter { $0.platform != nil }.map(\.architecture))
    return found.filter { $0.platform != nil || !said.contains($0.architecture) }.sorted()
  }

  /// Of the files of a link line: all of them are linked for one slice.
  private static func slices(named line: LinkLine) -> [Slice] {
    let temporary = FilePath(FileManager.default.temporaryDirectory.path)
    for input in line.inputs {
      guard case .path(let path) = input.source else { continue }
      let slices = Artifact(FilePath(path), temporary: temporary).slices
      if !slices.isEmpty { return slices }
    }
    return []
  }

  /// Paths in `folder`, in the order of the line.
  func files(for slice: Slice) -> [String] {
    artifacts.flatMap(\.code).filter { code in
      CheckInputs.isLinked(code.file) && code.slices.contains { $0.goes(with: slice) }
    }.map(\.file.place.description)
  }

  /// Whether a linker takes it: no executable, no debug symbols, nothing of Android's.
  private static func isLinked(_ file: CodeFile) -> Bool {
    if !file.units.archives.isEmpty { return true }
    guard let unit = file.units.units.first else { return false }
    switch unit.kind {
    case .machO(.object), .machO(.dylib), .machO(.dylibStub), .bitcode: return true
    default: return false
    }
  }

  // MARK: Files

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
