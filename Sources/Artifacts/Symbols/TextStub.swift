import Documents
package import Findings
package import ObjectFiles

// A text stub (`.tbd`) stands for a dynamic library in a link: text that says what it exports, in two versions.
//
//   4  YAML. The first document is the library, those after it libraries that it re-exports ("inlined").
//        --- !tapi-tbd
//        tbd-version: 4
//        targets: [ arm64-ios, arm64-ios-simulator ]
//        install-name: '/usr/lib/libA.dylib'
//        exports:                       and reexports:, undefineds:
//          - targets: [ arm64-ios ]
//            symbols: [ _a ]            weak-symbols:, thread-local-symbols:,
//            objc-classes: [ Thing ]    objc-eh-types:, objc-ivars: [ Thing._x ]
//        reexported-libraries: [ { targets: [ … ], libraries: [ '/usr/lib/libB.dylib' ] } ]
//
//   5  JSON. Lists have one value for all targets or one for each of some; "data" and "text" tell variables from code.
//        {"tapi_tbd_version": 5, "libraries": [ … ], "main_library": {
//           "target_info": [{"target": "arm64-ios"}], "install_names": [{"name": "/usr/lib/libA.dylib"}],
//           "exported_symbols": [{"targets": [ … ], "data": {"global": ["_a"], "weak": [], "thread_local": [],
//             "objc_class": ["Thing"], "objc_eh_type": [], "objc_ivar": []}, "text": { … }}], … }}
//
// Source: LLVM's TextStub readers (`llvm-readtapi` writes both), Apple's own stubs.

/// One library of a text stub.
package struct TextStub: Sendable {
  /// `arm64-ios-simulator`: an architecture and a platform.
  package struct Target: Hashable, Sendable {
    package var text: String
    /// Nil if there is no such architecture.
    package var architecture: Architecture? { Architecture(name: String(text.prefix { $0 != "-" })) }
    package var platform: String { String(text.drop { $0 != "-" }.dropFirst()) }
  }

  package struct Symbol: Hashable, Sendable {
    package enum Content: Sendable { case unknown, data, text }

    /// As the linker sees it: `_OBJC_CLASS_$_Thing` for the class `Thing`.
    package var name: String
    package var content = Content.unknown
    package var isWeak = false
    package var isThreadLocal = false
    package var targets: [Target]
  }

  /// Names of libraries, for some of the targets.
  package struct Libraries: Hashable, Sendable {
    package var names: [String]
    package var targets: [Target]
  }

  package var installName = ""
  package var currentVersion = "1.0"
  package var compatibilityVersion = "1.0"
  package var targets: [Target] = []
  package var exports: [Symbol] = []
  /// Another library's symbols, which this one gives out as its own.
  package var reexports: [Symbol] = []
  package var undefined: [Symbol] = []
  package var reexportedLibraries: [Libraries] = []
  /// `flat_namespace`, `not_app_extension_safe` and so on.
  package var flags: [String] = []

  package static func isTextStub(_ reader: borrowing ByteReader) -> Bool {
    guard reader.starts(with: "---") || reader.starts(with: "{") else { return false }
    var head: [UInt8] = []
    reader.append(reader.range.prefix(4096), to: &head)
    let text = String(decoding: head, as: UTF8.self)
    if text.hasPrefix("--- !tapi-tbd") { return true }
    // Any of the keys that only version 5 has; the version itself is the last one.
    let keys = ["\"tapi_tbd_version\"", "\"main_library\"", "\"exported_symbols\""]
    return text.hasPrefix("{") && keys.contains(where: text.contains)
  }

  /// The library itself, then those that its stub holds besides.
  package static func read(_ bytes: [UInt8], at place: Place) throws(Mistakes) -> [TextStub] {
    guard bytes.count <= maxBytes else {
      throw Mistakes("the text stub is larger than \(maxBytes >> 20) MB", at: place)
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw Mistakes("the text stub is not UTF-8 text", at: place)
    }
    // A few can stand for endless text. Stubs have none: names with `&` would be quoted, and no compiler makes such.
    if bytes.contains(UInt8(ascii: "&")) { throw Mistakes("a text stub has no anchors ('&')", at: place) }
    let documents: [YAMLNode]
    do {
      documents = try YAMLDocuments.read(bytes, deepest: deepest, maxNodes: maxNodes)
    } catch {
      let isSyntax = if case .syntax = error.reason { true } else { false }
      throw Mistakes((isSyntax ? "the text stub is not YAML or JSON: " : "the text stub: ") + "\(error)", at: place)
    }
    guard let first = documents.first else { throw Mistakes("the text stub is empty", at: place) }
    if let main = first["main_library"] {
      let version = first["tapi_tbd_version"]?.text ?? ""
      guard version == "5" else { throw unknown(version, place) }
      return try ([main] + (first["libraries"]?.list ?? [])).map { node throws(Mistakes) in
        try TextStubReader(node: node, place: place).version5()
      }
    }
    return try documents.map { node throws(Mistakes) in
      let version = node["tbd-version"]?.text ?? ""
      guard version == "4" else { throw unknown(version, place) }
      return try TextStubReader(node: node, place: place).version4()
    }
  }

  private static func unknown(_ version: String, _ place: Place) -> Mistakes {
    Mistakes(
      version.isEmpty ? "the text stub does not say its version" : "text stubs of version \(version) are not known",
      at: place, hint: "versions 4 and 5 are; Xcode's 'tapi stubify' writes them")
  }

  /// The system's largest stub has 4 MB.
  private static let maxBytes = 64 << 20
  private static let maxNodes = 4_000_000
  private static let deepest = 64
}
