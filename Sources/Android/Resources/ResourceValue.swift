import Archives
import Artifacts
import Documents
import Findings

extension ContentChecksum {
  /// Equal for elements of a `values` file that mean the same: whatever the order of attributes, the white space that
  /// Android folds, and attributes for translators and checks.
  ///
  /// `form` is overwritten.
  static func ofValue(_ tag: XMLTag, in document: [UInt8], _ form: inout ValueForm) -> ContentChecksum {
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
  /// False if text stands between elements.
  fileprivate private(set) var isKnown = true

  fileprivate mutating func begin() {
    bytes.removeAll(keepingCapacity: true)
    isKnown = true
  }

  fileprivate mutating func add(_ tag: XMLTag, isRoot: Bool = false) {
    guard isKnown, tag.children.isEmpty || tag.text.utf8.allSatisfy(\.isSpace) else {
      isKnown = false
      return
    }
    add(tag.namespace)
    // `<item type="dimen">` is a `<dimen>`.
    let type = isRoot && tag.name == "item" ? tag["type"] : nil
    add(type ?? tag.name)
    for index in tag.attributes.indices where tag.attributes[index].namespace.isEmpty {
      let name = tag.attributes[index].name
      if name == "translatable" || name == "formatted" || type != nil && name == "type" { continue }
      add(name)
      add(tag.attributes[index].value)
    }
    bytes.append(Mark.text)
    addFolded(tag.text)
    for child in tag.children {
      bytes.append(Mark.opens)
      add(child)
      bytes.append(Mark.closes)
    }
  }

  /// Adds a text word by word. White space counts only inside of quotes, and only that of ASCII is folded (aapt2,
  /// `StringBuilder::AppendText`).
  private mutating func addFolded(_ text: String) {
    let start = bytes.count
    bytes += text.utf8
    bytes.append(Mark.ends)
    var (end, isQuoted, isEscaped) = (start, false, false)
    for index in start..<bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      let isBetween = byte == Mark.ends || byte.isSpace && !isQuoted
      if isBetween, end == start || bytes[end - 1] == Mark.ends { continue }
      bytes[end] = isBetween ? Mark.ends : byte
      end += 1
    }
    bytes.removeLast(bytes.count - end)
  }

  /// XML has none of these characters.
  private enum Mark {
    static let ends: UInt8 = 0
    static let text: UInt8 = 1
    static let opens: UInt8 = 2
    static let closes: UInt8 = 3
  }

  private mutating func add(_ text: String) {
    bytes += text.utf8
    bytes.append(Mark.ends)
  }
}
