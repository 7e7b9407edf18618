import Lanes
import Foundation
import ObjectFiles
import Testing

/// What code refers to, and what Swift makes of its classes.
@Suite struct ObjCReferencesTests {
  func read(_ bytes: [UInt8]) throws -> [String] { details(of: try ObjCMetadata(ByteReader(bytes.span), .all), bytes) }

  /// Xcode 14 and later: the linker makes the selector references of stubs.
  static let stubs = """
    .section __TEXT,__text
    .globl _go
    _go: bl "_objc_msgSend$first:second:"
    bl _objc_msgSend$plain
    bl _objc_msgSend
    ret
    .subsections_via_symbols

    """

  @Test(.tools) func stubs() throws {
    let scratch = try Scratch()
    try scratch.write("a.s", Array(Self.stubs.utf8))
    try scratch.run("clang", "-target", "arm64-apple-ios13.0", "-c", "a.s", "-o", "a.o")
    let expected = ["selector first:second:", "selector plain"]
    let bytes = try scratch.bytes("a.o")
    #expect(try read(bytes).sorted() == expected)
    let isEmpty = try ObjCMetadata(ByteReader(bytes.span)).isEmpty
    #expect(isEmpty)
    for version in ["13.0", "16.0"] {
      try scratch.run(
        ["ld64.lld-19", "-arch", "arm64", "-platform_version", "ios", version, version, "-undefined", "dynamic_lookup"]
          + ["-dylib", "-o", "a.dylib", "a.o"])
      #expect(try read(scratch.bytes("a.dylib")).sorted() == expected)
    }
  }

  /// Clang 23 sends to classes by way of stubs too, which lld 19 does not make.
  @Test func stubsOfClasses() throws {
    let scratch = try Scratch()
    let source = Self.stubs.replacingOccurrences(
      of: "_objc_msgSend$plain", with: "\"_objc_msgSendClass$make:$_OBJC_CLASS_$_Thing\"")
    try scratch.write("a.s", Array(source.utf8))
    try scratch.run("clang", "-target", "arm64-apple-ios13.0", "-c", "a.s", "-o", "a.o")
    let expected = ["class reference Thing", "selector first:second:", "selector make:"]
    #expect(try read(scratch.bytes("a.o")).sorted() == expected)
  }

  /// In order, with the runtime's names.
  @Test(arguments: ["arm64-apple-ios13.0", "arm64e-apple-ios14.0", "x86_64-apple-ios13.0-simulator"])
  func swiftMembers(_ target: String) throws {
    let source = """
      @objc protocol Asks { @objc var asked: Asks { get } }
      open class Top: Asks { @objc init() {} ; @objc var asked: Asks { self } }
      class Holder: Top { let top: Top = Top() ; @objc static var shared: Asks { Top() } }
      extension Holder { @objc var added: Asks { top } }
      """
    let scratch = try Scratch()
    try scratch.write("a.swift", Array(source.utf8))
    try scratch.run([
      "swiftc", "-frontend", "-c", "-parse-stdlib", "-parse-as-library", "-enable-objc-interop",
      "-disable-objc-attr-requires-foundation-module", "-module-name", "M", "-target", target, "a.swift", "-o", "a.o",
    ])
    let type = #"T@\"<_TtP1M4Asks_>\",N,R"#
    #expect(
      try read(scratch.bytes("a.o")) == [
        #"class _TtC1M3Top : _TtCs12_SwiftObject <_TtP1M4Asks_> ivars [] properties ["asked=\#(type)"] "#
          + #"methods ["-init", "-asked"]"#,
        #"class _TtC1M6Holder : _TtC1M3Top ivars ["top="] properties ["+shared=\#(type)"] methods ["-init", "+shared"]"#,
        #"category M on _TtC1M6Holder properties ["added=\#(type)"] methods ["-added"]"#,
        #"protocol _TtP1M4Asks_ properties ["asked=\#(type)"] methods ["-asked"]"#,
      ])
  }
}
