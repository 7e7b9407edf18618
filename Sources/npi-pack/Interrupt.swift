import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Work that Ctrl-C, a closed terminal and `kill` cancel: running commands are ended, old outputs stay. More
/// signals change nothing: whoever left at once would leave commands running and outputs half-made. `told` hears of each.
func cancelledBySignals<T: Sendable>(
  told: @escaping @Sendable () -> Void, _ work: @escaping @Sendable () async throws -> T
) async throws -> T {
  ignoreClosedPipes()
  // A file that outgrows the limit (`ulimit -f`) is an error like a full disk. Commands get both as they were.
  signal(SIGXFSZ, SIG_IGN)
  let task = Task { try await work() }
  let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
    // The default action would end the process before the source is told.
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler {
      task.cancel()
      told()
    }
    source.resume()
    return source
  }
  defer { for source in sources { source.cancel() } }
  return try await task.value
}

/// Who does not listen any more (`2>&1 | head`) must not end a build halfway: writing then fails, and that is seen.
func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }
