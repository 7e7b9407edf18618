import Android
import Archives
import Artifacts
import Findings
import ObjectFiles
import Store
import SystemPackage

/// The folder that a first manifest is written for. Paths are relative to it; what cannot be looked at is not there.
struct StarterTree: Sendable {
  let root: FilePath

  /// The folder for what the steps of a first manifest make: they empty it, so that it is none that the tree has.
  var made: String {
    (["build", "npi-build"] + (2...99).map { "npi-build-\($0)" }).first { kind($0) == nil } ?? "npi-build"
  }

  /// Enough of a file to find a few words in it.
  private static let beginning = 1 << 20

  func absolute(_ path: String) -> FilePath { path.isEmpty ? root : root.pushing(FilePath(path)) }

  func kind(_ path: String) -> Store.FileKind? {
    (try? FileSystem.status(of: absolute(path)))?.kind
  }

  func isFolder(_ path: String) -> Bool { kind(path) == .folder }
  func isFile(_ path: String) -> Bool { kind(path) == .file }

  func bytes(_ path: String) -> [UInt8] {
    (try? PositionalFile(absolute(path)).bytes(at: 0, count: StarterTree.beginning)) ?? []
  }

  func text(_ path: String, limit: Int = beginning) -> String {
    String(decoding: bytes(path).prefix(limit), as: UTF8.self)
  }

  /// The names in a folder that a manifest can hold as they are: texts, not hidden, not read as a pattern, nor by
  /// compilers as a file of options.
  func names(_ folder: String) -> [String] {
    ((try? FileSystem.list(absolute(folder))) ?? []).compactMap(StarterTree.plainName)
  }

  static func plainName(_ component: FilePath.Component) -> String? {
    guard let name = String(validating: component.nameBytes, as: UTF8.self), isPlain(name) else { return nil }
    return name
  }

  static func isPlain(_ name: some StringProtocol) -> Bool {
    printable(String(name)) == name && !name.hasPrefix(".") && !name.hasPrefix("@")
      && !name.utf8.contains(where: "\\*?[{".utf8.contains)
  }

  /// A path inside of a folder that may be the root.
  static func join(_ folder: String, _ name: String) -> String { folder.isEmpty ? name : "\(folder)/\(name)" }

  /// More is no plugin's own: a tree may be endless.
  static let mostFiles = 20_000

  /// What is below a folder and is no folder, without what Apple's systems leave there. Paths begin in it.
  func below(_ folder: String) -> [EntryHeader] {
    var walk = ArtifactWalk(absolute(folder), depth: 0, temporary: HostProcess.temporaryFolder)
    var found: [EntryHeader] = []
    for _ in 0..<StarterTree.mostFiles {
      guard let header = walk.next(HeadersOnly())?.header else { break }
      if header.kind != .folder, header.metadata == nil { found.append(header) }
    }
    return found
  }

  func hasFile(below folder: String, ending suffix: String) -> Bool {
    isFolder(folder) && below(folder).contains { $0.kind == .file && $0.hasSuffix(suffix) }
  }
}

extension Set<String> {
  /// Whether one of these folders is that of a path, or above it; the root is above none.
  func hasFolder(above path: String) -> Bool {
    var above = StarterTree.folder(of: path)
    while !above.isEmpty, !contains(above) { above = StarterTree.folder(of: above) }
    return !above.isEmpty
  }
}

private struct HeadersOnly: EntrySelection {
  func interest(in header: EntryHeader) -> Interest { .none }
  func interest(in header: EntryHeader, head: borrowing ByteReader) -> Interest { .none }
}

// What an AAR takes, and what it refuses.
extension StarterTree {
  /// Why a folder cannot be packed as it is, nil if it can.
  func problem(ofFolder folder: String) -> String? {
    for file in below(folder) {
      if file.kind != .file { return "\(printable(file.name)) is a link, and an AAR has none" }
      if (try? EntryPath(file.path)) == nil { return "\(printable(file.name)) is no name for an entry of a zip" }
    }
    return nil
  }

  /// The same of a folder of native libraries; the second value tells whether it holds any.
  func nativeLibraries(_ folder: String) -> (problem: String?, isOne: Bool) {
    func isLibrary(_ file: EntryHeader) -> Bool {
      let parts = file.name.split(separator: "/")
      return parts.count == 2 && AndroidABI(rawValue: String(parts[0])) != nil && parts[1].hasSuffix(".so")
    }
    let files = below(folder)
    let problem = files.first { !isLibrary($0) }.map {
      "\(printable($0.name)) is there, and 'jni' takes a folder with libraries only"
    }
    return (problem ?? self.problem(ofFolder: folder), files.contains(where: isLibrary))
  }

  func isZip(_ path: String) -> Bool { isFile(path) && (try? PositionalFile.isZip(absolute(path))) == true }

  /// Whether a jar, or one inside of an AAR that is looked at no further, is signed.
  func isSigned(_ jar: String) -> Bool {
    guard let file = try? PositionalFile(absolute(jar)), let directory = try? ZipDirectory(ZipSource(file)) else {
      return false
    }
    return directory.records.contains { JarEntry($0.name) == .signature }
  }

  /// The folders that class files are relative to: a class file holds its own name, with its package.
  func classRoots(_ folder: String) -> [String] {
    var roots: [[UInt8]] = []
    for file in below(folder) where file.kind == .file && file.hasSuffix(".class") {
      if roots.contains(where: { !$0.isEmpty && file.path.starts(with: $0) }) || roots == [[]] { continue }
      let bytes = bytes(StarterTree.join(folder, file.name))
      var root: [UInt8] = []
      var name = file.path.dropLast(".class".utf8.count)
      while !name.isEmpty {
        // A constant of type 1 (Utf8): its size in 16 bits, then the name (JVMS 4.4.7).
        if bytes.contains(
          [1, UInt8(truncatingIfNeeded: name.count >> 8), UInt8(truncatingIfNeeded: name.count)] + name)
        {
          if !roots.contains(root) { roots.append(root) }
          break
        }
        guard let slash = name.firstIndex(of: UInt8(ascii: "/")) else { break }
        root += name[...slash]
        name = name[name.index(after: slash)...]
      }
    }
    return roots.map { root in
      root.isEmpty ? folder : StarterTree.join(folder, String(decoding: root.dropLast(), as: UTF8.self))
    }.sorted()
  }
}
