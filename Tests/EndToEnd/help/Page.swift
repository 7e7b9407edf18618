import Foundation
import SystemPackage
import TestSupport

/// A page of the documentation, or the README: Markdown with blocks that are run.
///
/// A block whose first line is a comment with a path (`# npi.yml`, `// ios/a.c`) is that file, with that line. In a block
/// `console` each line behind `$ ` is for `sh`, in the folder of the files and of two packed examples; what follows is what it
/// prints on both streams. There a line `…` stands for any lines, and a `…` in a line for any text.
struct Page {
  struct Block {
    let language: String
    /// Where it stands among the lines of the page, without its fences.
    let range: Range<Int>
  }

  var lines: [String]
  private(set) var blocks: [Block] = []

  init(_ text: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var start: (language: String, line: Int)?
    for (number, line) in lines.enumerated() where line.hasPrefix("```") {
      if let open = start {
        blocks.append(Block(language: open.language, range: open.line..<number))
        start = nil
      } else {
        start = (String(line.dropFirst(3)), number + 1)
      }
    }
  }

  var text: String { lines.joined(separator: "\n") }

  /// The path of the file that a block is.
  func file(_ block: Block) -> String? {
    guard block.range.count > 1, let path = lines[block.range.lowerBound].wholeMatch(of: #/(?:#|//) (\S+\.\S+)/#) else {
      return nil
    }
    return String(path.1)
  }

  func content(_ block: Block) -> String { lines[block.range].map { $0 + "\n" }.joined() }

  /// Words in backquotes that stand in the text.
  var spans: [String] {
    let isCode = Set(blocks.flatMap { $0.range.lowerBound - 1...$0.range.upperBound })
    let prose = lines.indices.map { isCode.contains($0) ? "" : lines[$0] }.joined(separator: "\n")
    return prose.matches(of: #/`([^`]+)`/#).map { $0.1.replacingOccurrences(of: "\n", with: " ") }
  }

  // MARK: Commands

  struct Command {
    let text: String
    /// The lines of what it prints.
    let output: Range<Int>
  }

  func commands(_ block: Block) -> [Command] {
    let starts = block.range.filter { lines[$0].hasPrefix("$ ") }
    return zip(starts, starts.dropFirst() + [block.range.upperBound]).map { start, end in
      Command(text: String(lines[start].dropFirst(2)), output: start + 1..<end)
    }
  }

  /// Whether lines are as a page says.
  static func agree(_ lines: ArraySlice<String>, with pattern: ArraySlice<String>) -> Bool {
    guard let first = pattern.first else { return lines.isEmpty }
    if first == "…" {
      return (lines.startIndex...lines.endIndex).contains { agree(lines[$0...], with: pattern.dropFirst()) }
    }
    guard let line = lines.first, agree(line, with: first) else { return false }
    return agree(lines.dropFirst(), with: pattern.dropFirst())
  }

  private static func agree(_ line: String, with pattern: String) -> Bool {
    let parts = pattern.components(separatedBy: "…")
    guard line != pattern, parts.count > 1 else { return line == pattern }
    guard line.hasPrefix(parts[0]), line.hasSuffix(parts[parts.count - 1]) else { return false }
    var rest = line.dropFirst(parts[0].count)
    for part in parts.dropFirst() where !part.isEmpty {
      guard let found = rest.range(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }
}
