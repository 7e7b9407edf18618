// Escaping of foreign text inside other formats, with one function for each. Characters with a meaning in a format are
// ASCII, so all functions go by bytes or scalars: a quote with a combining accent is another `Character`, and ends a
// quotation all the same. `JSONValue` escapes for JSON, `ShellText` for shells, and `GitHubRenderer` for GitHub's
// commands.

/// Escapes for XML and HTML: in text, or in the value of an attribute in double quotes, where parsers turn all white
/// space into spaces. The caller has to refuse what XML cannot contain at all (`characterOutsideXML`).
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

/// The first character that XML 1.0 cannot contain, whatever its escaping; nil if there is none.
package func characterOutsideXML(_ text: String) -> Unicode.Scalar? {
  text.unicodeScalars.first { scalar in
    switch scalar {
    case "\t", "\n", "\r": false
    case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": true
    default: false
    }
  }
}

/// A string of Swift, in double quotes: nothing in it ends it, begins an interpolation, or is invisible.
package func swiftQuoted(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    if scalar == "\\" || scalar == "\"" {
      result += "\\\(scalar)"
    } else if isUnprintable(scalar) {
      result += "\\u{\(String(scalar.value, radix: 16))}"
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}

/// A part of a URL (RFC 3986): everything but unreserved characters and `/` is escaped.
package func percentEncoded(_ text: String) -> String {
  text.utf8.map { byte in
    let isPlain = isASCIILetter(byte) || (48...57).contains(byte) || "-._~/".utf8.contains(byte)
    if isPlain { return String(Unicode.Scalar(byte)) }
    let hex = String(byte, radix: 16, uppercase: true)
    return "%" + (hex.utf8.count < 2 ? "0" : "") + hex
  }.joined()
}

/// A text for Graphviz, whose labels have backslash escapes and, as in HTML, named references (`&lt;`).
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

/// A text for Mermaid, with every character that could have a meaning, in a label or in Markdown, as a number. Source:
/// Mermaid's page on flowcharts; characters are written as `#NN;`, with decimal numbers.
package func mermaidQuoted(_ text: String) -> String {
  let plain = printable(text).replacingBytes { byte in
    let isPlain = byte >= 0x80 || isASCIILetter(byte) || (0x30...0x39).contains(byte) || " .:".utf8.contains(byte)
    return isPlain ? nil : "#\(byte);"
  }
  return "\"\(plain)\""
}

/// Literal text: every ASCII character with a meaning in Markdown gets a backslash (CommonMark 2.4), and no name
/// becomes a mention of a user.
package func escapedMarkdown(_ text: String) -> String {
  printable(text).replacingBytes { byte in
    if byte == UInt8(ascii: "@") { return "@\u{2060}" }
    return "\\`*_[]<>#|~&!".utf8.contains(byte) ? "\\\(Unicode.Scalar(byte))" : nil
  }
}

/// A code span, which ends with as many backticks as it begins with (CommonMark 6.1). In a table, a bar ends the cell
/// even there.
package func markdownCode(_ text: String, inTable: Bool = false) -> String {
  let plain = printable(text)
  let longest = plain.utf8.split { $0 != UInt8(ascii: "`") }.map(\.count).max() ?? 0
  let fence = String(repeating: "`", count: longest + 1)
  let code = longest == 0 ? "`\(plain)`" : "\(fence) \(plain) \(fence)"
  return inTable ? code.replacingBytes { $0 == UInt8(ascii: "|") ? "\\|" : nil } : code
}

private func isASCIILetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
