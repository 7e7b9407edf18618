import Archives
package import Artifacts
import Findings
package import ObjectFiles
import Store
package import SystemPackage

/// Gathers the contents for Android in a walk. The files of a container are classified at its end, by all of its files.
package struct AndroidCollector {
  private var found: [Container] = []

  private struct Container {
    var classes = AndroidContents()
    var libraries: [(path: [String], place: Place, content: ContentChecksum)] = []
    /// The folders that hold such files: an unpacked AAR has both files in one folder.
    var manifests: Set<[String]> = []
    var classJars: Set<[String]> = []
    var count = 0
    /// Whether it begins as jars made by the `jar` tool do.
    var beginsAsJar = false
  }

  package init() {}

  package mutating func add(_ entry: WalkedEntry, _ walk: borrowing ArtifactWalk) {
    let header = entry.header
    guard let number = header.container, header.metadata == nil else { return }
    while found.count <= number { found.append(Container()) }
    found[number].count += 1
    guard header.kind == .regular, walk.containers[number].kind != .archive else { return }
    if AndroidContents.isClass(header.path) {
      if let crc32 = header.crc32 {
        found[number].classes.addClass(
          header.path.dropLast(".class".utf8.count), .init(size: header.size, crc32: crc32))
      } else if let bytes = entry.bytes {
        found[number].classes.addClass(bytes)
      }
    } else if header.hasSuffix(".so") {
      guard let crc32 = header.crc32 ?? entry.bytes?.withSpan({ Deflate.crc32($0) }) else { return }
      let path = AndroidPart.parts(header.path)
      found[number].libraries.append((path, walk.place(of: header), .init(size: header.size, crc32: crc32)))
    } else if header.hasSuffix("AndroidManifest.xml") || header.hasSuffix("classes.jar") {
      let path = AndroidPart.parts(header.path)
      if path.last == "AndroidManifest.xml" { found[number].manifests.insert(path.dropLast()) }
      if path.last == "classes.jar" { found[number].classJars.insert(path.dropLast()) }
    } else if found[number].count <= 2, header.path.elementsEqual("META-INF/MANIFEST.MF".utf8) {
      found[number].beginsAsJar = true
    }
  }

  /// Call it after the walk.
  package func contents(_ walk: borrowing ArtifactWalk) -> AndroidContents {
    var contents = AndroidContents()
    var kinds: [AndroidPart.Container?] = []
    for (number, container) in walk.containers.enumerated() {
      let found = number < found.count ? found[number] : Container()
      let kind = self.kind(of: container, found, kinds)
      kinds.append(kind)
      guard let kind else { continue }
      switch kind {
      case .jar: contents.addJar(container.place, found.classes)
      case .tree: contents.addJar(container.place, found.classes.eachOnce)
      case .aar: break
      }
      for (path, place, content) in found.libraries {
        guard case .library(let abi, let name) = AndroidPart(path, in: kind) else { continue }
        contents.libraries.append(.init(place: place, abi: abi, name: name, content: content))
      }
    }
    return contents
  }

  /// Nil if an app uses neither the container nor anything in it.
  private func kind(
    of container: ArtifactWalk.Container, _ found: Container, _ kinds: [AndroidPart.Container?]
  ) -> AndroidPart.Container? {
    if case .archive = container.kind { return nil }
    let tree = AndroidPart.Container.tree(aars: found.manifests.intersection(found.classJars))
    if case .folder = container.kind { return tree }
    let name = (container.place.parts.last ?? "").lowercased()
    var part: AndroidPart?
    if let parent = container.parent {
      guard let number = parent.container, let kind = kinds[number] else { return nil }
      part = AndroidPart(AndroidPart.parts(parent.path), in: kind)
      if part == nil { return nil }
    } else {
      part = AndroidPart([name], in: .tree(aars: []))
    }
    if part == .jar || found.beginsAsJar && !name.hasSuffix(".aar") { return .jar }
    return name.hasSuffix(".aar") ? .aar : tree
  }
}

/// Selects only bytes of libraries and classes in a folder: headers have the names and the checksums of everything else.
package struct AndroidSelection: EntrySelection {
  package init() {}

  package func interest(in header: EntryHeader) -> Interest {
    guard header.crc32 == nil, header.kind == .regular else { return .none }
    return header.hasSuffix(".so") || AndroidContents.isClass(header.path) ? .content : .none
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
    mistakes = walk.mistakes
  }

  /// Android decides by the ending of the name: the same bytes have one meaning in an AAR and another in a jar.
  package static func role(of path: FilePath) -> String {
    let name = path.lastComponent?.string.lowercased() ?? ""
    return [".aar", ".jar"].first(where: name.hasSuffix) ?? ""
  }
}
