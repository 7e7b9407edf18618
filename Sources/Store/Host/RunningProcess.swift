import CLibrary
internal import CPlatform

/// A process that this one may not have started.
package struct RunningProcess: Sendable, Hashable {
  package let number: Int32
  /// The program's name, cut off by the system; empty if it is not known.
  package let program: String

  package func terminate() { _ = kill(number, SIGTERM) }

  package func end() { _ = kill(number, SIGKILL) }
}
