import Lanes
import Artifacts
import Findings
import Foundation
import Linking
import ObjectFiles
import SystemPackage
import Testing
import TestSupport

@testable import Collisions
@testable import LinkSupport

/// What looks like a duplicate and is none. Beside each stands what differs in one thing and is one, so that no test holds
/// because nothing was looked at.
@Suite("no alarm")
struct NoAlarmTests {
  @Test("what is in segment __LLVM", .tools, arguments: LinkerProfile.all)
  func bitcode(_ profile: LinkerProfile) async throws {
    func source(_ segment: String, _ number: Int) -> String {
      """
      .section \(segment),__cmdline
      .globl _llvm.cmdline
      _llvm.cmdline: .asciz "-O2"
      .data
      .globl _own\(number)
      _own\(number): .quad 1
      """
    }
    let scratch = Scratch()
    for number in 1...2 {
      try await assemble(source("__LLVM", number), "quiet\(number)", scratch)
      try await assemble(source("__DATA", number), "loud\(number)", scratch)
    }
    #expect(try await collisions(["quiet1.o", "quiet2.o"], profile, scratch).isEmpty)
    #expect(try await collisions(["loud1.o", "loud2.o"], profile, scratch) == ["_llvm.cmdline"])
  }

  @Test("labels that the assembler leaves", .tools, arguments: LinkerProfile.all)
  func labels(_ profile: LinkerProfile) async throws {
    func source(_ global: String, _ number: Int) -> String {
      """
      .text
      \(global)
      lhelper: ret
      .globl _own\(number)
      _own\(number): bl lhelper
      .data
      lvalue: .quad lvalue
      """
    }
    let scratch = Scratch()
    for number in 1...2 {
      try await assemble(source("", number), "quiet\(number)", scratch)
      try await assemble(source(".globl lhelper", number), "loud\(number)", scratch)
      let names = try await Tool.check(["llvm-nm-19", "-j", "quiet\(number).o"], in: scratch.path)
      #expect(Set(names.split(separator: "\n")).isSuperset(of: ["lhelper", "lvalue", "ltmp0", "ltmp1"]))
    }
    #expect(try await collisions(["quiet1.o", "quiet2.o"], profile, scratch).isEmpty)
    #expect(try await collisions(["loud1.o", "loud2.o"], profile, scratch) == ["lhelper"])
  }

  /// Whoever uses a class of Apple's first runtime refers to `.objc_class_name_X`, which the class's own file defines as an
  /// absolute symbol. lld has no i386.
  @Test("references of the first runtime", arguments: [LinkerProfile.ldPrime, .ld64])
  func firstRuntime(_ profile: LinkerProfile) async throws {
    let scratch = Scratch()
    try scratch.write(
      "use.m",
      """
      __attribute__((objc_root_class)) @interface Base + (id)make; @end
      @interface NAME : Base @end
      @implementation NAME + (id)own { return [Base make]; } @end
      #ifdef DEFINES
      @implementation Base + (id)make { return 0; } @end
      #endif
      """)
    func compile(_ name: String, _ flags: [String], _ file: String) async throws {
      try await Tool.check(
        ["clang", "-target", "i386-apple-macos10.6", "-ffreestanding", "-c", "-DNAME=\(name)", "-o", file, "use.m"]
          + flags, in: scratch.path)
    }
    try await compile("One", ["-DDEFINES"], "one.o")
    try await compile("Two", [], "two.o")
    try await compile("Three", [], "three.o")
    try await compile("Four", ["-DDEFINES"], "four.o")
    let line = { (files: [String]) in try LinkLine(["-dylib"] + files) }
    func names(_ files: [String]) throws -> [String] {
      let set = LinkSet(.i386, InputFolder(scratch.path), profile)
      return CollisionSearch(try line(files), profile, set, isOpen: false).symbols.map(\.name.text)
    }
    let quiet = try names(["one.o", "two.o", "three.o"])
    let loud = try names(["one.o", "two.o", "four.o"])
    #expect(quiet.isEmpty)
    #expect(loud == [".objc_class_name_Base"])
  }

  @Test("weak metadata of Swift", .tools, arguments: LinkerProfile.all)
  func swift(_ profile: LinkerProfile) async throws {
    let scratch = Scratch()
    try scratch.write(
      "Story.swift",
      """
      public protocol Titled { func title() }
      public struct Box<T> { public var value: T }
      public final class Story: Titled { public func title() {} ; public func add(_ box: Box<Story>) {} }
      """)
    for (module, file) in [("One", "one.o"), ("Two", "two.o"), ("One", "again.o")] {
      try await Tool.check(
        [
          "swiftc", "-frontend", "-c", "-parse-stdlib", "-parse-as-library", "-enable-objc-interop", "-module-name",
          module, "-target", "arm64-apple-ios13.0", "Story.swift", "-o", file,
        ], in: scratch.path)
    }
    let shared = try await [definitions("one.o", scratch), definitions("two.o", scratch)]
    #expect(shared[0].intersection(shared[1]).contains("___swift_reflection_version"))
    #expect(try await collisions(["one.o", "two.o"], profile, scratch).isEmpty)
    #expect(try await collisions(["one.o", "again.o"], profile, scratch).contains("_$s3One5StoryCMa"))
  }

  @Test("two +load", arguments: LinkerProfile.all)
  func loadMethods(_ profile: LinkerProfile) async throws {
    let scratch = Scratch()
    try scratch.write(
      "categories.m",
      """
      @interface Outside @end
      @interface Outside (NAME) + (void)METHOD; @end
      @implementation Outside (NAME) + (void)METHOD {} @end
      """)
    for (name, method) in [("One", "load"), ("Two", "load"), ("Three", "start"), ("Four", "start")] {
      try await Tool.check(
        [
          "clang", "-target", "arm64-apple-ios13.0", "-ffreestanding", "-fobjc-runtime=ios-13.0", "-c",
          "-DNAME=\(name)", "-DMETHOD=\(method)", "-o", "\(name).o", "categories.m",
        ], in: scratch.path)
    }
    func clashes(_ files: [String]) throws -> [String] {
      let set = LinkSet(.arm64, InputFolder(scratch.path), profile)
      let search = CollisionSearch(try LinkLine(["-dylib"] + files), profile, set, isOpen: true)
      return (search.runtime + search.symbols).map(\.name.text)
    }
    let quiet = try clashes(["One.o", "Two.o"])
    let loud = try clashes(["Three.o", "Four.o"])
    #expect(quiet.isEmpty)
    #expect(loud == ["+[Outside start]"])
  }

  // MARK: Helpers

  private func assemble(_ source: String, _ name: String, _ scratch: Scratch) async throws {
    try scratch.write("\(name).s", source + "\n")
    try await Tool.check(
      ["clang", "-target", "arm64-apple-ios13.0", "-Wa,-L", "-c", "\(name).s"], in: scratch.path)
  }

  /// What is defined for others to see.
  private func definitions(_ file: String, _ scratch: Scratch) async throws -> Set<String> {
    let names = try await Tool.check(["llvm-nm-19", "-gUj", file], in: scratch.path)
    return Set(names.split(separator: "\n").map(String.init))
  }

  /// What is said of object files, whatever the app is. lld itself agrees on what is an error.
  private func collisions(
    _ files: [String], _ profile: LinkerProfile, _ scratch: Scratch
  ) async throws -> [String] {
    let set = LinkSet(.arm64, InputFolder(scratch.path), profile)
    let search = CollisionSearch(try LinkLine(["-dylib"] + files), profile, set, isOpen: true)
    let found = await search.collisions().filter { $0.rule == DuplicateSymbol.id || $0.rule == OneDefinitionRule.id }
      .map(\.name.text)
    if profile.family == .lld {
      let said = try await LLD.link(["-dylib"] + files, in: scratch.path, definers: [:])
      #expect(said.record.duplicates == found.sorted())
    }
    return found.sorted()
  }

  @Test(arguments: [
    ("NSCopying", true), ("_UIFoo", true), ("SKRequestDelegate", true), ("MSStickerBrowserViewDataSource", true),
    ("NETunnelProviderDelegate", true), ("NERtcEngineDelegate", false), ("MSServiceCommon", false),
    ("SRWebSocketDelegate", false), ("RallyDelegate", false), ("SKXThing", false),
  ])
  func namesOfApple(_ name: String, _ isApples: Bool) { #expect(AppleName.isApples(name) == isApples, "\(name)") }
}
