import Archives
import Artifacts
import Documents
import Findings

extension ContentChecksum {
  /// Equal for elements of a `values` file that mean the same: whatever the order of attributes, the white space that
  /// Android folds, and attributes for translators and checks.
  ///
  /// `form` is overwritten.
  static func ofValue(_ tag: XMLTree.Element, in document: [UInt8], _ form: inout ValueForm) -> ContentChecksum {
    // Most elements are written as their form is.
    if let plain = tag.plainBytes, ValueForm.isFolded(tag.textBytes), !tag.isNamed("item"),
      !tag.attributes.contains(where: ValueForm.leavesOut)
    {
      return ContentChecksum(size: plain.count, crc32: Deflate.crc32(plain.span))
    }
    form.begin()
    form.add(tag, isRoot: true)
    // The order of text and elements beside it is not known here, but the document has it.
    return ContentChecksum(form.isKnown ? form.bytes : Array("=".utf8) + document[tag.range])
  }

  init(_ bytes: [UInt8]) { self.init(size: bytes.count, crc32: Deflate.crc32(bytes.span)) }
}

/// The bytes that stand for the meaning of a value. One form serves for many values in turn.
struct ValueForm {
  fileprivate private(set) var bytes: [UInt8] = []
  /// False if elements stand in a text.
  fileprivate private(set) var isKnown = true

  fileprivate mutating func begin() {
    bytes.removeAll(keepingCapacity: true)
    isKnown = true
  }

  fileprivate mutating func add(_ tag: XMLTree.Element, isRoot: Bool = false) {
    // `<item type="dimen">` is a `<dimen>`.
    let type = isRoot && tag.isNamed("item") ? tag.bytes(of: "type") : nil
    guard isKnown, tag.descendants == 0 || isRoot && ValueForm.isList(type ?? tag.nameBytes) else {
      isKnown = false
      return
    }
    for attribute in tag.attributes where attribute.namespace.isEmpty {
      if ValueForm.leavesOut(attribute) || type != nil && attribute.isNamed("type") { continue }
      add(attribute.nameBytes)
      add(attribute.valueBytes)
    }
    if !tag.namespace.isEmpty {
      bytes.append(Mark.namespace)
      add(tag.namespace.utf8)
    }
    add(type ?? tag.nameBytes)
    addFolded(tag.textBytes)
    for child in tag.children {
      bytes.append(Mark.opens)
      add(child)
      bytes.append(Mark.closes)
    }
  }

  /// Whether the elements in one of this name are parts of the value, and white space between them is nothing.
  private static func isList(_ name: ArraySlice<UInt8>) -> Bool {
    ["array", "integer-array", "plurals", "string-array", "style"].contains { name.elementsEqual($0.utf8) }
  }

  fileprivate static func leavesOut(_ attribute: XMLTree.Attribute) -> Bool {
    attribute.isNamed("translatable") || attribute.isNamed("formatted")
  }

  /// Whether folding does not change it. White space that quotes protect is not looked at.
  fileprivate static func isFolded(_ text: ArraySlice<UInt8>) -> Bool {
    var isBetween = true
    for byte in text {
      if byte.isSpace, isBetween || byte != UInt8(ascii: " ") { return false }
      isBetween = byte.isSpace
    }
    return text.isEmpty || !isBetween
  }

  /// Adds a text word by word. White space counts only inside of quotes, and only that of ASCII is folded (aapt2,
  /// `StringBuilder::AppendText`).
  private mutating func addFolded(_ text: ArraySlice<UInt8>) {
    var (isBetween, isQuoted, isEscaped) = (true, false, false)
    for byte in text {
      if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
      let isSpace = byte.isSpace && !isQuoted && !isEscaped
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      if !isSpace || !isBetween { bytes.append(isSpace ? UInt8(ascii: " ") : byte) }
      isBetween = isSpace
    }
    if isBetween, !text.isEmpty, bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    bytes.append(Mark.ends)
  }

  /// XML has none of these characters.
  private enum Mark {
    static let ends: UInt8 = 0
    static let namespace: UInt8 = 1
    static let opens: UInt8 = 2
    static let closes: UInt8 = 3
  }

  private mutating func add(_ text: some Collection<UInt8>) {
    bytes += text
    bytes.append(Mark.ends)
  }
}
