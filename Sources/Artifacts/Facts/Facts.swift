package import Documents
package import ObjectFiles

/// One kind of facts about one entry of an artifact. Rules name the facts they judge, and no others are read.
package protocol Facts: Sendable {
  /// The part of an entry that the facts need; the largest interest of all collected facts counts.
  static func interest(in header: EntryHeader, of kind: ArtifactKind) -> Interest
  static func interest(inHead head: borrowing ByteReader) -> Interest
  /// Called for entries that the facts are interested in; nil if an entry has no such facts after all.
  static func read(_ header: EntryHeader, of kind: ArtifactKind, _ bytes: EntryBytes) throws(UnreadableEntry) -> Self?
}

/// The error for an entry whose content is not what its name says.
package struct UnreadableEntry: Error {
  package let reason: String

  package init(_ reason: String) { self.reason = reason }
}

extension EntryBytes {
  package func document() throws(UnreadableEntry) -> [UInt8] {
    guard count <= Allowance.memory else { throw UnreadableEntry("it is far too large") }
    return copy()
  }
}

extension Facts {
  package static func interest(in header: EntryHeader, of kind: ArtifactKind) -> Interest { .head }
  package static func interest(inHead head: borrowing ByteReader) -> Interest { .none }

  static func isInterested(in header: EntryHeader, of kind: ArtifactKind, head: borrowing ByteReader) -> Bool {
    let interest = interest(in: header, of: kind)
    return (interest == .head ? self.interest(inHead: head) : interest) != .none
  }
}

extension CodeFacts: Facts {
  package static func interest(inHead head: borrowing ByteReader) -> Interest {
    FileKind(head).isNativeCode ? .content : .none
  }

  package static func read(_ header: EntryHeader, of kind: ArtifactKind, _ bytes: EntryBytes) -> CodeFacts? {
    bytes.withReader { CodeFacts($0) }
  }
}

/// A property list with a dictionary at the top.
package enum PropertyListFacts: Facts {
  case values(PropertyList)
  /// It begins like a property list and cannot be read; the text says why.
  case broken(String)

  /// Property lists are small; a larger one is data that happens to look like one.
  private static let largest = 4 << 20

  package static func interest(inHead head: borrowing ByteReader) -> Interest {
    [.xmlPropertyList, .binaryPropertyList].contains(FileKind(head)) ? .document : .none
  }

  package static func read(_ header: EntryHeader, of kind: ArtifactKind, _ bytes: EntryBytes) -> PropertyListFacts? {
    guard bytes.count <= largest else { return nil }
    do throws(PropertyList.Damage) {
      guard let list = try PropertyList.read(bytes.copy()), list.map != nil else { return nil }
      return .values(list)
    } catch {
      return .broken(error.reason)
    }
  }
}
