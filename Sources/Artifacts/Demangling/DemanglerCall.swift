internal import CDemangle
import CLibrary

/// What the C++ runtime makes of a mangled name; nil if it is none. It takes as much time and memory as it likes.
func demangledByRuntime(_ name: some Sequence<UInt8>, atMost limit: Int) throws(OverlongText) -> [UInt8]? {
  let text = name.map { CChar(bitPattern: $0) } + [0]
  var status: Int32 = 0
  guard let result = unsafe __cxa_demangle(text, nil, nil, &status) else {
    // No memory was left.
    if status == -1 { throw OverlongText() }
    return nil
  }
  defer { unsafe free(result) }
  let count = unsafe strlen(result)
  if count > limit { throw OverlongText() }
  return unsafe Array(UnsafeBufferPointer(start: result, count: count)).map { UInt8(bitPattern: $0) }
}
