import Documents
package import Findings
import Store
package import SystemPackage

/// The versions that a package manager has chosen for an app: `Podfile.lock`, `Package.resolved` or `gradle.lockfile`.
package struct LockFile: Sendable {
  package enum Manager: String, Sendable, CaseIterable {
    case cocoaPods = "CocoaPods"
    case swiftPM = "SwiftPM"
    case gradle = "Gradle"

    /// By the name of its file; nil for all other files.
    package init?(of path: FilePath) {
      let name = path.lastComponent?.string
      guard let manager = Manager.allCases.first(where: { $0.fileName == name }) else { return nil }
      self = manager
    }

    package var fileName: String {
      switch self {
      case .cocoaPods: "Podfile.lock"
      case .swiftPM: "Package.resolved"
      case .gradle: "gradle.lockfile"
      }
    }

    package var isForAndroid: Bool { self == .gradle }
  }

  package struct Package: Sendable {
    /// `OpenSSL-Universal`, `openssl`, `com.squareup.okio:okio`.
    package let name: String
    /// A branch or a commit of a package that has no version.
    package let version: String
    package let place: Place
  }

  package let manager: Manager
  package let path: String
  /// In the file's order.
  package let packages: [Package]

  /// Reads a file of at most a few megabytes.
  package init(_ path: FilePath, _ manager: Manager) throws(Mistakes) {
    let bytes = try explained { try FileSystem.read(path, limit: YAMLText.maxBytes) }
    try self.init(bytes, name: path.string, manager)
  }

  package init(_ bytes: [UInt8], name: String, _ manager: Manager) throws(Mistakes) {
    self.manager = manager
    path = name
    packages =
      switch manager {
      case .cocoaPods: try LockFile.pods(try YAMLText.parse(bytes, name: name))
      case .swiftPM: try LockFile.pins(try JSONText.parse(bytes, name: name))
      case .gradle: try LockFile.modules(bytes, name)
      }
  }

  private static func mistake(_ message: String, at place: Place, _ manager: Manager) -> Mistakes {
    Mistakes("not a \(manager.fileName): \(message)", at: place, hint: "let \(manager.rawValue) write it again")
  }

  // MARK: CocoaPods

  /// `PODS` is a list of `NAME (VERSION)` or, for a pod that needs others, of a map from that to a list.
  private static func pods(_ root: Node) throws(Mistakes) -> [Package] {
    guard let pods = root["PODS"] else {
      // A Podfile without pods has a lock file, too.
      if root["COCOAPODS"] != nil { return [] }
      throw mistake("there is no list of PODS in it", at: root.place, .cocoaPods)
    }
    guard let list = pods.list else { throw mistake("PODS is \(pods.kindName)", at: pods.place, .cocoaPods) }
    var packages: [Package] = []
    var seen: Set<Substring> = []
    for item in list {
      let key = item.members.count == 1 ? item.members.first : nil
      let parts = (item.text ?? key?.key ?? "").unicodeScalars.split(separator: "(", maxSplits: 1)
      guard parts.count == 2, parts[1].last == ")" else {
        throw mistake("a pod is written as 'NAME (VERSION)'", at: item.place, .cocoaPods)
      }
      // A subspec is a part of its pod: `Firebase/Core`.
      let name = Substring(parts[0].prefix { $0 != "/" }).trimmed
      guard seen.insert(name).inserted else { continue }
      packages.append(
        Package(name: String(name), version: String(parts[1].dropLast()), place: key?.keyPlace ?? item.place))
    }
    return packages
  }

  // MARK: SwiftPM

  /// `{"version": 2, "pins": [{"identity", "state": {"version"}}]}`; version 1 has them in `object`, by `package`.
  private static func pins(_ root: Node) throws(Mistakes) -> [Package] {
    let version = root["version"]?.text ?? ""
    guard ["1", "2", "3"].contains(version) else {
      let problem = version.isEmpty ? "it has no version" : "its version is \(version), and 1, 2 and 3 are known"
      throw mistake(problem, at: root["version"]?.place ?? root.place, .swiftPM)
    }
    guard let pins = (version == "1" ? root["object"]?["pins"] : root["pins"])?.list else {
      throw mistake("there is no list of pins in it", at: root.place, .swiftPM)
    }
    var packages: [Package] = []
    for pin in pins {
      guard let name = pin[version == "1" ? "package" : "identity"], let text = name.text,
        let chosen = ["version", "branch", "revision"].lazy.compactMap({ pin["state"]?[$0]?.text }).first
      else { throw mistake("a pin has a name, and a version, branch or revision", at: pin.place, .swiftPM) }
      packages.append(Package(name: text, version: chosen, place: name.place))
    }
    return packages
  }

  // MARK: Gradle

  /// A line is `group:name:version=configuration,…`; `empty=…` lists configurations without modules.
  private static func modules(_ bytes: [UInt8], _ name: String) throws(Mistakes) -> [Package] {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw mistake("it is not UTF-8 text", at: Place(name), .gradle)
    }
    var packages: [Package] = []
    let lines = text.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "\n" }
    for (index, scalars) in lines.enumerated() {
      let line = String(Substring(scalars).trimmed)
      if line.isEmpty || line.utf8.first == UInt8(ascii: "#") { continue }
      let position = TextPosition(line: index + 1, column: 1, length: line.count, text: String(line.prefix(250)))
      let place = Place(name, position: position)
      let sides = line.unicodeScalars.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let parts = sides[0].split(separator: ":", omittingEmptySubsequences: false).map { String($0) }
      guard sides.count == 2, parts == ["empty"] || parts.count == 3 else {
        throw mistake("a line is written as 'group:name:version=configurations'", at: place, .gradle)
      }
      guard parts.count == 3, sides[1].split(separator: ",").contains(where: isOfApp) else { continue }
      packages.append(Package(name: "\(parts[0]):\(parts[1])", version: parts[2], place: place))
    }
    return packages
  }

  /// Whether Gradle puts the modules of a configuration into the app, and not only into tests or tools.
  private static func isOfApp(_ configuration: Substring.UnicodeScalarView) -> Bool {
    let name = String(configuration)
    return name.hasSuffix("untimeClasspath") && !name.hasPrefix("test") && !name.hasSuffix("TestRuntimeClasspath")
  }
}
