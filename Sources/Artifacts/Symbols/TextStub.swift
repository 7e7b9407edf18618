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

extension TextStub {
  /// The library itself, then the libraries inlined in its stub.
  package static func read(_ bytes: [UInt8], at place: Place) throws(Mistakes) -> [TextStub] {
    guard bytes.count <= maxBytes else {
      throw Mistakes("the text stub is larger than \(maxBytes >> 20) MB", at: place)
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw Mistakes("the text stub is not UTF-8 text", at: place)
    }
    // A few anchors can stand for endless text. Stubs have none: names with `&` would be quoted, and compilers make
    // none.
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
