import Documents
import Findings

/// What describes a package for the tool that installs it: its name and version, and where they stand.
struct PackageDescription: Sendable {
  enum Kind: String, Sendable, CaseIterable {
    // In the order in which their names count: what an app's developer installs comes first.
    case cordova = "plugin.xml"
    case flutter = "pubspec.yaml"
    case npm = "package.json"
    case pod = "podspec"
    case titanium = "manifest"
    case air = "extension.xml"

    /// Whether the host's own tools compile the sources of such a package, with what the host brings.
    var isBuiltByHost: Bool { self != .pod }

    /// Folders that a description lies in for the folder above: Titanium has one for each system, AIR one beside its build.
    var innerFolders: [String] {
      switch self {
      case .titanium: ["ios", "iphone", "android"]
      case .air: ["build", "ane", "extension"]
      default: []
      }
    }
  }

  struct Statement: Sendable {
    let text: String
    /// The file and, where it is known, the line.
    let place: String
  }

  let kind: Kind
  let path: String
  var name: Statement?
  var version: Statement?
  /// Where a version stands that a script computes.
  var computedVersion: String?

  /// The folder that it describes.
  var folder: String {
    let folder = PathText.folder(path)
    return kind.innerFolders.contains(PathText.name(folder)) ? PathText.folder(folder) : folder
  }

  /// Nil of a file that describes no package: one that is read by no such tool, or is no plugin's.
  init?(_ file: SourceTree.File, in tree: SourceTree) {
    guard !file.isFolder, let kind = PackageDescription.kind(file.name) else { return nil }
    self.kind = kind
    path = file.path
    var bytes = tree.bytes(file.path)
    // Some editors write a byte order mark.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    switch kind {
    case .npm: guard readJSON(bytes, isPackage: true) else { return nil }
    case .pod where file.name.utf8.suffix(5).elementsEqual(".json".utf8):
      guard readJSON(bytes, isPackage: false) else { return nil }
    case .pod:
      // CocoaPods asks that the file is called after the pod.
      name = Statement(text: String(file.name.dropLast(".podspec".count)), place: path)
      readPlain(PlainValues(bytes), name: "name", version: "version", of: .any, isQuoted: true)
    case .flutter: guard readPubspec(bytes) else { return nil }
    case .cordova: guard readXML(bytes, root: "plugin", name: "id", version: "version") else { return nil }
    case .air: guard readXML(bytes, root: "extension", name: "id", version: "versionNumber") else { return nil }
    case .titanium:
      let values = PlainValues(bytes)
      guard values.first(["moduleid"], isQuoted: false) != nil else { return nil }
      readPlain(values, name: "moduleid", version: "version", of: .none, isQuoted: false)
    }
  }

  private static func kind(_ name: String) -> Kind? {
    if name.hasSuffix(".podspec") || name.hasSuffix(".podspec.json") { return .pod }
    return Kind.allCases.first { $0.rawValue == name && $0 != .pod }
  }

  private mutating func take(
    name: String?, version: String?, line: (Node?) -> String = { _ in "" }, _ node: Node? = nil
  ) {
    if let name { self.name = Statement(text: name, place: path + line(node?["name"])) }
    guard let version else { return }
    let place = path + line(node?["version"])
    // 0.0.0 stands where a release puts the number in.
    if version.utf8.starts(with: "0.0.0".utf8) {
      computedVersion = place
    } else {
      self.version = Statement(text: version, place: place)
    }
  }

  private mutating func readJSON(_ bytes: [UInt8], isPackage: Bool) -> Bool {
    // One that cannot be read describes a package all the same: of which nothing is known.
    guard let node = try? JSONText.parse(bytes, name: path) else { return true }
    guard case .map = node.value else { return false }
    // A private package is its repository's own tool, and installed by nobody.
    if isPackage, node["private"]?.text == "true" || node["workspaces"] != nil || node["name"]?.text == nil {
      return false
    }
    take(name: node["name"]?.text, version: node["version"]?.text, line: PackageDescription.line, node)
    return true
  }

  private mutating func readPubspec(_ bytes: [UInt8]) -> Bool {
    guard let node = try? YAMLText.parse(bytes, name: path) else { return true }
    guard case .map = node.value, node["workspace"] == nil else { return false }
    take(name: node["name"]?.text, version: node["version"]?.text, line: PackageDescription.line, node)
    return node["name"]?.text != nil
  }

  private static func line(_ node: Node?) -> String { (node?.place.position?.line).map { ":\($0)" } ?? "" }

  private mutating func readXML(_ bytes: [UInt8], root: String, name: String, version: String) -> Bool {
    // Descriptions of plugins use prefixes that only the app's manifest declares.
    guard let tag = try? XMLEvents.readLeniently(bytes) else { return true }
    guard tag.name == root else { return false }
    func value(_ key: String) -> (text: String, line: Int)? {
      if let text = tag[key] { return (text, tag.position.line) }
      guard let child = tag.children.first(where: { $0.name == key }) else { return nil }
      return (String(child.text.trimmed), child.position.line)
    }
    if let found = value(name) { self.name = Statement(text: found.text, place: "\(path):\(found.line)") }
    if let found = value(version) { self.version = Statement(text: found.text, place: "\(path):\(found.line)") }
    return self.name != nil
  }

  private mutating func readPlain(
    _ values: PlainValues, name: String, version: String, of receiver: PlainValues.Receiver, isQuoted: Bool
  ) {
    if let found = values.first([name], of: receiver, isQuoted: isQuoted), case .text(let text) = found.value {
      self.name = Statement(text: text, place: "\(path):\(found.line)")
    }
    guard let found = values.first([version], of: receiver, isQuoted: isQuoted) else { return }
    switch found.value {
    case .text(let text): self.version = Statement(text: text, place: "\(path):\(found.line)")
    case .computed: computedVersion = "\(path):\(found.line)"
    }
  }
}
