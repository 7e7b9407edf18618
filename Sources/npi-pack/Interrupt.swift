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
  explainTruncation()
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

/// Large inputs are mapped into memory; who cuts one off meanwhile makes the next access to it a SIGBUS, for which there
/// is no way back. It says so and ends like a kill: old outputs are whole, and the next build clears up.
private func explainTruncation() {
  signal(SIGBUS) { _ in
    // Not a moment to allocate anything, in general. But this one comes from reading the mapping, never from within the
    // allocator, and what could go wrong is a process that ends anyway.
    Console.writeError(
      """
      npi-pack: error: an input was cut off while it was being read
        hint: wait until nothing writes to it and run again

      """)
    _exit(2)
  }
}
