import Android
import Documents
import Findings

/// What the first description that says any puts into the app's AndroidManifest.xml.
struct ManifestAdditions: Sendable {
  /// Of the description.
  let path: String
  private let all: [ManifestAddition]

  init(_ survey: TreeSurvey) {
    let description = survey.descriptions.first { !$0.manifestAdditions.isEmpty }
    path = description?.path ?? ""
    all = description?.manifestAdditions ?? []
  }

  /// Those that can stand in a library's manifest.
  var possible: [ManifestAddition] { all.filter { $0.obstacle == nil } }

  // MARK: - A manifest with them

  /// In lines of ASCII without an apostrophe: no text of the tree ends a quote of the shell.
  func manifest(_ package: String, minimum: String?) -> [String] {
    guard let start = possible.first?.element.position else { return [ManifestAdditions.short(package, minimum)] }
    func tag(_ name: String, _ attributes: [XMLTag.Attribute] = []) -> XMLTag {
      XMLTag(name: name, namespace: "", attributes: attributes, prefixes: [:], position: start)
    }
    var root = tag("manifest", [.init(name: "package", namespace: "", value: package)])
    if let minimum {
      root.children.append(
        tag("uses-sdk", [.init(name: "minSdkVersion", namespace: AndroidManifest.android, value: minimum)]))
    }
    root.children += possible.filter { $0.parent == .manifest }.map(\.element)
    var application = tag("application")
    application.children = possible.filter { $0.parent == .application }.map(\.element)
    if !application.children.isEmpty { root.children.append(application) }
    let text = String(decoding: XMLWriter.write(root), as: UTF8.self)
    return text.split(separator: "\n").map { line in
      line.unicodeScalars.map { scalar in
        let isPlain = (0x20...0x7E).contains(scalar.value) && scalar != "'"
        return isPlain ? String(scalar) : "&#\(scalar.value);"
      }.joined()
    }
  }

  private static func short(_ package: String, _ minimum: String?) -> String {
    guard let minimum else { return "<manifest package=\"\(package)\"/>" }
    return "<manifest xmlns:android=\"\(AndroidManifest.android)\" package=\"\(package)\">"
      + "<uses-sdk android:minSdkVersion=\"\(minimum)\"/></manifest>"
  }

  // MARK: - What is in none

  /// Those that no library's manifest can have.
  var obstacles: [String] {
    var order: [String] = []
    for reason in all.compactMap(\.obstacle) where !order.contains(reason) { order.append(reason) }
    return order.flatMap { reason in lines(all.filter { $0.obstacle == reason }, reason) }
  }

  func notes(reason: String) -> [String] { lines(possible, reason) + obstacles }

  func notes(missingIn file: AndroidManifestFile) -> [String] {
    let known = Set((file.content?.root).map(ManifestAdditions.titles) ?? [])
    return lines(possible.filter { !known.contains($0.title) }, "add what the plugin needs of it to \(file.path)")
      + obstacles
  }

  private static func titles(_ root: XMLTag) -> [String] {
    let inside = root.children.filter { $0.name == "application" }.flatMap(\.children)
    return (root.children + inside).map(ManifestAddition.title)
  }

  private func lines(_ additions: [ManifestAddition], _ reason: String) -> [String] {
    guard !additions.isEmpty else { return [] }
    let names = additions.prefix(8).map(\.title).joined(separator: ", ")
    let rest = additions.count > 8 ? " and \(additions.count - 8) more" : ""
    return ["of \(path), in no manifest: \(names)\(rest): \(reason)"]
  }
}

/// An element that a description puts into the app's AndroidManifest.xml.
struct ManifestAddition: Sendable {
  enum Parent: Sendable { case manifest, application }

  /// `uses-permission android.permission.CAMERA`
  let title: String
  let parent: Parent
  /// As a library's manifest has it.
  let element: XMLTag
  /// Why none can have it.
  let obstacle: String?

  /// What a platform of plugin.xml puts there, each once. What it says of the SDK is read by itself.
  static func all(of platform: XMLTag) -> [ManifestAddition] {
    var found: [ManifestAddition] = []
    var seen: Set<[UInt8]> = []
    for tag in platform.children where tag["target"]?.split(separator: "/").last == "AndroidManifest.xml" {
      guard ["config-file", "edit-config"].contains(tag.name) else { continue }
      for child in tag.children where child.name != "uses-sdk" {
        let addition = ManifestAddition(child, parent: tag.name == "config-file" ? tag["parent"] ?? "" : nil)
        if seen.insert(XMLWriter.write(addition.element)).inserted { found.append(addition) }
      }
    }
    return found
  }

  /// Of a `config-file` with that parent, which is an XPath, or of an `edit-config`, which has none here.
  init(_ tag: XMLTag, parent: String?) {
    let variable = ManifestAddition.variable(tag)
    title = ManifestAddition.title(tag) + (variable.map { " (\($0))" } ?? "")
    let place = parent.flatMap(ManifestAddition.place)
    self.parent = place ?? .manifest
    let clean = ManifestAddition.clean(tag)
    element = clean ?? tag
    if place == nil || tag.name == "application" {
      obstacle = "it changes what the app has there: tell those who build the app"
    } else if clean == nil {
      obstacle = "a name in it has a prefix that is not Android's"
    } else if variable != nil {
      obstacle = "a variable in it is the app's to say: it belongs into the app's own manifest"
    } else if tag.android("name")?.hasPrefix(".") == true {
      obstacle = "its class is named by the app's package: name it in full"
    } else {
      obstacle = nil
    }
  }

  static func title(_ tag: XMLTag) -> String {
    let name = tag.android("name").map { " " + $0 } ?? ""
    return printable(String((tag.name + name).prefix(120)))
  }

  private static func place(_ path: String) -> Parent? {
    let parts = path.split(separator: "/").filter { $0 != "." }
    if parts.isEmpty || parts == ["*"] || parts == ["manifest"] { return .manifest }
    return parts == ["application"] || parts == ["manifest", "application"] || parts == ["*", "application"]
      ? .application : nil
  }

  /// With Android's namespaces alone, declared or not; nil if there are others.
  private static func clean(_ tag: XMLTag) -> XMLTag? {
    guard isPlain(tag.name), tag.namespace == tag.prefixes[""] ?? "" else { return nil }
    var attributes: [XMLTag.Attribute] = []
    for attribute in tag.attributes {
      var (name, namespace) = (attribute.name, attribute.namespace)
      for (prefix, known) in [("android:", AndroidManifest.android), ("tools:", AndroidManifest.tools)]
      where namespace.isEmpty && name.hasPrefix(prefix) {
        (name, namespace) = (String(name.dropFirst(prefix.count)), known)
      }
      guard isPlain(name), ["", AndroidManifest.android, AndroidManifest.tools].contains(namespace) else { return nil }
      attributes.append(.init(name: name, namespace: namespace, value: attribute.value))
    }
    var copy = XMLTag(
      name: tag.name, namespace: "", attributes: attributes, prefixes: [:], position: tag.position)
    for child in tag.children {
      guard let clean = clean(child) else { return nil }
      copy.children.append(clean)
    }
    return copy
  }

  private static func isPlain(_ name: String) -> Bool {
    name.utf8.allSatisfy { byte in
      byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") || "0123456789_.-".utf8.contains(byte)
    }
  }

  /// `$API_KEY`, which Cordova asks whoever installs the plugin; `${applicationId}` is Gradle's and may stay.
  private static func variable(_ tag: XMLTag) -> String? {
    var left = [tag]
    while let tag = left.popLast() {
      for attribute in tag.attributes {
        if let match = attribute.value.firstMatch(of: #/\$[A-Za-z_]\w*/#) { return printable(String(match.0)) }
      }
      left += tag.children
    }
    return nil
  }
}

extension XMLTag {
  /// The value of an attribute of Android's, whose prefix may not be declared.
  func android(_ name: String) -> String? {
    attributes.first {
      $0.name == name && $0.namespace == AndroidManifest.android || $0.name == "android:" + name
    }?.value
  }
}
