#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// What the system says of the terminal behind a descriptor.
package enum HostTerminal {
  package static func isTerminal(_ file: Int32) -> Bool { isatty(file) == 1 }

  /// How many characters fit in a line. Nil: no terminal, or one that does not know.
  package static func columns(_ file: Int32) -> Int? { SystemCalls.terminalColumns(file) }

  /// Whether what this process writes is what the user looks at: false if a shell has put it in the background. Nil: not
  /// the terminal of this session.
  package static func isInForeground(_ file: Int32) -> Bool? {
    let group = tcgetpgrp(file)
    return group < 0 ? nil : group == getpgrp()
  }
}
