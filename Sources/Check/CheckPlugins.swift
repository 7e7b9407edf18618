import Artifacts
import Documents
import Findings
import Store
import SystemPackage

/// The plugins of a check: the files of the command line, and the deliverables that release records list. Lock files of
/// package managers are no plugins.
struct CheckPlugins: Sendable {
  private(set) var paths: [FilePath] = []
  /// The status of each path; nil if it does not exist.
  private(set) var statuses: [FileStamp?] = []
  /// Devices and inodes of `paths`.
  private var files: Set<String> = []

  private(set) var locks: [LockFile] = []
  private(set) var mistakes: [Mistake] = []
  private(set) var notes: [String] = []

  /// The number of paths, at the head of `paths`, that are the app's own.
  private(set) var appCount = 0

  /// One party for each input: a file, a folder, or all that a release record lists.
  private(set) var parties: [Party] = []

  struct Party: Sendable {
    /// The name in its release record, or else that of its file.
    var name: String
    /// Nil if neither a release record nor the file's name tells it.
    var version: String?
    var place: Place
    var isApp = false
    /// Whether a release record gives its name.
    var isRelease = false
    /// Indices of `paths`.
    var numbers: [Int] = []
    var policies: [MessagePolicy] = []
    /// Classes that configurations name, so that the app creates objects of them by name; those of Java with dots.
    var classes: [String] = []
    /// For a single policy file: the beginning of the names of files that belong to it.
    var stem: String?

    mutating func release(_ record: ReleaseRecord) {
      (name, version, isRelease) = (record.plugin.name, record.plugin.version, true)
    }
  }

  init(apps: [FilePath], _ plugins: [FilePath], _ replaced: [FilePath: FilePath] = [:]) async {
    let named = apps + plugins
    let statuses = await CheckPlugins.statuses(of: named)
    for (index, path) in named.enumerated() {
      if index == apps.count { appCount = paths.count }
      if let manager = LockFile.Manager(of: path) {
        do throws(Mistakes) { locks.append(try LockFile(path, manager)) } catch { mistakes += error.all }
        continue
      }
      let name = path.lastComponent?.string ?? path.string
      parties.append(
        Party(
          name: name, version: StableName.dottedVersion(in: name), place: Place(path.string),
          isApp: index < apps.count))
      do throws(Mistakes) { try add(path, statuses[index]) } catch { mistakes += error.all }
    }
    if plugins.isEmpty { appCount = paths.count }
    uniteParties()
    for (index, path) in paths.enumerated() where !replaced.isEmpty {
      guard let other = replaced[path] else { continue }
      (paths[index], self.statuses[index]) = (other, CheckPlugins.status(of: other))
    }
  }

  /// On all cores, because it takes a good part of a check in which nothing has changed.
  private static func statuses(of paths: [FilePath]) async -> [FileStamp?] {
    var statuses: [FileStamp?] = []
    try? await inParts(paths, of: 64, { $0.map(CheckPlugins.status) }, { statuses += $0 })
    return statuses
  }

  static func status(of path: FilePath) -> FileStamp? {
    (try? FileSystem.status(of: path, followingLinks: true)) ?? nil
  }

  private mutating func add(_ path: FilePath, _ status: FileStamp?) throws(Mistakes) {
    let name = path.string
    if name.hasSuffix(".release.json") {
      let record = try ReleaseRecord.read(path)
      parties[parties.count - 1].release(record)
      let folder = path.removingLastComponent()
      for deliverable in record.deliverables where !deliverable.isForManagers {
        let path = folder.appending(deliverable.path)
        let mistake = try explained { try ReleaseRecord.mistake(in: path, of: deliverable, readsAll: false) }
        if let mistake { throw Mistakes([mistake]) }
        try add(path, CheckPlugins.status(of: path))
      }
    } else if name.hasSuffix(".json") {
      try addDocument(path)
    } else if name.hasSuffix(PackageManifest.fileName), path.lastComponent?.string == PackageManifest.fileName {
      try addTargets(of: path)
    } else {
      var names: [FilePath.Component] = []
      if status?.kind == .directory {
        names = try explained { try FileSystem.list(path) }
        try refuseVersions(names, in: path)
        // For a plugin's source folder the released files are checked, and not their sources as well.
        if names.contains(where: { $0.string == "npi.yml" }), let record = try builtRecord(names, in: path) {
          return try add(record, nil)
        }
        if let record = try wholeRecord(names, in: path) { return try add(record, nil) }
      }
      // A path that is named twice, or by a link, counts once.
      if let status, !files.insert("\(status.device) \(status.inode)").inserted { return }
      parties[parties.count - 1].numbers.append(paths.count)
      paths.append(path)
      statuses.append(status)
      if let record = try release(names, in: path) { parties[parties.count - 1].release(record) }
      for name in names {
        let isOther = [".release.json", ".podspec.json"].contains(where: name.string.hasSuffix)
        if name.string.hasSuffix(".json"), !isOther { try addFound(path.appending(name)) }
        if name.string == "dist" { try addPolicies(path.appending(name)) }
      }
    }
  }

  /// Adds the binary targets of a `Package.swift` that lie beside it.
  private mutating func addTargets(of path: FilePath) throws(Mistakes) {
    let targets = try PackageManifest(path).targets
    if targets.isEmpty {
      throw Mistakes(
        "\(path) has no binary target that can be checked",
        hint: "only .binaryTarget(name: \"X\", path: \"X.xcframework\") with plain strings is understood")
    }
    let folder = path.removingLastComponent()
    if let name = folder.lastComponent?.string { parties[parties.count - 1].name = name }
    for target in targets {
      // SwiftPM takes no path that leads out of the package, and no manifest.
      guard let inner = target.path.flatMap(FilePath.init(_:)), inner.isRelative, inner == inner.lexicallyNormalized(),
        !inner.string.hasPrefix(".."), inner.lastComponent?.string != PackageManifest.fileName
      else {
        let other = target.path == nil ? "told by code, which is not run" : "no file of the package that can be linked"
        let place = target.url.map { "at \($0): name the file that it downloads" } ?? other
        notes.append("\(path): the binary target \(target.name) is \(place)")
        continue
      }
      let file = folder.pushing(inner)
      try add(file, CheckPlugins.status(of: file))
    }
  }

  /// The release record in a folder, which gives the plugin's name: folders may have any name.
  private func release(_ names: [FilePath.Component], in folder: FilePath) throws(Mistakes) -> ReleaseRecord? {
    let records = names.filter { $0.string.hasSuffix(".release.json") }
    let built = records.isEmpty ? try builtRecord(names, in: folder) : nil
    guard let record = built ?? (records.count == 1 ? folder.appending(records[0]) : nil) else { return nil }
    return try? ReleaseRecord.read(record)
  }

  /// The one release record in the `dist` of a folder.
  private func builtRecord(_ names: [FilePath.Component], in folder: FilePath) throws(Mistakes) -> FilePath? {
    guard names.contains(where: { $0.string == "dist" }) else { return nil }
    let built = folder.appending("dist")
    guard CheckPlugins.status(of: built)?.kind == .directory else { return nil }
    let records = try explained { try FileSystem.list(built) }.filter { $0.string.hasSuffix(".release.json") }
    return records.count == 1 ? built.appending(records[0]) : nil
  }

  /// The release record of a folder that holds a release for package managers, and nothing else: these have copies of
  /// the other deliverables.
  private func wholeRecord(_ names: [FilePath.Component], in folder: FilePath) throws(Mistakes) -> FilePath? {
    let records = names.filter { $0.string.hasSuffix(".release.json") }
    guard records.count == 1, let record = try? ReleaseRecord.read(folder.appending(records[0])),
      record.deliverables.contains(where: \.isForManagers)
    else { return nil }
    let known = Set(record.deliverables.map(\.path) + [records[0].string, ReleaseRecord.checksumsName, ".gitignore"])
    return names.allSatisfy { known.contains($0.string) } ? folder.appending(records[0]) : nil
  }

  private mutating func addPolicies(_ folder: FilePath) throws(Mistakes) {
    let ending = ArtifactKind.policy.ending ?? ""
    guard CheckPlugins.status(of: folder)?.kind == .directory else { return }
    for name in try explained({ try FileSystem.list(folder) }) where name.string.hasSuffix(ending) {
      try addDocument(folder.appending(name))
    }
  }

  /// Refuses a folder with two versions of a plugin: an app has one, and two would collide with each other.
  private func refuseVersions(_ names: [FilePath.Component], in folder: FilePath) throws(Mistakes) {
    let released = (ArtifactKind.deliverables + [.release]).filter(\.isRelease).compactMap(\.ending)
    let endings = released + [".jar", ".a", ".framework", ".xcframework"]
    var all = names.map(\.string).filter { name in endings.contains(where: name.hasSuffix) }
    // Versions may be in folders of their own, or among build results. Libraries there are ignored, because each may be
    // for another system.
    for name in names where !endings.contains(where: name.string.hasSuffix) {
      let inner = folder.appending(name)
      guard CheckPlugins.status(of: inner)?.kind == .directory else { continue }
      all += try explained { try FileSystem.list(inner) }.map { "\(name.string)/\($0.string)" }
        .filter { path in released.contains(where: path.hasSuffix) }
    }
    let versioned = all.filter { StableName.dottedVersion(in: String($0.lastPathPart)) != nil }
    let groups = Dictionary(grouping: versioned) { StableName.unversioned(String($0.lastPathPart)) }
    guard let group = groups.values.filter({ $0.count > 1 }).map({ $0.sorted() }).min(by: { $0[0] < $1[0] }) else {
      return
    }
    throw Mistakes(
      "\(folder) holds \(group.count == 2 ? "two" : "\(group.count)") versions of one plugin: "
        + group.prefix(4).joined(separator: ", ") + (group.count > 4 ? "…" : ""),
      hint: "an app has one of them: name its files or its release record, or remove the others")
  }

  /// Adds a file that lies in a plugin's folder. Any vendor may have a `.json` there for purposes of its own.
  private mutating func addFound(_ path: FilePath) throws(Mistakes) {
    do throws(Mistakes) {
      try addDocument(path)
    } catch {
      if path.string.hasSuffix(ArtifactKind.policy.ending ?? "") { throw error }
      notes.append(
        "\(path) is no configuration of a plugin, so no class is known by it: "
          + error.all.map(\.message).joined(separator: "; "))
    }
  }

  /// Adds a configuration or a policy.
  private mutating func addDocument(_ path: FilePath) throws(Mistakes) {
    let ending = ArtifactKind.policy.ending ?? ""
    guard path.string.hasSuffix(ending) else { return try addClasses(path) }
    let policy = try MessagePolicy.read(path)
    let party = parties.count - 1
    if parties[party].place == Place(path.string) {
      parties[party].stem = String(parties[party].name.dropLast(ending.count))
    }
    parties[party].policies.append(policy)
  }

  /// Unites files that belong to one plugin, such as `Ledger-1.0.policy.json` and `Ledger-1.0-ios.zip`, and the app's
  /// own libraries, of which one may have a policy for all.
  private mutating func uniteParties() {
    let app = parties.firstIndex(where: \.isApp)
    var stems: [String: Int] = [:]
    for (index, party) in parties.enumerated() where !party.isApp {
      if let stem = party.stem { stems[stem] = stems[stem] ?? index }
    }
    var gone: Set<Int> = []
    for (index, party) in parties.enumerated() {
      var other = app
      if !party.isApp {
        let isFile = party.stem == nil && party.policies.isEmpty
        other = isFile ? CheckPlugins.starts(of: party.name).lazy.compactMap { stems[$0] }.first : nil
      }
      guard let other, other != index else { continue }
      parties[other].numbers += party.numbers
      parties[other].policies += party.policies
      parties[other].classes += party.classes
      gone.insert(index)
    }
    parties = parties.indices.filter { !gone.contains($0) }.map { parties[$0] }
  }

  /// All prefixes before a dot or a hyphen, the longest first.
  private static func starts(of name: String) -> [String] {
    name.indices.filter { name[$0] == "." || name[$0] == "-" }.reversed().map { String(name[..<$0]) }
  }

  /// Adds every text of a configuration that could be a class's name: a class that is not defined collides with
  /// nothing.
  private mutating func addClasses(_ path: FilePath) throws(Mistakes) {
    let bytes = try explained { try FileSystem.read(path, limit: YAMLText.maxBytes) }
    guard case .map(let members) = try JSONText.parse(bytes, name: path.string).value else { return }
    for member in members {
      guard case .text(let text) = member.node.value, member.node.isQuoted, text.utf8.count < 256 else { continue }
      let isName = text.unicodeScalars.allSatisfy { $0.properties.isIDContinue || $0 == "." }
      if isName, !text.isEmpty { parties[parties.count - 1].classes.append(text) }
    }
  }
}
