import ArgumentParser
import Findings

/// Messages on wrong usage, based on the parser's own text.
enum UsageMessage {
  /// The parser repeats raw words, and file names from a shell's pattern may contain anything.
  static func text(_ error: any Error, _ words: [String]) -> String {
    let harmless = words.map(printable)
    if let text = unknownOption(error, harmless) { return text }
    guard harmless != words else { return withoutFarSuggestion(NPIPack.fullMessage(for: error)) }
    do {
      _ = try NPIPack.parsed(harmless)
      // The words were not the cause.
      return NPIPack.fullMessage(for: error).split(separator: "\n").map { printable(String($0)) }
        .joined(separator: "\n")
    } catch {
      return withoutFarSuggestion(NPIPack.fullMessage(for: error))
    }
  }

  /// The parser reports a missing argument before an unknown option, so this parses again with one more word.
  private static func unknownOption(_ error: any Error, _ words: [String]) -> String? {
    guard NPIPack.fullMessage(for: error).hasPrefix("Error: Missing expected argument") else { return nil }
    do {
      _ = try NPIPack.parsed(words + ["."])
      return nil
    } catch {
      let text = NPIPack.fullMessage(for: error)
      return text.hasPrefix("Error: Unknown option") ? withoutFarSuggestion(text) : nil
    }
  }

  /// Removes a bad suggestion: the parser suggests options that have three letters of ten in common.
  static func withoutFarSuggestion(_ text: String) -> String {
    guard let middle = text.firstRange(of: "'. Did you mean '"),
      let start = text[..<middle.lowerBound].lastIndex(of: "'"),
      let end = text[middle.upperBound...].firstIndex(of: "'")
    else { return text }
    let unknown = text[text.index(after: start)..<middle.lowerBound].drop { $0 == "-" }
    let suggestion = text[middle.upperBound..<end].drop { $0 == "-" }
    if nearest(to: String(unknown), among: [String(suggestion)]) != nil { return text }
    return text[..<middle.lowerBound] + "'" + text[end...].drop { $0 == "'" || $0 == "?" }
  }
}
