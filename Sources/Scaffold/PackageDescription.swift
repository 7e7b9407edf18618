import Documents
import Findings

/// A description of a package for the tool that installs it: its name and version, and their places.
struct PackageDescription: Sendable {
  enum Kind: String, Sendable, CaseIterable {
    // The order is that of their names' priority: packages that an app's developer installs come first.
    case cordova = "plugin.xml"
    case flutter = "pubspec.yaml"
    case npm = "package.json"
    case pod = "podspec"
    case titanium = "manifest"
    case air = "extension.xml"

    /// Whether the host's own tools compile the sources of such a package, together with the host's code.
    var isBuiltByHost: Bool { self != .pod }

    /// Folders whose descriptions are for the folder above: Titanium has one for each system, AIR one beside its build.
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
    /// The file and, if it is known, the line.
    let place: String
  }

  let kind: Kind
  let path: String
  var name: Statement?
  var version: Statement?
  /// The place of a version that a script computes.
  var computedVersion: String?

  /// The folder that it describes.
  var folder: String {
    let folder = PathText.folder(path)
    return kind.innerFolders.contains(PathText.name(folder)) ? PathText.folder(folder) : folder
  }

  /// Nil if the file describes no plugin's package.
  init?(_ file: SourceTree.File, in tree: SourceTree) {
    guard !file.isFolder, let kind = PackageDescription.kind(file.name) else { return nil }
    self.kind = kind
    path = file.path
    var bytes = tree.bytes(file.path)
    // Some editors write a byte order mark.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    switch kind {
    case .npm:
      // A private package is a tool of its repository, and is never installed.
      let isPackage = read(try? JSONText.parse(bytes, name: path)) {
        $0["private"]?.text != "true" && $0["workspaces"] == nil && $0["name"]?.text != nil
      }
      guard isPackage else { return nil }
    case .pod where file.name.utf8.suffix(5).elementsEqual(".json".utf8):
      guard read(try? JSONText.parse(bytes, name: path), if: { _ in true }) else { return nil }
    case .pod:
      // CocoaPods requires the file to be named after the pod.
      name = Statement(text: String(file.name.dropLast(".podspec".count)), place: path)
      readPlain(PlainValues(bytes), name: "name", version: "version", of: .any, isQuoted: true)
    case .flutter:
      let node = try? YAMLText.parse(bytes, name: path)
      guard read(node, if: { $0["workspace"] == nil && $0["name"]?.text != nil }) else { return nil }
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

  /// Whether it describes a package. An unreadable one counts as one, because nothing is known of it.
  private mutating func read(_ node: Node?, if isPackage: (Node) -> Bool) -> Bool {
    guard let node else { return true }
    guard case .map = node.value, isPackage(node) else { return false }
    func statement(_ key: String) -> Statement? {
      guard let value = node[key], let text = value.text else { return nil }
      return Statement(text: text, place: path + (value.place.position.map { ":\($0.line)" } ?? ""))
    }
    name = statement("name")
    version = statement("version")
    // 0.0.0 is a placeholder that a release replaces.
    if let place = version?.place, version?.text.utf8.starts(with: "0.0.0".utf8) == true {
      (version, computedVersion) = (nil, place)
    }
    return true
  }

  private mutating func readXML(_ bytes: [UInt8], root: String, name: String, version: String) -> Bool {
    // Descriptions of plugins use prefixes that only the app's manifest declares.
    guard let tag = try? XMLEvents.readLeniently(bytes) else { return true }
    guard tag.name == root else { return false }
    func statement(_ key: String) -> Statement? {
      if let text = tag[key] { return Statement(text: text, place: "\(path):\(tag.position.line)") }
      return tag.children.first { $0.name == key }.map {
        Statement(text: String($0.text.trimmed), place: "\(path):\($0.position.line)")
      }
    }
    self.name = statement(name)
    self.version = statement(version)
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
