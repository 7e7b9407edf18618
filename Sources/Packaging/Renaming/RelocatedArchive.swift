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
    _ = try archive.forEachFile(&notes) { path, reader, _ in
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
    let (spool, relocation, name, kind) = (spool, relocation, name, kind)
    try await inParts(files, of: 64) { files in
      var kept: Set<[UInt8]> = []
      let made = try files.map { file in
        (file: file, new: try Self.content(file, spool, relocation, kind, name, &kept))
      }
      return (made, kept)
    } _: { made, kept in
      for (file, new) in made { try insert(file, try new.map { try spool.add($0) }) }
      keptTexts.formUnion(kept)
    }
  }

  private static func content(
    _ file: File, _ spool: Spool, _ relocation: JavaFileRelocation, _ kind: VendorArchive.Kind, _ name: Place,
    _ kept: inout Set<[UInt8]>
  ) throws -> [UInt8]? {
    let bytes = try spool.bytes(of: file.part)
    if kind == .aar {
      let path = String(decoding: file.path.bytes, as: UTF8.self)
      return AndroidTextRelocation.content(path, bytes.copy(), relocation.map)
    }
    do throws(FormatError) {
      return try bytes.withReader { (reader) throws(FormatError) in
        try relocation.content(file.path.bytes, reader, kept: &kept)
      }
    } catch {
      throw Mistakes("\(name.inside(file.path.description)): \(error)")
    }
  }

  private mutating func insert(_ file: File, _ new: Spool.Part?) throws {
    let bytes = kind == .aar ? file.path.bytes : relocation.path(file.path.bytes)
    let path = try EntryPath(bytes)
    if path != file.path || new != nil { changed += 1 }
    let part = new ?? file.part
    entries.append(PackedEntry(path, part.content, digest: part.digest, at: name.inside(file.path.description)))
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

  private mutating func addAAR(_ files: [File]) async throws {
    for file in files {
      let path = file.path.description
      if path.hasSuffix(".jar"), path == "classes.jar" || path.hasPrefix("libs/") || path == "api.jar" {
        try await addArchive(file, relocation)
      } else if path == "annotations.zip" {
        try await addArchive(file, relocation)
      } else {
        if path.hasPrefix("jni/"), path.hasSuffix(".so") { try refuseNatives(file) }
        try await add([file])
      }
    }
  }

  private mutating func addArchive(_ file: File, _ relocation: JavaFileRelocation) async throws {
    let bytes = try spool.bytes(of: file.part)
    let copy = try ScratchFile(in: folder) { output in try output.write(bytes.copy()) }
    let inner = try await RelocatedArchive(
      copy.path, .jar, name: name.inside(file.path.description), at: place, relocation, in: folder)
    leftOut.formUnion(inner.leftOut)
    keptTexts.formUnion(inner.keptTexts)
    guard inner.changed > 0 else { return try insert(file, nil) }
    let packed = try ScratchFile(in: folder)
    let made = try await PackedArchive.write(
      inner.entries, to: packed.path, options: ZipOptions(allowsCaseTwins: true, level: .fast), in: nil, lasts: false)
    changed += 1
    scratch.append(packed)
    entries.append(
      PackedEntry(
        file.path, .file(packed.path, size: made.size), digest: made.digest,
        at: name.inside(file.path.description)))
  }

  /// A native method is found by a function whose name has the class's name, which stays.
  private func refuseNatives(_ file: File) throws {
    let map = relocation.map
    let found = try spool.bytes(of: file.part).withReader { map.nativeName(in: $0) }
    if let found {
      throw Mistakes(
        "\(name.inside(file.path.description)) has the function '\(found)' of a class that would have another name",
        at: place,
        hint: "leave the package of that class as it is")
    }
  }
}
