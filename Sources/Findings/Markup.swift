/// Text for XML and HTML: the five characters that mean something there, and nothing that XML 1.0 forbids. By scalars: a
/// `<` with an accent on it is one `Character` and still opens a tag.
func escapedMarkup(_ text: String) -> String {
  printable(text).unicodeScalars.map { scalar in
    switch scalar {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\"": "&quot;"
    case "'": "&#39;"
    case "\u{FFFE}", "\u{FFFF}": "\\u{\(String(scalar.value, radix: 16))}"
    default: String(scalar)
    }
  }.joined()
}
