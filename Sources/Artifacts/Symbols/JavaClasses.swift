import Findings
import ObjectFiles
import SystemPackage

/// A Java class file, on the disk or in a container.
struct JavaClass: Sendable {
  /// The release of Java that a class below `META-INF/versions/` is for.
  struct Release: Sendable {
    /// The first release that loads the class instead of its namesake.
    let number: Int
    /// Whether the jar declares that it has such classes; otherwise Java ignores them.
    var isLoaded: Bool
  }

  let place: Place
  /// The folder or archive that it is listed under; for a file that was given directly, its own place.
  let container: Place
  var release: Release?
  let bytes: EntryBytes

  /// In bytes; 0 for a file on the disk.
  var unpackedSize: Int { place.parts.count > 1 ? bytes.count : 0 }
}

/// The classes of an artifact, in the order of the walk. Classes below `META-INF/versions/` wait for the jar's
/// manifest.
struct JavaClasses {
  /// The classes that can be listed; the caller removes those that it takes.
  var classes: [JavaClass] = []
  /// By the number of the container in the walk.
  private var waiting: [Int: [JavaClass]] = [:]
  private var isMultiRelease: [Int: Bool] = [:]

  /// In bytes; only the beginning of a manifest matters.
  private static let maxManifestLength = 1 << 20

  /// False if the entry is neither a class nor a jar's manifest.
  mutating func take(_ entry: WalkedEntry, of walk: borrowing ArtifactWalk) -> Bool {
    guard let bytes = entry.bytes else { return false }
    let header = entry.header
    let container = header.container.map { walk.containers[$0] }
    let isInZip = if case .zip? = container?.kind { true } else { false }
    guard JavaSelection.isClass(header, bytes) else {
      guard isInZip, let number = header.container, JavaSelection.isManifest(header) else { return false }
      settle(number, bytes.copy(0..<min(bytes.count, JavaClasses.maxManifestLength)).saysMultiRelease)
      return true
    }
    let place = walk.place(of: header)
    let release = isInZip ? JavaClass.Release(header.path) : nil
    let found = JavaClass(place: place, container: container?.place ?? place, release: release, bytes: bytes)
    if release == nil {
      classes.append(found)
    } else if let number = header.container {
      waiting[number, default: []].append(found)
      if let saysMultiRelease = isMultiRelease[number] { list(number, saysMultiRelease) }
    }
    return true
  }

  /// A jar whose manifest has not declared it as multi-release by the end is none.
  mutating func finish() { for number in waiting.keys.sorted() { settle(number, false) } }

  private mutating func settle(_ number: Int, _ saysMultiRelease: Bool) {
    guard isMultiRelease[number] == nil else { return }
    isMultiRelease[number] = saysMultiRelease
    list(number, saysMultiRelease)
  }

  private mutating func list(_ number: Int, _ saysMultiRelease: Bool) {
    for var found in waiting.removeValue(forKey: number) ?? [] {
      if !saysMultiRelease { found.release?.isLoaded = false }
      classes.append(found)
    }
  }
}

extension JavaClass.Release {
  /// 11 of `META-INF/versions/11/a/B.class`.
  fileprivate init?(_ path: [UInt8]) {
    let folder = Array("META-INF/versions/".utf8)
    guard path.starts(with: folder) else { return nil }
    let digits = path.dropFirst(folder.count).prefix { $0 != UInt8(ascii: "/") }
    guard digits.endIndex < path.count, digits.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(String(decoding: digits, as: UTF8.self))
    else { return nil }
    self.init(number: number, isLoaded: number >= 9)
  }
}

/// Selects classes, manifests of jars and native code.
struct JavaSelection: EntrySelection {
  private let code = CodeSelection()

  func interest(in header: EntryHeader) -> Interest {
    if header.kind == .regular, header.container == nil || header.metadata == nil,
      header.hasSuffix(".class") || JavaSelection.isManifest(header)
    {
      return .content
    }
    return code.interest(in: header)
  }

  func interest(in header: EntryHeader, head: borrowing ByteReader) -> Interest {
    FileKind(head) == .javaClass ? .content : code.interest(in: header, head: head)
  }

  /// A file that is only named like a class counts, so that it is reported: loading it fails.
  static func isClass(_ header: EntryHeader, _ bytes: EntryBytes) -> Bool {
    header.hasSuffix(".class") || bytes.withReader { FileKind($0) == .javaClass }
  }

  static func isManifest(_ header: EntryHeader) -> Bool {
    header.container != nil && header.path.elementsEqual("META-INF/MANIFEST.MF".utf8)
  }
}

extension [UInt8] {
  /// Whether a jar's manifest declares it as multi-release: in its main section, which ends with an empty line, on a
  /// line that is ended and does not go on. Java's own `JarFile` reads it in this way.
  fileprivate var saysMultiRelease: Bool {
    // A line ends with CR, LF or both.
    var lines: [ArraySlice<UInt8>] = []
    var rest = self[...]
    while let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
      let line = rest[..<end]
      if line.isEmpty { break }
      lines.append(line)
      let isPair = rest[end] == 0x0D && end + 1 < rest.endIndex && rest[end + 1] == 0x0A
      rest = rest[(end + (isPair ? 2 : 1))...]
    }
    return lines.indices.contains { index in
      String(decoding: lines[index], as: UTF8.self).lowercased() == "multi-release: true"
        && (index + 1 == lines.count || lines[index + 1].first != UInt8(ascii: " "))
    }
  }
}
