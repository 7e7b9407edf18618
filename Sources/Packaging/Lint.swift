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
    /// One-liners for the user.
    package internal(set) var notes: [String]
  }

  /// - Parameter recipe: a recipe's name or path; without one the manifest above an artifact, or the release record
  ///   beside it, says which host it is for.
  package static func run(
    _ paths: [FilePath], recipe: String?, policy: FindingPolicy
  ) throws(Mistakes) -> Outcome {
    var given: [RuleID: RuleSettings]?
    if let recipe { given = try HostRules.of(recipes: [recipe], in: ".") }
    var findings: [Finding] = []
    var mistakes: [Mistake] = []
    var notes: [String] = []
    func collect(_ path: FilePath, _ work: () throws -> Void) {
      do { try work() } catch let error as Mistakes {
        mistakes += error.all
      } catch let error as FileError {
        mistakes += Mistakes(error).all
      } catch {
        mistakes.append(Mistake("\(path) cannot be read: \(error)"))
      }
    }
    for path in paths {
      var all: [FilePath] = []
      collect(path) { all = try artifacts(path) }
      for artifact in all {
        collect(artifact) {
          var inventory = try inventory(artifact)
          let host = try given.map { HostRules.Found(rules: $0, note: nil) } ?? HostRules.find(for: artifact)
          if let note = host.note, !notes.contains(note) { notes.append(note) }
          // What a zip is for, only its host says.
          if host.note != nil, inventory.role == .iosZip { inventory.role = .archive }
          let found = AllRules.check(inventory, policy.settings(host.rules))
          findings += found
          mistakes += inventory.mistakes + unread(inventory, besides: found)
        }
      }
    }
    return Outcome(report: policy.report(findings), mistakes: mistakes, notes: notes)
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
      // A file that was named by itself is not in anything.
      let isWhole = inventory.role == .tree && inventory.items.count == 1
      let place =
        isWhole && FilePath(inventory.place.description).lastComponent?.string == site.parts.last
        ? inventory.place : site
      return code.errors.filter { error in !said.contains { $0.contains("\(error)") } }.map {
        Mistake("\($0)", at: place)
      }
    }
  }

  /// A release record stands for its deliverables.
  private static func artifacts(_ path: FilePath) throws -> [FilePath] {
    guard try FileSystem.status(of: path, followingLinks: true) != nil else { throw Mistakes("there is no \(path)") }
    guard path.string.hasSuffix(".release.json") else { return [path] }
    let record = try ReleaseRecord.read(path)
    return record.deliverables.map { path.removingLastComponent().appending($0.path) }
  }

  /// What is in an artifact.
  private static func inventory(_ path: FilePath) throws -> Inventory {
    let place = Place(path.string)
    let name = path.lastComponent?.string ?? path.string
    guard let status = try FileSystem.status(of: path, followingLinks: true) else {
      throw Mistakes("there is no \(path)")
    }
    if status.kind == .folder { return try inventory(of: path, .tree) }
    guard status.kind == .file else {
      throw FileError(path, doing: "read", reason: "it is a pipe, a socket or a device, and no file")
    }
    let named = Kinds.artifact(named: name)
    if let named, !named.isArchive { return try configuration(path, place, named) }
    let head = try head(of: path)
    let isNamedArchive = named != nil
    // Bytes may stand in front of a zip: its directory is at its end.
    if head.starts(with: "PK".utf8) || isNamedArchive && hasDirectory(path) {
      return try inventory(of: path, named ?? .archive)
    }
    let kind = ObjectFiles.FileKind(ByteReader(head.span))
    guard kind.isNativeCode else {
      let nature = ObjectFiles.FileKind.nature(ByteReader(head.span))
      let isPacked = nature.hasSuffix(" archive") || nature.hasSuffix(" data")
      throw Mistakes(
        "\(path) is \(nature)\(isNamedArchive ? " and no zip" : ""): nothing of it was checked",
        notes: ["lint reads zips, AARs, jars, libraries, configurations (.json), release records and folders"],
        hint: isPacked ? "unpack it and lint the folder" : nil)
    }
    return try inventory(of: path, .tree)
  }

  private static func inventory(of path: FilePath, _ role: ArtifactKind) throws -> Inventory {
    try Inventory(of: path, place: Place(path.string), role: role, facts: AllRules.facts, temporary: temporary)
  }

  private static func hasDirectory(_ path: FilePath) -> Bool {
    guard let file = try? PositionalFile(path) else { return false }
    return (try? ZipDirectory(ZipSource(file))) != nil
  }

  private static func head(of path: FilePath) throws(FileError) -> [UInt8] {
    do throws(Errno) {
      return try PositionalFile(path).bytes(at: 0, count: ObjectFiles.FileKind.prefixLength)
    } catch {
      throw FileError(path, doing: "read", code: error)
    }
  }

  /// One JSON object; anything else is no configuration.
  private static func configuration(_ path: FilePath, _ place: Place, _ kind: ArtifactKind) throws -> Inventory {
    // Nodes and not Foundation's JSON: they keep the order and every key.
    let node = try JSONText.parse(try FileSystem.read(path, limit: YAMLText.mostBytes), name: path.string)
    guard case .map(let members) = node.value else {
      throw Mistakes("a configuration is one JSON object, not \(node.kindName)", at: node.place)
    }
    var inventory = Inventory(place: place, role: kind)
    inventory.configuration = members.map { ($0.key, value($0.node)) }
    return inventory
  }

  private static func value(_ node: Node) -> Inventory.ConfigurationValue {
    switch node.value {
    case .text(let text) where node.isQuoted: .text(text)
    case .text(let text): .other(text == "true" || text == "false" ? "true or false" : "a number")
    case .null: .other("null")
    case .list: .other("a list")
    case .map: .other("an object")
    }
  }

  private static var temporary: FilePath { HostProcess.temporaryFolder }
}
