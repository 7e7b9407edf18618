import CCurl
import Remote

/// The transfers that libcurl carries out side by side. All but `wake` is for one thread.
@safe final class CurlMulti: Sendable {
  nonisolated(unsafe) let library: libcurl
  private nonisolated(unsafe) let all: UnsafeMutableRawPointer

  init() throws(HTTPFailure) {
    let library = try unsafe Curl.library.get()
    guard let all = unsafe withUnsafePointer(to: library, { unsafe libcurl_multi($0) }) else {
      throw HTTPFailure(kind: .lasting, reason: "there is no memory")
    }
    unsafe self.library = library
    unsafe self.all = all
  }

  deinit { unsafe withUnsafePointer(to: library) { library in unsafe libcurl_end_multi(library, all) } }

  /// False if there is no memory for it.
  func add(_ transfer: CurlTransfer) -> Bool {
    unsafe withUnsafePointer(to: library) { library in unsafe libcurl_add(library, all, transfer.handle) == CURLM_OK }
  }

  func remove(_ transfer: CurlTransfer) {
    unsafe withUnsafePointer(to: library) { library in unsafe libcurl_remove(library, all, transfer.handle) }
  }

  /// Does what can be done without waiting.
  func perform() { unsafe withUnsafePointer(to: library) { library in unsafe libcurl_perform(library, all) } }

  /// Waits until something can be done; not for long, since libcurl has deadlines to watch.
  func wait() { unsafe withUnsafePointer(to: library) { library in unsafe libcurl_wait(library, all, 1000) } }

  /// Ends a `wait`, from any thread.
  func wake() { unsafe withUnsafePointer(to: library) { library in unsafe libcurl_wake(library, all) } }

  /// The number of the next transfer that has ended, and how.
  func ended() -> (number: Int, code: CURLcode)? {
    var code = CURLE_OK
    let handle = unsafe withUnsafePointer(to: library) { library in unsafe libcurl_ended(library, all, &code) }
    return unsafe handle.map { (Int(bitPattern: $0), code) }
  }
}
