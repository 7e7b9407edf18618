/// The sections of code in a template of EJS or ERB, `<% … %>`. They may stand anywhere in the page, even within a tag.
///
/// The first `%>` ends a section, even one in a string, as in both languages. `<%%` is the text `<%`.
struct TemplateSections {
  /// The template, in which `WebReferenceList.unknown` stands for each byte of a section.
  private(set) var text: [UInt8]
  /// The code of each section, without the signs at its ends; comments are not among them.
  private(set) var code: [Range<Int>] = []

  init(_ bytes: [UInt8]) {
    text = bytes
    var at = 0
    let end = bytes.count
    while at + 1 < end {
      guard bytes[at] == UInt8(ascii: "<"), bytes[at + 1] == UInt8(ascii: "%") else {
        at += 1
        continue
      }
      if at + 2 < end, bytes[at + 2] == UInt8(ascii: "%") {
        at += 3
        continue
      }
      var close = at + 2
      while close + 1 < end, bytes[close] != UInt8(ascii: "%") || bytes[close + 1] != UInt8(ascii: ">") { close += 1 }
      let isClosed = close + 1 < end
      let after = isClosed ? close + 2 : end
      let sign = at + 2 < end ? bytes[at + 2] : 0
      let isSigned = "=-_".utf8.contains(sign)
      let first = at + (isSigned ? 3 : 2)
      if sign != UInt8(ascii: "#"), isClosed, first <= close { code.append(first..<close) }
      for index in at..<after { text[index] = WebReferenceList.unknown }
      at = after
    }
  }
}
