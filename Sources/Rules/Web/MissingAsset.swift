package import Artifacts
import Documents
package import Findings
import OrderedCollections

/// Every file that a page, a style sheet or a script names is in its bucket.
package enum MissingAsset: Rule {
  package static let id: RuleID = "missing-asset"
  package static let kinds: Set<ArtifactKind>? = [.webTemplates]
  package static let facts: [any Facts.Type] = [WebReferences.self]
  package static let parameters = [
    RuleParameter(name: "provided", kind: .list, summary: "names of files that the app has anyway, such as cordova.js")
  ]

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    let provided = Set((judging.lists["provided"] ?? []).map { Array($0.utf8) })
    return inventory.bucketsOrWhole.flatMap { bucket in
      let names = BucketNames(bucket)
      var missing: OrderedDictionary<[UInt8], (isOut: Bool, sites: [Place])> = [:]
      var findings: [Finding] = []
      for item in bucket.files {
        if let damage = item.damage {
          findings.append(finding(judging, "\(item.lastPart) cannot be read: \(damage)", at: inventory.site(item)))
        }
        guard let facts = item.facts(WebReferences.self) else { continue }
        var beginnings = Beginnings(facts, bucket.path(item), names)
        for reference in facts.references {
          guard let targets = Targets(reference, &beginnings), !targets.paths.contains(where: names.contains)
          else { continue }
          let name = targets.paths.first ?? reference.address.path
          if provided.contains(Array(name.suffix { $0 != UInt8(ascii: "/") })) { continue }
          missing[name, default: (targets.paths.isEmpty, [])].sites.append(inventory.site(item, reference))
        }
      }
      return findings
        + missing.map { name, found in
          Finding(
            id, judging.level, "\(text(name)) \(found.isOut ? "leads out of the bucket" : "is not in the bucket")",
            about: [text(name)], at: Array(found.sites.prefix(maxSites)), notes: more(found.sites),
            hint: hint(name, found.isOut, names)
          ).identified(by: [])
        }
    }
  }

  /// A finding shows only the first places.
  static let maxSites = 5

  static func more(_ sites: [Place]) -> [String] {
    sites.count > maxSites ? ["and in \(sites.count - maxSites) more places"] : []
  }

  /// An overlong name is shortened to its ends.
  private static func text(_ path: [UInt8]) -> String {
    let whole = String(decoding: path, as: UTF8.self)
    return path.count > 300 ? "\(whole.prefix(100))…\(whole.suffix(60))" : whole
  }

  private static func hint(_ name: [UInt8], _ isOut: Bool, _ names: BucketNames) -> String {
    if isOut { return "an app fetches what is in its bucket, and nothing beside it" }
    if let twin = names.twin(of: name) {
      return "the bucket has \(text(twin)): stores and devices tell these names apart"
    }
    return "add it to the templates, or take out what names it"
  }

  /// The folders in which relative addresses of a file may begin, with its page's base applied; nil if they cannot be
  /// known. They are computed once, because a file may have thousands of references.
  private struct Beginnings {
    let facts: WebReferences
    let own: [UInt8]
    let names: BucketNames

    init(_ facts: WebReferences, _ file: [UInt8], _ names: BucketNames) {
      self.facts = facts
      self.names = names
      own = BucketNames.folder(of: file)
    }

    /// The folders before the base is applied. Any page of the bucket may run a script or include a template.
    lazy var pages: [[UInt8]]? = {
      guard facts.language == .script || facts.language == .page && facts.isTemplate else { return [own] }
      guard let pages = names.pageFolders else { return nil }
      let others = pages.subtracting([own]).sorted { $0.lexicographicallyPrecedes($1) }
      return facts.language == .script && !pages.contains(own) ? others + [own] : [own] + others
    }()

    lazy var ofAssets: [[UInt8]]? = pages.flatMap { based($0) }
    lazy var ofModules: [[UInt8]]? = based([own])

    private func based(_ folders: [[UInt8]]) -> [[UInt8]]? {
      guard let base = facts.base, facts.language == .page else { return folders }
      guard base.scheme == nil, !base.hasHost, base.isKnown else { return nil }
      return folders.compactMap { base.resolvedFolder(in: $0) }
    }
  }

  /// The files of which at least one must exist.
  private struct Targets {
    /// Empty if all paths lead out of the bucket.
    var paths: [[UInt8]] = []

    /// Nil if no file of the bucket is meant, or the file cannot be known.
    init?(_ reference: WebReferences.Reference, _ beginnings: inout Beginnings) {
      let address = reference.address
      guard address.isOfFile else { return nil }
      var folders: [[UInt8]]?
      switch reference.use {
      case .mention: return nil
      case .template: folders = [beginnings.own, []]
      case .module:
        // A bare name is that of a package.
        guard address.isRooted || address.path.first == UInt8(ascii: ".") else { return nil }
        folders = address.isRooted ? [[]] : beginnings.ofModules
      case .asset, .link, .request:
        if reference.use == .link, !Targets.isPage(address.path) { return nil }
        // A server answers such an address.
        if reference.use == .request, address.isRooted || !Targets.hasEnding(address.path) { return nil }
        folders = address.isRooted ? beginnings.pages.map { _ in [[]] } : beginnings.ofAssets
      }
      guard let folders else { return nil }
      paths = folders.compactMap(address.resolved)
      if reference.use == .template {
        paths += paths.filter { !Targets.hasEnding($0) }.map { $0 + Array(".ejs".utf8) }
      }
    }

    private static func hasEnding(_ path: [UInt8]) -> Bool {
      path.suffix { $0 != UInt8(ascii: "/") }.contains(UInt8(ascii: "."))
    }

    /// The target of a link without such an ending is known only to the app.
    private static func isPage(_ path: [UInt8]) -> Bool {
      [".html", ".htm", ".xhtml", ".ejs", ".erb"].contains { path.suffix($0.utf8.count).elementsEqual($0.utf8) }
    }
  }
}

extension Array where Element == UInt8 {
  fileprivate func suffix(while isIn: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    self[(lastIndex { !isIn($0) }.map { $0 + 1 } ?? 0)...]
  }
}

extension WebAddress {
  /// The folder of the addressed file: `a/` and `a/b.html` are in `a/`.
  fileprivate func resolvedFolder(in folder: [UInt8]) -> [UInt8]? {
    guard let path = resolved(in: folder) else { return nil }
    if self.path.last == UInt8(ascii: "/") { return path.isEmpty ? [] : path + [UInt8(ascii: "/")] }
    return self.path.isEmpty ? folder : BucketNames.folder(of: path)
  }
}

extension Inventory {
  /// The place of a reference of an item: `Show-web.zip › 1.0/home.ejs:12:3`.
  func site(_ item: Item, _ reference: WebReferences.Reference) -> Place {
    var place = site(item)
    place.position = TextPosition(line: reference.line, column: reference.column, text: "")
    return place
  }
}
