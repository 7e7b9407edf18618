import Archives
import Artifacts
import BuildEngine
import Findings
import SystemPackage

// The manifest, the resources and the tables of their names.
extension AARBuilder {
  /// Nil if it cannot be read; then there is a mistake.
  mutating func addManifest() throws -> AndroidManifest? {
    guard let thing = things("manifest").first, let file = thing.files.first, !thing.isFolder else {
      mistakes.append(Mistake("'manifest' must be a file", at: things("manifest").first?.place))
      return nil
    }
    let bytes = try read(file, at: thing.place)
    let manifest: AndroidManifest
    do throws(ManifestProblem) { manifest = try AndroidManifest(bytes) } catch {
      mistakes.append(Mistake("\(file.path): \(error)", at: thing.place))
      return nil
    }
    guard let package = manifest.package, !package.isEmpty else {
      mistakes.append(
        Mistake(
          "\(file.path) names no package: an AAR's R class is in it", at: thing.place,
          hint: "add package=\"com.example.plugin\" to <manifest>"))
      return nil
    }
    try contents.add("AndroidManifest.xml", bytes: merged(manifest, file.path.string) ?? bytes, .manifest)
    return manifest
  }

  /// With what the embedded AARs declare; nil if they declare nothing.
  private mutating func merged(_ manifest: AndroidManifest, _ name: String) -> [UInt8]? {
    let merge = manifest.merging(embedded.map { ($0.name, $0.manifest) })
    for conflict in merge.conflicts {
      otherClashes.append(
        Clash(conflict.rule, conflict.description, at: conflict.places(own: name), hint: conflict.hint))
    }
    return merge.changed ? XMLWriter.write(merge.merged) : nil
  }

  mutating func addResources(package: String?) throws {
    var sources = ResourceSources()
    for (path, file, thing) in files("res") {
      if path.lastComponent.first == UInt8(ascii: ".") {
        leftOut.count("hidden file in res")
        continue
      }
      let inside = thing.inside(file)
      add(path, file, .resources, thing)
      sources.add(inside, ResourceFile.isRead(inside) ? try read(file, at: thing.place) : [], file.path)
    }
    let own = AndroidResources(sources.files, package: package)
    mistakes += own.problems.map { Mistake($0.reason.description, at: sources.place(of: $0.site)) }
    let theirs = try embeddedResources()
    let embedded = embedded
    otherClashes += AARBuilder.clashes([own] + theirs) { index, site in
      index == 0 ? sources.place(of: site) : embedded[index - 1].site("res/\(site.description)")
    }
    try addSymbols(own, theirs.map(\.symbols))
  }

  /// The names of all resources together. An embedded table of names may have more than its resources define: those of
  /// the libraries that it was built with.
  private mutating func addSymbols(_ own: AndroidResources, _ theirs: [SymbolTable]) throws(EntryPathError) {
    var all = own.symbols
    for symbols in theirs { all.merge(symbols) }
    certainSymbols = all
    embeddedSymbols = zip(embedded, theirs).map { $0.parts.symbols ?? $1 }
    for symbols in embeddedSymbols { all.merge(symbols) }
    try contents.add("R.txt", bytes: all.rText, .symbols)
    if let names = own.symbols.publicText { try contents.add("public.txt", bytes: names, .publicSymbols) }
  }

  private mutating func embeddedResources() throws -> [AndroidResources] {
    var all: [AndroidResources] = []
    for aar in embedded {
      var files: [ResourceFile] = []
      for file in aar.parts.resources
      where file.path.split(separator: UInt8(ascii: "/")).last?.first != UInt8(ascii: ".") {
        let bytes =
          ResourceFile.isRead(file.path) ? try spool.bytes(of: file.part, limit: AARBuilder.largestText + 1) : []
        files.append(ResourceFile(path: file.path, bytes: bytes))
        try contents.add(aar, Array("res/".utf8) + aar.renamed(file.path), file.part, .resources, .other)
      }
      let resources = AndroidResources(files, package: aar.package)
      for problem in resources.problems {
        mistakes.append(Mistake("\(aar.site("res/\(problem.site)")): \(problem.reason)", at: aar.place))
      }
      all.append(resources)
    }
    return all
  }

  /// What two libraries define. A file of one name is found when it is packed.
  private static func clashes(_ all: [AndroidResources], place: (Int, ResourceSite) -> Place) -> [Clash] {
    all.indices.flatMap { one in
      all.indices.dropFirst(one + 1).flatMap { other in
        all[one].clashes(with: all[other]).map { found in
          var clash = Clash(
            "duplicate-resource", twice: "the \(found.what)", place(one, found.first), place(other, found.second),
            hint: "rename or remove one of them")
          // Both stand in files with other resources.
          clash.canBeAccepted = false
          return clash
        }
      }
    }
  }
}

extension EmbeddedAAR {
  /// Every AAR of Gradle's has a `values/values.xml`, and names of files in `values` folders mean nothing.
  fileprivate func renamed(_ path: [UInt8]) -> [UInt8] {
    guard path.starts(with: "values".utf8), path.suffix(4).elementsEqual(".xml".utf8) else { return path }
    return path.dropLast(4) + Array("_\(package.replacing(".", with: "_")).xml".utf8)
  }
}

/// The plugin's own resource files, by their paths inside of `res/`.
private struct ResourceSources {
  private(set) var files: [ResourceFile] = []
  private var sources: [[UInt8]: (path: FilePath, text: [UInt8])] = [:]

  mutating func add(_ inside: [UInt8], _ text: [UInt8], _ source: FilePath) {
    // A second file of one path is a clash of its own.
    guard sources.updateValue((source, text), forKey: inside) == nil else { return }
    files.append(ResourceFile(path: inside, bytes: text))
  }

  func place(of site: ResourceSite) -> Place {
    guard let (path, text) = sources[site.path] else { return Place("res/\(site.description)") }
    guard let position = site.position else { return Place(path.string) }
    let lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: position.line, omittingEmptySubsequences: false)
    let line = position.line <= lines.count && position.line > 0 ? lines[position.line - 1] : []
    let shown = String(decoding: line.filter { $0 != UInt8(ascii: "\r") }.prefix(400), as: UTF8.self)
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
