import CLibrary
internal import Synchronization
internal import SystemPackage

/// What is said when a mapped file is cut off while it is read. The next access behind its new end is a SIGBUS, for
/// which there is no way back: the process names the file and ends with 2, as if it were killed.
///
/// The handler may do little: it reads a fixed table with atomics, and writes a message made when the file was mapped.
enum MappingGuard {
  /// One mapping: its addresses, and its message, which ends with a zero. What is being entered has 1 for its start.
  private struct Slot: ~Copyable {
    let start = Atomic<UInt>(0)
    let end = Atomic<UInt>(0)
    let message = Atomic<UInt>(0)
  }

  private static let slots = InlineArray<1024, Slot> { _ in Slot() }
  /// Where the next free slot is looked for.
  private static let hint = Atomic<Int>(0)
  /// How many mappings found no slot.
  private static let unnamed = Atomic<Int>(0)
  /// Once for the process, at the first mapping.
  private static let isInstalled: Bool = {
    var action = sigaction()
    unsafe setHandler(&action) { _, info, _ in MappingGuard.handle(unsafe MappingGuard.address(info)) }
    return unsafe sigaction(SIGBUS, &action, nil) == 0
  }()

  /// Enters a mapping; the result is what `leave` wants.
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

  /// A name must not move a terminal's cursor.
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
    // Somebody else's fault: it happens again, and ends the process as it would have without us.
    _ = signal(SIGBUS, SIG_DFL)
  }

  private static func say(_ text: UnsafeRawPointer, _ count: Int) {
    // The line may hold a status.
    if isatty(2) == 1 {
      let clear: StaticString = "\r\u{1B}[K"
      _ = unsafe write(2, clear.utf8Start, clear.utf8CodeUnitCount)
    }
    _ = unsafe write(2, text, count)
  }

  // MARK: What differs between the systems

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
