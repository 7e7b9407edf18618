internal import CDemangle
import CLibrary

/// The C++ runtime's text of a mangled name; nil if the name is not mangled. Its time and memory are not limited.
func demangledByRuntime(_ name: some Sequence<UInt8>, atMost limit: Int) throws(OverlongText) -> [UInt8]? {
  let text = name.map { CChar(bitPattern: $0) } + [0]
  var status: Int32 = 0
  guard let result = unsafe __cxa_demangle(text, nil, nil, &status) else {
    // The runtime ran out of memory.
    if status == -1 { throw OverlongText() }
    return nil
  }
  defer { unsafe free(result) }
  let count = unsafe strlen(result)
  if count > limit { throw OverlongText() }
  return unsafe Array(UnsafeBufferPointer(start: result, count: count)).map { UInt8(bitPattern: $0) }
}
