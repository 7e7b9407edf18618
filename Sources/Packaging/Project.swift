import Artifacts
import BuildEngine
import Documents
package import Findings
package import Rules
import Store
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
    package var manifestPath: FilePath { directory == "." ? manifest : directory.pushing(manifest) }
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
      return try FileSystem.read(path, limit: YAMLText.maxBytes)
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
  private static let maxBytes = 64 << 20

  package static func suppressions(_ path: FilePath) throws(Mistakes) -> Suppressions {
    let bytes = try explained { try FileSystem.read(path, limit: YAMLText.maxBytes) }
    return try Suppressions(bytes, name: path.string, now: HostProcess.now / 1_000_000_000)
  }

  /// Absolute; empty if it is gone.
  package static var workingFolder: String { HostProcess.workingFolder?.string ?? "" }

  /// A path as it is read most easily: below the folder in which this was started it begins there.
  package static func shortened(_ path: FilePath) -> FilePath {
    guard path.isAbsolute, let folder = HostProcess.workingFolder, path.starts(with: folder) else { return path }
    var path = path.lexicallyNormalized()
    return path.removePrefix(folder) ? (path.isEmpty ? "." : path) : path
  }

  /// When a report is made, in UTC: `SOURCE_DATE_EPOCH` where that is set, so that it can be made again.
  package static func reportDate() throws(Mistakes) -> String? {
    CivilTime(since1970: try sourceDate() ?? Int(HostProcess.now / 1_000_000_000))?.text
  }

  /// What a text is known again by: enough of its digest to tell findings apart.
  package static func fingerprint(_ text: String) -> String { String(Digest(of: Array(text.utf8)).hex.prefix(32)) }

  package static func text(of path: FilePath) throws(Mistakes) -> String {
    let bytes = try explained { try FileSystem.read(path, limit: maxBytes) }
    // A byte order mark is no part of the text.
    return String(decoding: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...], as: UTF8.self)
  }

  /// What is written takes the place of a file of that name, and of nothing else.
  static func refuseOther(_ path: FilePath) throws(FileError) {
    switch try FileSystem.status(of: path, followingLinks: true)?.kind {
    case .directory: throw FileError(path, doing: "write", reason: "it is a folder", hint: "name a file in it")
    case .regular?, .symbolicLink?, nil: break
    default: throw FileError.noFile(path, doing: "write")
    }
  }

  /// A file that is read is not written over, however it is spelled.
  package static func refuse(writing path: FilePath, over inputs: [FilePath]) throws(Mistakes) {
    func file(_ path: FilePath) -> FileStamp? { (try? FileSystem.status(of: path, followingLinks: true)) ?? nil }
    guard let own = file(path), own.kind == .regular else { return }
    for input in inputs {
      guard let other = file(input), other.device == own.device, other.inode == own.inode else { continue }
      let what = path == input ? "\(path)" : "\(path) is \(input), which"
      throw Mistakes("\(what) is read: it cannot be written over", hint: "name another file")
    }
  }

  /// What is written takes the place of its own kind, and of nothing that somebody has written. Known before the work, which
  /// takes longer. `isOne`: by the first bytes of the file and the last ones.
  package static func refuse(
    writing what: String, to path: FilePath, unless isOne: (_ head: [UInt8], _ tail: [UInt8]) -> Bool
  ) throws(Mistakes) {
    try explained {
      try refuseOther(path)
      guard let size = try FileSystem.status(of: path, followingLinks: true)?.size, size > 0 else { return }
      let (head, tail) = try FileSystem.ends(of: path, 4096)
      guard isOne(head, tail) else {
        throw FileError(path, doing: "write", reason: "it is there, and is no \(what)", hint: "name a new file")
      }
    }
  }

  package static func refuseTrace(_ path: FilePath) throws(Mistakes) {
    try refuse(writing: "trace", to: path) { head, _ in head.starts(with: Trace.head.utf8) }
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
