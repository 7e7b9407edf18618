import Android
import Archives
import Artifacts
import Documents
package import Findings
import ObjectFiles
package import Rules
import Store
package import SystemPackage

/// Checks finished deliverables, or trees, against their host's rules.
package struct Lint: Sendable {
  /// The artifacts or entries that could not be read. The rest was checked.
  package private(set) var mistakes: [Mistake] = []
  /// One-liners for the user.
  package private(set) var notes: [String] = []
  /// The rules that judged, and those that could not.
  package private(set) var coverage = Coverage()

  package var report: Report { policy.report(findings) }
  /// Whether a finding that is an error reports something that could not be read.
  package var hasUnread: Bool {
    report.findings.contains { $0.level == .error && !unreadable.isDisjoint(with: $0.sites) }
  }

  /// - Parameters:
  ///   - recipe: a recipe's name or path; without one the manifest above an artifact, or the release record beside it,
  ///     names the host.
  ///   - app: the app that contains extensions: its folder, `.app` or `Info.plist`; nil: as the manifest says.
  package static func run(
    _ paths: [FilePath], recipe: String?, app: FilePath? = nil, policy: FindingPolicy
  ) async throws(Mistakes) -> Lint {
    var lint: Lint
    do {
      lint = Lint(
        policy, given: try recipe.map { try HostRules.of(recipes: [$0], in: "") },
        app: try app.map { try ContainingApp.read($0) })
    } catch { throw Mistakes(from: error) }
    var all: [FilePath] = []
    for path in paths { await lint.collect(path) { _ in all += try artifacts(path) } }
    let configurations = all.filter { Kinds.artifact(named: $0.string) == .config }
    lint.configurations = configurations.count
    if configurations.count == 1 { lint.beside = try? Configuration.read(configurations[0]) }
    // With several configurations it is not known which deliverable belongs to which plugin.
    let platforms = Set(all.compactMap { Kinds.deliverable(named: $0.string)?.platform })
    if configurations.count < 2, !platforms.isEmpty { lint.platforms = platforms }
    for artifact in all { await lint.collect(artifact) { try await $0.judge(artifact) } }
    if let first = lint.hostless.first {
      let all = "\(first)\(andMore(lint.hostless.count - 1))"
      lint.notes.insert(
        "no host is known for \(all): only general rules were checked (--recipe NAME)", at: 0)
    }
    return lint
  }

  private let policy: FindingPolicy
  /// The recipe and the app that the user names.
  private let given: HostRules.Found?
  private let givenApp: ContainingApp?
  // Artifacts of one call belong to one plugin, unless there are several configurations.
  private var configurations = 0
  private var beside: Configuration?
  private var platforms: Set<Inventory.Platform>?

  private var findings: [Finding] = []
  private var namesakes = Namesakes<[FindingIdentity], String>()
  private var hostless: [FilePath] = []
  private var unreadable: Set<Place> = []

  private init(_ policy: FindingPolicy, given: HostRules.Found?, app: ContainingApp?) {
    (self.policy, self.given, givenApp) = (policy, given, app)
  }

  private mutating func collect(_ path: FilePath, _ work: (inout Lint) async throws -> Void) async {
    do { try await work(&self) } catch let error where error is Mistakes || error is FileError {
      mistakes += Mistakes(from: error).all
    } catch {
      mistakes.append(Mistake("\(path) cannot be read: \(error)"))
    }
  }

  private mutating func judge(_ artifact: FilePath) async throws {
    let host = try given ?? HostRules.find(for: artifact)
    if !host.isKnown { hostless.append(artifact) }
    let settings = policy.settings(host.rules)
    let (inventory, defects) = try await Lint.inventory(artifact, settings, isHostKnown: host.isKnown, host.schemas)
    var judging = Judging()
    judging.defects = defects
    judging.configuration = inventory.configuration ?? host.configuration ?? beside
    judging.platforms = host.isKnown ? platforms : nil
    // An app that cannot be read is no mistake of a plugin's AAR.
    if ExtensionInfo.isFor(inventory.role) {
      judging.app = try givenApp ?? host.app.map { try ContainingApp.read($0) } ?? ContainingApp.around(artifact)
    }
    if judging.configuration == nil, configurations > 1 {
      notes.append("\(artifact): there are \(configurations) configurations: lint it with its own alone")
    }
    let unopened = inventory.role == .tree ? inventory.unopened : []
    if let first = unopened.first {
      notes.append(
        "\(artifact): \(first)\(andMore(unopened.count - 1)) was not looked into: lint archives by their own names")
    }
    let found = AllRules.judge(inventory, judging, by: settings, of: host.host)
    found.coverage.parts.forEach { coverage.add($0) }
    let path = (try? FileSystem.realPath(artifact).string) ?? artifact.string
    let name = PluginNames.stable((artifact.string, host.plugin)) { _ in path }
    for finding in found.findings {
      let finding = finding.placed { inventory.path(to: $0) }.of(plugin: name)
      // The zip and the AAR of a plugin are no namesakes: their names differ not only in the version.
      let kind = StableName.unversioned(artifact.lastComponent?.string ?? "")
      let own = namesakes.name(name, of: path, in: finding.of(plugin: "\(name)/\(kind)").identities)
      findings.append(finding.of(plugin: own))
    }
    mistakes += (inventory.mistakes + Lint.unread(inventory, besides: found.findings)).map { mistake in
      var mistake = mistake
      mistake.place = mistake.place.map { inventory.path(to: $0) }
      return mistake
    }
    unreadable.formUnion(inventory.unreadable.map { inventory.path(to: $0) })
  }

  /// Code that could not be read, or is of an unsupported kind, unless a rule reports it.
  private static func unread(_ inventory: Inventory, besides findings: [Finding]) -> [Mistake] {
    let damaged = inventory.facts(CodeFacts.self).filter { !$0.facts.errors.isEmpty }
    if damaged.isEmpty { return [] }
    var said: [Place: [String]] = [:]
    for finding in findings { for place in finding.sites { said[place, default: []].append(finding.message) } }
    return damaged.flatMap { item, code -> [Mistake] in
      let site = inventory.site(item)
      let said = said[site] ?? []
      // The finding of a rule is enough for a thin library.
      if code.kind == .thinArchive, !said.isEmpty { return [] }
      return code.errors.filter { error in !said.contains { $0.contains("\(error)") } }.map {
        Mistake("\($0)", at: site)
      }
    }
  }

  /// A release record stands for its deliverables.
  private static func artifacts(_ path: FilePath) throws -> [FilePath] {
    guard try FileSystem.status(of: path, followingLinks: true) != nil else { throw Mistakes("there is no \(path)") }
    guard path.string.hasSuffix(".release.json") else { return [path] }
    let record = try ReleaseRecord.read(path)
    return try record.deliverables.compactMap { deliverable in
      let file = path.removingLastComponent().appending(deliverable.path)
      if let mistake = try ReleaseRecord.mistake(in: file, of: deliverable, readsAll: true) {
        throw Mistakes([mistake])
      }
      return deliverable.isForManagers ? nil : file
    }
  }

  private static func inventory(
    _ path: FilePath, _ settings: [RuleID: RuleSettings], isHostKnown: Bool, _ schemas: DocumentSchemas
  ) async throws -> (Inventory, defects: [Mistake]?) {
    let place = Place(path.string)
    let named = Kinds.artifact(named: path.lastComponent?.string ?? path.string)
    if let named, !named.isArchive, try FileSystem.status(of: path, followingLinks: true)?.kind == .regular {
      return try schemas.read(path, at: place, as: named)
    }
    let opened = try OpenedArtifact(path)
    let entryNames = { opened.directory?.records.map(\.name) ?? [] }
    // Names decide only for that rule whether all of a folder is read.
    let names = { () async throws -> [[UInt8]] in
      guard opened.directory == nil, (settings[CodeSignature.id]?.level ?? .off) != .off else { return entryNames() }
      return try await Inventory(
        of: opened, place: place, role: .tree, facts: [], temporary: HostProcess.temporaryFolder
      ).items.map(\.path)
    }
    func inventory(_ role: ArtifactKind) async throws -> (Inventory, defects: [Mistake]?) {
      // Only a host tells that a zip is for iOS.
      let role = role == .iosZip && !isHostKnown ? .archive : role
      let facts = AllRules.facts(settings, of: role, holding: try await names())
      let inventory = try await Inventory(
        of: opened, place: place, role: role, facts: facts, temporary: HostProcess.temporaryFolder)
      return (inventory, nil)
    }
    guard let status = opened.status else { throw Mistakes("there is no \(path)") }
    if status.kind == .directory { return try await inventory(.tree) }
    guard status.kind == .regular else { throw FileError.noFile(path) }
    let head = try opened.head()
    let isNamedArchive = named != nil
    // Bytes may stand in front of a zip: its directory is at its end.
    if head.starts(with: "PK".utf8) || isNamedArchive && opened.directory != nil {
      // The name of every zip fits an iOS zip.
      let marked = named == .iosZip ? Kinds.deliverable(holding: entryNames()) : nil
      return try await inventory(marked ?? named ?? .archive)
    }
    let kind = FileKind(ByteReader(head.span))
    guard kind.isNativeCode else {
      let nature = FileKind.nature(ByteReader(head.span))
      throw Mistakes(
        "\(path) is \(nature)\(isNamedArchive ? " and no zip" : ""): nothing of it was checked",
        notes: ["lint reads zips, AARs, jars, libraries, configurations (.json), release records and folders"],
        hint: FileKind.isPacked(nature) ? "unpack it and lint the folder" : nil)
    }
    return try await inventory(.tree)
  }
}

extension Inventory {
  /// The places of damaged items. A thin library is not damaged.
  fileprivate var unreadable: [Place] {
    items.filter { item in
      let code = item.facts(CodeFacts.self)
      return item.damage != nil || item.facts(JarFacts.self)?.damage != nil
        || code.map { !$0.errors.isEmpty && $0.kind != .thinArchive } ?? false
    }.map { site($0) }
  }

  /// A place as it is shown: a file in a folder is shown by its own path.
  fileprivate func path(to place: Place) -> Place {
    guard role == .tree, !isFile, place.parts.count > 1, place.parts[0] == self.place.parts.first else { return place }
    var shown = place
    let folder = FilePath(place.parts[0])
    shown.parts = [folder == "." ? place.parts[1] : "\(folder)/\(place.parts[1])"] + place.parts.dropFirst(2)
    return shown
  }

  /// The names of deliverables in a folder that are archives, which are not opened.
  fileprivate var unopened: [String] {
    items.filter { $0.isFile && Kinds.deliverable(named: $0.name)?.isArchive == true }.map(\.name)
  }
}
