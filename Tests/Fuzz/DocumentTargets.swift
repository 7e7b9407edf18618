import Android
import Archives
import Artifacts
import BuildEngine
import Documents
import Findings
import ObjectFiles

// Documents, text stubs and the directories of zips.
extension FuzzTarget {
  func isSoundStub(_ bytes: [UInt8]) -> Bool {
    // A file is only read as a stub if it begins like one; here all are, lest changes of the first bytes be wasted.
    _ = TextStub.isTextStub(ByteReader(bytes.span))
    guard let stubs = try? TextStub.read(bytes, at: Place("x.tbd")) else { return true }
    for stub in stubs {
      let listing = TextStubListing(stub, at: Place("x.tbd"), SymbolSelection(), architectures: nil)
      _ = listing.nm(namesFiles: true)
      _ = listing.json
    }
    return true
  }

  func isSoundDocument(_ bytes: [UInt8]) -> Bool {
    switch self {
    case .plist:
      // What was read is written, read again, and is the same.
      guard let list = try? PropertyList.read(bytes), let again = try? PropertyList.read(list.binary) else {
        return true
      }
      return again.binary == list.binary
    case .openstep:
      guard let list = try? PropertyList.read(openStep: bytes) else { return true }
      return (try? PropertyList.read(list.binary)) != nil
    case .xml: return xml(bytes)
    case .manifest:
      // What begins like JSON is read as JSON first.
      for manager in LockFile.Manager.allCases { _ = try? LockFile(bytes, name: manager.fileName, manager) }
      guard let node = try? YAMLText.parse(bytes, name: "npi.yml") else { return true }
      return !node.overlaid(with: node.withoutNulls).kindName.isEmpty
    case .depfile:
      guard let file = try? Depfile(parsing: bytes) else { return true }
      return Set(file.prerequisites).count == file.prerequisites.count
    case .zip: return zip(bytes)
    case .jar: return jar(bytes)
    case .web: return web(bytes)
    default: return true
    }
  }

  /// Each file is read as whatever it could be; what it names is something, and stands in it.
  private func web(_ bytes: [UInt8]) -> Bool {
    let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
    return ["a.html", "a.ejs", "a.css", "a.css.erb", "a.js", "a.js.ejs"].allSatisfy { name in
      guard var document = WebDocument(named: Array(name.utf8)) else { return false }
      document.read(bytes)
      return document.references.allSatisfy { reference in
        _ = WebAddress(reference.text, isCut: reference.isCut).resolved(in: Array("a/b/".utf8))
        return !reference.text.isEmpty && (1...lines).contains(reference.line)
      }
    }
  }

  /// A tree that was read is written, read again, and is the same; what is in it is where it says to be.
  private func xml(_ bytes: [UInt8]) -> Bool {
    guard let root = try? XMLEvents.read(bytes) else { return true }
    guard isPlaced(root, within: 0..<bytes.count) else { return false }
    var file = ResourceFile(path: Array("values/a.xml".utf8), bytes: bytes)
    let library = ResourceLibrary([file], package: nil, isDependency: false)
    let pruned = ResourceLibrary.unitingStyleables([library, library.pruned(definedBefore: [library])])
    // What is left is a document as well, and defines nothing that was there before.
    if root.name == "resources", library.resources.problems.isEmpty {
      for file in pruned.flatMap(\.files) {
        guard let rest = try? XMLEvents.read(file.bytes), rest.name == "resources" else { return false }
      }
    }
    file = ResourceFile(path: Array("layout/a.xml".utf8), bytes: bytes)
    _ = AndroidResources([file])
    guard let again = try? XMLEvents.read(XMLWriter.write(root)) else { return false }
    return isSame(root, again)
  }

  private func isPlaced(_ tag: XMLTag, within range: Range<Int>) -> Bool {
    range.lowerBound <= tag.range.lowerBound && tag.range.upperBound <= range.upperBound && tag.position.line >= 1
      && tag.position.column >= 1 && tag.children.allSatisfy { isPlaced($0, within: tag.range) }
  }

  private func isSame(_ one: XMLTag, _ other: XMLTag) -> Bool {
    one.name == other.name && one.namespace == other.namespace && one.attributes.count == other.attributes.count
      && one.children.count == other.children.count
      && zipped(one.children, other.children).allSatisfy { isSame($0, $1) }
  }

  private func zipped<T>(_ one: [T], _ other: [T]) -> [(T, T)] { one.indices.map { (one[$0], other[$0]) } }

  private func zip(_ bytes: [UInt8]) -> Bool {
    // What is no zip is taken for a deflate stream.
    guard let directory = try? ZipDirectory(ArchiveBytes(bytes)) else {
      guard let (header, end) = try? Inflate.lastBlock(of: bytes[...]) else { return true }
      return header >= 0 && end <= 8 * bytes.count
    }
    guard directory.range.lowerBound >= 0, directory.range.upperBound <= bytes.count else { return false }
    let irregularities = (try? directory.irregularities()) ?? []
    for irregularity in irregularities.prefix(8) where irregularity.description.isEmpty { return false }
    for record in directory.records {
      if let content = try? directory.contents(of: record, limit: 1 << 12), content.count > 1 << 12 { return false }
      _ = JarEntry(record.name)
    }
    return isReadThrough(bytes)
  }

  /// A class by itself is put into a jar: few changes of a jar leave a class with the sum that its directory says.
  private func jar(_ bytes: [UInt8]) -> Bool {
    let isClass = bytes.starts(with: [0xCA, 0xFE, 0xBA, 0xBE])
    let classes = JarClasses(ArchiveBytes(isClass ? stored(bytes, as: "a/B.class") : bytes))
    // A class that is read, or the reason why not.
    if isClass, classes.classes.count + classes.unreadable.count != 1 { return false }
    let names = Set(classes.classes.map(\.name))
    return classes.references.allSatisfy { names.contains($0.user) }
  }

  /// A zip of one entry (PKWARE APPNOTE 4.3.7, 4.3.12, 4.3.16).
  private func stored(_ content: [UInt8], as name: String) -> [UInt8] {
    func number<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
      (0..<T.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> T(8 * $0)) }
    }
    let sizes = number(Deflate.crc32(content.span)) + number(UInt32(content.count)) + number(UInt32(content.count))
    // Version, flags, method, time, date, sum, sizes, length of the name and of the extra field.
    let common = number(UInt16(10)) + [UInt8](repeating: 0, count: 8) + sizes + number(UInt32(name.utf8.count))
    let local = number(UInt32(0x0403_4B50)) + common + name.utf8 + content
    let central =
      number(UInt32(0x0201_4B50)) + number(UInt16(10)) + common + [UInt8](repeating: 0, count: 14) + name.utf8
    let end = number(UInt64(0x0605_4B50)) + number(UInt32(0x0001_0001)) + number(UInt32(central.count))
    return local + central + end + number(UInt32(local.count)) + number(UInt16(0))
  }

  /// Entry by entry, each to its end; of what unpacks to much, the first pieces.
  private func isReadThrough(_ bytes: [UInt8]) -> Bool {
    struct Enough: Error {}
    guard var reader = try? EntryReader(ArchiveBytes(bytes)) else { return true }
    var count = 0
    while (try? reader.next()) ?? nil != nil {
      count += 1
      var left = 1 << 20
      try? reader.forEachChunk { chunk in
        left -= chunk.byteCount
        if left < 0 { throw Enough() }
      }
      // Each has a record of its own somewhere.
      if count > bytes.count { return false }
    }
    return true
  }
}
