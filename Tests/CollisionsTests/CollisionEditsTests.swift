import Artifacts
import Findings
import Linking
import Testing

@testable import Collisions

/// The lines that end collisions, with the names of the plugins filled in. Scenarios run those for a shell.
@Suite struct CollisionEditsTests {
  private static let slice = Slice(platform: "ios", architecture: "arm64")

  private static func collision(
    _ rule: RuleID, _ verdict: Collision.Verdict, _ name: String, in files: [[String]], member: String? = nil,
    identical: Bool? = false, kind: Collision.Site.Kind = .strong
  ) -> Collision {
    let sites = files.enumerated().map { number, parts in
      // A file of a container is its member.
      let isInside = member == nil && parts.count > 1
      return Collision.Site(
        Place(parts: isInside ? parts.dropLast() : parts), member: isInside ? parts.last : member,
        of: PluginID(number), kind)
    }
    return Collision(rule, verdict, slice, name, sites, identical: identical)
  }

  private static func line(_ all: Collision...) -> String? { all.first?.edit(of: all)?.text }

  private static func symbol(_ name: String, _ verdict: Collision.Verdict = .error, identical: Bool? = false)
    -> Collision
  {
    collision(
      DuplicateSymbol.id, verdict, name, in: [["Rally.zip", "libRally.a"], ["Scanner", "libScanner.a"]], member: "a.o",
      identical: identical)
  }

  @Test func aFewFunctionsAreRenamed() {
    #expect(
      Self.line(Self.symbol("_a"), Self.symbol("_b"), Self.symbol("_a"))
        == "llvm-objcopy --redefine-sym _a=_Scanner_a --redefine-sym _b=_Scanner_b libScanner.a")
    #expect(
      Self.line(Self.symbol("__ZN3fooEv")) == "llvm-objcopy --redefine-sym __ZN3fooEv=_Scanner__ZN3fooEv libScanner.a")
  }

  @Test func othersAreNot() {
    // The runtime knows a class by its name, and SQLite has hundreds of functions.
    #expect(Self.line(Self.symbol("_OBJC_CLASS_$_Foo")) == nil)
    #expect(Self.line(Self.symbol("_sqlite3_open")) == nil)
    #expect(Self.line(Self.symbol("_a"), Self.symbol("_sqlite3_open")) == nil)
    let five = ["_a", "_b", "_c", "_d", "_e"].map { Self.symbol($0) }
    #expect(five[0].edit(of: five) == nil)
    // What does no harm needs no change.
    #expect(Self.line(Self.symbol("_a", .silent, identical: true)) == nil)
    let dylib = Self.collision(DuplicateSymbol.id, .error, "_a", in: [["a.dylib"], ["b.dylib"]])
    let three = Self.collision(DuplicateSymbol.id, .error, "_a", in: [["a.a"], ["b.a"], ["c.a"]], member: "a.o")
    #expect(Self.line(dylib) == nil && Self.line(three) == nil)
  }

  @Test func theSecondOfTwoEqualFrameworksGoes() {
    func line(_ parts: String..., identical: Bool? = true) -> String? {
      Self.line(
        Self.collision(
          DuplicateFramework.id, .error, "SSL.framework", in: [["One", "SSL.framework"], parts], identical: identical,
          kind: .framework))
    }
    #expect(line("Two", "SSL.framework") == "rm -r Two/SSL.framework")
    #expect(line("Two/SSL.xcframework", "ios-arm64/SSL.framework") == "rm -r Two/SSL.xcframework")
    #expect(line("b/Two.zip", "lib/SSL.framework") == "zip -d b/Two.zip lib/SSL.framework \"lib/SSL.framework/*\"")
    #expect(line("Two", "Two.zip", "SSL.framework") == nil && line("Two.zip", "Two.zip", "SSL.framework") == nil)
    #expect(line("My Two", "SSL.framework") == nil && line("Two", "SSL.framework", identical: nil) == nil)
  }

  @Test func headersGetAFolder() {
    func line(_ parts: String...) -> String? {
      Self.line(
        Self.collision(
          HeaderClash.id, .error, "include/Log.h", in: [["A.xcframework", "ios-arm64/Headers/Log.h"], parts],
          kind: .header))
    }
    #expect(
      line("b/B.xcframework", "ios-arm64/Headers/Log.h")
        == "for h in b/B.xcframework/*/Headers; do mkdir $h.new && mv $h $h.new/B && mv $h.new $h; done")
    #expect(line("B.zip", "B.xcframework/ios-arm64/Headers/Log.h") == nil)
    #expect(line("B.xcframework", "ios-arm64/Public/Log.h") == nil)
  }

  @Test func resourcesAndManifestsGoIntoTheBundle() {
    let sites = [["Rally.zip", "icon.png"], ["Scanner.zip", "icon.png"]]
    #expect(
      Self.line(Self.collision(LooseResourceClash.id, .warning, "icon.png", in: sites))
        == "items: [{ from: icon.png, to: Scanner.bundle/icon.png }]")
    #expect(
      Self.line(
        Self.collision(LooseResourceClash.id, .warning, "icon.png", in: sites, identical: true, kind: .resource))
        == "zip -d Scanner.zip icon.png")
  }

  @Test func gradleIsToldWhatToTakeAndWhatToLeave() {
    func library(_ name: String, _ verdict: Collision.Verdict = .error) -> Collision {
      Self.collision(DuplicateNativeLibrary.id, verdict, name, in: [["a.aar"], ["b.aar"]])
    }
    #expect(
      Self.line(library("lib/x86/libz.so"), library("lib/arm64-v8a/libz.so"), library("lib/x86/libc++_shared.so"))
        == "android { packaging { jniLibs { pickFirsts += setOf(\"lib/*/libc++_shared.so\", \"lib/*/libz.so\") } } }")
    #expect(Self.line(library("lib/x86/libz.so", .warning)) == nil)
    #expect(Self.line(library("lib/x86/lib\").x(\".so")) == nil)
    var one = Self.collision(DuplicateJavaClass.id, .error, "com.a.B", in: [["libs/a.jar"], ["libs/b.jar"]])
    #expect(Self.line(one) == nil)
    one.identical = true
    #expect(Self.line(one) == "zip -d libs/b.jar com/a/B.class")
    one.name.text = "com.a.B$1"
    #expect(Self.line(one) == nil)
    one.module = "com.google.zxing:core"
    #expect(
      Self.line(one) == "configurations.all { exclude(group = \"com.google.zxing\", module = \"core\") }")
  }
}
