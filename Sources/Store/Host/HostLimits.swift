// Either module may declare `timeval`, depending on what else is compiled.
import CLibrary
internal import CPlatform

/// Limits that a process sets itself for unbounded work. Beyond them it gets no more memory, or the system ends it.
package enum HostLimits {
  /// Limits the writable memory and the computing time.
  package static func set(bytes: Int, seconds: Int) {
    #if canImport(Glibc)
      let (data, time, core) = (Int32(RLIMIT_DATA.rawValue), Int32(RLIMIT_CPU.rawValue), Int32(RLIMIT_CORE.rawValue))
    #else
      let (data, time, core) = (RLIMIT_DATA, RLIMIT_CPU, RLIMIT_CORE)
    #endif
    // Apple's system takes no limit below what there is already.
    _ = [bytes, 2 * bytes, 4 * bytes].first { limit(data, $0) }
    _ = limit(time, seconds)
    // No core file is written.
    _ = limit(core, 0)
  }

  /// Ends the process after this computing time from now, unless it is called again before.
  package static func endAfter(microseconds: Int) {
    #if canImport(Glibc)
      let clock = Int32(ITIMER_VIRTUAL.rawValue)
    #else
      let clock = ITIMER_VIRTUAL
    #endif
    var timer = itimerval()
    timer.it_value.tv_sec = time_t(microseconds / 1_000_000)
    timer.it_value.tv_usec = suseconds_t(microseconds % 1_000_000)
    _ = unsafe setitimer(clock, &timer, nil)
  }

  private static func limit(_ resource: Int32, _ value: Int) -> Bool {
    var limits = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
    return unsafe setrlimit(resource, &limits) == 0
  }
}
