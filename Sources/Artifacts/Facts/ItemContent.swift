import Documents
import ObjectFiles

extension Item.Content {
  /// Property lists are small; a larger one is data that happens to look like one.
  private static let largestPropertyList = 4 << 20

  /// What a file's bytes are. Never fails: what is not known is `other`, damaged code is code with errors.
  init(_ reader: borrowing ByteReader) {
    let kind = ObjectFiles.FileKind(reader)
    switch kind {
    case _ where kind.isNativeCode: self = .code(CodeFacts(reader))
    case .xmlPropertyList, .binaryPropertyList:
      guard reader.count <= Self.largestPropertyList, let copy = try? reader.copy(reader.range, "property list")
      else {
        self = .other
        return
      }
      do throws(PropertyList.Damage) {
        self = try PropertyList.texts(copy).map { .propertyList($0) } ?? .other
      } catch {
        self = .brokenPropertyList(error.reason)
      }
    default: self = .other
    }
  }

  package init(_ bytes: EntryBytes) { self = bytes.withReader { Item.Content($0) } }

  /// Whether more is kept of it than a few facts.
  static func isDocument(_ head: borrowing ByteReader) -> Bool {
    let kind = ObjectFiles.FileKind(head)
    return kind == .xmlPropertyList || kind == .binaryPropertyList
  }
}
