import Archives
import Artifacts
import Documents
import Findings
import ObjectFiles
import Store
import SystemPackage

/// Makes the `Info.plist` of an app extension.
///
/// Sources: Apple's Information Property List Key Reference, and Xcode's templates for extensions.
enum InfoPlist {
  struct Facts {
    let name: String
    let executable: String
    let version: String
    /// `12.0`; nil if the executable does not say.
    let minimumOS: String?
    let app: ContainingApp?
  }

  static func ofExtension(_ own: AppExtensionFile.Own, _ facts: Facts, at place: Place) throws(Mistakes) -> PropertyList
  {
    // An identifier with a variable of Xcode is not known here.
    let ofApp = facts.app?.text("CFBundleIdentifier").map { "\($0).\(facts.name)" }
    guard let identifier = own.identifier ?? ofApp else {
      throw Mistakes(
        "the bundle identifier is not known", at: place,
        hint: "set 'identifier', or 'app' to an app whose Info.plist has one")
    }
    var entries: [String: PropertyList] = ["NSExtensionPointIdentifier": .text(own.point)]
    if let name = own.className { entries["NSExtensionPrincipalClass"] = .text(name) }
    if let name = own.storyboard { entries["NSExtensionMainStoryboard"] = .text(name) }
    var list: [String: PropertyList] = [
      "CFBundleDevelopmentRegion": .text("en"),
      "CFBundleDisplayName": .text(facts.name),
      "CFBundleExecutable": .text(facts.executable),
      "CFBundleIdentifier": .text(identifier),
      "CFBundleInfoDictionaryVersion": .text("6.0"),
      "CFBundleName": .text(facts.name),
      "CFBundlePackageType": .text("XPC!"),
      "CFBundleShortVersionString": .text(facts.app?.text("CFBundleShortVersionString") ?? facts.version),
      "CFBundleSupportedPlatforms": .list([.text("iPhoneOS")]),
      "CFBundleVersion": .text(facts.app?.text("CFBundleVersion") ?? facts.version),
      "NSExtension": .map(entries),
      "UIDeviceFamily": .list([.integer(1), .integer(2)]),
    ]
    if let minimum = facts.minimumOS { list["MinimumOSVersion"] = .text(minimum) }
    return .map(list)
  }

  /// The map that a declaration merges into its `Info.plist`; empty without one.
  static func merged(_ declaration: Manifest.Declaration, _ notes: inout PackNotes) -> PropertyList {
    guard let node = declaration.node["info"] else { return .map([:]) }
    if case .map = node.value { return value(node) }
    notes.refuse("'info' of '\(declaration.name)' is \(node.kindName), and must be a map", at: node.place)
    return .map([:])
  }

  static func xml(_ list: PropertyList, at place: Place) throws(Mistakes) -> [UInt8] {
    do throws(PropertyList.Damage) { return try list.xml() } catch {
      throw Mistakes("Info.plist cannot be written: \(error.reason)", at: place)
    }
  }

  /// A value of a manifest. `true`, `false` and whole numbers keep their types, unless they are quoted or the key is of
  /// a text.
  static func value(_ node: Node, key: String = "") -> PropertyList {
    switch node.value {
    case .null: return .map([:])
    case .list(let items): return .list(items.map { value($0, key: key) })
    case .map(let members):
      return .map(Dictionary(members.map { ($0.key, value($0.node, key: $0.key)) }, uniquingKeysWith: { $1 }))
    case .text(let text):
      // A version is a text, and looks like a number.
      let isText = node.isQuoted || key.hasSuffix("Version") || key.hasSuffix("VersionString")
      if isText { return .text(text) }
      if text == "true" || text == "false" { return .flag(text == "true") }
      return Int(text).map(PropertyList.integer) ?? .text(text)
    }
  }

  /// The files that are read of an app. Its sources are not among them.
  static func appInputs(_ node: Node) -> [Node] {
    let text = node.text ?? ""
    let besides = "*.entitlements,embedded.mobileprovision"
    if text.hasSuffix(".plist") {
      let name = String(text.lastPathPart)
      // A name that would mean something in a pattern is the only file then.
      if name.utf8.contains(where: "*?[]{},!\\".utf8.contains) { return [node] }
      return [Node(.text("\(text.dropLast(name.count)){\(name),\(besides)}"), at: node.place)]
    }
    let folder = text.hasSuffix("/") ? String(text.dropLast()) : text
    return [Node(.text("\(folder)/{*Info.plist,\(besides)}"), at: node.place)]
  }

  static func path(_ text: String, at place: Place) throws(Mistakes) -> EntryPath {
    do throws(EntryPathError) { return try EntryPath(Array(text.utf8)) } catch {
      throw Mistakes("'\(text)' cannot be packed: \(error)", at: place)
    }
  }

  /// The minimum version of iOS of an executable, such as `12.0`; nil if it has none or is damaged, which rules report.
  static func minimumOS(_ path: FilePath) throws -> String? {
    try EntryBytes(of: path).withReader { reader in
      let versions = ObjectUnits(reader).units.compactMap { unit -> [BuildVersion]? in
        guard let object = try? reader.slice(unit.range, "object file") else { return nil }
        return try? MachOFile(object).buildVersions(object)
      }
      return versions.joined().first?.minimumOS.description
    }
  }
}
