import Android
import Archives
import Artifacts
import BuildEngine
import Documents
import Findings
import Store
import SystemPackage

// The parts of an AAR that are for the tools of its consumers: `api.jar`, `lint.jar`, `annotations.zip`,
// `navigation.json` and `public.txt`.
extension AARBuilder {
  mutating func addArchives() async throws {
    try await addAPI()
    try await addLint()
    try await addAnnotations()
  }

  // MARK: - api.jar

  /// Consumers compile against `api.jar` in place of all other jars of an AAR (Android Gradle plugin,
  /// `AarToClassTransform`). So it has the classes of every part, as soon as one part has such a jar.
  private mutating func addAPI() async throws {
    let own = things("api")
    let brings = embedded.filter { $0.parts.archives[.api] != nil }
    guard !own.isEmpty || !brings.isEmpty else { return }
    let isWhole = brings.count + own.count == 1 && embedded.count == brings.count
    if isWhole, own.first.map({ !$0.isFolder }) ?? !hasClasses { return try await addOnlyAPI(own.first) }
    var api = jar(.merged)
    try api.add(classes: own.isEmpty ? things("classes") + things("libs") : own, context)
    for aar in embedded {
      let jars =
        aar.parts.archives[.api].map { [("api.jar", $0)] }
        ?? (aar.parts.archives[.classes].map { [("classes.jar", $0)] } ?? [])
        + aar.parts.libs.map { ("libs/\($0)", $1) }
      for (name, file) in jars { try api.add(jar: file.path, name: aar.site(name), owner: aar.package, at: aar.place) }
    }
    // A class that is there twice is reported with the jars that the app gets.
    notes.mistakes += api.notes.mistakes
    try add(try await api.file(in: scratch, action.plan, context.span), as: "api.jar", .api, at: Place("api.jar"))
  }

  private var hasClasses: Bool { !things("classes").isEmpty || !things("libs").isEmpty }

  private mutating func addOnlyAPI(_ own: NamedInput?) async throws {
    if let own {
      try await addWhole(context.absolute(own.path), as: "api.jar", .api, Place(own.path.string), at: own.place)
    } else if let aar = embedded.first, let file = aar.parts.archives[.api] {
      try await addWhole(file.path, as: "api.jar", .api, aar.site("api.jar"), at: aar.place)
    }
  }

  // MARK: - lint.jar

  /// Android's lint reads one registry of checks from a `lint.jar`, so two such jars cannot be joined.
  private mutating func addLint() async throws {
    var found = things("lint").map { (file: context.absolute($0.path), site: Place($0.path.string), place: $0.place) }
    for aar in embedded {
      if let file = aar.parts.archives[.lint] { found.append((file.path, aar.site("lint.jar"), aar.place)) }
    }
    guard let first = found.first else { return }
    for other in found.dropFirst() {
      notes.refuse(
        "\(first.site) and \(other.site) are both checks for lint, which reads one set of checks from an AAR",
        at: other.place, hint: "leave one out: embed: [{from: \(other.site.parts[0]), without: lint}]")
    }
    try await addWhole(first.file, as: "lint.jar", .lint, first.site, at: first.place)
  }

  private mutating func addWhole(
    _ file: FilePath, as name: String, _ group: AARGroup, _ site: Place, at place: Place
  ) async throws {
    var whole = jar(.copy)
    try whole.add(jar: file, name: site, owner: "", at: place)
    notes.add(whole.notes)
    try add(try await whole.file(in: scratch, action.plan, context.span), as: name, group, at: site)
  }

  // MARK: - annotations.zip

  private mutating func addAnnotations() async throws {
    var archive = jar(.annotations)
    var isThere = false
    for thing in things("annotations") {
      isThere = true
      if thing.isFolder {
        archive.add(thing, context)
      } else {
        let file = context.absolute(thing.path)
        try archive.add(jar: file, name: Place(thing.path.string), owner: "", at: thing.place)
      }
    }
    for aar in embedded {
      guard let file = aar.parts.archives[.annotations] else { continue }
      isThere = true
      try archive.add(jar: file.path, name: aar.site("annotations.zip"), owner: "", at: aar.place)
    }
    notes.add(archive.notes)
    guard isThere else { return }
    try add(
      try await archive.file(in: scratch, action.plan, context.span), as: "annotations.zip", .annotations,
      at: Place("annotations.zip"))
  }

  // MARK: - navigation.json

  /// The file is one list, which the app's build reads to resolve <nav-graph> of the manifest.
  mutating func addNavigation() throws {
    var texts: [(bytes: [UInt8], site: Place, place: Place)] = []
    for thing in things("navigation") {
      for file in thing.files { texts.append((try read(file, at: thing.place), Place(file.path.string), thing.place)) }
    }
    for aar in embedded {
      if let text = aar.parts.texts[.navigation] { texts.append((text, aar.site("navigation.json"), aar.place)) }
    }
    guard let first = texts.first else { return }
    if texts.count == 1 { return try add("navigation.json".utf8, bytes: first.bytes, .navigation, at: first.site) }
    var all: [JSONValue] = []
    for (bytes, site, place) in texts {
      switch AARBuilder.json(bytes, site, &notes, at: place) {
      case .array(let graphs)?: all += graphs
      case nil: break
      default: notes.refuse("\(site) is no list of navigation graphs", at: place, hint: "build it again")
      }
    }
    try add("navigation.json".utf8, bytes: Array(JSONValue.array(all).pretty.utf8), .navigation)
  }

  /// Nil, and a mistake, if a text is no JSON, or has a number that cannot be written again as it is.
  static func json(_ bytes: [UInt8], _ site: Place, _ notes: inout PackNotes, at place: Place) -> JSONValue? {
    do throws(Mistakes) {
      if let value = JSONValue(try JSONText.parse(bytes, name: site.description)) { return value }
      notes.refuse("\(site) has a number that is no integer", at: place, hint: "build it again")
    } catch {
      notes.mistakes += error.all
    }
    return nil
  }

  // MARK: - public.txt

  /// A library without a `public.txt` has no private resources (Android lint, `PrivateResourceDetector`). So the names of
  /// such a library are listed as soon as another one has such a file.
  mutating func addPublicNames(_ own: SymbolTable) throws {
    var lines: [Substring] = []
    var sources: [(lines: [Substring]?, symbols: SymbolTable)] = []
    let text = try texts("public").map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    let declared = own.publicText.map { String(decoding: $0, as: UTF8.self) }
    let isDeclared = declared != nil || !things("public").isEmpty
    sources.append((isDeclared ? ((declared ?? "") + text).lines : nil, own))
    for (aar, symbols) in zip(embedded, embeddedSymbols) where !aar.parts.without.contains("public") {
      sources.append((aar.parts.texts[.publicSymbols].map { String(decoding: $0, as: UTF8.self).lines }, symbols))
    }
    guard sources.contains(where: { $0.lines != nil }) else { return }
    var known: Set<[UInt8]> = []
    for (names, symbols) in sources {
      let names = names ?? String(decoding: symbols.allPublic.publicText ?? [], as: UTF8.self).lines
      lines += names.filter { !$0.utf8.isEmpty && known.insert(Array($0.utf8)).inserted }
    }
    try add("public.txt".utf8, bytes: lines.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] }, .publicSymbols)
  }
}
