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
  package struct Outcome: Sendable {
    package internal(set) var report: Report
    /// What could not be read; the rest was checked.
    package internal(set) var mistakes: [Mistake]
    /// Whether findings say of something, as an error, that it could not be read.
    package internal(set) var hasUnread = false
    /// One-liners for the user.
    package internal(set) var notes: [String]
  }

  /// - Parameters:
  ///   - recipe: a recipe's name or path; without one the manifest above an artifact, or the release record beside it, says
  ///     which host it is for.
  ///   - app: the app that contains extensions: its folder, `.app` or `Info.plist`; nil: as the manifest says.
  package static func run(
    _ paths: [FilePath], recipe: String?, app: FilePath? = nil, policy: FindingPolicy
  ) async throws(Mistakes) -> Outcome {
    var given: HostRules.Found?
    let givenApp: ContainingApp?
    do { givenApp = try app.map { try ContainingApp.read($0) } } catch let error as Mistakes { throw error } catch {
      throw Mistakes("\(error)")
    }
    if let recipe { given = try HostRules.of(recipes: [recipe], in: "") }
    var coverage = RuleCoverage()
    var files: [PluginNames.File] = []
    var findings: [[Finding]] = []
    var mistakes: [Mistake] = []
    var notes: [String] = []
    var hostless: [FilePath] = []
    var unreadable: Set<Place> = []
    func collect(_ path: FilePath, _ work: () async throws -> Void) async {
      do { try await work() } catch let error as Mistakes {
        mistakes += error.all
      } catch let error as FileError {
        mistakes += Mistakes(error).all
      } catch {
        mistakes.append(Mistake("\(path) cannot be read: \(error)"))
      }
    }
    var all: [FilePath] = []
    for path in paths { await collect(path) { all += try artifacts(path) } }
    // What is linted together belongs together.
    let configurations = all.filter { Kinds.artifact(named: $0.string) == .config }
    let beside = configurations.count == 1 ? try? configuration(configurations[0]) : nil
    // With several configurations, which deliverable is whose is not known.
    let platforms =
      configurations.count > 1 ? [] : Set(all.compactMap { Kinds.deliverable(named: $0.string)?.platform })
    for artifact in all {
      await collect(artifact) {
        let host = try given ?? HostRules.find(for: artifact)
        if !host.isKnown { hostless.append(artifact) }
        let settings = policy.settings(host.rules)
        var inventory = try await inventory(artifact, settings, isHostKnown: host.isKnown, host.schemas)
        if inventory.configuration == nil { inventory.configuration = host.configuration ?? beside }
        if host.isKnown { inventory.platforms = platforms }
        // An app that cannot be read is no mistake of a plugin's AAR.
        if ExtensionInfo.isFor(inventory.role) {
          inventory.app = try givenApp ?? host.app.map { try ContainingApp.read($0) } ?? ContainingApp.around(artifact)
        }
        if inventory.configuration == nil, configurations.count > 1 {
          notes.append("\(artifact): there are \(configurations.count) configurations: lint it with its own alone")
        }
        let unopened = inventory.role == .tree ? inventory.unopened : []
        if let first = unopened.first {
          notes.append(
            "\(artifact): \(first)\(andMore(unopened.count - 1)) was not looked into: lint archives by their own names")
        }
        let found = AllRules.check(inventory, settings)
        coverage.add(
          host.host, settings, of: inventory.role, configuration: inventory.configuration, hasApp: inventory.app != nil)
        files.append((artifact.string, host.plugin))
        findings.append(found.map { $0.placed { inventory.path(to: $0) } })
        mistakes += (inventory.mistakes + unread(inventory, besides: found)).map { mistake in
          var mistake = mistake
          mistake.place = mistake.place.map { inventory.path(to: $0) }
          return mistake
        }
        unreadable.formUnion(inventory.unreadable.map { inventory.path(to: $0) })
      }
    }
    if let first = hostless.first {
      let note =
        "no host is known for \(first)\(andMore(hostless.count - 1)): only general rules were checked (--recipe NAME)"
      notes.insert(note, at: 0)
    }
    let names = PluginNames.toldApart(files) { (try? FileSystem.realPath(FilePath($0)))?.string ?? $0 }
    for (number, name) in names.enumerated() {
      findings[number] = findings[number].map { $0.of(plugin: name) }
    }
    let report = policy.report(findings.flatMap(\.self))
    let hasUnread = report.findings.contains { $0.level == .error && !unreadable.isDisjoint(with: $0.sites) }
    return Outcome(report: report, mistakes: mistakes, hasUnread: hasUnread, notes: notes + coverage.lines)
  }

  /// Code that could not be read, or is of a kind that is not, where no rule says so.
  private static func unread(_ inventory: Inventory, besides findings: [Finding]) -> [Mistake] {
    let damaged = inventory.facts(CodeFacts.self).filter { !$0.facts.errors.isEmpty }
    if damaged.isEmpty { return [] }
    var said: [Place: [String]] = [:]
    for finding in findings { for place in finding.sites { said[place, default: []].append(finding.message) } }
    return damaged.flatMap { item, code -> [Mistake] in
      let site = inventory.site(item)
      let said = said[site] ?? []
      // Of a thin library there is no more to say than that it is one.
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
    return try record.deliverables.map { deliverable in
      let file = path.removingLastComponent().appending(deliverable.path)
      if let mistake = try ReleaseRecord.mistake(in: file, of: deliverable, readsAll: true) {
        throw Mistakes([mistake])
      }
      return file
    }
  }

  /// What is in an artifact.
  private static func inventory(
    _ path: FilePath, _ settings: [RuleID: RuleSettings], isHostKnown: Bool, _ schemas: DocumentSchemas
  ) async throws -> Inventory {
    let place = Place(path.string)
    let named = Kinds.artifact(named: path.lastComponent?.string ?? path.string)
    if let named, !named.isArchive, try FileSystem.status(of: path, followingLinks: true)?.kind == .regular {
      var inventory = Inventory(place: place, role: named)
      if named == .config { inventory.configuration = try configuration(path) }
      try inventory.addDocument(path, schemas)
      return inventory
    }
    let opened = try OpenedArtifact(path)
    let entryNames = { opened.directory?.records.map(\.name) ?? [] }
    func inventory(_ role: ArtifactKind) async throws -> Inventory {
      // What a zip is for, only its host says.
      let role = role == .iosZip && !isHostKnown ? .archive : role
      let facts = AllRules.facts(settings, of: role, holding: role == .aar ? entryNames() : nil)
      return try await Inventory(
        of: opened, place: place, role: role, facts: facts, temporary: HostProcess.temporaryFolder)
    }
    guard let status = opened.status else { throw Mistakes("there is no \(path)") }
    if status.kind == .directory { return try await inventory(.tree) }
    guard status.kind == .regular else { throw FileError.noFile(path) }
    let head = try opened.head()
    let isNamedArchive = named != nil
    // Bytes may stand in front of a zip: its directory is at its end.
    if head.starts(with: "PK".utf8) || isNamedArchive && opened.directory != nil {
      // Every zip is called like an iOS zip.
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

  /// One JSON object; anything else is no configuration.
  static func configuration(_ path: FilePath) throws -> Configuration {
    // Nodes and not Foundation's JSON: they keep the order and every key.
    let node = try JSONText.parse(try FileSystem.read(path, limit: YAMLText.maxBytes), name: path.string)
    guard case .map(let members) = node.value else {
      throw Mistakes("a configuration is one JSON object, not \(node.kindName)", at: node.place)
    }
    return Configuration(members.map { ($0.key, value($0.node)) })
  }

  private static func value(_ node: Node) -> Configuration.Value {
    switch node.value {
    case .text(let text) where node.isQuoted: .text(text)
    case .text(let text): .other(text == "true" || text == "false" ? "true or false" : "a number")
    case .null: .other("null")
    case .list: .other("a list")
    case .map: .other("an object")
    }
  }
}

extension Inventory {
  /// Where damaged things are. A thin library is what it is.
  fileprivate var unreadable: [Place] {
    items.filter { item in
      let code = item.facts(CodeFacts.self)
      return item.damage != nil || item.facts(JarFacts.self)?.damage != nil
        || code.map { !$0.errors.isEmpty && $0.kind != .thinArchive } ?? false
    }.map { site($0) }
  }

  /// A place as it is shown: what is in a folder is a file by itself, with a path of its own.
  fileprivate func path(to place: Place) -> Place {
    guard role == .tree, !isFile, place.parts.count > 1, place.parts[0] == self.place.parts.first else { return place }
    var shown = place
    let folder = FilePath(place.parts[0])
    shown.parts = [folder == "." ? place.parts[1] : "\(folder)/\(place.parts[1])"] + place.parts.dropFirst(2)
    return shown
  }

  /// Names of deliverables in a folder, which are archives by themselves.
  fileprivate var unopened: [String] {
    items.filter { $0.isFile && Kinds.deliverable(named: $0.name)?.isArchive == true }.map(\.name)
  }
}
