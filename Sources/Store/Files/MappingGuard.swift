import CLibrary
internal import Synchronization
internal import SystemPackage

/// Reports a mapped file that is truncated while it is read. The next access beyond its new end raises SIGBUS, which
/// cannot be recovered from: the process names the file and exits with 2, as if it were killed.
///
/// The handler may do little: it reads a fixed table with atomics, and writes a message made when the file was mapped.
enum MappingGuard {
  /// A mapping's addresses, and its zero-terminated message. A slot that is being filled has 1 as its start.
  private struct Slot: ~Copyable {
    let start = Atomic<UInt>(0)
    let end = Atomic<UInt>(0)
    let message = Atomic<UInt>(0)
  }

  private static let slots = InlineArray<1024, Slot> { _ in Slot() }
  /// The slot at which the search for a free one begins.
  private static let hint = Atomic<Int>(0)
  /// The number of mappings without a slot.
  private static let unnamed = Atomic<Int>(0)
  /// Installs the handler once for the process, at the first mapping.
  private static let isInstalled: Bool = {
    var action = sigaction()
    unsafe setHandler(&action) { _, info, _ in MappingGuard.handle(unsafe MappingGuard.address(info)) }
    return unsafe sigaction(SIGBUS, &action, nil) == 0
  }()

  /// Enters a mapping. The result is the argument for `leave`.
  static func enter(_ start: UInt, count: Int, _ path: FilePath) -> Int {
    _ = isInstalled
    let error = FileError(path, doing: "read", reason: "it was cut off while it was being read")
    let text = "npi-pack: error: \(escaped(error.description))\n  hint: wait until nothing writes to it and run again\n"
    let from = hint.wrappingAdd(1, ordering: .relaxed).newValue
    for step in 0..<slots.count {
      let index = Int(UInt(bitPattern: from &+ step) % UInt(slots.count))
      guard slots[index].start.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged else {
        continue
      }
      slots[index].message.store(unsafe UInt(bitPattern: strdup(text)), ordering: .relaxed)
      slots[index].end.store(start + UInt(count), ordering: .relaxed)
      slots[index].start.store(start, ordering: .releasing)
      return index
    }
    unnamed.wrappingAdd(1, ordering: .relaxed)
    return -1
  }

  static func leave(_ index: Int) {
    guard index >= 0 else {
      unnamed.wrappingSubtract(1, ordering: .relaxed)
      return
    }
    let message = slots[index].message.exchange(0, ordering: .relaxed)
    slots[index].start.store(0, ordering: .releasing)
    unsafe free(UnsafeMutableRawPointer(bitPattern: message))
  }

  /// Replaces control characters, because a name must not move a terminal's cursor.
  private static func escaped(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
  }

  // MARK: In the handler

  private static func handle(_ address: UInt) {
    for index in 0..<slots.count {
      let start = slots[index].start.load(ordering: .acquiring)
      guard start > 1, start <= address, address < slots[index].end.load(ordering: .relaxed) else { continue }
      let message = slots[index].message.load(ordering: .relaxed)
      if let text = unsafe UnsafePointer<CChar>(bitPattern: message) { unsafe say(text, strlen(text)) }
      _exit(2)
    }
    if unnamed.load(ordering: .relaxed) > 0 {
      let text: StaticString = "npi-pack: error: a file was cut off while it was being read\n"
      unsafe say(text.utf8Start, text.utf8CodeUnitCount)
      _exit(2)
    }
    // The fault is not in a mapping. It happens again, and ends the process by the default action.
    _ = signal(SIGBUS, SIG_DFL)
  }

  private static func say(_ text: UnsafeRawPointer, _ count: Int) {
    // The line may show a status, which is cleared.
    if isatty(2) == 1 {
      let clear: StaticString = "\r\u{1B}[K"
      _ = unsafe write(2, clear.utf8Start, clear.utf8CodeUnitCount)
    }
    _ = unsafe write(2, text, count)
  }

  // MARK: Differences between systems

  private typealias Handler = @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void

  private static func setHandler(_ action: inout sigaction, _ handler: @escaping Handler) {
    action.sa_flags = Int32(truncatingIfNeeded: SA_SIGINFO)
    #if canImport(Darwin)
      unsafe action.__sigaction_u.__sa_sigaction = unsafe handler
    #elseif canImport(Glibc)
      unsafe action.__sigaction_handler.sa_sigaction = unsafe handler
    #elseif canImport(Musl)
      unsafe action.__sa_handler.sa_sigaction = unsafe handler
    #endif
  }

  private static func address(_ info: UnsafeMutablePointer<siginfo_t>?) -> UInt {
    guard let info = unsafe info else { return 0 }
    #if canImport(Darwin)
      return unsafe UInt(bitPattern: info.pointee.si_addr)
    #elseif canImport(Glibc)
      return unsafe UInt(bitPattern: info.pointee._sifields._sigfault.si_addr)
    #elseif canImport(Musl)
      return unsafe UInt(bitPattern: info.pointee.__si_fields.__sigfault.si_addr)
    #endif
  }
}
