import Foundation
import Lanes
import ObjectFiles
import Rewriting
import Testing
import TestSupport

/// Objective-C's metadata with new names, as our reader and k2l read it.
@Suite("new names for Objective-C classes", .tools, .timeLimit(.minutes(20)))
struct ClassRenamingTests {
  static let targets = [
    "arm64-apple-ios13.0", "x86_64-apple-ios13.0-simulator", "arm64-apple-macos14.0", "armv7-apple-ios7.0",
    "arm64_32-apple-watchos5.0",
  ]

  let scratch = Scratch()

  private func compile(_ target: String, _ source: String = Sources.objc) async throws {
    try scratch.write("a.m", source)
    try await Tool.check(
      ["clang", "-target", target, "-ffreestanding", "-g", "-fobjc-weak", "-c", "a.m", "-o", "old.o"], in: scratch.path)
  }

  private struct Names: Equatable {
    var lines: [String] = []

    init(_ bytes: [UInt8]) throws {
      let reader = ByteReader(bytes.span)
      func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
      let data = try ObjCMetadata(reader, [.all, .texts])
      for own in data.classes {
        lines.append("class \(text(own.name)): \(own.superclass.map { text($0.range) } ?? "")")
        lines += own.protocols.map { "adopts \(text($0))" } + own.ivars.map { "ivar \(text($0.name)) \(text($0.type))" }
        lines += own.properties.map { "property \(text($0.name)) \(text($0.attributes))" }
      }
      lines += data.categories.map { "category \(text($0.name)) on \(text($0.className.range))" }
      lines += data.protocols.map { "protocol \(text($0.name))" }
      lines += data.classReferences.map { "uses \(text($0.className.range))" }
      lines += data.texts.map { "text \(text($0.range))" }
    }
  }

  @Test("every place of a name", arguments: targets)
  func places(_ target: String) async throws {
    try await compile(target)
    let old = try Names(try scratch.read("old.o")).lines
    #expect(old.contains("class View: Root") && old.contains(##"property both T@"Root<Own>",V_both"##))
    _ = try rename(
      "old.o", to: "new.o", SymbolRewrite("ZZ_", classes: true, protocols: ["Own"]), in: scratch)
    let expected = old.map { line in
      var line = line
      for (name, new) in [("View", "ZZ_View"), ("Root", "ZZ_Root"), ("Other", "ZZ_Other"), ("Own", "ZZ_Own")] {
        for (before, after) in [(" ", ""), (" ", ":"), (": ", ""), ("@\"", "\""), ("@\"", "<"), ("<", ">")] {
          // A category and a field of a struct may be called like a class.
          if line.contains("\"View\"i") || line.hasPrefix("ivar plain") { continue }
          let (place, end) = (before + name + after, after.isEmpty)
          guard
            let range = end
              ? (line.hasSuffix(place) ? line.range(of: place, options: .backwards) : nil) : line.range(of: place)
          else { continue }
          line.replaceSubrange(range, with: before + new + after)
        }
      }
      return line
    }
    #expect(try Names(try scratch.read("new.o")).lines == expected)
    try await Tool.check(["llvm-dwarfdump-19", "--verify", "new.o"], in: scratch.path)
    try await Tool.check(["llvm-objdump-19", "--macho", "-r", "new.o"], in: scratch.path)
    _ = try rename(
      "new.o", to: "back.o", SymbolRewrite("ZZ_", .remove, classes: true, protocols: ["ZZ_Own"]), in: scratch)
    #expect(try Names(try scratch.read("back.o")).lines == old)
  }

  @Test(
    "the classes of the linked image, as k2l reads them", arguments: ["arm64-apple-ios13.0", "x86_64-apple-macos11.0"])
  func image(_ target: String) async throws {
    try await compile(target)
    _ = try rename("old.o", to: "new.o", SymbolRewrite("ZZ_", classes: true, protocols: ["Own"]), in: scratch)
    let architecture = String(target.prefix { $0 != "-" })
    let platform = target.contains("ios") ? ["ios", "13.0", "13.0"] : ["macos", "11.0", "11.0"]
    try await Tool.check(
      ["ld64.lld-19", "-dylib", "-arch", architecture, "-platform_version"] + platform
        + ["-undefined", "dynamic_lookup", "-no_fixup_chains", "old.o", "new.o", "-o", "both.dylib"], in: scratch.path)
    let script = """
      import sys, ktool
      data = ktool.load_objc_metadata(ktool.load_image(open(sys.argv[1], "rb")))
      for c in data.classlist: print("class", c.name, *sorted(i.name for i in c.ivars))
      for p in data.protolist: print("protocol", p.name)
      """
    let lines = try await Tool.check(["python3", "-c", script, "both.dylib"], in: scratch.path).split(separator: "\n")
    let classes = ["Other", "Root", "View", "ZZ_Other", "ZZ_Root", "ZZ_View"]
    #expect(
      lines.compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) }.filter { classes.contains($0) }
        .sorted() == classes)
    #expect(Set(lines).isSuperset(of: ["protocol Own", "protocol ZZ_Own"]))
  }

  @Test("texts that may look a class up are listed, or refused")
  func risks() async throws {
    try await compile("arm64-apple-ios13.0")
    let renaming = try rename("old.o", to: "new.o", SymbolRewrite("ZZ_", classes: true), in: scratch)
    #expect(renaming.risks == ["View"])
    let lookup =
      Sources.objc + """

        extern Class NSClassFromString(const char *);
        extern void format(const char *, ...);
        void look(void) { format("%@iew", 0); format("no name: %d"); NSClassFromString(0); }
        """
    try await compile("arm64-apple-ios13.0", lookup)
    let error = #expect(throws: LibraryError.self) {
      _ = try rename("old.o", to: "new.o", SymbolRewrite("ZZ_", classes: true), in: scratch)
    }
    #expect(error?.description.contains("'%@iew' may make 'View'") ?? false)
    _ = try rename(
      "old.o", to: "new.o", SymbolRewrite("ZZ_", keep: ["_OBJC_CLASS_$_View"], classes: true), in: scratch)
    let names = try await scratch.defined("new.o")
    #expect(
      names.isSuperset(of: [
        "_OBJC_CLASS_$_View", "_OBJC_METACLASS_$_View", "_OBJC_IVAR_$_View.other", "_OBJC_CLASS_$_ZZ_Root",
      ]))
  }

  @Test("classes keep their names unless they are asked for, and those of Swift are refused")
  func kept() async throws {
    try await compile("arm64-apple-ios13.0")
    let renaming = try rename("old.o", to: "new.o", in: scratch)
    #expect(renaming.left.classes == Set(["View", "Root", "Other"].map { Array($0.utf8) }))
    #expect(try Names(try scratch.read("new.o")) == Names(try scratch.read("old.o")))
    try scratch.write("s.swift", "open class Top {}\n@_cdecl(\"rally\") public func rally() {}")
    try await Tool.check(
      [
        "swiftc", "-frontend", "-c", "-parse-stdlib", "-parse-as-library", "-enable-objc-interop", "-module-name", "M",
        "-target", "arm64-apple-ios13.0", "s.swift", "-o", "s.o",
      ], in: scratch.path)
    #expect(throws: LibraryError.self) {
      _ = try rename("s.o", to: "new.o", SymbolRewrite("ZZ_", classes: true), in: scratch)
    }
    let plain = try rename("s.o", to: "new.o", in: scratch)
    #expect(plain.left.swiftCount > 0)
    #expect(try await scratch.defined("new.o").contains("_ZZ_rally"))
  }
}
