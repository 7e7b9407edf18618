import CLibrary
internal import CPlatform
package import SystemPackage

/// A running program, started with `posix_spawn`, which copies no memory. It leads a process group of its own, has an
/// empty standard input, no file of this process but its output, and the signals of a shell's child.
///
/// Its number is not reused until `reap`, even if it has ended.
package struct ChildProcess: Sendable {
  package enum Status: Sendable, Equatable {
    case exited(Int32)
    case signalled(Int32)
  }

  package let number: Int32

  /// Words and variables have no zero byte at their end; the first word is the program's `argv[0]`.
  package static func start(
    _ program: FilePath, words: [[UInt8]], environment: [[UInt8]], in directory: FilePath, output: FileDescriptor
  ) throws(Errno) -> ChildProcess {
    #if canImport(Darwin)
      var attributes: posix_spawnattr_t?
      var actions: posix_spawn_file_actions_t?
      let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_CLOEXEC_DEFAULT
    #else
      var attributes = posix_spawnattr_t()
      var actions = unsafe posix_spawn_file_actions_t()
      let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    #endif
    try check(unsafe posix_spawnattr_init(&attributes))
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    try check(unsafe posix_spawn_file_actions_init(&actions))
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    try check(unsafe posix_spawnattr_setflags(&attributes, Int16(flags)))
    try check(unsafe posix_spawnattr_setpgroup(&attributes, 0))
    // Threads that wait for work have all signals blocked, and this process ignores some.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    try check(unsafe posix_spawnattr_setsigmask(&attributes, &signals))
    unsafe sigfillset(&signals)
    try check(unsafe posix_spawnattr_setsigdefault(&attributes, &signals))
    try check(unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0))
    for file in [STDOUT_FILENO, STDERR_FILENO] {
      try check(unsafe posix_spawn_file_actions_adddup2(&actions, output.rawValue, file))
    }
    #if canImport(Glibc)
      // This closes files that this process inherited. Its own close by themselves, and Apple's flag closes all.
      try check(unsafe posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1))
    #endif
    try check(unsafe directory.withPlatformString { unsafe posix_spawn_file_actions_addchdir_np(&actions, $0) })
    var number: pid_t = 0
    let code = unsafe withStrings(words) { words in
      unsafe withStrings(environment) { environment in
        unsafe program.withPlatformString { unsafe posix_spawn(&number, $0, &actions, &attributes, words, environment) }
      }
    }
    try check(code)
    return ChildProcess(number: number)
  }

  /// Waits until it has ended; it can still be sent signals then. Blocks the thread.
  package func waitForEnd() {
    var info = unsafe siginfo_t()
    while unsafe waitid(P_PID, id_t(number), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
  }

  /// Waits for the end, and releases the process number. To be called once.
  package func reap() -> Status {
    var status: Int32 = 0
    while unsafe waitpid(number, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
  }

  package func terminate() { _ = kill(-number, SIGTERM) }

  package func end() { _ = kill(-number, SIGKILL) }

  /// Whether any process of its group is left. Until then its number is not reused.
  package var hasGroup: Bool { kill(-number, 0) == 0 }

  /// Blocks the thread.
  package static func pause(milliseconds: UInt32) { usleep(1000 * milliseconds) }

  private static func check(_ code: Int32) throws(Errno) {
    if code != 0 { throw Errno(rawValue: code) }
  }

  /// Calls the body with pointers to zero-terminated texts and a final null pointer.
  private static func withStrings(
    _ strings: [[UInt8]], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Int32
  ) -> Int32 {
    var bytes: [UInt8] = []
    var offsets: [Int] = []
    for string in strings {
      offsets.append(bytes.count)
      bytes += string
      bytes.append(0)
    }
    bytes.append(0)
    return unsafe bytes.withUnsafeMutableBytes { bytes in
      guard let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return EINVAL }
      let pointers = unsafe offsets.map { unsafe Optional(start.advanced(by: $0)) } + [nil]
      return unsafe pointers.withUnsafeBufferPointer { pointers in
        guard let first = pointers.baseAddress else { return EINVAL }
        return unsafe body(first)
      }
    }
  }
}
