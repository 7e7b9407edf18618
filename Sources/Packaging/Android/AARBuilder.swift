import Android
import Archives
import Artifacts
import BuildEngine
import Findings
import ObjectFiles
import Store
import SystemPackage

/// Gathers the contents of an AAR: first the plugin's own, then the embedded AARs in the order of the manifest.
struct AARBuilder {
  let action: AAR.Maker
  let context: ActionContext
  let spool: Spool
  let scratch: OpenFolder
  var items: [EntryPath: (entry: PackedEntry, group: AARGroup)] = [:]
  var notes = PackNotes()
  /// One-liners for the user.
  var remarks: [String] = []
  var embedded: [EmbeddedAAR] = []
  var metadata: AARMetadata
  /// The names that the merged resources define, so that the app's R class certainly has them.
  var certainSymbols = SymbolTable()
  /// The names that the R class of each embedded AAR has.
  var embeddedSymbols: [SymbolTable] = []
  /// The shrinker's rules of the plugin's jars, and of the embedded AARs' classes.
  var jarRules: [JarContents.Member] = []
  var missing = MissingClasses()
  /// The files are kept until the AAR is written.
  var jars: [ScratchFile] = []

  /// In bytes.
  static let maxTextSize = 16 << 20

  init(_ action: AAR.Maker, _ context: ActionContext) throws {
    self.action = action
    self.context = context
    scratch = try context.folder(of: context.outputs[1])
    spool = try Spool(in: scratch)
    metadata = action.metadata
  }

  var summary: [String] {
    notes.leftOut.notes + remarks
      + embedded.filter { !$0.parts.leftOut.isEmpty }.map {
        "left out of \($0.name): \($0.leftOut.joined(separator: ", "))"
      }
  }

  /// All mistakes of the inputs are reported together.
  mutating func build() async throws {
    var known: Set<FilePath> = []
    for thing in things("embed") {
      guard !thing.isFolder, known.insert(thing.path).inserted else {
        let problem = thing.isFolder ? "is a folder: 'embed' takes AARs" : "is embedded twice"
        notes.refuse("\(thing.path) \(problem)", at: thing.place)
        continue
      }
      do {
        embedded.append(
          try EmbeddedAAR(
            context.absolute(thing.path), thing, spool: spool, scratch: scratch,
            isBase: embedded.isEmpty && !hasManifest))
      } catch let error as Mistakes {
        notes.mistakes += error.all
      }
    }
    let classes = try gatherClasses()
    // This is the largest part of the work besides the AAR itself, so it runs beside everything else.
    async let classesJar = classes.file(in: scratch, action.plan, context.span)
    let manifest = try addManifest()
    try addResources(package: manifest?.package)
    addFolders()
    try addEmbeddedFiles()
    try await addLibraries()
    try await addArchives()
    try addPrefab()
    try await addRClasses(target: manifest?.package)
    try addTexts(package: manifest?.package)
    try add(try await classesJar, as: "classes.jar", .classes, at: Place("classes.jar"))
    let entries = entries
    notes.refuseTwins(entries.map(\.entry.path)) { [items] first, second in
      (nil, ["\(items[first]?.entry.place.description ?? "\(first)")", "\(entries[second].place)"])
    }
    try notes.check()
  }

  /// Whether the plugin has a manifest of its own. Otherwise the first embedded AAR is the base.
  var hasManifest: Bool { action.edit.namespace != nil || !things("manifest").isEmpty }

  func things(_ key: String) -> [NamedInput] { action.keyed.things(key, context.inputs) }

  // MARK: - Folders

  /// Adds the folders of keys, each below a folder of the AAR.
  private mutating func addFolders() {
    for group in [AARGroup.assets, .jni, .aidl, .dataBinding, .files] {
      for (inside, file, thing) in files(group.key ?? "") {
        let path = notes.path(Array(AARBuilder.folder(of: group, inside).utf8) + inside, of: file, at: thing.place)
        guard let path else { continue }
        if group == .jni, let (message, hint) = AARBuilder.problem(ofLibrary: inside) {
          notes.refuse("\(file.path) \(message)", at: thing.place, hint: hint)
        } else if group == .files, AARGroup(path) != .files {
          notes.refuse(
            "\(file.path) would be \(path), which 'files' does not bring", at: thing.place,
            hint: AARGroup(path).key.map { "name it under '\($0)'" } ?? "other keys of an aar make that part")
        } else {
          add(path, file, group)
        }
      }
    }
  }

  /// The folder of a part for a file, with a slash behind it. Data binding has a second folder for one kind of file.
  private static func folder(of group: AARGroup, _ inside: [UInt8]) -> String {
    switch group {
    case .files: ""
    case .dataBinding where inside.suffix(bindingClasses.count).elementsEqual(bindingClasses):
      "data-binding-base-class-log/"
    default: "\(group.key ?? "")/"
    }
  }

  private static let bindingClasses = Array("-binding_classes.json".utf8)

  /// The packed files in the folders of a key, with their paths in them. Links are refused; files are taken by name only
  /// where a part is no folder.
  mutating func files(_ key: String) -> [(inside: [UInt8], ResolvedInput, NamedInput)] {
    var files: [([UInt8], ResolvedInput, NamedInput)] = []
    for thing in things(key) {
      guard thing.isFolder || key == AARGroup.files.key else {
        notes.refuse("'\(thing.path)' is a file: '\(key)' takes folders", at: thing.place, hint: "name the folder")
        continue
      }
      for file in thing.files {
        let inside = thing.inside(file)
        if notes.leftOut.takes(inside) { continue }
        if file.isLink {
          let target = file.linkTarget?.string ?? ""
          notes.refuse(
            "the symbolic link \(file.path) -> \(target) cannot be packed: an AAR has no links", at: thing.place,
            hint: "put a file in its place, or leave it out")
        } else {
          files.append((inside, file, thing))
        }
      }
    }
    return files
  }

  mutating func add(_ path: EntryPath, _ file: ResolvedInput, _ group: AARGroup) {
    add(PackedEntry(path, file, context), group)
  }

  /// The fault of a path inside of `jni/`, as the end of a message that begins with the path.
  private static func problem(ofLibrary path: [UInt8]) -> (String, hint: String)? {
    let parts = path.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
    let abis = AndroidABI.allCases.map { $0.rawValue }
    if parts.count == 2, abis.contains(parts[0]), AndroidFile.debuggers.contains(parts[1]) { return nil }
    guard parts.count == 2 else {
      return ("cannot be packed: libraries are in one folder for each ABI", "such as jni/arm64-v8a/libname.so")
    }
    guard abis.contains(parts[0]) else {
      return (
        "is for no ABI of Android: '\(parts[0])'",
        didYouMean(parts[0], among: abis) ?? "one of: \(abis.joined(separator: ", "))"
      )
    }
    guard parts[1].hasSuffix(".so") else {
      return ("is no shared library (.so)", "Android loads nothing else from jni/: link static libraries into one")
    }
    return nil
  }

  private mutating func addEmbeddedFiles() throws {
    for aar in embedded {
      for (group, path, part) in aar.parts.copied where group != .prefab {
        if group == .jni, let (message, hint) = AARBuilder.problem(ofLibrary: Array(path.dropFirst("jni/".count))) {
          notes.refuse("\(aar.site(String(decoding: path, as: UTF8.self))) \(message)", at: aar.place, hint: hint)
        } else {
          try add(aar, path, part, group)
        }
      }
    }
  }
}

// The entries of an AAR in the making.
extension AARBuilder {
  /// A second entry of one name is a clash.
  mutating func add(_ entry: PackedEntry, _ group: AARGroup) {
    let path = entry.entry.path
    guard let first = items[path] else {
      items[path] = (entry, group)
      return
    }
    let isIdentical = first.entry.digest != nil && first.entry.digest == entry.digest
    notes.clash(
      group.rule, twice: "\(group.noun) \(path)", first.entry.place, entry.place, isIdentical: isIdentical,
      hint: group == .libs ? "rename one of the jars" : hint(group, entry.place))
  }

  /// The way to leave out a part of an embedded AAR that no rule of its own is about.
  private func hint(_ group: AARGroup, _ place: Place) -> String? {
    guard group.rule == "aar-structure", let key = group.key, place.parts.count > 1 else { return nil }
    return "leave one out: embed: [{from: \(place.parts[0]), without: \(key)}]"
  }

  /// Adds a file that is made here. `place` is its source, if that is one file.
  mutating func add(
    _ path: some Collection<UInt8>, bytes: [UInt8], _ group: AARGroup, at place: Place? = nil
  ) throws(EntryPathError) {
    let path = try EntryPath(Array(path))
    add(
      PackedEntry(path, .bytes(bytes), digest: Digest(of: bytes), at: place ?? Place(path.description)), group)
  }

  mutating func add(
    _ aar: EmbeddedAAR, _ path: [UInt8], _ part: Spool.Part, _ group: AARGroup
  ) throws(EntryPathError) {
    let path = try EntryPath(path)
    add(PackedEntry(path, part.content, digest: part.digest, at: aar.site(path.description)), group)
  }

  func has(_ path: [UInt8]) -> Bool { (try? EntryPath(path)).map { items[$0] != nil } ?? false }

  /// Sorted by their groups, then by their paths.
  var entries: [PackedEntry] {
    items.values.sorted { ($0.group, $0.entry.entry.path) < ($1.group, $1.entry.entry.path) }.map(\.entry)
  }
}
