import Android
import Archives
import Artifacts
import BuildEngine
import Findings
import Store
import SystemPackage

// `classes.jar` and `libs/`.
extension AARBuilder {
  func jar(_ purpose: JarContents.Purpose) -> JarContents {
    JarContents(purpose: purpose, stripsSignatures: action.stripsSignatures, spool: spool)
  }

  mutating func gatherClasses() throws -> JarContents {
    var classes = jar(.classes)
    try classes.add(classes: things("classes"), context)
    for aar in embedded {
      guard let file = aar.parts.archives[.classes] else { continue }
      try classes.add(jar: file.path, name: aar.site("classes.jar"), owner: aar.package, at: aar.place)
    }
    jarRules += classes.shrinkerRules
    if !embedded.isEmpty { try missing.add(classes) }
    notes.add(classes.notes)
    return classes
  }

  mutating func addLibraries() async throws {
    for thing in things("libs") {
      for file in thing.files {
        let name = file.path.lastComponent?.string ?? ""
        if notes.leftOut.takes(thing.inside(file)) { continue }
        if let (problem, hint) = try AARBuilder.problem(ofJar: file, name, context) {
          notes.refuse("\(file.path) \(problem)", at: thing.place, hint: hint)
        } else {
          jarRules += try await addLibrary(
            context.absolute(file.path), as: name, source: Place(file.path.string), at: thing.place)
        }
      }
    }
    for aar in embedded {
      for (name, file) in aar.parts.libs {
        // The rules in these jars are dropped, because Gradle does not read them either.
        _ = try await addLibrary(
          file.path, as: free("\(aar.package)-\(name)"), source: aar.site("libs/\(name)"), at: aar.place)
      }
    }
  }

  /// A name in `libs/` that no other jar has: a number stands in front of it if necessary.
  private func free(_ name: String) -> String {
    var (path, number) = (name, 1)
    while has(Array("libs/\(path)".utf8)) {
      number += 1
      path = "\(number)-\(name)"
    }
    return path
  }

  /// Returns the shrinker's rules in the jar, because Gradle does not read them there.
  private mutating func addLibrary(
    _ file: FilePath, as name: String, source: Place, at place: Place
  ) async throws -> [JarContents.Member] {
    var library = jar(.copy)
    try library.add(jar: file, name: source, owner: "", at: place)
    if !embedded.isEmpty { try missing.add(library) }
    notes.add(library.notes)
    try add(try await library.file(in: scratch, action.plan, context.span), as: "libs/\(name)", .libs, at: source)
    return library.shrinkerRules
  }

  /// The fault of a file that `libs` names, as the end of a message that begins with its path.
  private static func problem(
    ofJar file: ResolvedInput, _ name: String, _ context: ActionContext
  ) throws -> (String, hint: String)? {
    if file.isLink { return ("is a symbolic link, and an AAR has no links", "put a file in its place") }
    let opened = try OpenedArtifact(context.absolute(file.path))
    if try opened.isZip {
      if opened.isAAR {
        return ("is an AAR, and Gradle refuses an AAR inside of an AAR", "list it under 'embed', which merges it")
      }
    } else {
      return ("is not a jar: it is no zip archive", "'libs' takes jars")
    }
    return name.hasSuffix(".jar") ? nil : ("would not be seen in libs/: only *.jar is", "rename it to end in .jar")
  }

  mutating func add(
    _ jar: (file: ScratchFile, made: MadeFile)?, as name: String, _ group: AARGroup, at place: Place
  ) throws {
    guard let (file, made) = jar else { return }
    jars.append(file)
    add(
      PackedEntry(try EntryPath(name), .file(file.path, size: made.size), digest: made.digest, at: place), group)
  }

  // MARK: - R classes

  /// Classes of an embedded AAR read an R class of their own package. The app's build makes none, so it is made here.
  mutating func addRClasses(target: String?) async throws {
    guard let target else { return }
    var classes = jar(.merged)
    var symbols = embeddedSymbols
    // The plugin's own R class, which the app's build makes, has all names.
    let own = embedded.first { $0.isBase }?.site("AndroidManifest.xml") ?? Place("AndroidManifest.xml")
    var owners: [String: (place: Place, index: Int?)] = [target: (own, nil)]
    for (index, aar) in embedded.enumerated() where !aar.isBase {
      guard let first = owners[aar.package] else {
        owners[aar.package] = (aar.site("AndroidManifest.xml"), index)
        continue
      }
      if let owner = first.index { symbols[owner].merge(embeddedSymbols[index]) }
      notes.clash(
        "duplicate-namespace", twice: "the package \(aar.package)", first.place, aar.site("AndroidManifest.xml"),
        hint: "ask the vendor for another package, or set 'duplicate-namespace' lower: then the two share one R class")
    }
    for (index, aar) in embedded.enumerated() where owners[aar.package]?.index == index {
      var made: [(path: String, bytes: [UInt8])] = []
      do throws(RClassError) {
        made = try RClasses.make(
          package: aar.package, forwardingTo: target, symbols: symbols[index], certain: certainSymbols)
      } catch {
        notes.refuse("\(aar.name) cannot be embedded: \(error)", at: aar.place)
      }
      for (path, bytes) in made { classes.add(try EntryPath(path), bytes: bytes) }
    }
    try missing.add(classes)
    guard !classes.members.isEmpty else { return }
    let name = "libs/\(free("r-classes.jar"))"
    try add(try await classes.file(in: scratch, action.plan, context.span), as: name, .libs, at: Place(name))
  }
}

/// A temporary file of a step, which is removed with the last reference to it.
final class ScratchFile: Sendable {
  let file: Store.OutputFile

  init(in folder: OpenFolder, _ write: (inout Store.OutputFile) throws -> Void = { _ in }) throws {
    // The file is never committed, so no file of that name is made.
    var file = try Store.OutputFile.create("scratch", below: folder)
    try write(&file)
    self.file = file
  }

  var path: FilePath { file.temporaryPath }
}

extension JarContents {
  /// Nil if there are mistakes.
  func file(
    in folder: OpenFolder, _ plan: Plan, _ span: Trace.Span?
  ) async throws -> (file: ScratchFile, made: MadeFile)? {
    guard notes.mistakes.isEmpty else { return nil }
    let file = try ScratchFile(in: folder)
    return (
      file, try await PackedArchive.write(entries, to: file.path, options: plan.jarOptions, in: span, lasts: false)
    )
  }
}

extension Entry.Content {
  /// The whole content, which must be known to be small.
  func bytes() throws -> [UInt8] {
    switch self {
    case .bytes(let bytes): return bytes
    case .file(let path, _): return try FileSystem.read(path)
    case .reader(let size, let read):
      var bytes: [UInt8] = []
      try bytes.append(addingCapacity: size) { (room: inout OutputSpan<UInt8>) in try read(0, size, &room) }
      return bytes
    }
  }
}
