import CArchive

/// libarchive's functions. The library is opened with the first archive (see `libarchive_open`).
enum LibArchive {
  static let functions: Result<libarchive, ArchiveError> = {
    var reason: UnsafePointer<CChar>?
    guard let functions = unsafe libarchive_open(&reason) else {
      let text = unsafe reason.map { unsafe String(cString: $0) } ?? "no reason is given"
      return .failure(ArchiveError(code: -30, text: "libarchive cannot be loaded: \(text)", activity: .opening))
    }
    return unsafe .success(functions.pointee)
  }()
}
