#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// `npi-fuzz TARGET FILE...` reads files as a target does, to see what became of a find. `make fuzz` builds it with
/// libFuzzer (`FUZZER` is set then), of which all arguments after the target's name are.
@main enum NPIFuzz {
  static func main() {
    let words = CommandLine.arguments
    guard words.count > 1, let target = FuzzTarget(rawValue: words[1]) else {
      print("usage: npi-fuzz TARGET FILE...\ntargets: \(FuzzTarget.allCases.map(\.rawValue).joined(separator: " "))")
      exit(2)
    }
    #if FUZZER
      fuzz(target)
    #else
      for path in words.dropFirst(2) {
        guard let file = unsafe fopen(path, "r") else {
          print("\(path): cannot be opened")
          exit(2)
        }
        var bytes: [UInt8] = []
        while true {
          let byte = unsafe getc(file)
          if byte == EOF { break }
          bytes.append(UInt8(truncatingIfNeeded: byte))
        }
        unsafe fclose(file)
        print("\(path): \(target.isSound(bytes) ? "sound" : "what was read cannot be")")
      }
    #endif
  }
}

#if FUZZER
  @_silgen_name("LLVMFuzzerRunDriver") private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
  ) -> CInt

  /// What is fuzzed: libFuzzer calls a C function, which captures nothing.
  nonisolated(unsafe) private var target: FuzzTarget?

  private func fuzz(_ named: FuzzTarget) {
    unsafe (target = named)
    var count = CommandLine.argc - 1
    // The target's name stands where libFuzzer has the program's.
    var words = unsafe CommandLine.unsafeArgv + 1
    exit(
      unsafe runDriver(&count, &words) { start, count in
        let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
        if let target = unsafe target, !target.isSound(bytes) { abort() }
        return 0
      })
  }
#endif
