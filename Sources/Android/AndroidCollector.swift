import Archives
package import Artifacts
import Documents
import Findings
package import ObjectFiles
import Store
package import SystemPackage

/// Gathers the contents for Android in a walk. The files of a container are classified at its end, by all of its files.
package struct AndroidCollector {
  private var found: [Container] = []
  /// A manifest that is the whole artifact.
  private var manifest: (header: EntryHeader, bytes: EntryBytes)?

  private struct Container {
    var classes = ContentTable()
    var javaResources = ContentTable()
    var origins = JarOrigins()
    /// Files that may go into an app.
    var files: [(header: EntryHeader, content: ContentChecksum?, native: NativeLibrary?)] = []
    /// Files that may be in the `res` folder of an AAR, by themselves or with the values in them.
    var resources: [(header: EntryHeader, name: [UInt8], content: ContentChecksum)] = []
    var values: [(header: EntryHeader, values: Result<ContentTable, XMLProblem>)] = []
    /// By the folders that hold such files: an unpacked AAR has both files in one folder.
    var manifests: [[String]: (header: EntryHeader, bytes: EntryBytes?)] = [:]
    var classJars: Set<[String]> = []
    var metadata: (header: EntryHeader, bytes: EntryBytes)?
    var rules: [(header: EntryHeader, bytes: EntryBytes)] = []
    /// The Gradle script at its root.
    var script: EntryBytes?
    var count = 0
    /// Whether it begins as jars made by the `jar` tool do.
    var beginsAsJar = false
    let ending: Ending

    enum Ending { case aar, jar, other }

    /// `name` in lower case.
    init(_ name: String) { ending = name.hasSuffix(".aar") ? .aar : name.hasSuffix(".jar") ? .jar : .other }

    var isJar: Bool { ending == .jar || beginsAsJar && ending != .aar }
  }

  package init() {}

  package mutating func add(_ entry: WalkedEntry, _ walk: borrowing ArtifactWalk) {
    let header = entry.header
    guard let number = header.container else {
      if AndroidPart.isManifest(header.path), let bytes = entry.bytes { manifest = (header, bytes) }
      return
    }
    guard header.metadata == nil else { return }
    while found.count <= number { found.append(Container(walk.containers[found.count].name)) }
    found[number].count += 1
    guard header.kind == .regular, walk.containers[number].kind != .archive else { return }
    if AndroidContents.isClass(header) {
      if let crc32 = header.crc32 {
        found[number].classes.add(
          header.path.dropLast(".class".utf8.count), .init(size: header.size, crc32: crc32))
      } else if let bytes = entry.bytes {
        found[number].classes.addClass(bytes)
      }
      return
    }
    if found[number].count <= 2, header.path.elementsEqual("META-INF/MANIFEST.MF".utf8) {
      found[number].beginsAsJar = true
    }
    let isInJar = found[number].isJar
    if isInJar, let bytes = entry.bytes { found[number].origins.add(header.path, bytes) }
    if AndroidPart.isManifest(header.path) {
      found[number].manifests[AndroidPart.parts(header.path).dropLast()] = (header, entry.bytes)
    } else if let bytes = entry.bytes, AndroidPart.isMetadata(header.path) {
      found[number].metadata = (header, bytes)
    } else if let bytes = entry.bytes, AndroidPart.isRules(header.path, inJar: found[number].isJar) {
      found[number].rules.append((header, bytes))
    } else if let bytes = entry.bytes, AndroidPart.isScript(header.path) {
      found[number].script = bytes
    } else if header.hasSuffix("classes.jar") {
      let path = AndroidPart.parts(header.path)
      if path.last == "classes.jar" { found[number].classJars.insert(path.dropLast()) }
    }
    let content =
      header.crc32.map { ContentChecksum(size: header.size, crc32: $0) } ?? entry.bytes.map { ContentChecksum($0) }
    // Most plugins for other systems are full of other files.
    if header.hasSuffix(".so") || !isInJar && AndroidPart.isBelowAssets(header.path) {
      let native = header.hasSuffix(".so") ? entry.bytes.flatMap(NativeLibrary.init) : nil
      found[number].files.append((header, content, native))
    } else if isInJar {
      if let content, !header.hasSuffix(".class"), JavaResource.canCollide(header.path) {
        found[number].javaResources.add(header.path, content)
      }
    } else if let path = AndroidPart.pathInResources(header.path) {
      if AndroidPart.isValues(path) {
        guard let bytes = entry.bytes else { return }
        let file = ResourceFile(path: Array(path), bytes: bytes.copy())
        found[number].values.append((header, Result { () throws(XMLProblem) in try AndroidResources.values(file) }))
      } else if let content, let name = AndroidResources.name(ofPath: path) {
        found[number].resources.append((header, name, content))
      }
    }
  }

  /// Call it after the walk.
  package func contents(_ walk: borrowing ArtifactWalk) -> AndroidContents {
    var contents = AndroidContents()
    if let manifest { contents.addManifest(manifest.bytes.copy(), at: walk.place(of: manifest.header), isSource: true) }
    var kinds: [AndroidPart.Container?] = []
    for (number, container) in walk.containers.enumerated() {
      let found = number < found.count ? found[number] : Container(container.name)
      let kind = self.kind(of: container, found, kinds)
      kinds.append(kind)
      guard let kind else { continue }
      switch kind {
      case .jar: contents.addJar(container.place, found.classes, resources: found.javaResources, found.origins)
      case .tree: contents.addJar(container.place, found.classes.eachOnce)
      case .module: contents.settings = GradleSettings(script: found.script?.copy() ?? [])
      case .aar: break
      }
      if kind == .aar, let (header, bytes) = found.metadata {
        contents.metadata.append(
          AARMetadataFile(place: walk.place(of: header), metadata: AARMetadata(properties: bytes.copy())))
      }
      for (header, content, native) in found.files {
        guard case .file(let kind, let path) = AndroidPart(AndroidPart.parts(header.path), in: kind) else { continue }
        contents.files.append(
          AndroidFile(kind: kind, path: path, place: walk.place(of: header), content: content, native: native))
      }
      if kind == .aar || kind == .jar {
        for (header, bytes) in found.rules { contents.addRules(bytes.copy(), at: walk.place(of: header)) }
      }
      func isUsed(_ header: EntryHeader) -> Bool {
        AndroidPart(AndroidPart.parts(header.path), in: kind) == .resource
      }
      for (header, name, content) in found.resources where isUsed(header) {
        contents.resources.add(name, content, at: walk.place(of: header))
      }
      for (header, values) in found.values where isUsed(header) {
        contents.addValues(values, at: walk.place(of: header))
      }
      let own = found.manifests.values.filter { AndroidPart(AndroidPart.parts($0.header.path), in: kind) == .manifest }
      for (header, bytes) in own.sorted(by: { $0.header.path.lexicographicallyPrecedes($1.header.path) }) {
        if let bytes {
          contents.addManifest(bytes.copy(), at: walk.place(of: header), isSource: kind == .module)
        }
      }
      if kind == .aar, own.isEmpty {
        contents.mistakes.append(
          Mistake(
            "the AAR has no AndroidManifest.xml", at: container.place,
            hint: "ask the vendor for it: no app can use this"))
      }
    }
    return contents
  }

  /// Nil if an app uses neither the container nor anything in it.
  private func kind(
    of container: ArtifactWalk.Container, _ found: Container, _ kinds: [AndroidPart.Container?]
  ) -> AndroidPart.Container? {
    if case .archive = container.kind { return nil }
    let tree = AndroidPart.Container.tree(aars: found.classJars.intersection(found.manifests.keys))
    if case .folder = container.kind { return found.manifests[["src", "main"]] == nil ? tree : .module }
    let name = container.name
    var part: AndroidPart?
    if let parent = container.parent {
      guard let number = parent.container, let kind = kinds[number] else { return nil }
      part = AndroidPart(AndroidPart.parts(parent.path), in: kind)
      guard part == .jar || part == .container else { return nil }
    } else {
      part = AndroidPart([name], in: .tree(aars: []))
    }
    if part == .jar || found.isJar { return .jar }
    return found.ending == .aar ? .aar : tree
  }
}

extension ArtifactWalk.Container {
  fileprivate var name: String { (place.parts.last ?? "").lowercased() }
}

/// Selects manifests, values, native libraries, and bytes of other files in a folder: headers have the names and the
/// checksums of everything else.
package struct AndroidSelection: EntrySelection {
  package init() {}

  package func interest(in header: EntryHeader) -> Interest {
    guard header.kind == .regular else { return .none }
    // Most entries are classes, whose names and checksums are in the header.
    if header.hasSuffix(".class") {
      return header.crc32 == nil && AndroidContents.isClass(header) ? .content : .none
    }
    if AndroidPart.isManifest(header.path) || AndroidPart.isMetadata(header.path)
      || AndroidPart.isRules(header.path, inJar: false)
      || AndroidPart.isRules(header.path, inJar: true)
      || JarOrigins.isRead(header.path)
    {
      return .document
    }
    if header.crc32 == nil, AndroidPart.isScript(header.path) { return .document }
    let resource = AndroidPart.pathInResources(header.path)
    if let resource, AndroidPart.isValues(resource) { return .document }
    if header.hasSuffix(".so") { return .content }
    guard header.crc32 == nil else { return .none }
    return resource != nil ? .content : .none
  }

  package func interest(in header: EntryHeader, head: borrowing ByteReader) -> Interest { .none }
}

extension AndroidContents {
  /// Reads a plugin: an AAR, a jar, a zip or a folder with such files.
  ///
  /// - Parameter temporary: a folder for content that is too large for memory.
  package init(_ path: FilePath, temporary: FilePath) {
    var walk = ArtifactWalk(path, temporary: temporary)
    var collector = AndroidCollector()
    while let entry = walk.next(AndroidSelection()) { collector.add(entry, walk) }
    self = collector.contents(walk)
    mistakes += walk.mistakes
  }

  /// Android decides by the ending of the name: the same bytes have one meaning in an AAR and another in a jar.
  package static func role(of path: FilePath) -> String {
    let name = path.lastComponent?.string.lowercased() ?? ""
    return [".aar", ".jar", "androidmanifest.xml"].first(where: name.hasSuffix) ?? ""
  }
}
