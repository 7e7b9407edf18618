// Text of somebody else as a part of a text in some format: one escaper a format. What means something there is ASCII, so
// all go by bytes or scalars: a quote with an accent on it, or behind a letter that is drawn before it, is another
// `Character`, and ends a quote all the same. JSON's is `JSONValue`, that of shells `ShellText`, that of GitHub's commands
// stands with them.

/// For XML and HTML: in text, or in the value of an attribute in double quotes, where a reader makes white space of all
/// kinds a space. Whoever writes what XML cannot hold at all looks for it before.
package func escapedMarkup(_ text: String, isAttribute: Bool = false) -> String {
  text.replacingBytes { byte in
    switch byte {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\"") where isAttribute: "&quot;"
    case 0x09 where isAttribute: "&#9;"
    case 0x0A where isAttribute: "&#10;"
    case 0x0D: "&#13;"
    default: nil
    }
  }
}

/// A text as Graphviz draws it, with backslashes and, as in HTML, signs by their names (`&lt;`).
package func graphvizQuoted(_ text: String) -> String {
  let plain = printable(text).replacingBytes { byte in
    switch byte {
    case UInt8(ascii: "\\"): "\\\\"
    case UInt8(ascii: "\""): "\\\""
    case UInt8(ascii: "&"): "&amp;"
    default: nil
    }
  }
  return "\"\(plain)\""
}

/// A text as Mermaid draws it: whatever could mean something there, in a label or in Markdown, by its number.
/// Source: Mermaid's page on flowcharts; signs are written as `#NN;`, their numbers in decimal.
package func mermaidQuoted(_ text: String) -> String {
  let plain = printable(text).replacingBytes { byte in
    let isPlain = byte >= 0x80 || isASCIILetter(byte) || (0x30...0x39).contains(byte) || " .:".utf8.contains(byte)
    return isPlain ? nil : "#\(byte);"
  }
  return "\"\(plain)\""
}

/// Text as itself: whatever ASCII sign means something to Markdown has a backslash (CommonMark 2.4), and no name becomes a
/// mention of somebody.
package func escapedMarkdown(_ text: String) -> String {
  printable(text).replacingBytes { byte in
    if byte == UInt8(ascii: "@") { return "@\u{2060}" }
    return "\\`*_[]<>#|~&!".utf8.contains(byte) ? "\\\(Unicode.Scalar(byte))" : nil
  }
}

/// A code span, which ends with as many backticks as it begins with (CommonMark 6.1). In a table, a bar ends the cell even
/// there.
package func markdownCode(_ text: String, inTable: Bool = false) -> String {
  let plain = printable(text)
  let longest = plain.utf8.split { $0 != UInt8(ascii: "`") }.map(\.count).max() ?? 0
  let fence = String(repeating: "`", count: longest + 1)
  let code = longest == 0 ? "`\(plain)`" : "\(fence) \(plain) \(fence)"
  return inTable ? code.replacingBytes { $0 == UInt8(ascii: "|") ? "\\|" : nil } : code
}

private func isASCIILetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
