import ArgumentParser
import BuildEngine
import CLibrary
import Findings
import SystemPackage

enum ColorMode: String, ExpressibleByArgument, CaseIterable {
  case auto, always, never

  /// The value of `--color`, for mistakes that end a command before its options are parsed.
  static func given(in arguments: [String]) -> ColorMode {
    for (index, word) in arguments.enumerated() {
      if word == "--color", index + 1 < arguments.count { return ColorMode(rawValue: arguments[index + 1]) ?? .auto }
      if word.hasPrefix("--color=") { return ColorMode(rawValue: String(word.dropFirst(8))) ?? .auto }
    }
    return .auto
  }
}

/// All printing goes through this type. Results go to standard output; progress, notes and mistakes to standard error.
struct Console: Sendable {
  let color: Bool
  /// Whether standard output is coloured: it may lead to another place than standard error.
  let colorsOutput: Bool
  /// Whether standard error is a terminal on which a line can be overwritten.
  let isTerminal: Bool
}

extension Console {
  init(color mode: ColorMode) {
    func colors(_ file: Int32) -> Bool {
      switch mode {
      case .always: true
      case .never: false
      case .auto: Terminal.canBeWrittenOver(file) && !Terminal.wantsNoColor
      }
    }
    self.init(color: colors(2), colorsOutput: colors(1), isTerminal: Terminal.canBeWrittenOver(2))
  }

  func show(_ mistakes: Mistakes) {
    let renderer = TextRenderer(color: color)
    // A mistake without a place begins with the program's name.
    Console.writeError(mistakes.all.map { ($0.place == nil ? "npi-pack: " : "") + renderer.render($0) }.joined())
  }

  func waits(for wait: Wait) { for line in wait.lines { note(line) } }

  func note(_ text: String) { Console.writeError(printable(text) + "\n") }

  /// A result that cannot be delivered is a failure of the command.
  static func writeOutput(_ text: String) { writeOutput(Array(text.utf8)) }

  /// A result need not be text.
  static func writeOutput(_ bytes: [UInt8]) {
    if bytes.isEmpty { return }
    RecordedRun.add(bytes, isError: false)
    do { try FileDescriptor.standardOutput.writeAll(bytes) } catch {
      writeError("npi-pack: error: cannot write to standard output\n")
      endProcess(2)
    }
  }

  /// Writes lines with foreign names: raw bytes for a program, printable text for a terminal.
  static func writeNames(_ bytes: [UInt8]) {
    guard Terminal.isTerminal(1) else { return writeOutput(bytes) }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    writeOutput(lines.map { printable(String($0)) }.joined(separator: "\n"))
  }

  /// A failure is ignored, because there is no other place to report it.
  static func writeError(_ text: String) { writeError(Array(text.utf8)) }

  static func writeError(_ bytes: [UInt8]) {
    RecordedRun.add(bytes, isError: true)
    _ = try? FileDescriptor.standardError.writeAll(bytes)
  }
}

/// Ends the process, whose output has already been written. After an ending signal it ends by that signal.
func endProcess(_ status: Int32) -> Never {
  EndingSignals.endIfReceived()
  exit(status)
}

/// A reader that stops (`2>&1 | head`) must not end a build halfway: instead writing fails, and the failure is handled.
func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }
