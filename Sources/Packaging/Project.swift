import Artifacts
import Documents
package import Findings
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
    package var directory: FilePath
    /// Relative to `directory`.
    package var manifest: FilePath
    /// Where deliverables go, relative to `directory`.
    package var out: FilePath
    package var settings: [String]
    package var configFiles: [FilePath]
    package var versionFrom: String?

    package init(
      directory: FilePath = ".", manifest: FilePath = "npi.yml", out: FilePath = "dist", settings: [String] = [],
      configFiles: [FilePath] = [], versionFrom: String? = nil
    ) {
      self.directory = directory
      self.manifest = manifest
      self.out = out
      self.settings = settings
      self.configFiles = configFiles
      self.versionFrom = versionFrom
    }

    /// As errors name it: without the folder where that is the current one.
    var manifestPath: FilePath { directory == "." ? manifest : directory.pushing(manifest) }
  }

  package static func open(_ options: Options) async throws(Mistakes) -> Project {
    let out = options.out.lexicallyNormalized()
    guard !out.isAbsolute, !out.isEmpty, out != ".", !out.starts(with: "..") else {
      throw Mistakes(
        "--out '\(options.out)': not a folder below the plugin's own", hint: "for example --out build/deliverables")
    }
    var layers = Layers.Options(manifest: options.manifestPath)
    layers.configFiles = options.configFiles
    layers.settings = options.settings
    if let source = options.versionFrom {
      layers.version = (try await VersionSource.read(source, in: options.directory), "--version-from \(source)")
    }
    var sources: [(path: FilePath, digest: Digest)] = []
    let manifest = try Manifest(
      Layers(layers) { path throws(Mistakes) in
        let bytes = try readRecipe(path)
        sources.append((path, Digest(of: bytes)))
        return bytes
      })
    do throws(FileError) {
      // The real path, so that commands and messages name what the system names.
      let root = try FileSystem.realPath(options.directory)
      return Project(root: root, manifest: manifest, options: options, sources: sources)
    } catch {
      throw Mistakes(error)
    }
  }

  static func readRecipe(_ path: FilePath) throws(Mistakes) -> [UInt8] {
    do {
      guard try FileSystem.status(of: path, followingLinks: true) != nil else {
        throw Mistakes("there is no \(path)", hint: "npi-pack init writes a first one; -f and -C name another")
      }
      return try FileSystem.read(path, limit: YAMLText.mostBytes)
    } catch let error as FileError {
      throw Mistakes(error)
    } catch let error as Mistakes {
      throw error
    } catch {
      throw Mistakes("\(error)")
    }
  }

}

// Files that the command line names.
extension Project {
  /// Of one that somebody wrote by hand, or accepted findings.
  package static func text(of path: FilePath) throws(Mistakes) -> String {
    do throws(FileError) {
      return String(decoding: try FileSystem.read(path, limit: 64 << 20), as: UTF8.self)
    } catch {
      throw Mistakes(error)
    }
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
    do throws(FileError) {
      try refuseOther(path)
      let folder = path.removingLastComponent()
      if !folder.isEmpty { try FileSystem.makeFolders(folder) }
      try FileSystem.write(path, Array(text.utf8))
    } catch {
      throw Mistakes(error)
    }
  }
}

// What `init` does.
extension Project {
  package static func starter(in directory: FilePath) throws(Mistakes) -> String {
    do throws(FileError) {
      return StarterManifest(try TreeSurvey(try absoluteFolder(directory))).text
    } catch {
      throw Mistakes(error)
    }
  }

  /// Where it was written.
  package static func writeStarter(_ text: String, in directory: FilePath) throws(Mistakes) -> FilePath {
    let file = directory == "." ? "npi.yml" : directory.appending("npi.yml")
    do throws(FileError) {
      if try FileSystem.status(of: file) != nil {
        throw FileError(file, doing: "write", reason: "it is there already", hint: "npi-pack init -n prints a new one")
      }
    } catch {
      throw Mistakes(error)
    }
    try write(text, to: file)
    return file
  }

  private static func absoluteFolder(_ path: FilePath) throws(FileError) -> FilePath {
    guard try FileSystem.status(of: path, followingLinks: true)?.kind == .folder else {
      throw FileError(path, doing: "look at", reason: "it is not a folder")
    }
    return try FileSystem.realPath(path)
  }
}
