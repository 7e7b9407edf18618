import Lanes
import Artifacts
import Findings
import Foundation
import ObjectFiles
import Testing
import TestSupport

/// Against `llvm-nm`, which reads stubs of both versions, and `llvm-readtapi`, which makes version 5 of version 4.
@Suite struct TextStubTests {
  static let version4 = """
    --- !tapi-tbd
    tbd-version:     4
    targets:         [ arm64-ios, x86_64-ios-simulator, arm64-ios-simulator ]
    flags:           [ not_app_extension_safe ]
    install-name:    '/usr/lib/libfoo.dylib'
    current-version: 1.2.3
    compatibility-version: 1.1
    parent-umbrella:
      - targets:         [ arm64-ios ]
        umbrella:        System
    reexported-libraries:
      - targets:         [ arm64-ios ]
        libraries:       [ '/usr/lib/libbar.dylib' ]
    exports:
      - targets:         [ arm64-ios, x86_64-ios-simulator ]
        symbols:         [ _a, _b, '$ld$hide$os9.0$_a', "_$s4Main3runyyF" ]
        objc-classes:    [ Thing, Other ]
        objc-eh-types:   [ Thing ]
        objc-ivars:      [ Thing._x ]
        weak-symbols:    [ _w ]
        thread-local-symbols: [ _t ]
      - targets:         [ arm64-ios-simulator ]
        symbols:         [ _simonly ]
    reexports:
      - targets:         [ arm64-ios ]
        symbols:         [ _re ]
    undefineds:
      - targets:         [ arm64-ios ]
        symbols:         [ _u ]
        objc-classes:    [ NSObject ]
    --- !tapi-tbd
    tbd-version:     4
    targets:         [ arm64-ios ]
    install-name:    '/usr/lib/libbar.dylib'
    exports:
      - targets:         [ arm64-ios ]
        symbols:         [ _bar ]
    ...

    """

  /// Both versions of it, as files.
  private func stubs() async throws -> (Scratch, version4: String, version5: String) {
    let scratch = Scratch()
    try scratch.write("4.tbd", TextStubTests.version4)
    try await Tool.check(
      ["llvm-readtapi-19", "4.tbd", "--filetype=tbd-v5", "-o", "5.tbd"], in: scratch.path)
    return (scratch, TextStubTests.version4, try scratch.text("5.tbd"))
  }

  @Test(.tools) func namesAreLLVMs() async throws {
    let (scratch, version4, version5) = try await stubs()
    for (name, text) in [("4.tbd", version4), ("5.tbd", version5)] {
      let stubs = try TextStub.read(Array(text.utf8), at: Place(name))
      #expect(stubs.map(\.installName) == ["/usr/lib/libfoo.dylib", "/usr/lib/libbar.dylib"], "\(name)")
      for architecture in ["arm64", "x86_64"] {
        let out = try await Tool.check(["llvm-nm-19", "-p", "--arch=\(architecture)", name], in: scratch.path)
        let theirs = out.split(separator: "\n").filter { !$0.hasSuffix(":") }.map { $0.dropFirst(17) }
        let ours = stubs[0].lines(architecture)
        #expect(theirs.map(String.init).sorted() == ours.sorted(), "\(name) \(architecture)")
      }
    }
  }

  @Test(.tools) func linesAreLLVMs() async throws {
    let (scratch, version4, version5) = try await stubs()
    for (name, text) in [("4.tbd", version4), ("5.tbd", version5)] {
      let stub = try TextStub.read(Array(text.utf8), at: Place(name))[0]
      for option in ["", "-U", "-u", "-g", "-A"] {
        let words = ["llvm-nm-19", "-p", "--arch=all"] + (option.isEmpty ? [] : [option]) + [name]
        let theirs = try await Tool.check(words, in: scratch.path)
        let selection = SymbolSelection(
          externalOnly: option == "-g", definedOnly: option == "-U", undefinedOnly: option == "-u")
        let listing = TextStubListing(stub, at: Place(name), selection, architectures: nil)
        let ours = String(decoding: listing.nm(namesFiles: option == "-A"), as: UTF8.self)
        // The blocks in the same order, the lines of each in one of theirs.
        func blocks(_ text: String) -> [[String]] {
          text.components(separatedBy: "\n\n").map { block in
            let lines = block.split(separator: "\n").map(String.init)
            return lines.prefix(1) + lines.dropFirst().sorted()
          }
        }
        #expect(blocks(ours) == blocks(theirs), "\(name) \(option)")
        #expect(listing.count == ours.split(separator: "\n").count { !$0.hasSuffix(":") })
      }
    }
  }

  @Test(.tools) func whatIsAStub() async throws {
    let (_, version4, version5) = try await stubs()
    func isStub(_ text: String) -> Bool {
      let bytes = Array(text.utf8)
      return TextStub.isTextStub(ByteReader(bytes.span))
    }
    #expect(isStub(version4) && isStub(version5))
    for other in ["", "{}", "{\"install_names\": [\"x\"]}", "--- a: b", "tbd-version: 4"] { #expect(!isStub(other)) }
  }

  @Test(.tools) func bothVersionsSayTheSame() async throws {
    let (_, version4, version5) = try await stubs()
    let old = try TextStub.read(Array(version4.utf8), at: Place("4.tbd"))[0]
    let new = try TextStub.read(Array(version5.utf8), at: Place("5.tbd"))[0]
    #expect(Set(old.targets) == Set(new.targets))
    #expect(old.targets.map { $0.architecture?.name } == ["arm64", "x86_64", "arm64"])
    #expect(old.reexportedLibraries == new.reexportedLibraries)
    #expect(old.reexportedLibraries.map(\.names) == [["/usr/lib/libbar.dylib"]])
    func keys(_ symbols: [TextStub.Symbol]) -> Set<[String]> {
      Set(symbols.map { [$0.name, "\($0.isWeak)", "\($0.isThreadLocal)"] + $0.targets.map(\.text).sorted() })
    }
    #expect(keys(old.exports) == keys(new.exports))
    #expect(keys(old.reexports) == keys(new.reexports))
    #expect(old.exports.contains { $0.name == "_w" && $0.isWeak })
    #expect(old.exports.contains { $0.name == "_t" && $0.isThreadLocal })
    #expect(keys(old.undefined).count == 3)
  }

  @Test(arguments: [
    ("", "the text stub is empty"), ("--- !tapi-tbd\ntbd-version: 4\n", "names no library"),
    ("--- !tapi-tbd-v3\narchs: [ arm64 ]\n", "does not say its version"),
    ("{\"tapi_tbd_version\": 6, \"main_library\": {}}", "version 6 are not known"),
    ("--- !tapi-tbd\ntbd-version: 4\ninstall-name: x\nexports: 7\n", "'exports' must be a list"),
    ("--- !tapi-tbd\na: &a [1]\nb: *a\n", "no anchors"), ("--- [", "not YAML or JSON"),
    (
      "--- !tapi-tbd\ntbd-version: 4\ninstall-name: x\ntargets: [\((0..<65).map(String.init).joined(separator: ","))]\n",
      "65 targets are more than there are"
    ),
  ]) func mistakes(_ text: String, _ message: String) throws {
    let mistakes = #expect(throws: Mistakes.self) { try TextStub.read(Array(text.utf8), at: Place("x.tbd")) }
    #expect(mistakes?.all.first?.message.contains(message) == true, "\(mistakes?.all ?? [])")
  }

  @Test(arguments: ["[", "- "]) func depth(_ opening: String) {
    let text = String(repeating: opening, count: 100_000)
    let mistakes = #expect(throws: Mistakes.self) { try TextStub.read(Array(text.utf8), at: Place("x.tbd")) }
    #expect(mistakes?.all.first?.message.contains("nested too deeply") == true, "\(mistakes?.all ?? [])")
  }

  @Test(.tools) func damage() async throws {
    let (_, version4, version5) = try await stubs()
    for text in [version4, version5] {
      let bytes = Array(text.utf8)
      for length in 0..<bytes.count { _ = try? TextStub.read(Array(bytes[..<length]), at: Place("x")) }
      var random = Seeded(seed: 5)
      for _ in 0..<1000 {
        var bytes = bytes
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        _ = try? TextStub.read(bytes, at: Place("x"))
      }
    }
  }
}

extension TextStub {
  /// As nm has them for an architecture: `S _a`, the platforms together.
  fileprivate func lines(_ architecture: String) -> Set<String> {
    func names(_ symbols: [TextStub.Symbol], _ letter: (TextStub.Symbol) -> String) -> [String] {
      symbols.filter { $0.targets.contains { $0.architecture?.name == architecture } }.map {
        "\(letter($0)) \($0.name)"
      }
    }
    let defined = { (symbol: TextStub.Symbol) in
      symbol.isWeak ? "W" : symbol.content == .data ? "D" : symbol.content == .text ? "T" : "S"
    }
    return Set(names(exports, defined) + names(reexports, defined) + names(undefined) { _ in "U" })
  }
}
