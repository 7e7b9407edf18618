import BuildEngine
import Findings
import Store
import Subprocess
import SystemPackage

enum Git {
  /// Git's output if it succeeds, and else the first line of its errors. Throws if it cannot be run, or prints more
  /// than `limit` bytes.
  static func run(
    _ words: [String], in directory: FilePath, limit: Int
  ) async throws(Mistakes) -> (output: [UInt8]?, error: String?) {
    do {
      let result = try await Subprocess.run(
        .name("git"), arguments: Arguments(["-C", directory.string] + words),
        environment: .inherit.updating(["LC_ALL": "C"]), output: .bytes(limit: limit), error: .string(limit: 4096))
      if result.terminationStatus.isSuccess { return (result.standardOutput, nil) }
      return (nil, result.standardError.lines.first.map { String($0) } ?? "git failed")
    } catch {
      throw Mistakes("git cannot be run: \(error)")
    }
  }
}

/// The git repository that a plugin is in.
struct GitTree {
  /// The folder of the work tree; absolute.
  let top: FilePath

  /// In bytes, for millions of files.
  private static let limit = 1 << 30

  /// Nil if the folder is in no repository, or there is no git.
  init?(of folder: FilePath) async throws(Mistakes) {
    guard GitFolder(of: folder) != nil else { return nil }
    let result = try await Git.run(["rev-parse", "--show-toplevel"], in: folder, limit: 64 << 10)
    if let error = result.error { throw Mistakes("git cannot read the repository of \(folder)", notes: [error]) }
    guard let top = result.output.flatMap({ FilePath(pathBytes: $0.dropLast()) }) else { return nil }
    self.top = top
  }

  /// The files that differ from the commit, or are new and not ignored; relative to the top.
  func changed() async throws(Mistakes) -> [FilePath] {
    let words = ["--no-optional-locks", "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all"]
    // Each is `XY path`.
    return try await list(words).compactMap { FilePath(pathBytes: $0.dropFirst(3)) }
  }

  /// All files of the commit, also those of submodules; relative to the top.
  func files() async throws(Mistakes) -> [FilePath] {
    try await list(["ls-files", "-z", "--cached", "--recurse-submodules"]).compactMap { FilePath(pathBytes: $0) }
  }

  private func list(_ words: [String]) async throws(Mistakes) -> [ArraySlice<UInt8>] {
    let result = try await Git.run(words, in: top, limit: Self.limit)
    guard let output = result.output else {
      throw Mistakes("git \(words.first { !$0.hasPrefix("-") } ?? "") failed in \(top)", notes: [result.error ?? ""])
    }
    return output.split(separator: 0)
  }
}
