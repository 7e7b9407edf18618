import Android
import Archives
import Artifacts
import BuildEngine
import Documents
import Findings
import Store
import SystemPackage

// The manifest, the resources and the tables of their names.
extension AARBuilder {
  /// Nil, and a mistake, if the manifest cannot be read.
  mutating func addManifest() throws -> AndroidManifest? {
    // Anything that could not be read was reported before.
    guard let (own, bytes, name, site, place) = try unedited() else { return nil }
    let manifest: AndroidManifest
    do throws(UnreadableEntry) { manifest = try own.applying(action.edit) } catch {
      notes.refuse("\(name): \(error.reason)", at: place)
      return nil
    }
    guard let package = manifest.package, !package.isEmpty else {
      notes.refuse(
        "\(name) names no package: an AAR's R class is in it", at: place,
        hint: "namespace: com.example.plugin beside 'manifest', or package=\"com.example.plugin\" in <manifest>")
      return nil
    }
    let others = embedded.drop { $0.isBase }
    let unmerged = action.edit.isEmpty ? bytes : manifest.text
    try add("AndroidManifest.xml".utf8, bytes: merged(manifest, name, others) ?? unmerged, .manifest, at: site)
    return manifest
  }

  /// The plugin's own manifest, the one of the base, or one that says nothing but the namespace.
  private mutating func unedited() throws
    -> (manifest: AndroidManifest, bytes: [UInt8], name: String, site: Place?, place: Place?)?
  {
    guard let thing = things("manifest").first else {
      if let namespace = action.edit.namespace {
        let manifest = AndroidManifest(namespace: namespace)
        return (manifest, manifest.text, "the manifest", nil, nil)
      }
      guard let base = embedded.first, base.isBase else { return nil }
      return (base.manifest, base.manifestText, base.name, base.site("AndroidManifest.xml"), base.place)
    }
    guard let file = thing.files.first, !thing.isFolder else {
      notes.refuse("'manifest' must be a file", at: thing.place)
      return nil
    }
    let bytes = try read(file, at: thing.place)
    do throws(UnreadableEntry) {
      return (try AndroidManifest(bytes), bytes, file.path.string, nil, thing.place)
    } catch {
      notes.refuse("\(file.path): \(error.reason)", at: thing.place)
      return nil
    }
  }

  /// The manifest merged with those of the embedded AARs; nil if that changes nothing.
  private mutating func merged(
    _ manifest: AndroidManifest, _ name: String, _ embedded: ArraySlice<EmbeddedAAR>
  ) -> [UInt8]? {
    let merge = manifest.merging(embedded.map { ($0.name, $0.manifest) })
    for conflict in merge.conflicts {
      notes.clash(
        conflict.rule, conflict.description, about: conflict.subject, at: conflict.places(own: name),
        hint: conflict.hint, edit: conflict.edit)
    }
    noteImpliedPermissions(merge.merged, [manifest] + embedded.map(\.manifest))
    return merge.changed ? XMLWriter.write(merge.merged) : nil
  }

  /// Old systems granted some permissions unasked, and the merger adds them for libraries that target those systems.
  private mutating func noteImpliedPermissions(_ merged: XMLTag, _ manifests: [AndroidManifest]) {
    let asked = Set(manifests.flatMap { $0.root.permissions })
    let prefix = "android.permission."
    let implied = merged.permissions.filter { !asked.contains($0) }.map {
      $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0
    }
    guard !implied.isEmpty else { return }
    remarks.append(
      "the manifest asks for \(implied.sorted().joined(separator: ", ")) too: an embedded AAR says no newer "
        + "targetSdkVersion, and old Android gave them unasked")
  }

  mutating func addResources(package: String?) throws {
    var sources = ResourceSources()
    for (named, file, thing) in files("res") {
      if ResourceFile.isPassedOver(named) {
        notes.leftOut.count("file in res that Android's tools pass over")
        continue
      }
      let inside = named.numbered { sources.has($0) }
      guard let path = notes.path(Array("res/".utf8) + inside, of: file, at: thing.place) else { continue }
      add(path, file, .resources)
      sources.add(inside, ResourceFile.isRead(inside) ? try read(file, at: thing.place) : [], file)
    }
    let own = ResourceLibrary(sources.files, package: package, isDependency: false)
    for problem in own.resources.problems { notes.refuse(problem.reason, at: sources.place(of: problem.site)) }
    try addEmbeddedResources(own, sources)
  }

  /// Packs the resources of each embedded AAR, without those that the plugin or an AAR before it defines.
  private mutating func addEmbeddedResources(_ own: ResourceLibrary, _ sources: ResourceSources) throws {
    var earlier: [(library: ResourceLibrary, place: (ResourceSite) -> Place)] = [(own, sources.place)]
    for aar in embedded {
      let whole = ResourceLibrary(try aar.resourceFiles(spool), package: aar.package, isDependency: true)
      for problem in whole.resources.problems {
        notes.refuse("\(aar.site("res/\(problem.site)")): \(problem.reason)", at: aar.place)
      }
      let place = { (site: ResourceSite) in aar.site("res/\(site)") }
      report(whole.repetitions, place, place)
      for (library, first) in earlier { report(library.clashes(with: whole), first, place) }
      earlier.append((whole.pruned(definedBefore: earlier.map(\.library)), place))
      embeddedSymbols.append(aar.parts.symbols ?? whole.resources.symbols)
    }
    // The plugin's own files stay as they are unless there is something to unite them with.
    let libraries = embedded.isEmpty ? [own] : ResourceLibrary.unitingStyleables(earlier.map(\.library))
    for (file, before) in zip(libraries[0].files, own.files) where file.bytes != before.bytes {
      let path = try EntryPath(Array("res/".utf8) + file.path)
      guard let item = items.removeValue(forKey: path) else { continue }
      try add(path.bytes, bytes: file.bytes, .resources, at: item.entry.place)
    }
    for (aar, library) in zip(embedded, libraries.dropFirst()) { try add(library, of: aar) }
    var all = SymbolTable()
    for library in libraries {
      if !embedded.isEmpty { certainSymbols.merge(library.resources.certainSymbols) }
      all.merge(library.resources.symbols)
    }
    // An embedded R.txt may have more names than its resources define: those of libraries that it was built with.
    for symbols in embeddedSymbols { all.merge(symbols) }
    try add("R.txt".utf8, bytes: all.rText, .symbols)
    try addPublicNames(own.resources.symbols)
  }

  /// Adds the resources of an AAR that were not defined before it.
  private mutating func add(_ library: ResourceLibrary, of aar: EmbeddedAAR) throws {
    for (inside, part) in aar.parts.resources {
      let name = aar.isBase ? inside : aar.renamed(inside)
      let path = Array("res/".utf8) + name.numbered { has(Array("res/".utf8) + $0) }
      if inside == KeepFile.path, let first = items[try EntryPath(path)], try joinKeepFile(first.entry, part) {
        continue
      }
      let kept = library.file(inside)
      if let kept, ResourceFile.isRead(inside), kept.digest != part.digest {
        try add(path, bytes: kept.bytes, .resources, at: aar.site("res/\(ResourceSite(inside))"))
      } else if kept != nil || has(path) {
        // `add` reports a clash for a file that is there already.
        try add(aar, path, part, .resources)
      }
    }
  }

  /// False if the two cannot be joined.
  private mutating func joinKeepFile(_ first: PackedEntry, _ part: Spool.Part) throws -> Bool {
    guard case .file(let content, _) = first.entry.kind, content.size <= AARBuilder.maxTextSize,
      let bytes = KeepFile.joined(try content.bytes(), try spool.bytes(of: part, limit: AARBuilder.maxTextSize))
    else { return false }
    let path = first.entry.path
    items[path] = (PackedEntry(path, .bytes(bytes), digest: Digest(of: bytes), at: first.place), .resources)
    return true
  }

  private mutating func report(
    _ clashes: [ResourceClash], _ first: (ResourceSite) -> Place, _ second: (ResourceSite) -> Place
  ) {
    for isSame in [false, true] {
      let some = clashes.filter { $0.isSame == isSame }
      // A longer list would not be read. The rest is counted.
      let most = isSame ? 20 : 1000
      func add(_ what: String, _ name: String, _ clash: ResourceClash, hint: String? = nil) {
        notes.clash(
          "duplicate-resource", "\(what) there twice, with \(isSame ? "the same value" : "different values")",
          about: name, at: [first(clash.first), second(clash.second)], isHarmless: isSame, hint: hint)
      }
      for clash in some.prefix(most) { add("the \(clash.what) is", "\(clash.what)", clash) }
      if some.count > most, let last = some.last {
        add("\(some.count - most) more resources are", "more", last, hint: "leave out one of the libraries")
      }
    }
  }
}

extension XMLTag {
  fileprivate var permissions: [String] {
    children.filter { $0.name == "uses-permission" }.compactMap { $0["name", namespace: AndroidManifest.android] }
  }
}

extension EmbeddedAAR {
  fileprivate func resourceFiles(_ spool: Spool) throws -> [ResourceFile] {
    try parts.resources.map { path, part in
      let bytes = ResourceFile.isRead(path) ? try spool.bytes(of: part, limit: AARBuilder.maxTextSize + 1) : []
      return ResourceFile(path: path, bytes: bytes, digest: part.digest)
    }
  }

  /// Every AAR from Gradle has a `values/values.xml`. Files in `values` folders can be renamed without an effect.
  fileprivate func renamed(_ path: [UInt8]) -> [UInt8] {
    guard path.isValuesFile else { return path }
    return path.dropLast(4) + Array("_\(package.with("_", for: ".")).xml".utf8)
  }
}

extension [UInt8] {
  /// Whether a path inside of `res/` is of a file with values.
  fileprivate var isValuesFile: Bool { starts(with: "values".utf8) && suffix(4).elementsEqual(".xml".utf8) }

  /// A second `values/strings.xml` becomes `values/strings_2.xml`, because such names mean nothing. Other paths stay.
  fileprivate func numbered(while isTaken: ([UInt8]) -> Bool) -> [UInt8] {
    guard isValuesFile else { return self }
    var (path, number) = (self, 1)
    while isTaken(path) {
      number += 1
      path = dropLast(4) + Array("_\(number).xml".utf8)
    }
    return path
  }
}

/// The plugin's own resource files, by their paths inside of `res/`.
private struct ResourceSources {
  private(set) var files: [ResourceFile] = []
  /// In bytes. Some tools write a whole file as one line, of which only the beginning is shown.
  private static let maxLineLength = 400
  private var sources: [[UInt8]: (path: FilePath, text: [UInt8])] = [:]

  func has(_ inside: [UInt8]) -> Bool { sources[inside] != nil }

  mutating func add(_ inside: [UInt8], _ text: [UInt8], _ source: ResolvedInput) {
    // A second file of one path is reported as a clash of entries.
    guard sources.updateValue((source.path, text), forKey: inside) == nil else { return }
    files.append(ResourceFile(path: inside, bytes: text, digest: source.digest))
  }

  func place(of site: ResourceSite) -> Place {
    guard let (path, text) = sources[site.path] else { return Place("res/\(site.description)") }
    guard let position = site.position else { return Place(path.string) }
    let lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: position.line, omittingEmptySubsequences: false)
    let line = position.line <= lines.count && position.line > 0 ? lines[position.line - 1] : []
    let shown = String(
      decoding: line.filter { $0 != UInt8(ascii: "\r") }.prefix(ResourceSources.maxLineLength), as: UTF8.self)
    return Place(
      parts: [path.string], position: TextPosition(line: position.line, column: position.column, text: shown))
  }
}

extension ManifestConflict {
  fileprivate var rule: RuleID { kind == .authority ? "duplicate-authority" : "manifest-conflict" }

  fileprivate func places(own: String) -> [Place] {
    [site, otherSite].map { $0.name.map { Place($0).inside("AndroidManifest.xml") } ?? Place(own) }
  }
}
