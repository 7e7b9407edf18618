package import Documents
package import ObjectFiles

/// What one entry of an artifact says, of one kind. Rules name the facts they judge, and no others are read.
package protocol Facts: Sendable {
  /// What of an entry is needed for it; the largest interest of all facts that are collected counts.
  static func interest(in header: EntryHeader, of kind: ArtifactKind) -> Interest
  static func interest(inHead head: borrowing ByteReader) -> Interest
  /// Called for entries that the fact is interested in; nil if one has no such facts all the same.
  static func read(_ header: EntryHeader, of kind: ArtifactKind, _ bytes: EntryBytes) throws(UnreadableEntry) -> Self?
}

/// An entry that should be something by its name, and is not.
package struct UnreadableEntry: Error {
  package let reason: String

  package init(_ reason: String) { self.reason = reason }
}

extension EntryBytes {
  /// All of a text.
  package func document() throws(UnreadableEntry) -> [UInt8] {
    // No build reads so large a text.
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

/// The facts of native code, whole or damaged.
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
  /// Begins as one and cannot be read; the text says why.
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
