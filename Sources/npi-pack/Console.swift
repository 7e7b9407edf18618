import ArgumentParser
import Findings
import Foundation

enum ColorMode: String, ExpressibleByArgument, CaseIterable {
  case auto, always, never

  /// What `--color` says, for mistakes that end a command, when its options are out of reach.
  static func given(in arguments: [String]) -> ColorMode {
    for (index, word) in arguments.enumerated() {
      if word == "--color", index + 1 < arguments.count { return ColorMode(rawValue: arguments[index + 1]) ?? .auto }
      if word.hasPrefix("--color=") { return ColorMode(rawValue: String(word.dropFirst(8))) ?? .auto }
    }
    return .auto
  }
}

/// The one place that prints. Results go to standard output; progress, notes and mistakes to standard error.
struct Console: Sendable {
  let color: Bool
  /// Whether standard error is a terminal that can be written over.
  let isTerminal: Bool

  init(color mode: ColorMode) {
    let environment = ProcessInfo.processInfo.environment
    isTerminal = isatty(2) == 1 && environment["TERM"] != "dumb"
    color =
      switch mode {
      case .always: true
      case .never: false
      case .auto: isTerminal && (environment["NO_COLOR"] ?? "").isEmpty
      }
  }

  func show(_ mistakes: Mistakes) {
    let renderer = TextRenderer(color: color)
    // A mistake without a place says who speaks.
    Console.writeError(mistakes.all.map { ($0.place == nil ? "npi-pack: " : "") + renderer.render($0) }.joined())
  }

  func note(_ text: String) { Console.writeError(printable(text) + "\n") }

  static func writeOutput(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

  static func writeError(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}

/// Ends the process; what was written is out already.
func endProcess(_ status: Int32) -> Never { exit(status) }
