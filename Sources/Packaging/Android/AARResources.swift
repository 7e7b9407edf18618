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
    var files: [ResourceFile] = []
    var sources: [[UInt8]: (file: ResolvedInput, place: Place)] = [:]
    for (path, file, thing) in self.files("res") {
      if path.lastComponent.first == UInt8(ascii: ".") {
        leftOut.count("hidden file in res")
        continue
      }
      let inside = thing.inside(file)
      add(path, file, .resources, thing)
      guard sources.updateValue((file, thing.place), forKey: inside) == nil else { continue }
      files.append(
        ResourceFile(path: inside, bytes: ResourceFile.isRead(inside) ? try read(file, at: thing.place) : []))
    }
    let own = AndroidResources(files, package: package)
    let texts = Dictionary(files.map { ($0.path, $0.bytes) }, uniquingKeysWith: { first, _ in first })
    for problem in own.problems {
      let source = sources[problem.site.path]
      mistakes.append(
        Mistake(
          problem.reason.description,
          at: Place(
            source?.file.path.string ?? problem.site.description,
            position: problem.site.textPosition(in: texts[problem.site.path] ?? []))))
    }
    let theirs = try embeddedResources()
    var all = own.symbols
    for resources in theirs { all.merge(resources.symbols) }
    certainSymbols = all
    embeddedSymbols = theirs.map(\.symbols)
    for aar in embedded { if let symbols = aar.parts.symbols { all.merge(symbols) } }
    try contents.add("R.txt", bytes: all.rText, .symbols)
    if let names = own.symbols.publicText { try contents.add("public.txt", bytes: names, .publicSymbols) }
    let embedded = embedded
    otherClashes += AARBuilder.clashes([own] + theirs) { index, site in
      guard index > 0 else { return Place(sources[site.path]?.file.path.string ?? "res/\(site.description)") }
      return embedded[index - 1].site("res/\(site.description)")
    }
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
        all[one].clashes(with: all[other]).map { clash in
          Clash(
            "duplicate-resource", twice: "the \(clash.what)", place(one, clash.first), place(other, clash.second),
            hint: "rename or remove one of them")
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

extension ResourceSite {
  /// Nil for the file as a whole.
  fileprivate func textPosition(in bytes: [UInt8]) -> TextPosition? {
    guard let position else { return nil }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: position.line, omittingEmptySubsequences: false)
    let line = position.line <= lines.count && position.line > 0 ? lines[position.line - 1] : []
    let text = String(decoding: line.filter { $0 != UInt8(ascii: "\r") }.prefix(400), as: UTF8.self)
    return TextPosition(line: position.line, column: position.column, text: text)
  }
}

extension ManifestConflict {
  fileprivate var rule: RuleID { kind == .authority ? "duplicate-authority" : "manifest-conflict" }

  fileprivate func places(own: String) -> [Place] {
    [site, otherSite].map { $0.name.map { Place($0).inside("AndroidManifest.xml") } ?? Place(own) }
  }
}
