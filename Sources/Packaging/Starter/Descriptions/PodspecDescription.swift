import Documents
import Findings

extension ProjectDescription {
  /// CocoaPods' podspec, in Ruby or in JSON: https://guides.cocoapods.org/syntax/podspec.html
  static func podspec(_ path: String, _ files: NamedFiles) throws(UnreadDescription) -> ProjectDescription? {
    let folder = StarterTree.folder(of: path)
    var specs: [Podspec]
    if path.hasSuffix(".json") {
      specs = PodspecJSON.read(try files.tree.json(path))
    } else {
      // What is computed from there is taken from there.
      let package = try? files.tree.json(StarterTree.join(folder, "package.json"))
      specs = PodspecScript.read(try files.tree.contents(path), package: package)
    }
    guard let root = specs.first else {
      throw UnreadDescription(path: path, reason: "there is no pod in it")
    }
    guard !root.isForOthers else { return nil }
    var pod = ProjectDescription(.podspec, path)
    pod.setName(root["name"].first)
    pod.setVersion(root["version"].first)
    specs = Podspec.wanted(specs)
    for spec in specs {
      pod.setMinimumIOS(spec["deployment_target"].first)
      for name in spec["frameworks"] + spec["weak_frameworks"] { pod.addFramework(name) }
      for name in spec["libraries"] { pod.addFramework(name, isLibrary: true) }
    }
    func named(_ keys: [String], _ contents: NamedFiles.Contents) -> [String] {
      files.paths(keys.flatMap { key in specs.flatMap { $0[key] } }, in: folder, contents)
    }
    pod.libraries = named(["vendored_frameworks", "vendored_libraries"], .itself).filter(NamedFiles.isLibrary)
    let excluded = Set(named(["exclude_files"], .directly))
    let code = named(["source_files"], .directly).filter { !excluded.contains($0) }
    pod.sources = code.filter(NamedFiles.isSource)
    pod.hasHeadersOnly = pod.sources.isEmpty && code.contains(where: NamedFiles.isHeader)
    let hidden = Set(named(["private_header_files", "project_header_files"], .directly))
    let shown = named(["public_header_files"], .directly)
    pod.headers = (shown.isEmpty ? code : shown).filter { NamedFiles.isHeader($0) && !hidden.contains($0) }
    pod.resources = named(["resources", "resource_bundles"], .wholly).filter { !excluded.contains($0) }
    let bundles = specs.compactMap { $0.pairs["resource_bundles"] }.joined()
    for (name, patterns) in bundles.prefix(mostBundles) where usableName(name) == name {
      for path in files.paths(patterns, in: folder, .wholly) where pod.bundles[path] == nil {
        pod.bundles[path] = name + ".bundle"
      }
    }
    for spec in specs { pod.addSettings(of: spec, files.tree) }
    let needed = specs.flatMap { spec in spec["dependency"].map { name in String(name.prefix { $0 != "/" }) } }
    pod.needs = Set(needed).subtracting([root["name"].first ?? ""]).sorted()
    return pod
  }

  /// More are no plugin's own.
  private static let mostBundles = 100

  private mutating func addSettings(of spec: Podspec, _ tree: StarterTree) {
    for text in spec["compiler_flags"] { settings.add(words: text, of: "compiler_flags") }
    for key in spec["computed"] { settings.leave("\(key), which is computed") }
    for (key, values) in ["pod_target_xcconfig", "xcconfig"].compactMap({ spec.pairs[$0] }).joined() {
      if values.isEmpty { settings.leave("\(key), which is computed") }
      for value in values { settings.add(setting: key, value, in: folder, tree) }
    }
  }
}

/// What a podspec, or one of its subspecs, says for iOS.
struct Podspec {
  /// Empty of the podspec itself, `Core/Cache` of a subspec in a subspec.
  let path: String
  /// Only for another system than iOS.
  var isForOthers = false
  private var attributes: [String: [String]] = [:]
  /// What is set to a map: `resource_bundles`, `xcconfig`.
  private(set) var pairs: [String: [(key: String, values: [String])]] = [:]

  init(path: String) { self.path = path }

  subscript(key: String) -> [String] { attributes[key] ?? [] }

  /// Under the key's one name: what takes a list has a name for one and a name for several.
  static func key(_ name: String) -> String {
    switch name {
    case "framework", "weak_framework", "vendored_framework", "resource", "resource_bundle", "default_subspec",
      "platform":
      name + "s"
    case "library", "vendored_library": name.dropLast() + "ies"
    default: name
    }
  }

  /// A second value is another one for a list; of one value the first counts, as it is the one that stands further out.
  mutating func add(_ values: [String], to name: String) { attributes[Podspec.key(name), default: []] += values }

  mutating func add(_ pairs: [(key: String, values: [String])], to name: String) {
    self.pairs[Podspec.key(name), default: []] += pairs
  }

  /// By system; a version may be missing. Of a podspec that names none it is for all.
  mutating func add(platforms: [(system: String, version: String?)]) {
    guard !platforms.isEmpty else { return }
    if let own = platforms.first(where: { $0.system == "ios" }) {
      if let version = own.version { add([version], to: "deployment_target") }
    } else {
      isForOthers = true
    }
  }

  /// Of a subspec whose name is computed.
  static let unnamed = "?"

  /// The first name of the path: who wants a subspec gets what is in it.
  private var top: String { String(path.split(separator: "/").first ?? "") }

  /// What an app gets that names the pod and no subspec: all of them, if there is no default, and what those need.
  static func wanted(_ specs: [Podspec]) -> [Podspec] {
    guard let root = specs.first else { return [] }
    let prefix = (root["name"].first ?? "") + "/"
    let subspecs = Dictionary(grouping: specs.dropFirst(), by: \.top)
    func tops(_ paths: [String]) -> [String] { paths.map { String($0.split(separator: "/").first ?? "") } }
    let chosen = tops(root["default_subspecs"])
    var waiting = chosen.isEmpty ? Array(subspecs.keys) : chosen + [unnamed]
    waiting += tops(root["dependency"].filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) })
    var wanted: Set<String> = []
    // Who needs whom is a graph: each is gone through once.
    while let top = waiting.popLast() {
      guard wanted.insert(top).inserted else { continue }
      for spec in subspecs[top] ?? [] where !spec.isForOthers {
        let needed = spec["dependency"].filter { $0.hasPrefix(prefix) }
        waiting += tops(needed.map { String($0.dropFirst(prefix.count)) })
      }
    }
    return [root] + specs.dropFirst().filter { !$0.isForOthers && wanted.contains($0.top) }
  }
}

/// A `podspec.json`: the same words as keys.
enum PodspecJSON {
  /// The podspec first.
  static func read(_ root: Node) -> [Podspec] {
    guard root["name"]?.text != nil, root["version"]?.text != nil || root["source"] != nil else { return [] }
    var specs: [Podspec] = []
    var waiting: [(node: Node, path: String)] = [(root, "")]
    while let (node, path) = waiting.popLast(), specs.count < PodspecScript.mostSpecs {
      specs.append(spec(node, path))
      for child in (node["subspecs"]?.list ?? []).reversed() {
        if let name = child["name"]?.text { waiting.append((child, path.isEmpty ? name : "\(path)/\(name)")) }
      }
    }
    return specs
  }

  private static func spec(_ node: Node, _ path: String) -> Podspec {
    var spec = Podspec(path: path)
    for member in node.members where member.key != "subspecs" {
      switch member.key {
      case "platforms": spec.add(platforms: member.node.members.map { ($0.key, $0.node.text) })
      case "dependencies": spec.add(member.node.members.map(\.key), to: "dependency")
      case "ios": for inner in member.node.members { add(inner.node, to: inner.key, &spec) }
      default: add(member.node, to: member.key, &spec)
      }
    }
    return spec
  }

  private static func add(_ node: Node, to key: String, _ spec: inout Podspec) {
    spec.add(texts(node), to: key)
    spec.add(node.members.map { ($0.key, $0.node.texts.compactMap(\.text)) }, to: key)
  }

  /// A text, the texts of a list, or the values of a map.
  private static func texts(_ node: Node) -> [String] {
    (node.texts + node.members.flatMap(\.node.texts)).compactMap(\.text)
  }
}
