// What libFuzzer calls for text stubs: they are read in another module than object files, and with Yams, so that this is a
// program of its own.

import Findings
import ObjectFiles

@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
  // A file is only read as a stub if it begins like one; here all are, lest changes of the first bytes be wasted.
  _ = TextStub.isTextStub(ByteReader(bytes.span))
  guard let stubs = try? TextStub.read(bytes, at: Place("x.tbd")) else { return 0 }
  for stub in stubs {
    let listing = TextStubListing(stub, at: Place("x.tbd"), SymbolSelection(), architectures: nil)
    _ = listing.nm(namesFiles: true)
    _ = listing.json
  }
  return 0
}
