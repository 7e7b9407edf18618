import Findings
import ObjectFiles
import SystemPackage

/// A file with a Java class, wherever it lies.
struct JavaClass: Sendable {
  /// What of a jar is for a Java of its own, below `META-INF/versions/`.
  struct Release: Sendable {
    /// The first Java for which it stands in for its namesake.
    let number: Int
    /// The jar says that it has such classes; of another one Java does not look at them.
    var isLoaded: Bool
  }

  let place: Place
  /// The folder or archive that it is listed under; of a file that was named its own place.
  let container: Place
  var release: Release?
  let bytes: EntryBytes

  /// In bytes; 0 of what is on the disk.
  var unpackedSize: Int { place.parts.count > 1 ? bytes.count : 0 }
}

/// The classes of an artifact, in the order in which they are met. Those of a multi-release jar whose manifest comes late wait
/// for it.
struct JavaClasses {
  /// The classes that can be listed; whoever lists them takes them away.
  var classes: [JavaClass] = []
  /// By the container's number among those of the walk.
  private var waiting: [Int: [JavaClass]] = [:]
  private var isMultiRelease: [Int: Bool] = [:]

  /// The bytes of a manifest that are looked at: what counts is at its beginning.
  private static let maxManifestLength = 1 << 20

  /// False if the entry is neither a class nor what says how classes are taken.
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

  /// At the end, a jar that has not said that it is multi-release is none.
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

/// Classes, and what says how they are taken; and whatever native code is.
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

  /// A file that is called a class and is none is taken, too, so that it is reported: whoever loads it fails.
  static func isClass(_ header: EntryHeader, _ bytes: EntryBytes) -> Bool {
    header.hasSuffix(".class") || bytes.withReader { FileKind($0) == .javaClass }
  }

  static func isManifest(_ header: EntryHeader) -> Bool {
    header.container != nil && header.path.elementsEqual("META-INF/MANIFEST.MF".utf8)
  }
}

extension [UInt8] {
  /// Of the manifest of a jar: whether its main section, which ends with an empty line, says it, on a line that is ended and
  /// does not go on. (So Java's own `JarFile` reads it.)
  fileprivate var saysMultiRelease: Bool {
    // Three ways to end a line are allowed.
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
