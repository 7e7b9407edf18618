import Archives
import Artifacts
import Documents
import Findings

extension ContentChecksum {
  /// Equal for elements of a `values` file that mean the same: whatever the order of attributes, the white space that
  /// Android folds, and attributes for translators and checks.
  init(ofValue tag: XMLTag, in document: [UInt8]) {
    var form = ValueForm()
    form.add(tag, isRoot: true)
    // The order of text and elements beside it is not known here, but the document has it.
    self.init(form.isKnown ? form.bytes : Array("=".utf8) + document[tag.range])
  }

  init(_ bytes: [UInt8]) { self.init(size: bytes.count, crc32: Deflate.crc32(bytes.span)) }
}

private struct ValueForm {
  private(set) var bytes: [UInt8] = []
  /// False if text stands between elements.
  private(set) var isKnown = true

  mutating func add(_ tag: XMLTag, isRoot: Bool = false) {
    let text = tag.text.trimmed
    guard isKnown, text.isEmpty || tag.children.isEmpty else {
      isKnown = false
      return
    }
    add(tag.namespace)
    // `<item type="dimen">` is a `<dimen>`.
    let type = isRoot && tag.name == "item" ? tag["type"] : nil
    add(type ?? tag.name)
    for attribute in tag.attributes where attribute.namespace.isEmpty {
      if ["translatable", "formatted"].contains(attribute.name) || type != nil && attribute.name == "type" { continue }
      add(attribute.name)
      add(attribute.value)
    }
    bytes.append(Mark.text)
    // White space counts only inside of quotes.
    if text.utf8.contains(UInt8(ascii: "\"")) {
      add(text)
    } else {
      for word in text.words { add(word) }
    }
    for child in tag.children {
      bytes.append(Mark.opens)
      add(child)
      bytes.append(Mark.closes)
    }
  }

  /// XML has none of these characters.
  private enum Mark {
    static let ends: UInt8 = 0
    static let text: UInt8 = 1
    static let opens: UInt8 = 2
    static let closes: UInt8 = 3
  }

  private mutating func add(_ text: some StringProtocol) {
    bytes += text.utf8
    bytes.append(Mark.ends)
  }
}
