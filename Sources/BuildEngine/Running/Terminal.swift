import Store

package enum Terminal {
  /// Whether a descriptor leads to a terminal whose lines can be written over: `TERM` is there, and not `dumb`.
  package static func canBeWrittenOver(_ file: Int32) -> Bool {
    guard HostProcess.isTerminal(file), let name = HostProcess.variable("TERM") else { return false }
    return !name.isEmpty && name != Array("dumb".utf8)
  }

  package static func isTerminal(_ file: Int32) -> Bool { HostProcess.isTerminal(file) }

  /// <https://no-color.org>
  package static var wantsNoColor: Bool { !(HostProcess.variable("NO_COLOR") ?? []).isEmpty }

  package static func columns(_ file: Int32) -> Int { HostProcess.columns(file) ?? 80 }

  /// Nil if what is printed does not go to a terminal.
  package static var outputColumns: Int? { isTerminal(1) ? columns(1) : nil }

  /// False if a shell has put this process in the background, where it would overwrite another program's lines.
  package static func isInForeground(_ file: Int32) -> Bool { HostProcess.isInForeground(file) ?? true }
}

/// Signals that ask this process to end.
package enum ProcessSignals {
  package static func isIgnored(_ number: Int32) -> Bool { HostSignals.isIgnored(number) }
  /// To be called once Dispatch hears the signal.
  package static func dropDefaultAction(_ number: Int32) { HostSignals.dropDefaultAction(number) }
  /// Returns only if the signal cannot end the process.
  package static func end(by number: Int32) { HostSignals.end(by: number) }
}
