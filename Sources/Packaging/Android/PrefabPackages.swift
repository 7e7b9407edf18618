import Archives
import Artifacts
import Findings
import Store

/// The prefab packages of a plugin and its embedded AARs, for native consumers (`prefab/prefab.json`, and
/// `prefab/modules/NAME/module.json` for each library). An AAR has one package, so that of the first is kept, with the
/// modules of all.
struct PrefabPackages {
  struct File {
    let path: EntryPath
    var entry: PackedEntry
    let isText: Bool
  }

  private(set) var files: [File] = []
  private var names: [String] = []
  /// The package's description, and where it comes from.
  private var package: (members: [(key: String, value: JSONValue)], file: File)?
  private var modules: [[UInt8]: Place] = [:]

  /// The names of packages that are now part of the first.
  var joined: [String] { Array(names.dropFirst()) }
  var name: String { names.first ?? "" }

  /// Adds a package, which is in one AAR or folder. A package without a description is copied.
  mutating func add(_ added: [File], _ notes: inout PackNotes, at place: Place) throws {
    var others: [File] = []
    var own: [[UInt8]: Place] = [:]
    for file in added {
      let parts = file.path.components
      if parts.count > 3, parts[1].elementsEqual("modules".utf8) { own[Array(parts[2])] = file.entry.place }
      if file.path.description == "prefab/prefab.json" {
        try describe(file, &notes, at: place)
      } else {
        others.append(file)
      }
    }
    for (name, site) in own.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      if let first = modules.updateValue(site, forKey: name) {
        notes.refuse(
          "the prefab module \(String(decoding: name, as: UTF8.self)) is there twice: \(first) and \(site)", at: place,
          hint: "leave one out: embed: [{from: \(site.parts[0]), without: prefab}]")
      }
    }
    files += others
  }

  private mutating func describe(_ file: File, _ notes: inout PackNotes, at place: Place) throws {
    let text = try file.entry.bytes()
    guard case .object(let members)? = AARBuilder.json(text, file.entry.place, &notes, at: place),
      case .string(let name)? = members.first(where: { $0.key == "name" })?.value
    else {
      if package == nil { return package = ([], file) }
      return notes.refuse("\(file.entry.place) names no prefab package", at: place, hint: "build it again")
    }
    names.append(name)
    guard let first = package else { return package = (members, file) }
    let version = { (members: [(key: String, value: JSONValue)]) in members.first { $0.key == "schema_version" }?.value
    }
    if version(first.members) != version(members) {
      notes.refuse(
        "\(first.file.entry.place) and \(file.entry.place) have different schema versions of prefab", at: place,
        hint: "leave one out: embed: [{from: \(file.entry.place.parts[0]), without: prefab}]")
    }
    package?.members = first.members.map { key, value in
      let others = members.first { $0.key == key }?.value
      guard key == "dependencies", case .array(let ours) = value, case .array(let theirs)? = others else {
        return (key, value)
      }
      return (key, .array(ours + theirs.filter { !ours.contains($0) }))
    }
  }

  /// The entries of the package. References to a package that was joined are to modules of this one.
  func entries(_ notes: inout PackNotes) throws -> [PackedEntry] {
    guard let package else { return files.map(\.entry) }
    guard !joined.isEmpty else { return [package.file.entry] + files.map(\.entry) }
    let gone = Set(names)
    var all = [
      package.file.entry.with(
        .object(
          package.members.map { key, value in
            guard key == "dependencies", case .array(let list) = value else { return (key, value) }
            return (key, .array(list.filter { if case .string(let name) = $0 { !gone.contains(name) } else { true } }))
          }))
    ]
    for file in files {
      guard file.isText, file.path.components.count == 4 else {
        all.append(file.entry)
        continue
      }
      let json = AARBuilder.json(try file.entry.bytes(), file.entry.place, &notes, at: file.entry.place)
      all.append(json.map { file.entry.with(PrefabPackages.renamed($0, gone)) } ?? file.entry)
    }
    return all
  }

  /// `//package/module` of `export_libraries` is `:module` in the same package.
  private static func renamed(_ value: JSONValue, _ gone: Set<String>) -> JSONValue {
    switch value {
    case .object(let members): .object(members.map { ($0.key, renamed($0.value, gone)) })
    case .array(let values): .array(values.map { renamed($0, gone) })
    case .string(let text) where text.hasPrefix("//"):
      text.pathParts.count == 2 && gone.contains(String(text.pathParts[0])) ? .string(":\(text.pathParts[1])") : value
    default: value
    }
  }
}

extension PackedEntry {
  fileprivate func with(_ value: JSONValue) -> PackedEntry {
    let bytes = Array(value.pretty.utf8)
    return PackedEntry(entry.path, .bytes(bytes), digest: Digest(of: bytes), at: place)
  }

  /// The content of a small file.
  fileprivate func bytes() throws -> [UInt8] {
    guard case .file(let content, _) = entry.kind, content.size <= AARBuilder.maxTextSize else { return [] }
    return try content.bytes()
  }
}

// `prefab/`
extension AARBuilder {
  mutating func addPrefab() throws {
    var packages = PrefabPackages()
    var own: [PrefabPackages.File] = []
    for (inside, file, thing) in files("prefab") {
      guard let path = notes.path(Array("prefab/".utf8) + inside, of: file, at: thing.place) else { continue }
      own.append(prefabFile(path, PackedEntry(path, file, context)))
    }
    if let place = things("prefab").first?.place { try packages.add(own, &notes, at: place) }
    for aar in embedded {
      let files = try aar.parts.copied.filter { $0.group == .prefab }.map { _, bytes, part in
        let path = try EntryPath(bytes)
        return prefabFile(path, PackedEntry(path, part.content, digest: part.digest, at: aar.site(path.description)))
      }
      if !files.isEmpty { try packages.add(files, &notes, at: aar.place) }
    }
    for entry in try packages.entries(&notes) { add(entry, .prefab) }
    if !packages.joined.isEmpty {
      remarks.append(
        "the prefab modules of \(listed(packages.joined)) are in the package \(packages.name): find_package finds them there"
      )
    }
  }

  private func prefabFile(_ path: EntryPath, _ entry: PackedEntry) -> PrefabPackages.File {
    PrefabPackages.File(
      path: path, entry: entry, isText: path.components.last?.elementsEqual("module.json".utf8) == true)
  }
}
