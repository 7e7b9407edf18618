import Android
import Archives
import Artifacts
import BuildEngine
import Findings
import Store
import SystemPackage

/// The contents of one jar, gathered from class folders and other jars.
struct JarContents {
  enum Purpose: Sendable {
    /// Many sources in one jar. Entries about a whole jar (its manifest, its module, how it was built) are left out.
    case merged
    /// The same, for the `classes.jar` of an AAR: the app's build makes the R classes, and the shrinker's rules go into
    /// `proguard.txt`.
    case classes
    /// One jar with all its entries, written anew. Its signatures hold, because they are of what the entries contain.
    case copy
    /// Zips of `annotations.xml`, which are joined.
    case annotations

    var isMerged: Bool { self == .merged || self == .classes }
  }

  struct Member: Sendable {
    let path: EntryPath
    let kind: JarEntry
    var content: Entry.Content
    var digest: Digest?
    let place: Place
  }

  let purpose: Purpose
  let stripsSignatures: Bool
  let spool: Spool
  private(set) var members: [EntryPath: Member] = [:]
  private(set) var notes = PackNotes()
  /// The rules for the shrinker of an app, from everything that was added, in that order.
  private(set) var shrinkerRules: [Member] = []
  /// The rules of the folder or jar that is being added.
  private(set) var rules: [Member] = []

  // MARK: - Folders

  /// Adds everything in a folder by its path below the folder, or one file by its name.
  mutating func add(_ thing: NamedInput, _ context: ActionContext) {
    for file in thing.files {
      guard let path = notes.path(thing.inside(file), of: file, at: thing.place),
        let kind = kind(of: path, isOwn: true)
      else { continue }
      if file.isLink {
        notes.refuse(
          "the symbolic link \(file.path) cannot be packed: a jar has no links", at: thing.place,
          hint: "put a file in its place, or leave it out")
      } else if kind == .moduleInfo {
        notes.refuse(
          "\(file.path) cannot be packed: Android knows no Java modules", at: thing.place,
          hint: "compile without module-info.java")
      } else {
        let content = Entry.Content.file(context.absolute(file.path), size: Int(file.size))
        insert(Member(path: path, kind: kind, content: content, digest: file.digest, place: Place(file.path.string)))
      }
    }
    takeRules()
  }

  mutating func add(_ path: EntryPath, bytes: [UInt8]) {
    insert(
      Member(
        path: path, kind: JarEntry(path.bytes), content: .bytes(bytes), digest: Digest(of: bytes),
        place: Place(path.description)))
  }

  // MARK: - Jars

  /// Adds every entry of a jar. `name` is for messages, `place` is in the manifest, `owner` tells equal modules apart.
  mutating func add(jar file: FilePath, name: Place, owner: String, at place: Place) throws {
    var seen: [EntryPath: Digest] = [:]
    var signatures: [EntryPath] = []
    var versioned: [Member] = []
    var isMultiRelease = false
    var notes = PackNotes()
    let jar = VendorArchive(kind: .jar, path: file, name: name, place: place)
    let isWhole = try jar.forEachFile(&notes) { path, _, reader, notes in
      if JarEntry(path.bytes) == .signature { signatures.append(path) }
      if purpose.isMerged, JarEntry(path.bytes) == .manifest {
        isMultiRelease = JarContents.isMultiRelease(try reader.contents(limit: 1 << 20))
      }
      guard let kind = kind(of: path) else { return }
      if purpose.isMerged, kind == .moduleInfo { return notes.leftOut.count("module-info.class") }
      let part = try spool.add(&reader)
      // Tools that join jars leave many copies of one licence. Any of them will do.
      if let first = seen.updateValue(part.digest, forKey: path) {
        guard first != part.digest else { return }
        return notes.refuse(
          "\(name) has '\(path)' twice, with two contents", at: place,
          hint: "Java takes one and Android another: build the jar again")
      }
      var member = Member(
        path: path, kind: kind, content: part.content, digest: part.digest, place: name.inside(path.description))
      if kind == .manifest, stripsSignatures {
        let main = JarContents.mainSection(try spool.bytes(of: part, limit: 1 << 20))
        (member.content, member.digest) = (.bytes(main), Digest(of: main))
      }
      if purpose.isMerged, kind == .versioned { versioned.append(member) } else { insert(member, owner: owner) }
    }
    self.notes.add(notes)
    guard isWhole else { return }
    if isMultiRelease, !versioned.isEmpty {
      for member in versioned { insert(member) }
      addMultiReleaseManifest()
    } else if !versioned.isEmpty {
      // Java reads them in no other jar.
      self.notes.leftOut.count("class or file for a newer Java (META-INF/versions)", versioned.count)
    }
    takeRules()
    if let first = signatures.first, purpose.isMerged, !stripsSignatures {
      self.notes.refuse(
        "\(name) is signed (\(first)): joined with other classes it is no longer signed", at: place,
        hint: "'strip-signatures: true' leaves the signature out, and 'libs' keeps a jar as it is")
    }
  }

  /// The section of a manifest about the whole jar. The sections behind it hold digests of entries.
  private static func mainSection(_ bytes: [UInt8]) -> [UInt8] {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let main = lines.prefix { !$0.isEmpty && !$0.elementsEqual("\r".utf8) }
    return main.flatMap { $0 + [UInt8(ascii: "\n")] } + Array("\r\n".utf8)
  }

  private static func isMultiRelease(_ manifest: [UInt8]) -> Bool {
    let lines = String(decoding: mainSection(manifest), as: UTF8.self).lines.map { $0.trimmed.lowercased() }
    return lines.contains("multi-release: true")
  }

  /// Java takes the entries below `META-INF/versions` only from a jar that says so.
  private mutating func addMultiReleaseManifest() {
    guard let path = try? EntryPath("META-INF/MANIFEST.MF"), members[path] == nil else { return }
    add(path, bytes: Array("Manifest-Version: 1.0\r\nMulti-Release: true\r\n\r\n".utf8))
  }

  // MARK: - Members

  /// Nil for an entry that is not packed. `isOwn` is false for an entry of another jar.
  private mutating func kind(of path: EntryPath, isOwn: Bool = false) -> JarEntry? {
    if notes.leftOut.takes(path.bytes) { return nil }
    let kind = JarEntry(path.bytes)
    switch kind {
    // A manifest in a folder was written for the jar that is made here.
    case .manifest where isOwn && purpose == .merged: return kind
    case .index: return nil
    case .signature where purpose.isMerged || stripsSignatures,
      .maven where purpose.isMerged, .manifest where purpose.isMerged:
      if isOwn { notes.leftOut.count(path.description) }
      return nil
    case .rClass where purpose == .classes:
      notes.leftOut.count("R class of \(JarEntry.package(path.bytes)), which is left to the app's build")
      return nil
    default: return kind
    }
  }

  private mutating func takeRules() {
    let current = rules.forCurrentShrinkers
    shrinkerRules += current
    if purpose == .classes, rules.count > current.count {
      notes.leftOut.count("file of shrinking rules for other tools", rules.count - current.count)
    }
    rules = []
  }

  private mutating func insert(_ member: Member, owner: String = "") {
    if member.kind == .shrinkerRules {
      rules.append(member)
      if purpose == .classes { return }
    }
    guard let first = members[member.path] else {
      members[member.path] = member
      return
    }
    let isIdentical = first.digest != nil && first.digest == member.digest
    if member.kind.isClass {
      let name = JarEntry.className(member.path.bytes)
      notes.clash("duplicate-class", twice: "the class \(name)", first.place, member.place, isIdentical: isIdentical)
    } else if isIdentical {
      return
    } else if member.kind == .joined || member.kind == .shrinkerRules,
      let joined = try? JarContents.joined(first, member)
    {
      members[member.path] = joined
    } else if purpose == .annotations, let joined = AnnotationsFile.joined(first, member) {
      members[member.path] = joined
    } else if member.kind == .kotlinModule, let free = free(member.path, owner) {
      members[free] = Member(
        path: free, kind: .kotlinModule, content: member.content, digest: member.digest, place: member.place)
    } else {
      notes.clash(
        "duplicate-java-resource", twice: "the Java resource \(member.path)", first.place, member.place,
        isIdentical: false)
    }
  }

  /// `META-INF/com.example.util-core.kotlin_module`, with a number behind the owner if that is taken, too.
  private func free(_ path: EntryPath, _ owner: String) -> EntryPath? {
    let parts = path.components.map { String(decoding: $0, as: UTF8.self) }
    guard let folder = parts.first, let name = parts.last, parts.count == 2 else { return nil }
    for number in 1...members.count + 1 {
      let words = [owner, number > 1 ? "\(number)" : "", name].filter { !$0.isEmpty }
      if let free = try? EntryPath("\(folder)/\(words.joined(separator: "-"))"), members[free] == nil { return free }
    }
    return nil
  }

  /// In bytes. Larger texts are not joined.
  private static let maxTextSize = 4 << 20

  /// Joins two texts. A list of services keeps its order, and each service once.
  private static func joined(_ first: Member, _ second: Member) throws -> Member {
    var lines: [[UInt8]] = []
    var known: Set<[UInt8]> = []
    let isList = first.kind == .joined && first.path.components.count > 2
    for member in [first, second] {
      guard member.content.size <= maxTextSize else { throw ZipError.changed(member.path) }
      for line in try member.content.bytes().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: isList) {
        let text = line.last == UInt8(ascii: "\r") ? Array(line.dropLast()) : Array(line)
        if !isList || known.insert(text).inserted { lines.append(text) }
      }
      while lines.last?.isEmpty == true { lines.removeLast() }
    }
    let bytes = lines.flatMap { $0 + [UInt8(ascii: "\n")] }
    return Member(
      path: first.path, kind: first.kind, content: .bytes(bytes), digest: Digest(of: bytes), place: first.place)
  }

  /// The manifest and the signatures (`JarInputStream` finds them only at the start), then classes, then the rest, sorted
  /// by bytes of names.
  var entries: [PackedEntry] {
    func rank(_ kind: JarEntry) -> Int { kind == .manifest ? 0 : kind == .signature ? 1 : kind.isClass ? 2 : 3 }
    return members.values.sorted { (rank($0.kind), $0.path) < (rank($1.kind), $1.path) }.map { member in
      PackedEntry(member.path, member.content, digest: member.digest, at: member.place)
    }
  }
}

extension [JarContents.Member] {
  /// The rules of one jar that current shrinkers use: those for R8, but not for older versions, else the general ones.
  ///
  /// From a jar the Android Gradle plugin takes those below `META-INF/com.android.tools/` that are for its shrinker,
  /// and if there are none those of `META-INF/proguard/`. In an AAR it does not look into `libs/`, and rules of the
  /// first kind in `classes.jar` switch `proguard.txt` off. So an AAR has all rules in `proguard.txt`.
  fileprivate var forCurrentShrinkers: [JarContents.Member] {
    let kinds = Dictionary(grouping: self) { ShrinkerRulesKind($0.path) }
    let chosen = [ShrinkerRulesKind.r8, .any, .proguard].lazy.compactMap { kinds[$0] }.first ?? []
    return chosen.sorted { $0.path < $1.path }
  }
}

private enum ShrinkerRulesKind {
  case r8, any, proguard, older

  init(_ path: EntryPath) {
    let parts = path.components.map { String(decoding: $0, as: UTF8.self).lowercased() }
    guard parts.count > 3, parts[1] == "com.android.tools" else {
      self = parts.count > 1 && parts[1] == "com.android.tools" ? .r8 : .any
      return
    }
    // `r8-from-1.6.0-upto-3.0.0`: without the second part the rules are for all later versions.
    if parts[2].hasPrefix("r8") { self = parts[2].contains("-upto-") ? .older : .r8 } else { self = .proguard }
  }
}
