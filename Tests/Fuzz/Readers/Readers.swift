// What libFuzzer calls for documents and directories: they are read in other modules than object files, so that this is a
// program of its own. The environment's NPI_FUZZ names the target.

@testable import Archives
@testable import Artifacts
import Findings
import ObjectFiles

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
  if let target = ReaderTarget.named, !target.isSound(bytes) { abort() }
  return 0
}

enum ReaderTarget: String {
  case plist, xml, manifest, depfile, zip

  static let named: ReaderTarget? = unsafe getenv("NPI_FUZZ").flatMap {
    unsafe ReaderTarget(rawValue: String(cString: $0))
  }

  /// Reads all that there is to read; false if what was read cannot be.
  func isSound(_ bytes: [UInt8]) -> Bool {
    switch self {
    case .plist:
      _ = PropertyList.texts(bytes)
      // Of XCFrameworks, whatever their first bytes say.
      _ = PropertyList(bytes)
      return true
    case .xml: return xml(bytes)
    case .manifest:
      return [try? YAMLText.parse(bytes, name: "npi.yml"), try? JSONText.parse(bytes, name: "npi.yml")].allSatisfy {
        $0.map { !$0.overlaid(with: $0.withoutNulls).kindName.isEmpty } ?? true
      }
    case .depfile:
      guard let file = try? Depfile(parsing: bytes) else { return true }
      return Set(file.prerequisites).count == file.prerequisites.count
    case .zip: return zip(bytes)
    }
  }

  /// A tree that was read is written, read again, and is the same; what is in it is where it says to be.
  private func xml(_ bytes: [UInt8]) -> Bool {
    guard let root = try? XMLEvents.read(bytes) else { return true }
    guard isPlaced(root, within: 0..<bytes.count) else { return false }
    var file = ResourceFile(path: Array("values/a.xml".utf8), bytes: bytes)
    let resources = AndroidResources([file])
    let pruned = resources.pruned([file], definedBefore: [resources])
    // What is left is a document as well, and defines nothing that was there before.
    if root.name == "resources", resources.problems.isEmpty {
      guard let rest = try? XMLEvents.read(pruned[0].bytes), rest.name == "resources" else { return false }
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
    guard let directory = try? ZipDirectory(ZipSource(bytes)) else {
      var walk = DeflateWalk()
      let padded = bytes + [UInt8](repeating: 0, count: DeflateWalk.padding)
      guard let (header, end) = walk.lastBlock(of: padded.span) else { return true }
      return header >= 0 && end <= 8 * bytes.count
    }
    guard directory.range.lowerBound >= 0, directory.range.upperBound <= bytes.count else { return false }
    for irregularity in directory.irregularities().prefix(8) where irregularity.description.isEmpty { return false }
    for record in directory.records {
      if let content = try? directory.contents(of: record, limit: 1 << 12), content.count > 1 << 12 { return false }
      if let stored = try? directory.stored(record), stored.size > bytes.count { return false }
      _ = JarEntry(record.name)
    }
    return true
  }
}
