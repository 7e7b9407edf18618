internal import CDemangle

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// What the C++ runtime makes of a mangled name; nil if it is none.
func demangledByRuntime(_ name: some Sequence<UInt8>) -> [UInt8]? {
  let text = name.map { CChar(bitPattern: $0) } + [0]
  var status: Int32 = 0
  guard let result = unsafe __cxa_demangle(text, nil, nil, &status) else { return nil }
  defer { unsafe free(result) }
  return unsafe Array(UnsafeBufferPointer(start: result, count: strlen(result))).map { UInt8(bitPattern: $0) }
}
