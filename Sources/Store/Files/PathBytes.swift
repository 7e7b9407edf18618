package import SystemPackage

/// File names are bytes, not text: two names that Swift's `String` holds equal (é composed and decomposed) are two files.
extension FilePath {
  /// The path as the system gets it, without the final zero.
  package var pathBytes: [UInt8] { SystemCalls.bytes(of: self) }

  /// Nil if there is a zero byte in it.
  package init?(pathBytes: some Sequence<UInt8>) {
    guard let path = SystemCalls.path(pathBytes) else { return nil }
    self = path
  }

  /// The same without a generic's cost: logs and caches hold thousands of them.
  package init?(pathBytes: ArraySlice<UInt8>) {
    guard let path = SystemCalls.path(pathBytes) else { return nil }
    self = path
  }
}

extension FilePath.Component {
  package var nameBytes: [UInt8] { SystemCalls.bytes(of: self) }

  /// Nil if it is empty or holds a slash or a zero byte.
  package init?(nameBytes: [UInt8]) {
    guard let component = SystemCalls.component(nameBytes) else { return nil }
    self = component
  }
}
