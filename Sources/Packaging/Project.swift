import Artifacts
import Documents
package import Findings
import Store
import Subprocess
package import SystemPackage

/// A plugin's folder with its manifest read.
package struct Project: Sendable {
  /// Absolute.
  package let root: FilePath
  package let manifest: Manifest
  package let options: Options
  /// The files that the manifest came from, as they are found from where this process runs, and their content.
  let sources: [(path: FilePath, digest: Digest)]

  package struct Options: Sendable {
    /// The plugin's folder.
    package var directory: FilePath = "."
    /// Relative to `directory`.
    package var manifest: FilePath = "npi.yml"
    /// Where deliverables go, relative to `directory`.
    package var out: FilePath = "dist"
    /// `KEY=VALUE`, laid over `config` last.
    package var settings: [String] = []
    /// Files whose keys are laid over `config`.
    package var configFiles: [FilePath] = []
    package var versionFrom: String?

    package init() {}

    /// As errors name it: without the folder where that is the current one.
    var manifestPath: FilePath { directory == "." ? manifest : directory.pushing(manifest) }
  }

  package static func open(_ options: Options) async throws(Mistakes) -> Project {
    let out = options.out.lexicallyNormalized()
    guard !out.isAbsolute, !out.isEmpty, out != ".", !out.starts(with: "..") else {
      throw Mistakes(
        "--out '\(options.out)': not a folder below the plugin's own", hint: "for example --out build/deliverables")
    }
    var version: (text: String, origin: String)?
    if let source = options.versionFrom {
      version = (try await VersionSource.read(source, in: options.directory), "--version-from \(source)")
    }
    var sources: [(path: FilePath, digest: Digest)] = []
    let manifest = try Manifest(
      Layers(options, version: version) { path throws(Mistakes) in
        let bytes = try readRecipe(path)
        sources.append((path, Digest(of: bytes)))
        return bytes
      })
    // The real path, so that commands and messages name what the system names.
    let root = try explained { try FileSystem.realPath(options.directory) }
    return Project(root: root, manifest: manifest, options: options, sources: sources)
  }

  static func readRecipe(_ path: FilePath) throws(Mistakes) -> [UInt8] {
    let bytes: [UInt8]? = try explained {
      guard try FileSystem.status(of: path, followingLinks: true) != nil else { return nil }
      return try FileSystem.read(path, limit: YAMLText.mostBytes)
    }
    guard let bytes else {
      throw Mistakes("there is no \(path)", hint: "npi-pack init writes a first one; -f and -C name another")
    }
    return bytes
  }
}

// Files that the command line names.
extension Project {
  /// More was written by no hand, and is no list of accepted findings; in bytes.
  private static let mostBytes = 64 << 20

  package static func text(of path: FilePath) throws(Mistakes) -> String {
    let bytes = try explained { try FileSystem.read(path, limit: mostBytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// What is written takes the place of a file of that name, and of nothing else.
  static func refuseOther(_ path: FilePath) throws(FileError) {
    switch try FileSystem.status(of: path, followingLinks: true)?.kind {
    case .folder: throw FileError(path, doing: "write", reason: "it is a folder", hint: "name a file in it")
    case .other: throw FileError(path, doing: "write", reason: "it is a pipe, a socket or a device, and no file")
    default: break
    }
  }

  package static func write(_ text: String, to path: FilePath) throws(Mistakes) {
    try explained {
      try refuseOther(path)
      let folder = path.removingLastComponent()
      if !folder.isEmpty { try FileSystem.makeFolders(folder) }
      try FileSystem.write(path, Array(text.utf8))
    }
  }
}

extension Project {
  /// The end of the process is near: files that are not whole go, and nobody begins another one while the body runs.
  package static func abandoningFiles(_ body: () -> Void) { OutputFile.abandonAll(body) }
}

// What `init` does.
extension Project {
  package static func starter(in directory: FilePath) throws(Mistakes) -> String {
    try explained {
      guard try FileSystem.status(of: directory, followingLinks: true)?.kind == .folder else {
        throw FileError(directory, doing: "look at", reason: "it is not a folder")
      }
      return StarterManifest(try TreeSurvey(try FileSystem.realPath(directory))).text
    }
  }

  /// Where it was written.
  package static func writeStarter(_ text: String, in directory: FilePath) throws(Mistakes) -> FilePath {
    let file = directory == "." ? "npi.yml" : directory.appending("npi.yml")
    try explained {
      guard try FileSystem.status(of: file) == nil else {
        throw FileError(file, doing: "write", reason: "it is there already", hint: "npi-pack init -n prints a new one")
      }
    }
    try write(text, to: file)
    return file
  }
}

/// `--version-from git|FILE`: where a version comes from if the manifest does not hold it.
enum VersionSource {
  static func read(_ source: String, in directory: FilePath) async throws(Mistakes) -> String {
    source == "git" ? try await git(directory) : try file(source, directory)
  }

  /// A tag is the name of a file of git's: no longer than a path; in bytes.
  private static let longestTag = 4096

  /// The nearest tag, without a leading `v`.
  private static func git(_ directory: FilePath) async throws(Mistakes) -> String {
    let hint = "tag the commit, for example: git tag v1.4.0"
    let text: String?
    do {
      let result = try await run(
        .name("git"), arguments: ["-C", directory.string, "describe", "--tags", "--dirty"],
        output: .string(limit: longestTag), error: .discarded)
      text = result.terminationStatus.isSuccess ? result.standardOutput : nil
    } catch {
      throw Mistakes("--version-from git: git cannot be run: \(error)")
    }
    guard let version = text?.split(whereSeparator: \.isNewline).first.map(String.init) else {
      throw Mistakes("--version-from git: no tag is reachable from here", hint: hint)
    }
    return version.hasPrefix("v") ? String(version.dropFirst()) : version
  }

  /// The first line that is not empty.
  private static func file(_ source: String, _ directory: FilePath) throws(Mistakes) -> String {
    let path = directory.pushing(FilePath(source))
    let text = try Project.text(of: path)
    guard let line = text.split(whereSeparator: \.isNewline).first(where: { !$0.allSatisfy(\.isWhitespace) }) else {
      throw Mistakes("--version-from \(source): the file is empty")
    }
    return line.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? String(line)
  }
}
