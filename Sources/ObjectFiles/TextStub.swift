/// One library of a text stub.
package struct TextStub: Sendable {
  /// `arm64-ios-simulator`: an architecture and a platform.
  package struct Target: Hashable, Sendable {
    package var text: String
    package var architecture: Architecture? { Architecture(name: String(text.prefix { $0 != "-" })) }

    package init(text: String) { self.text = text }
  }

  package struct Symbol: Hashable, Sendable {
    package enum Content: Sendable { case unknown, data, text }

    /// As the linker sees it: `_OBJC_CLASS_$_Thing` for the class `Thing`.
    package var name: String
    package var content: Content
    package var isWeak = false
    package var isThreadLocal = false
    package var targets: [Target]

    package init(name: String, content: Content, targets: [Target]) {
      self.name = name
      self.content = content
      self.targets = targets
    }
  }

  package struct Libraries: Hashable, Sendable {
    package var names: [String]
    package var targets: [Target]

    package init(names: [String], targets: [Target]) {
      self.names = names
      self.targets = targets
    }
  }

  package var installName = ""
  package var targets: [Target] = []
  package var exports: [Symbol] = []
  /// Another library's symbols, which this one exports as its own.
  package var reexports: [Symbol] = []
  package var undefined: [Symbol] = []
  package var reexportedLibraries: [Libraries] = []

  package init() {}

  package static func isTextStub(_ reader: borrowing ByteReader) -> Bool {
    guard reader.starts(with: "---") || reader.starts(with: "{") else { return false }
    var head: [UInt8] = []
    reader.append(reader.range.prefix(4096), to: &head)
    let text = String(decoding: head, as: UTF8.self)
    if text.hasPrefix("--- !tapi-tbd") { return true }
    // Only version 5 has these keys. The key of the version itself comes last in the file.
    let keys = ["\"tapi_tbd_version\"", "\"main_library\"", "\"exported_symbols\""]
    return text.hasPrefix("{") && keys.contains(where: text.contains)
  }
}
