import Artifacts
import BuildEngine
import Documents
package import Findings
package import Rules
import Store
package import SystemPackage

/// A plugin's folder and its manifest.
package struct Project: Sendable {
  /// Absolute.
  package let root: FilePath
  package let manifest: Manifest
  package let options: Options
  /// The files that the manifest was read from. The paths are relative to the working folder.
  let sources: [(path: FilePath, digest: Digest)]
  /// The version, if it does not come from the manifest, and the option that names it.
  let version: (text: String, origin: String)?

  package struct Options: Sendable {
    /// The plugin's folder.
    package var directory: FilePath = "."
    /// Relative to `directory`.
    package var manifest: FilePath = "npi.yml"
    /// The folder of deliverables, relative to `directory`.
    package var out: FilePath = "dist"
    /// `KEY=VALUE`, laid over `config` last.
    package var settings: [String] = []
    /// Files whose keys are laid over `config`.
    package var configFiles: [FilePath] = []
    package var versionFrom: String?

    package init() {}

    /// The path for messages: without the folder if that is the current one.
    package var manifestPath: FilePath { directory == "." ? manifest : directory.pushing(manifest) }
  }

  /// - Parameter version: the version, if it is known already and not the manifest's.
  package static func open(
    _ options: Options, version: (text: String, origin: String)? = nil
  ) async throws(Mistakes) -> Project {
    let out = options.out.lexicallyNormalized()
    guard !out.isAbsolute, !out.isEmpty, out != ".", !out.starts(with: "..") else {
      throw Mistakes(
        "--out '\(options.out)': not a folder below the plugin's own", hint: "for example --out build/deliverables")
    }
    var version = version
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
    // The path is the real one, so that commands and messages use the system's name.
    let root = try explained { try FileSystem.realPath(options.directory) }
    return Project(root: root, manifest: manifest, options: options, sources: sources, version: version)
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
  /// In bytes. No version file or list of accepted findings is larger.
  private static let maxBytes = 64 << 20

  package static func suppressions(_ path: FilePath) throws(Mistakes) -> Suppressions {
    let bytes = try explained { try FileSystem.read(path, limit: YAMLText.maxBytes) }
    return try Suppressions(bytes, name: path.string, now: HostProcess.now / 1_000_000_000)
  }

  /// Absolute; empty if the folder is gone.
  package static var workingFolder: String { HostProcess.workingFolder?.string ?? "" }

  package static func absolute(_ path: FilePath) throws(Mistakes) -> FilePath {
    (try explained { try FileSystem.realPath(".") }).pushing(path).lexicallyNormalized()
  }

  /// A path for messages: relative to the working folder if it is below that.
  package static func shortened(_ path: FilePath) -> FilePath {
    guard path.isAbsolute, let folder = HostProcess.workingFolder, path.starts(with: folder) else { return path }
    var path = path.lexicallyNormalized()
    return path.removePrefix(folder) ? (path.isEmpty ? "." : path) : path
  }

  /// The date of a report, in UTC: `SOURCE_DATE_EPOCH` if that is set, so that the report is reproducible.
  package static func reportDate() throws(Mistakes) -> String? {
    CivilTime(since1970: try sourceDate() ?? Int(HostProcess.now / 1_000_000_000))?.text
  }

  /// A stable name for a text: enough of its digest to tell findings apart.
  package static func fingerprint(_ text: String) -> String { String(Digest(of: Array(text.utf8)).hex.prefix(32)) }

  package static func text(of path: FilePath) throws(Mistakes) -> String {
    let bytes = try explained { try FileSystem.read(path, limit: maxBytes) }
    // A byte order mark is no part of the text.
    return String(decoding: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...], as: UTF8.self)
  }

  /// Throws if a thing other than a file has that name.
  static func refuseOther(_ path: FilePath) throws(FileError) {
    switch try FileSystem.status(of: path, followingLinks: true)?.kind {
    case .directory: throw FileError(path, doing: "write", reason: "it is a folder", hint: "name a file in it")
    case .regular?, .symbolicLink?, nil: break
    default: throw FileError.noFile(path, doing: "write")
    }
  }

  /// Refuses to write over an input, however its path is spelled.
  package static func refuse(writing path: FilePath, over inputs: [FilePath]) throws(Mistakes) {
    func file(_ path: FilePath) -> FileStamp? { (try? FileSystem.status(of: path, followingLinks: true)) ?? nil }
    guard let own = file(path), own.kind == .regular else { return }
    for input in inputs {
      guard let other = file(input), other.device == own.device, other.inode == own.inode else { continue }
      let what = path == input ? "\(path)" : "\(path) is \(input), which"
      throw Mistakes("\(what) is read: it cannot be written over", hint: "name another file")
    }
  }

  /// Refuses to write over a file of another kind, which may be the user's own. It is called before the work, which
  /// takes longer. `isOne` recognizes the kind by the first and the last bytes of the file.
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
  /// Removes unfinished files before the process ends. No other file is begun while the body runs.
  package static func abandoningFiles(_ body: () -> Void) { OutputFile.abandonAll(body) }
}
