import Android
import Archives
import Artifacts
import Findings
import Store
import SystemPackage

/// A third party's AAR, taken apart so that it can be merged into the plugin's own.
struct EmbeddedAAR: Sendable {
  /// The path, for messages.
  let name: String
  let place: Place
  let manifest: AndroidManifest
  /// The manifest as it stands in the AAR.
  let manifestText: [UInt8]
  /// Whether the others are merged into this AAR. Then none of its entries is left out.
  let isBase: Bool
  /// Its R class's package; never empty.
  let package: String
  private(set) var parts = Parts()

  /// The contents besides the manifest.
  struct Parts: Sendable {
    var metadata: AARMetadata?
    var classes: ScratchFile?
    /// By their names in `libs/`.
    var libs: [(name: String, file: ScratchFile)] = []
    var resources: [(inside: [UInt8], part: Spool.Part)] = []
    /// The entries that keep their paths in the merged AAR.
    var copied: [(group: AARGroup, path: [UInt8], part: Spool.Part)] = []
    var proguard: [UInt8] = []
    var profile: [UInt8] = []
    var symbols: SymbolTable?
    /// Entries that have no place in a merged AAR.
    var leftOut: [EntryPath] = []
  }

  init(
    _ file: FilePath, name: String, at place: Place, spool: Spool, scratch: OpenFolder, isBase: Bool = false
  ) throws {
    self.name = name
    self.isBase = isBase
    self.place = place
    var manifest: [UInt8]?
    var parts = Parts()
    var seen: Set<EntryPath> = []
    var notes = PackNotes()
    let archive = VendorArchive(kind: .aar, path: file, name: Place(name), place: place)
    _ = try archive.forEachFile(&notes) { path, reader, _ in
      if AppleMetadata.classify(path: path.bytes) != nil { return parts.leftOut.append(path) }
      guard seen.insert(path).inserted else {
        throw Mistakes("\(name) cannot be embedded: it has '\(path)' twice", at: place)
      }
      if path.description == "AndroidManifest.xml" {
        manifest = try reader.contents(limit: AARBuilder.maxTextSize)
      } else {
        try parts.add(path, &reader, in: name, at: place, spool, scratch, isBase: isBase)
      }
    }
    try notes.check()
    manifestText = manifest ?? []
    guard let manifest else { throw Mistakes("\(name) is not an AAR: it has no AndroidManifest.xml", at: place) }
    do throws(UnreadableEntry) { self.manifest = try AndroidManifest(manifest) } catch {
      throw Mistakes("\(name) › AndroidManifest.xml: \(error.reason)", at: place)
    }
    guard let package = self.manifest.package, !package.isEmpty else {
      throw Mistakes("the AndroidManifest.xml of \(name) names no package", at: place)
    }
    self.package = package
    self.parts = parts
  }

  /// Names each entry, but only counts those of a folder with more than three.
  var leftOut: [String] {
    Dictionary(grouping: parts.leftOut) { Array($0.bytes.prefix { $0 != UInt8(ascii: "/") }) }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }
      .flatMap { folder, paths in
        paths.count > 3
          ? ["\(paths.count) files in \(String(decoding: folder, as: UTF8.self))/"] : paths.sorted().map(\.description)
      }
  }

  func site(_ entry: String) -> Place { Place(name).inside(entry) }
}

extension EmbeddedAAR.Parts {
  fileprivate mutating func add(
    _ path: EntryPath, _ reader: inout ArchiveReader, in name: String, at place: Place, _ spool: Spool,
    _ scratch: OpenFolder, isBase: Bool
  ) throws {
    let parts = path.components.map { String(decoding: $0, as: UTF8.self) }
    func text() throws -> [UInt8] { try reader.contents(limit: AARBuilder.maxTextSize) }
    func jar() throws -> ScratchFile {
      try ScratchFile(in: scratch) { file in try reader.forEachChunk { chunk in try file.write(chunk) } }
    }
    func copy(_ group: AARGroup) throws { copied.append((group, path.bytes, try spool.add(&reader))) }
    let inside = Array(path.bytes.dropFirst(parts[0].utf8.count + 1))
    switch (parts[0], parts.count) {
    case ("classes.jar", 1): classes = try jar()
    case ("R.txt", 1):
      let text = try text()
      do throws(RTextProblem) { symbols = try SymbolTable(rText: text) } catch {
        throw Mistakes("\(name) › R.txt: \(error)", at: place)
      }
    case ("proguard.txt", 1): proguard = try text()
    case ("baseline-prof.txt", 1): profile = try text()
    case ("libs", 2) where parts[1].hasSuffix(".jar"): libs.append((parts[1], try jar()))
    // Hidden files are no resources.
    case ("res", 2...) where !ResourceFile.isPassedOver(inside): resources.append((inside, try spool.add(&reader)))
    case ("assets", 2...): try copy(.assets)
    // Old tools put their debugger beside the libraries.
    case ("jni", 3) where parts[2].hasSuffix(".so"): try copy(.jni)
    case ("aidl", 2...): try copy(.aidl)
    case _ where path.description == AARMetadata.path: metadata = AARMetadata(properties: try text())
    case ("prefab", 2...) where isBase: try copy(.prefab)
    case ("public.txt", 1) where isBase: try copy(.publicSymbols)
    case _ where isBase: try copy(.rest)
    // Its `public.txt` is left out too: the merged AAR has the plugin's own.
    default: leftOut.append(path)
    }
  }
}
