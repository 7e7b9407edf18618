/// Text for XML and HTML: the five characters that mean something there, and nothing that XML 1.0 forbids.
func escapedMarkup(_ text: String) -> String {
  printable(text).map { character in
    switch character {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\"": "&quot;"
    case "'": "&#39;"
    default: String(character)
    }
  }.joined()
}
