package import Store
package import SystemPackage

/// The program that workers run. It is linked with all that it needs, and goes along with its work.
package struct WorkerProgram: Sendable {
  package static let name = "npi-pack-action"
  package let entry: RemoteWork.Entry

  /// Finds the program beside this one: in `libexec` if this one is in `bin`, else in the same folder.
  package init(beside executable: FilePath) throws(FileError) {
    let folder = executable.removingLastComponent()
    let places = [folder.removingLastComponent().appending("libexec"), folder].map { $0.appending(WorkerProgram.name) }
    guard let place = places.first(where: { ((try? FileSystem.status(of: $0, followingLinks: true)) ?? nil) != nil })
    else {
      throw FileError(
        places[0], doing: "send to workers", reason: "it is not there",
        hint: "make install puts it there, on Linux; without --remote-executor everything runs here")
    }
    let size = try FileSystem.status(of: place, followingLinks: true)?.size ?? 0
    let digest = try FileSystem.digest(of: place)
    entry = .file(.init(digest: digest, size: size), isExecutable: true) { LeavingBlob(place) }
  }
}
