package import Documents
import ObjectFiles

/// The references of a page, a style sheet or a script of a web app.
package struct WebReferences: Facts {
  package struct Reference: Sendable {
    package let use: WebReference.Use
    package let address: WebAddress
    /// Both counted from 1; the column in characters.
    package let line: Int
    package let column: Int
  }

  package let language: WebDocument.Language
  /// Whether it is rendered first, so that the address of the page is not known.
  package let isTemplate: Bool
  /// In the order of the file.
  package let references: [Reference]
  /// The base of its relative addresses, if it declares one.
  package let base: WebAddress?

  /// In bytes; no device displays larger pages.
  private static let largest = 8 << 20

  package static func interest(in header: EntryHeader, of kind: ArtifactKind) -> Interest {
    kind == .webTemplates && WebDocument(named: header.path) != nil ? .document : .none
  }

  package static func read(
    _ header: EntryHeader, of kind: ArtifactKind, _ bytes: EntryBytes
  ) throws(UnreadableEntry) -> WebReferences? {
    guard var document = WebDocument(named: header.path) else { return nil }
    guard bytes.count <= largest else { throw UnreadableEntry("it has more than \(largest >> 20) MB") }
    document.read(bytes.copy())
    if document.isCut { throw UnreadableEntry("it names more things than any page does") }
    return WebReferences(document)
  }

  private init(_ document: WebDocument) {
    language = document.language
    isTemplate = document.isTemplate
    base = document.base.map { WebAddress($0.text, isCut: $0.isCut) }
    references = document.references.map { reference in
      Reference(
        use: reference.use, address: WebAddress(reference.text, isCut: reference.isCut), line: reference.line,
        column: reference.column)
    }
  }
}

/// An address as the URL standard splits it, as far as it is known.
package struct WebAddress: Sendable {
  /// In lower case; nil for a relative address.
  package private(set) var scheme: String?
  /// Whether it names another server: `//host/…`.
  package private(set) var hasHost = false
  /// Up to the query or fragment, and without the scheme.
  package private(set) var path: [UInt8]
  /// Whether the path is complete; otherwise a part follows that is known only at run time.
  package private(set) var isKnown: Bool

  package init(_ text: [UInt8], isCut: Bool) {
    // Browsers remove tabs and line ends, and treat a backslash as a slash.
    var text = text.filter { ![0x09, 0x0A, 0x0D].contains($0) }[...]
    if let colon = text.firstIndex(of: UInt8(ascii: ":")), URLScheme.isOne(text[..<colon]) {
      scheme = String(decoding: text[..<colon].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
      text = text[(colon + 1)...]
    }
    let end = text.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
    path = text[..<(end ?? text.endIndex)].map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
    hasHost = scheme == nil && path.starts(with: "//".utf8)
    isKnown = !isCut || end != nil
  }

  /// Whether it is a relative address that names a file.
  package var isOfFile: Bool {
    scheme == nil && !hasHost && isKnown && path.last.map { $0 != UInt8(ascii: "/") } ?? false
  }

  package var isRooted: Bool { path.first == UInt8(ascii: "/") }

  /// `folder` is empty or has a slash at its end; nil if the address leads out of the root.
  package func resolved(in folder: [UInt8]) -> [UInt8]? {
    let slash = UInt8(ascii: "/")
    var result: [UInt8] = []
    result.reserveCapacity(folder.count + path.count)
    // By bytes: a page may name thousands of files, and lie deep.
    if !isRooted {
      for byte in folder where byte != slash || result.last ?? slash != slash { result.append(byte) }
      if result.last == slash { result.removeLast() }
    }
    for part in path.split(separator: slash) {
      let part = WebAddress.decoded(part)
      if part.elementsEqual("..".utf8) {
        if result.isEmpty { return nil }
        result.removeSubrange((result.lastIndex(of: slash) ?? 0)...)
      } else if !part.elementsEqual(".".utf8) {
        if !result.isEmpty { result.append(slash) }
        result += part
      }
    }
    return result
  }

  /// The bytes with escapes such as `%20` replaced; an invalid escape stays as it is.
  package static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    guard bytes.contains(UInt8(ascii: "%")) else { return Array(bytes) }
    var decoded: [UInt8] = []
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.endIndex, let high = hex(bytes[index + 1]),
        let low = hex(bytes[index + 2])
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(bytes[index])
        index += 1
      }
    }
    return decoded
  }

  private static func hex(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46, 0x61...0x66: (byte | 0x20) - 0x61 + 10
    default: nil
    }
  }
}
