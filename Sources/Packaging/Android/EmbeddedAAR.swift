import Android
import Archives
import Artifacts
import Findings
import Store
import SystemPackage

/// A third party's AAR, taken apart so that it can be merged into the plugin's own.
struct EmbeddedAAR: Sendable {
  /// What messages call it: its path.
  let name: String
  let place: Place
  let manifest: AndroidManifest
  /// Its R class's package; never empty.
  let package: String
  private(set) var parts = Parts()

  /// What is in it besides the manifest.
  struct Parts: Sendable {
    var metadata: AARMetadata?
    var classes: ScratchFile?
    /// By their names in `libs/`.
    var libs: [(name: String, file: ScratchFile)] = []
    /// Below `res/`, `assets/`, `jni/` and `aidl/`.
    var resources: [File] = []
    var assets: [File] = []
    var libraries: [File] = []
    var aidl: [File] = []
    var proguard: [UInt8] = []
    var profile: [UInt8] = []
    var symbols: SymbolTable?
    /// Entries that have no place in a merged AAR.
    var leftOut: [EntryPath] = []
  }

  struct File: Sendable {
    /// Inside of its folder: `layout/row.xml`.
    let path: [UInt8]
    let part: Spool.Part
  }

  /// Up to here texts of an AAR are read, in bytes.
  fileprivate static let largestText = 16 << 20

  /// - Parameter scratch: the folder for temporary files.
  init(_ file: FilePath, name: String, at place: Place, spool: Spool, scratch: OpenFolder) throws {
    self.name = name
    self.place = place
    guard try PositionalFile.isZip(file) else {
      throw Mistakes("\(name) is not an AAR: it is no zip archive", at: place)
    }
    if let problem = try PositionalFile.contradiction(inZip: file) {
      throw Mistakes("\(name) cannot be read: \(problem)", at: place, hint: "build or download it again")
    }
    var manifest: [UInt8]?
    var parts = Parts()
    var seen: Set<EntryPath> = []
    do {
      var reader = try ArchiveReader(path: file)
      while let header = try reader.next() {
        if header.kind == .directory { continue }
        let path = try EmbeddedAAR.path(header, name, place)
        if AppleMetadata.classify(path: path.bytes) != nil {
          parts.leftOut.append(path)
          continue
        }
        guard seen.insert(path).inserted else {
          throw Mistakes("\(name) cannot be embedded: it has '\(path)' twice", at: place)
        }
        if path.description == "AndroidManifest.xml" {
          manifest = try reader.contents(limit: EmbeddedAAR.largestText)
        } else {
          try parts.add(path, &reader, in: name, at: place, spool, scratch)
        }
      }
    } catch let error as ArchiveError {
      throw Mistakes("\(name) cannot be read: \(error)", at: place, hint: "build or download it again")
    }
    guard let manifest else {
      throw Mistakes("\(name) is not an AAR: it has no AndroidManifest.xml", at: place)
    }
    do throws(ManifestProblem) { self.manifest = try AndroidManifest(manifest) } catch {
      throw Mistakes("\(name) › AndroidManifest.xml: \(error)", at: place)
    }
    guard let package = self.manifest.package, !package.isEmpty else {
      throw Mistakes("the AndroidManifest.xml of \(name) names no package", at: place)
    }
    self.package = package
    self.parts = parts
  }

  private static func path(_ header: ArchiveHeader, _ name: String, _ place: Place) throws(Mistakes) -> EntryPath {
    let path: EntryPath
    do throws(EntryPathError) { path = try EntryPath(header.name) } catch {
      throw Mistakes("\(name) cannot be embedded: \(error)", at: place)
    }
    guard header.kind == .file else {
      throw Mistakes(
        "\(name) cannot be embedded: '\(path)' is a link, and an AAR has no links", at: place,
        hint: "ask its vendor for one that Gradle or npi-pack made")
    }
    return path
  }

  /// In words: each entry at the root and in a folder of a few, and of a larger folder how many.
  var leftOut: [String] {
    Dictionary(grouping: parts.leftOut) { Array($0.bytes.prefix { $0 != UInt8(ascii: "/") }) }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }
      .flatMap { folder, paths in
        paths.count > 3
          ? ["\(paths.count) files in \(String(decoding: folder, as: UTF8.self))/"] : paths.sorted().map(\.description)
      }
  }

  /// A place inside of it.
  func site(_ entry: String) -> Place { Place(name).inside(entry) }
}

extension EmbeddedAAR.Parts {
  fileprivate mutating func add(
    _ path: EntryPath, _ reader: inout ArchiveReader, in name: String, at place: Place, _ spool: Spool,
    _ scratch: OpenFolder
  ) throws {
    let parts = path.components.map { String(decoding: $0, as: UTF8.self) }
    func text() throws -> [UInt8] { try reader.contents(limit: EmbeddedAAR.largestText) }
    func file() throws -> EmbeddedAAR.File {
      EmbeddedAAR.File(path: Array(path.bytes.dropFirst(parts[0].utf8.count + 1)), part: try spool.add(&reader))
    }
    switch (parts[0], parts.count) {
    case ("classes.jar", 1): classes = try ScratchFile(&reader, in: scratch)
    case ("R.txt", 1):
      let text = try text()
      do throws(RTextProblem) { symbols = try SymbolTable(rText: text) } catch {
        throw Mistakes("\(name) › R.txt: \(error)", at: place)
      }
    case ("proguard.txt", 1): proguard = try text()
    case ("baseline-prof.txt", 1): profile = try text()
    case ("libs", 2) where parts[1].hasSuffix(".jar"):
      libs.append((parts[1], try ScratchFile(&reader, in: scratch)))
    // Hidden files are no resources.
    case ("res", 2...) where !ResourceFile.isPassedOver(Array(path.bytes.dropFirst(4))): resources.append(try file())
    case ("assets", 2...): assets.append(try file())
    // Old tools put their debugger beside the libraries.
    case ("jni", 3) where parts[2].hasSuffix(".so"): libraries.append(try file())
    case ("aidl", 2...): aidl.append(try file())
    case _ where path.description == AARMetadata.path: metadata = AARMetadata(properties: try text())
    // What of its resources is public is the library's own business, and the merged one's is the plugin's.
    case ("public.txt", 1): return leftOut.append(path)
    default: leftOut.append(path)
    }
  }
}
