import CLibrary
internal import CPlatform

/// Signals that ask this process to end.
package enum HostSignals {
  /// Whether the signal is ignored, as `nohup` does for the hangup.
  package static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    unsafe sigaction(number, nil, &action)
    #if canImport(Darwin)
      let handler = unsafe action.__sigaction_u.__sa_handler
    #else
      let handler = unsafe action.__sigaction_handler.sa_handler
    #endif
    return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// To be called once Dispatch hears the signal. On Linux it has replaced the default action, which ends the process;
  /// on Apple's systems it listens beside that.
  package static func dropDefaultAction(_ number: Int32) {
    #if canImport(Darwin)
      signal(number, SIG_IGN)
    #endif
  }

  /// Writing to a connection that the other side has closed is an error for this thread, and ends no process.
  package static func ignoreClosedConnections() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Ends this process as the signal itself would. It returns only in a container's first process, which is spared.
  package static func end(by number: Int32) {
    signal(number, SIG_DFL)
    // Threads that wait for work have all signals blocked.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(number)
  }
}
