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
  private(set) var parts: Parts

  /// The contents besides the manifest.
  struct Parts: Sendable {
    /// The names of parts that the plugin does not want.
    var without: Set<String>
    var metadata: AARMetadata?
    /// Archives that are taken apart, too: jars, and annotations.
    var archives: [AARGroup: ScratchFile] = [:]
    /// By their names in `libs/`.
    var libs: [(name: String, file: ScratchFile)] = []
    var resources: [(inside: [UInt8], part: Spool.Part)] = []
    /// The entries that keep their paths in the merged AAR.
    var copied: [(group: AARGroup, path: [UInt8], part: Spool.Part)] = []
    /// Files that are joined with their namesakes of other AARs.
    var texts: [AARGroup: [UInt8]] = [:]
    var symbols: SymbolTable?
    /// Entries that have no place in a merged AAR.
    var leftOut: [EntryPath] = []
  }

  /// - Parameter isBase: whether the AAR is the base that others are merged into.
  init(_ file: FilePath, _ thing: NamedInput, spool: Spool, scratch: OpenFolder, isBase: Bool) throws {
    let name = thing.path.string
    let place = thing.place
    (self.name, self.place, self.isBase) = (name, place, isBase)
    var manifest: [UInt8]?
    var parts = Parts(without: Set(thing.without))
    var seen: Set<EntryPath> = []
    var notes = PackNotes()
    let archive = VendorArchive(kind: .aar, path: file, name: Place(name), place: place)
    _ = try archive.forEachFile(&notes) { path, _, reader, _ in
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
    func text() throws -> [UInt8] { try reader.contents(limit: AARBuilder.maxTextSize) }
    func archive() throws -> ScratchFile {
      try ScratchFile(in: scratch) { file in try reader.forEachChunk { chunk in try file.write(chunk) } }
    }
    let group = AARGroup(path)
    if let key = group.key, without.contains(key) { return }
    switch group {
    case .symbols:
      let text = try text()
      do throws(RTextProblem) { symbols = try SymbolTable(rText: text) } catch {
        throw Mistakes("\(name) › R.txt: \(error)", at: place)
      }
    case .metadata: metadata = AARMetadata(properties: try text())
    case .rules, .profile, .publicSymbols, .navigation: texts[group] = try text()
    case .classes, .api, .lint, .annotations: archives[group] = try archive()
    case .libs: libs.append((String(decoding: path.bytes.dropFirst("libs/".utf8.count), as: UTF8.self), try archive()))
    case .resources:
      let inside = Array(path.bytes.dropFirst("res/".utf8.count))
      // Hidden files are no resources.
      if ResourceFile.isPassedOver(inside) {
        leftOut.append(path)
      } else {
        resources.append((inside, try spool.add(&reader)))
      }
    // The first is written anew by each tool that makes an archive; the second is the manifest once more, for tools before 2020.
    case .files
    where path.description == "META-INF/MANIFEST.MF" || !isBase && path.description == "aapt/AndroidManifest.xml":
      leftOut.append(path)
    case .manifest, .assets, .jni, .prefab, .aidl, .dataBinding, .files:
      copied.append((group, path.bytes, try spool.add(&reader)))
    }
  }
}
