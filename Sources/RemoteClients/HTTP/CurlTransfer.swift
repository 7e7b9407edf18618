import CCurl
import Remote
import Store

/// libcurl's functions, opened with the first request (see `libcurl_open`).
enum Curl {
  /// The failure is the loader's own words.
  nonisolated(unsafe) static let library: Result<libcurl, HTTPFailure> = {
    var reason: UnsafePointer<CChar>?
    guard let functions = unsafe libcurl_open(&reason) else {
      let text = unsafe reason.map { unsafe String(cString: $0) } ?? "no reason is given"
      return .failure(HTTPFailure(kind: .lasting, reason: text))
    }
    return unsafe .success(functions.pointee)
  }()
}

/// A request while libcurl carries it out. It belongs to the thread of `Transfers`.
@safe final class CurlTransfer {
  let handle: UnsafeMutableRawPointer
  var number: Int { unsafe Int(bitPattern: handle) }
  private let request: HTTPRequest
  private var library: libcurl
  private var headers: UnsafeMutablePointer<curl_slist>?
  /// libcurl writes its words about a failure here.
  private let words = UnsafeMutableBufferPointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private var body: [UInt8] = []
  private var sent: Int64 = 0
  /// The size of a body that is not kept, in bytes.
  private var ignored: Int64 = 0
  /// The answer was larger than it may be.
  private var isTooMuch = false

  /// Nil if libcurl has no memory for it.
  init?(_ request: HTTPRequest, _ access: HTTPAccess, _ multi: CurlMulti) {
    var library = unsafe multi.library
    guard let handle = unsafe libcurl_begin(&library) else {
      unsafe words.deallocate()
      return nil
    }
    unsafe self.handle = handle
    self.request = request
    self.library = library
    unsafe words.initialize(repeating: 0)
    set(access)
    set(request)
  }

  deinit {
    unsafe libcurl_end(&library, handle)
    unsafe libcurl_free(&library, headers)
    unsafe words.deallocate()
  }

  private func set(_ option: CURLoption, _ number: Int) {
    _ = unsafe libcurl_set_number(&library, handle, option, number)
  }
  private func set(_ option: CURLoption, _ text: String) { _ = unsafe libcurl_set_text(&library, handle, option, text) }

  private func set(_ access: HTTPAccess) {
    for header in access.headers { unsafe headers = libcurl_append(&library, headers, header.text) }
    // A server that wants to say yes first would cost a round trip for each upload.
    unsafe headers = libcurl_append(&library, headers, "Expect:")
    unsafe headers = libcurl_append(&library, headers, "Content-Type: application/octet-stream")
    _ = unsafe libcurl_set_pointer(&library, handle, CURLOPT_HTTPHEADER, headers)
    if let authority = access.authority {
      set(CURLOPT_CAINFO, authority)
      // The system's folder of certificates would count besides.
      _ = unsafe libcurl_set_text(&library, handle, CURLOPT_CAPATH, nil)
    }
    if let certificate = access.certificate { set(CURLOPT_SSLCERT, certificate) }
    if let key = access.key { set(CURLOPT_SSLKEY, key) }
    if let netrc = access.netrc {
      set(CURLOPT_NETRC_FILE, netrc)
      set(CURLOPT_NETRC, Int(CURL_NETRC_OPTIONAL.rawValue))
    }
  }

  private func set(_ request: HTTPRequest) {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    _ = unsafe libcurl_set_pointer(&library, handle, CURLOPT_ERRORBUFFER, words.baseAddress)
    set(CURLOPT_URL, request.url)
    // A redirection could lead the credential elsewhere.
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_PROTOCOLS, Int(CURLPROTO_HTTP | CURLPROTO_HTTPS))
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_PIPEWAIT, 1)
    set(CURLOPT_USERAGENT, "npi-pack")
    set(CURLOPT_TIMEOUT_MS, request.milliseconds)
    // A large blob may take its time, but not stand still.
    set(CURLOPT_LOW_SPEED_LIMIT, 1024)
    set(CURLOPT_LOW_SPEED_TIME, max(1, request.patience / 1000))
    _ = unsafe libcurl_set_pointer(&library, handle, CURLOPT_WRITEDATA, context)
    _ = unsafe libcurl_set_body(&library, handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue().take(bytes, size * count)
    }
    switch request.method {
    case .get: set(CURLOPT_HTTPGET, 1)
    case .head: set(CURLOPT_NOBODY, 1)
    case .put(let body):
      set(CURLOPT_UPLOAD, 1)
      _ = unsafe libcurl_set_size(&library, handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(body.size))
      _ = unsafe libcurl_set_pointer(&library, handle, CURLOPT_READDATA, context)
      _ = unsafe libcurl_set_body(&library, handle, CURLOPT_READFUNCTION) { bytes, size, count, context in
        unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue().give(bytes, size * count)
      }
    }
  }

  /// Any other number than `count` ends the transfer.
  private func take(_ bytes: UnsafePointer<CChar>, _ count: Int) -> Int {
    // The body of another answer is text for people; it is not needed, and may be endless.
    guard status == 200 else {
      ignored += Int64(count)
      return ignored <= CurlTransfer.maxIgnoredSize ? count : 0
    }
    let isTaken = unsafe take(UnsafeRawBufferPointer(start: bytes, count: count))
    if !isTaken { isTooMuch = true }
    return isTaken ? count : 0
  }

  private func take(_ part: UnsafeRawBufferPointer) -> Bool {
    switch request.sink {
    case .memory(let limit):
      guard body.count + part.count <= limit else { return false }
      unsafe body += part
      return true
    case .blob(let blob): return unsafe blob.take(part.bytes)
    }
  }

  /// In bytes.
  private static let maxIgnoredSize: Int64 = 64 << 10

  /// Fills a part of a body. 0 is its end.
  private func give(_ place: UnsafeMutablePointer<CChar>, _ count: Int) -> Int {
    guard case .put(let body) = request.method else { return Int(CURL_READFUNC_ABORT) }
    let part: [UInt8]
    switch body {
    case .bytes(let bytes): part = Array(bytes.dropFirst(Int(sent)).prefix(count))
    case .blob(let blob):
      guard let read = blob.read(at: sent, atMost: count) else { return Int(CURL_READFUNC_ABORT) }
      part = read
    }
    unsafe UnsafeMutableRawBufferPointer(start: place, count: count).copyBytes(from: part)
    sent += Int64(part.count)
    return part.count
  }

  private var status: Int { unsafe libcurl_number(&library, handle, CURLINFO_RESPONSE_CODE) }

  /// To be called when libcurl has ended it.
  func answer(_ code: CURLcode) -> Result<HTTPAnswer, HTTPFailure> {
    // The status says enough if libcurl has cut the body off.
    guard code == CURLE_OK || status != 200 && code == CURLE_WRITE_ERROR else { return .failure(failure(code)) }
    var answer = HTTPAnswer(status: status, body: body)
    answer.contentType = text(CURLINFO_CONTENT_TYPE) ?? ""
    answer.redirection = text(CURLINFO_REDIRECT_URL)
    answer.retryAfter = Int(unsafe libcurl_size(&library, handle, CURLINFO_RETRY_AFTER))
    return .success(answer)
  }

  private func failure(_ code: CURLcode) -> HTTPFailure {
    if isTooMuch { return HTTPFailure(kind: .lasting, reason: "it sends more than was asked for") }
    let own = unsafe words.baseAddress.map { unsafe String(cString: $0) } ?? ""
    let text = own.isEmpty ? unsafe String(cString: libcurl_reason(&library, code)) : own
    return HTTPFailure(kind: CurlTransfer.kind(code), reason: text.prefix(1).lowercased() + text.dropFirst())
  }

  private static func kind(_ code: CURLcode) -> RemoteFailure.Kind {
    switch code {
    case CURLE_OPERATION_TIMEDOUT: .timeout
    case CURLE_UNSUPPORTED_PROTOCOL: .otherProtocol
    case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR,
      CURLE_PARTIAL_FILE, CURLE_HTTP2, CURLE_HTTP2_STREAM:
      .passing
    default: .lasting
    }
  }

  private func text(_ info: CURLINFO) -> String? {
    unsafe libcurl_text(&library, handle, info).map { unsafe String(cString: $0) }
  }
}
