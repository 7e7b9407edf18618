import Android
import Archives
import Artifacts
import Findings
import ObjectFiles
import Rewriting
import Store
import SystemPackage

/// A jar or an AAR whose packages get new names, as the entries of a new one.
struct RelocatedArchive {
  private let relocation: JavaFileRelocation
  private let spool: Spool
  private let folder: OpenFolder
  private let kind: VendorArchive.Kind
  private let name: Place
  private let place: Place

  /// In the order of the old archive.
  private(set) var entries: [PackedEntry] = []
  /// Files that entries are read from; they are removed with this value.
  private(set) var scratch: [any Sendable & AnyObject] = []
  /// How many files have a new name or content.
  private(set) var changed = 0
  private(set) var leftOut: Set<String> = []
  /// The classes that get other names, with dots.
  private(set) var classes: Set<[UInt8]> = []
  /// Texts of the program that begin with a package's name and stay.
  private(set) var keptTexts: Set<[UInt8]> = []

  private struct File: Sendable {
    let path: EntryPath
    let part: Spool.Part
  }

  /// - Parameters:
  ///   - path: opens the archive.
  ///   - name: its name in errors.
  ///   - place: in the manifest, of what names it.
  ///   - folder: for what does not fit into the memory.
  init(
    _ path: FilePath, _ kind: VendorArchive.Kind, name: Place, at place: Place, _ relocation: JavaFileRelocation,
    in folder: OpenFolder
  ) async throws {
    (self.kind, self.name, self.place, self.relocation, self.folder) = (kind, name, place, relocation, folder)
    spool = try Spool(in: folder)
    var files: [File] = []
    var notes = PackNotes()
    let spool = spool
    var left: Set<String> = []
    let archive = VendorArchive(kind: kind, path: path, name: name, place: place)
    _ = try archive.forEachFile(&notes) { path, _, reader, _ in
      switch JarEntry(path.bytes) {
      // Both are of the old entries.
      case .signature: left.insert("signature")
      case .index: left.insert("index")
      default: files.append(File(path: path, part: try spool.add(&reader)))
      }
    }
    try notes.check()
    leftOut = left
    if kind == .aar { try await addAAR(files) } else { try await add(files) }
    try refuseTwins()
  }

  /// Adds files that are no archives, several at once.
  private mutating func add(_ files: [File]) async throws {
    let (spool, relocation, name) = (spool, relocation, name)
    let texts = kind == .aar ? AndroidTextRelocation(relocation.map, classes: classes) : nil
    try await inParts(files, of: 64) { files in
      var kept: Set<[UInt8]> = []
      let made = try files.map { file in
        (file: file, new: try Self.content(file, spool, relocation, texts, name, &kept))
      }
      return (made, kept)
    } _: { made, kept in
      for (file, new) in made { try insert(file, try new.map { try spool.add($0) }) }
      keptTexts.formUnion(kept)
    }
  }

  private static func content(
    _ file: File, _ spool: Spool, _ relocation: JavaFileRelocation, _ texts: AndroidTextRelocation?, _ name: Place,
    _ kept: inout Set<[UInt8]>
  ) throws -> [UInt8]? {
    let bytes = try spool.bytes(of: file.part)
    if let texts, let new = texts.content(file.path.description, bytes.copy()) { return new }
    do throws(FormatError) {
      return try bytes.withReader { (reader) throws(FormatError) in
        try relocation.content(file.path.bytes, reader, kept: &kept)
      }
    } catch {
      throw Mistakes("\(name.inside(file.path.description)): \(error)")
    }
  }

  private mutating func insert(_ file: File, _ new: Spool.Part?) throws {
    let path = try EntryPath(relocated(file.path))
    if path != file.path || new != nil { changed += 1 }
    if path != file.path, file.path.bytes.suffix(6).elementsEqual(".class".utf8) {
      classes.insert(file.path.bytes.dropLast(6).map { $0 == UInt8(ascii: "/") ? UInt8(ascii: ".") : $0 })
    }
    let part = new ?? file.part
    entries.append(PackedEntry(path, part.content, digest: part.digest, at: name.inside(file.path.description)))
  }

  private func relocated(_ path: EntryPath) -> [UInt8] {
    kind == .jar || path.description.hasPrefix("aidl/") ? relocation.path(path.bytes) : path.bytes
  }

  /// Two entries of one new name: a package that another one takes the name of.
  private func refuseTwins() throws(Mistakes) {
    var seen: [EntryPath: Place] = [:]
    for entry in entries {
      guard let first = seen.updateValue(entry.place, forKey: entry.entry.path) else { continue }
      throw Mistakes(
        "two files would be '\(entry.entry.path)'", at: place, notes: ["\(first)", "\(entry.place)"],
        hint: "choose a package that the library does not have")
    }
  }

  // MARK: AARs

  /// The archives first: what texts may mean are names of their classes.
  private mutating func addAAR(_ files: [File]) async throws {
    var packed: [EntryPath: PackedEntry] = [:]
    var others: [File] = []
    for file in files {
      if let entry = try await archive(file) { packed[file.path] = entry } else { others.append(file) }
    }
    try await add(others)
    // In the order of the old archive.
    let order = Dictionary(files.enumerated().map { ($1.path, $0) }, uniquingKeysWith: { first, _ in first })
    let places = Dictionary(
      others.map { (relocated($0.path), order[$0.path] ?? 0) }, uniquingKeysWith: { first, _ in first })
    entries = (entries + packed.values).sorted {
      (places[$0.entry.path.bytes] ?? order[$0.entry.path] ?? 0)
        < (places[$1.entry.path.bytes] ?? order[$1.entry.path] ?? 0)
    }
  }

  /// The entry of an archive in an AAR; nil if the file is none that has names of classes.
  private mutating func archive(_ file: File) async throws -> PackedEntry? {
    let path = file.path.description
    let isJar = path.hasSuffix(".jar") && (path == "classes.jar" || path == "api.jar" || path.hasPrefix("libs/"))
    guard isJar || path == "annotations.zip" else { return nil }
    let bytes = try spool.bytes(of: file.part)
    let copy = try ScratchFile(in: folder) { output in try output.write(bytes.copy()) }
    let name = name.inside(path)
    let inner = try await RelocatedArchive(copy.path, .jar, name: name, at: place, relocation, in: folder)
    leftOut.formUnion(inner.leftOut)
    keptTexts.formUnion(inner.keptTexts)
    classes.formUnion(inner.classes)
    guard inner.changed > 0 else {
      return PackedEntry(file.path, file.part.content, digest: file.part.digest, at: name)
    }
    changed += 1
    let packed = try ScratchFile(in: folder)
    let made = try await PackedArchive.write(
      inner.entries, to: packed.path, options: ZipOptions(allowsCaseTwins: true, level: .fast), in: nil, lasts: false)
    scratch.append(packed)
    return PackedEntry(file.path, .file(packed.path, size: made.size), digest: made.digest, at: name)
  }
}
