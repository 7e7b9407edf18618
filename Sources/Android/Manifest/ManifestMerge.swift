import Artifacts
package import Documents
import Findings

extension AndroidManifest {
  /// Merges this manifest of a plugin with those of the libraries embedded in it, in their order, by the rules of
  /// Android's manifest merger: for an app the result is equal to all of them. `name` is the AAR's, for messages.
  /// `changed` is false if nothing came from the libraries, so that the plugin's own bytes stay.
  ///
  /// In a conflict the plugin's value stays, or the earlier library's. Instructions hold for libraries behind them.
  package func merging(
    _ others: [(name: String, manifest: AndroidManifest)]
  ) -> (merged: XMLTag, changed: Bool, conflicts: [ManifestConflict]) {
    var merger = ManifestMerger(self)
    for (name, manifest) in others { merger.merge(manifest, name: name) }
    merger.checkAuthorities()
    merger.tellRest()
    return (merger.changed ? merger.result : root, merger.changed, merger.conflicts)
  }
}

private struct ManifestMerger {
  private let plugin: AndroidManifest
  private var root: ManifestNode
  /// The packages of libraries whose minimum SDK does not count.
  private var overridden: Set<[UInt8]>
  private(set) var changed = false
  private(set) var conflicts: [ManifestConflict] = []
  private var counts: [ManifestConflict.Kind: Int] = [:]
  /// Conflicts of one kind beyond this number are only counted.
  private static let maxConflicts = 1000
  /// The package of the library that is being merged.
  private var package: String?

  init(_ plugin: AndroidManifest) {
    self.plugin = plugin
    root = ManifestNode(plugin.root, of: plugin.isApps ? .app : .plugin, package: plugin.package)
    overridden = Set(root.children.filter { $0.tag.name == "uses-sdk" }.flatMap(\.overridden))
  }

  /// The merged tree, with the application last, as it is usual.
  var result: XMLTag {
    var tag = root.merged
    tag.children = tag.children.filter { $0.name != "application" } + tag.children.filter { $0.name == "application" }
    return tag
  }

  mutating func merge(_ manifest: AndroidManifest, name: String) {
    package = manifest.package
    let library = ManifestNode(manifest.root, of: .library(name), package: manifest.package)
    if manifest.package == nil { refuseRelative(library) }
    checkMinimum(manifest, name)
    var tree = root
    mergeChildren(&tree, library)
    root = tree
    for child in library.children where child.tag.name == "uses-sdk" { overridden.formUnion(child.overridden) }
    addImplied(manifest, name)
  }

  private mutating func add(_ kind: ManifestConflict.Kind, _ conflict: @autoclosure () -> ManifestConflict) {
    let count = counts[kind, default: 0]
    counts[kind] = count + 1
    if count < Self.maxConflicts { conflicts.append(conflict()) }
  }

  /// Adds the number of conflicts that are not listed.
  mutating func tellRest() {
    for (kind, count) in counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) where count > Self.maxConflicts {
      guard let last = conflicts.last(where: { $0.kind == kind }) else { continue }
      conflicts.append(
        .init(
          kind: kind, site: last.site, otherSite: last.otherSite, subject: "more",
          description: "there are \(count - Self.maxConflicts) more conflicts like those above",
          hint: "mend these first, or leave out one of the libraries"))
    }
  }

  // MARK: Elements

  private mutating func mergeChildren(_ node: inout ManifestNode, _ lower: ManifestNode) {
    // An element that may occur only once is merged with the first one, or all are added.
    let before = node.index
    for child in lower.children where child.isForeign || child.tag.name != "uses-sdk" {
      if let first = node.firsts[Array(child.tag.name.utf8)], !child.isForeign,
        node.children[first].operation(for: package) == .removeAll
      {
        continue
      }
      let rule = ManifestModel.rule(child, in: node.tag.name)
      let isMerged = rule?.isMerged == true
      if let key = rule?.key, let place = (isMerged && key.isSingle ? before : node.index)[key] {
        if isMerged {
          mergeElement(&node.children[place], child)
          continue
        }
        let operation = combine(&node.children[place], child)
        if operation == .remove || operation == .replace { continue }
      }
      if isMerged || !node.forms.contains(child.form) { add(child, to: &node) }
    }
  }

  private mutating func add(_ child: ManifestNode, to node: inout ManifestNode) {
    node.append(child)
    if !child.isGhost { changed = true }
  }

  /// The action for the other element. Its own instruction holds for later elements.
  private func combine(_ node: inout ManifestNode, _ lower: ManifestNode) -> ManifestNode.Operation {
    var operation = node.operation(for: package)
    guard let other = lower.operation else { return operation }
    if operation == .merge, other == .remove || other == .removeAll { operation = .replace }
    node.operation = other
    return operation
  }

  private mutating func mergeElement(_ node: inout ManifestNode, _ lower: ManifestNode) {
    switch combine(&node, lower) {
    case .merge:
      mergeAttributes(&node, lower)
      mergeChildren(&node, lower)
    case .mergeOnlyAttributes: mergeAttributes(&node, lower)
    case .replace, .remove, .removeAll: break
    case .strict:
      guard node.form != lower.form else { return }
      let element = ManifestConflict.words(lower)
      add(
        .element,
        .init(
          kind: .element, site: node.site, otherSite: lower.site, subject: element,
          description: "\(element) is said to be strict \(node.site), and is different \(lower.site)",
          hint: "make both equal, or remove tools:node=\"strict\""))
    }
  }

  // MARK: Attributes

  private mutating func mergeAttributes(_ node: inout ManifestNode, _ lower: ManifestNode) {
    for value in lower.values {
      let identity = ManifestNode.identity(value.name, value.namespace)
      let policy = ManifestModel.policy(value, of: node.tag)
      if case .never = policy { continue }
      if let own = node[identity] {
        guard !node.replaced.contains(identity) else { continue }
        mergeValue(&node, own, value, policy)
      } else if !node.removed.contains(identity) {
        switch policy {
        // A missing attribute counts as true.
        case .either where !Self.isTrue(value.text): continue
        case .first(let implied?) where !implied.utf8.elementsEqual(value.text.utf8): continue
        default:
          node.set(value)
          if !node.isGhost { changed = true }
        }
      }
    }
    for own in node.values {
      let identity = ManifestNode.identity(own.name, own.namespace)
      guard case .either = ManifestModel.policy(own, of: node.tag), lower[identity] == nil,
        !node.replaced.contains(identity)
      else { continue }
      change(&node, own, to: Self.isTrue(own.text) ? own.text : "true", at: lower.site)
    }
    node.replaced.formUnion(lower.replaced)
    node.removed.formUnion(lower.removed)
  }

  private mutating func mergeValue(
    _ node: inout ManifestNode, _ own: ManifestNode.Value, _ other: ManifestNode.Value, _ policy: ManifestModel.Policy
  ) {
    guard !own.meaning.utf8.elementsEqual(other.meaning.utf8) else { return }
    switch policy {
    case .first, .never: return
    case .either where Self.isTrue(own.text): return
    case .either where Self.isTrue(other.text): return change(&node, own, to: "true", at: other.site)
    case .either where !own.text.contains("${") && !other.text.contains("${"): return
    case .flags:
      let flags = own.text.split(separator: "|")
      let known = Set(flags)
      let more = other.text.split(separator: "|").filter { !known.contains($0) }
      if !more.isEmpty { change(&node, own, to: (flags + more).joined(separator: "|"), at: other.site) }
    case .strict, .either:
      if !node.isGhost { add(.attribute, .attribute(node, own, other)) }
    }
  }

  private mutating func change(
    _ node: inout ManifestNode, _ own: ManifestNode.Value, to text: String, at site: ManifestConflict.Site
  ) {
    guard !own.text.utf8.elementsEqual(text.utf8) else { return }
    node.set(.init(name: own.name, namespace: own.namespace, text: text, meaning: text, site: site))
    if !node.isGhost { changed = true }
  }

  private static func isTrue(_ text: String) -> Bool { ["true", "True", "TRUE"].contains(text) }

  // MARK: The system's version

  private mutating func checkMinimum(_ manifest: AndroidManifest, _ name: String) {
    let (own, other) = (plugin.minSDK ?? "1", manifest.minSDK ?? "1")
    guard !own.utf8.elementsEqual(other.utf8), !overridden.contains(Array((manifest.package ?? "").utf8)) else {
      return
    }
    // A code name stands for a preview, which is newer than any numbered level.
    if let level = AndroidManifest.level(other), level <= AndroidManifest.level(own) ?? .max { return }
    let site = ManifestConflict.Site(
      owner: root.site.owner, position: (plugin.minimum ?? plugin.usesSDK ?? plugin.root).position)
    let otherSite = ManifestConflict.Site(
      owner: .library(name), position: (manifest.minimum ?? manifest.usesSDK ?? manifest.root).position)
    let override = manifest.package.map { ", or add tools:overrideLibrary=\"\($0)\" to <uses-sdk> there" } ?? ""
    conflicts.append(
      .init(
        kind: .minimumSDK, site: site, otherSite: otherSite, subject: "minSdkVersion",
        description: "minSdkVersion is '\(printable(own))' \(site), but '\(printable(other))' \(otherSite): "
          + "the library may call what the older system does not have",
        hint: "set android:minSdkVersion=\"\(printable(other))\" in your manifest, take an older version of "
          + printable(name) + override))
  }

  /// Permissions that the first systems granted unasked. The app's merger adds them for a library of that time only.
  private mutating func addImplied(_ manifest: AndroidManifest, _ name: String) {
    // The merger looks at the first element only.
    func level(_ tag: XMLTag?) -> Int? {
      let names = ["targetSdkVersion", "minSdkVersion"]
      return AndroidManifest.level(names.lazy.compactMap { tag?[$0, namespace: AndroidManifest.android] }.first ?? "1")
    }
    let (own, other) = (level(plugin.usesSDK), level(manifest.usesSDK))
    guard let own, let other, own > other, own >= 4 else { return }
    func asks(_ permission: String) -> Bool {
      manifest.root.children.contains {
        $0.name == "uses-permission" && $0["name", namespace: AndroidManifest.android] == Self.permission(permission)
      }
    }
    var implied: [String] = []
    if other < 4 { implied += ["WRITE_EXTERNAL_STORAGE", "READ_PHONE_STATE"] }
    if other < 4 || asks("WRITE_EXTERNAL_STORAGE") { implied.append("READ_EXTERNAL_STORAGE") }
    if own >= 16, other < 16, asks("READ_CONTACTS") { implied.append("READ_CALL_LOG") }
    if own >= 16, other < 16, asks("WRITE_CONTACTS") { implied.append("WRITE_CALL_LOG") }
    for permission in implied {
      let tag = XMLTag(
        name: "uses-permission", namespace: "",
        attributes: [.init(name: "name", namespace: AndroidManifest.android, value: Self.permission(permission))],
        prefixes: manifest.root.prefixes, position: manifest.root.position)
      let node = ManifestNode(tag, of: .library(name), package: nil)
      guard let key = ManifestModel.rule(node, in: "manifest")?.key, root.index[key] == nil else { continue }
      root.append(node)
      changed = true
    }
  }

  private static func permission(_ name: String) -> String { "android.permission.\(name)" }

  // MARK: Checks of the whole

  /// Refuses relative names in a library's manifest without a package, because their meaning is not known.
  private mutating func refuseRelative(_ node: ManifestNode) {
    let own = plugin.root.position
    for attribute in node.tag.attributes
    where ManifestModel.isClass(attribute, of: node.tag) && ManifestModel.isRelative(attribute.value) {
      let element = ManifestConflict.words(node)
      add(
        .element,
        .init(
          kind: .element, site: node.site, otherSite: .init(owner: node.site.owner, position: own),
          subject: "\(element) \(attribute.value)",
          description: "\(element) \(node.site) has the relative class name '\(printable(attribute.value))', and the "
            + "manifest does not say its package",
          hint: "add package=\"…\" to the <manifest> of the library, or write the class name out there"))
    }
    for child in node.children { refuseRelative(child) }
  }

  mutating func checkAuthorities() {
    var claims: [[UInt8]: ManifestNode] = [:]
    for application in root.children where application.tag.name == "application" {
      for provider in application.children
      where provider.tag.name == "provider" && provider.tag["node", namespace: AndroidManifest.tools] != "remove" {
        for authority in provider["authorities"]?.text.split(separator: ";") ?? [] {
          guard let first = claims[Array(authority.utf8)] else {
            claims[Array(authority.utf8)] = provider
            continue
          }
          let isSame = first["name"]?.meaning == provider["name"]?.meaning
          let sites = (first["authorities"]?.site ?? first.site, provider["authorities"]?.site ?? provider.site)
          if !isSame, sites.0.name != nil || sites.1.name != nil {
            add(.authority, .authority(String(authority), (first, sites.0), (provider, sites.1)))
          }
        }
      }
    }
  }
}
