import Android
import Archives
import Artifacts
import BuildEngine
import Findings
import ObjectFiles
import Store
import SystemPackage

/// Gathers what goes into an AAR: the plugin's own, then what is embedded, in the order in which it is named.
struct AARBuilder {
  let action: AAR.Maker
  let context: ActionContext
  let spool: Spool
  /// The folder for temporary files.
  let scratch: OpenFolder
  var contents = AARContents()
  var embedded: [EmbeddedAAR] = []
  var mistakes: [Mistake] = []
  /// Besides those of `contents`.
  var otherClashes: [Clash] = []
  var leftOut = LeftOut()
  var otherNotes: [String] = []
  var metadata: AARMetadata
  /// The names that the merged resources define: the app's R class has them for sure.
  var certainSymbols = SymbolTable()
  /// The names that the R class of each embedded AAR has.
  var embeddedSymbols: [SymbolTable] = []
  /// The shrinker's rules of the plugin's jars, and of the embedded AARs' classes.
  var jarRules: [JarContents.Member] = []
  var missing = MissingClasses()
  /// Kept until the AAR is written.
  var jars: [JarFile] = []

  /// Up to here a text of the plugin is read, in bytes.
  static let largestText = 16 << 20

  init(_ action: AAR.Maker, _ context: ActionContext) throws {
    self.action = action
    self.context = context
    scratch = try context.folder(of: context.outputs[1])
    spool = try Spool(in: scratch)
    metadata = action.metadata
  }

  var clashes: [Clash] { contents.clashes + otherClashes }

  var notes: [String] {
    (leftOut.note.map { [$0] } ?? []) + otherNotes
      + embedded.compactMap { aar in
        aar.parts.leftOut.isEmpty ? nil : "left out of \(aar.name): \(aar.leftOut.joined(separator: ", "))"
      }
  }

  /// All mistakes of the inputs are reported together.
  mutating func build() async throws {
    var known: Set<FilePath> = []
    for thing in things("embed") {
      guard !thing.isFolder, known.insert(thing.path).inserted else {
        let problem = thing.isFolder ? "is a folder: 'embed' takes AARs" : "is embedded twice"
        mistakes.append(Mistake("\(thing.path) \(problem)", at: thing.place))
        continue
      }
      do {
        embedded.append(
          try EmbeddedAAR(
            context.absolute(thing.path), name: thing.path.string, at: thing.place, spool: spool, scratch: scratch))
      } catch let error as Mistakes {
        mistakes += error.all
      }
    }
    let classes = try gatherClasses()
    // The largest part of the work besides the AAR itself: it goes on while everything else is looked at.
    async let classesJar = classes.file(in: scratch, options: jarOptions)
    let manifest = try addManifest()
    try addResources(package: manifest?.package)
    addFolder("assets", .assets) { _ in nil }
    addFolder("jni", .jni) { AARBuilder.problem(ofLibrary: $0) }
    addFolder("prefab", .prefab) { _ in nil }
    try addEmbeddedFiles()
    try await addLibraries()
    try addTexts()
    try await addRClasses(target: manifest?.package)
    if let note = missing.note(target: manifest?.package) { otherNotes.append(note) }
    if let file = try await classesJar { try add(file, as: "classes.jar", .classes, at: Place("classes.jar")) }
    mistakes += contents.twins()
    guard mistakes.isEmpty else { throw Mistakes(mistakes) }
  }

  func things(_ key: String) -> [NamedInput] { action.keyed.things(key, context.inputs) }

  // MARK: - Folders

  /// The files of the folders of a key, below a folder of that name. `problem` says what is wrong with a path.
  private mutating func addFolder(_ key: String, _ group: AARGroup, problem: ([UInt8]) -> (String, hint: String)?) {
    for (path, file, thing) in files(key) {
      if let (message, hint) = problem(thing.inside(file)) {
        mistakes.append(Mistake("\(file.path) \(message)", at: thing.place, hint: hint))
        continue
      }
      add(path, file, group, thing)
    }
  }

  /// What is packed of the folders of a key.
  mutating func files(_ key: String) -> [(EntryPath, ResolvedInput, NamedInput)] {
    var files: [(EntryPath, ResolvedInput, NamedInput)] = []
    for thing in things(key) {
      guard thing.isFolder else {
        mistakes.append(
          Mistake("'\(thing.path)' is a file: '\(key)' takes folders", at: thing.place, hint: "name the folder"))
        continue
      }
      for file in thing.files {
        let inside = thing.inside(file)
        if let metadata = AppleMetadata.classify(path: inside) {
          leftOut.count(metadata)
          continue
        }
        if file.isLink {
          let target = file.linkTarget?.string ?? ""
          mistakes.append(
            Mistake(
              "the symbolic link \(file.path) -> \(target) cannot be packed: an AAR has no links", at: thing.place,
              hint: "put a file in its place, or leave it out"))
          continue
        }
        do throws(EntryPathError) {
          files.append((try EntryPath(Array("\(key)/".utf8) + inside), file, thing))
        } catch {
          mistakes.append(Mistake("\(file.path) cannot be packed: \(error)", at: thing.place, hint: "rename it"))
        }
      }
    }
    return files
  }

  mutating func add(_ path: EntryPath, _ file: ResolvedInput, _ group: AARGroup, _ thing: NamedInput) {
    let source = context.absolute(file.path)
    let entry = PackedEntry(
      Entry(path: path, kind: .file(.file(source, size: Int(file.size)), executable: false)), digest: file.digest,
      source: file.path.string)
    contents.add(entry, group, at: Place(file.path.string))
  }

  /// What is wrong with a path inside of `jni/`.
  private static func problem(ofLibrary path: [UInt8]) -> (String, hint: String)? {
    let parts = path.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
    let abis = AndroidABI.allCases.map { $0.rawValue }
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
      let groups: [(String, AARGroup, [EmbeddedAAR.File])] = [
        ("assets", .assets, aar.parts.assets), ("jni", .jni, aar.parts.libraries), ("aidl", .aidl, aar.parts.aidl),
      ]
      for (folder, group, files) in groups {
        for file in files {
          if group == .jni, let (message, hint) = AARBuilder.problem(ofLibrary: file.path) {
            let name = String(decoding: file.path, as: UTF8.self)
            mistakes.append(Mistake("\(aar.site("jni/\(name)")) \(message)", at: aar.place, hint: hint))
            continue
          }
          try contents.add(aar, Array("\(folder)/".utf8) + file.path, file.part, group)
        }
      }
    }
  }

  // MARK: - Texts

  /// What is made of the plugin's and the embedded AARs' texts, one behind the other.
  private mutating func addTexts() throws {
    for aar in embedded { if let theirs = aar.parts.metadata { metadata.raise(to: theirs) } }
    try contents.add(AARMetadata.path, bytes: metadata.bytes, .metadata)
    var rules: [UInt8] = []
    for thing in things("proguard") {
      for file in thing.files where AppleMetadata.classify(path: thing.inside(file)) == nil {
        rules.append(text: try read(file, at: thing.place))
      }
    }
    var known: Set<Digest> = []
    for member in jarRules where member.digest.map({ known.insert($0).inserted }) ?? true {
      guard member.content.size <= AARBuilder.largestText else {
        throw Mistakes(
          "\(member.place) has \(member.content.size) bytes: at most \(AARBuilder.largestText) are read",
          hint: "shrinking rules are short texts: leave the file out of the jar")
      }
      rules.append(text: try member.content.bytes())
    }
    for aar in embedded { rules.append(text: aar.parts.proguard) }
    if !rules.isEmpty { try contents.add("proguard.txt", bytes: rules, .proguard) }
    var profile: [UInt8] = []
    for aar in embedded { profile.append(text: aar.parts.profile) }
    if !profile.isEmpty { try contents.add("baseline-prof.txt", bytes: profile, .profile) }
  }

  /// A text of the plugin, which must not be larger than any is.
  func read(_ file: ResolvedInput, at place: Place) throws -> [UInt8] {
    guard file.size <= AARBuilder.largestText else {
      throw Mistakes(
        "\(file.path) has \(file.size) bytes: at most \(AARBuilder.largestText) are read", at: place,
        hint: "is it the right file?")
    }
    return try FileSystem.read(context.absolute(file.path))
  }
}

extension AARContents {
  /// A file of an embedded AAR.
  mutating func add(
    _ aar: EmbeddedAAR, _ path: [UInt8], _ part: Spool.Part, _ group: AARGroup
  ) throws(EntryPathError) {
    let path = try EntryPath(path)
    add(
      PackedEntry(
        Entry(path: path, kind: .file(part.content, executable: false)), digest: part.digest,
        source: aar.site(path.description).description),
      group, at: aar.site(path.description))
  }
}

extension [UInt8] {
  /// A text behind this one, from the beginning of a line on.
  fileprivate mutating func append(text: [UInt8]) {
    if let last, last != UInt8(ascii: "\n"), !text.isEmpty { append(UInt8(ascii: "\n")) }
    self += text
  }
}
