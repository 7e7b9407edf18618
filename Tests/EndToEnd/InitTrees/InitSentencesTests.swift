import Foundation
import SystemPackage
import Testing
import TestSupport

/// What `init` does with what it finds, one thing a test.
@Suite(.timeLimit(.minutes(10))) struct InitSentencesTests {
  /// Thin libraries of one: joined for devices, and no item each.
  @Test func slicesOfOneLibraryAreOne() async throws {
    let tree = PluginTree("slices")
    try await tree.library("lib/libPay-arm64.a", "pay")
    try await tree.library("lib/libPay-armv7.a", "pay", for: ["armv7-apple-ios9.0"])
    try await tree.library("lib/libPay-x86_64.a", "pay", for: ["x86_64-apple-ios9.0-simulator"])
    try await tree.library("old/libPay-armv7.a", "pay", for: ["armv7-apple-ios8.0"])
    try await tree.framework("Release-iphoneos/Log.framework", "log_it")
    try await tree.framework("Release-iphonesimulator/Log.framework", "log_it", for: ["x86_64-apple-ios9.0-simulator"])
    let lines = try await tree.initialize()
    #expect(names(lines, "lib/libPay-x86_64.a", "Release-iphonesimulator/Log.framework", "for simulators"), "\(lines)")
    #expect(names(lines, "old/libPay-armv7.a", "another copy"))
    _ = try await tree.build()
    let zip = try await tree.entries("-ios.zip")
    #expect(zip.filter { $0.hasSuffix(".a") } == ["libPay.a"] && zip.contains("Log.framework/Log"), "\(zip)")
    let symbols = try await tree.symbols("libPay.a")
    #expect(symbols == ["_pay"])
    let info = try await Tool.check(["llvm-lipo-19", "-archs", "build/joined/libPay.a"], in: tree.scratch("slices"))
    #expect(Set(info.split { " \n".contains($0) }) == ["arm64", "armv7"])
  }

  /// An XCFramework has the slices that a library and a framework beside it have: one item.
  @Test func oneOfThreeForms() async throws {
    let tree = PluginTree("forms")
    try await tree.xcframework("Pay.xcframework", "pay")
    try await tree.library("ios/libPay.a", "pay")
    try await tree.framework("ios/Pay.framework", "pay")
    let lines = try await tree.initialize()
    #expect(names(lines, "ios/libPay.a", "ios/Pay.framework", "another copy"), "\(lines)")
    _ = try await tree.build()
    let zip = try await tree.entries("-ios.zip")
    #expect(zip.allSatisfy { $0.hasPrefix("Pay.xcframework/") }, "\(zip)")
  }

  /// Libraries in `ABI/lib`, beside other things: a step puts them in order.
  @Test func librariesByProcessor() async throws {
    let tree = PluginTree("native")
    for (abi, target) in PluginTree.androids {
      try await tree.native("android/\(abi)/lib/libvoice.so", target)
      try tree.write("android/\(abi)/include/voice.h")
    }
    try tree.write("android/mips/lib/libvoice.so")
    let lines = try await tree.initialize()
    #expect(names(lines, "android/mips/lib/libvoice.so", "no shared library"))
    #expect(names(lines, "android/arm64-v8a/include/voice.h"))
    _ = try await tree.build()
    let expected = PluginTree.androids.map { "jni/\($0.0)/libvoice.so" }.sorted()
    #expect(try await tree.entries(".aar").filter { $0.hasPrefix("jni/") }.sorted() == expected)
  }

  /// Each language has a step with a depfile; the host's architectures are in one library.
  @Test func aStepForEachLanguage() async throws {
    let tree = PluginTree("words")
    try tree.appleSDK(["Foundation": PluginTree.foundation, "UIKit": PluginTree.uikit])
    try tree.write("ios/a.c", "int in_c(void) { return 1; }\n")
    try tree.write("ios/b.cpp", "int in_cxx() { return 1; }\n")
    try tree.write(
      "ios/WDController.m",
      "#import <UIKit/UIKit.h>\n@interface WDController : UIViewController\n- (id)initWithJSON:(NSDictionary *)json;\n@end\n"
        + "@implementation WDController\n- (id)initWithJSON:(NSDictionary *)json { return self; }\n@end\n")
    try tree.write(
      "ios/d.mm",
      "#import <Foundation/Foundation.h>\n@interface WDTable : NSObject @end\n@implementation WDTable @end\n")
    try tree.write("ios/Screen.xib")
    try tree.write("ios/en.lproj/Words.strings")
    try tree.write("android/src/wd/words/Words.java", "package wd.words;\npublic class Words {}\n")
    try tree.write("android/res/values/words.xml", "<resources><string name=\"wd\">x</string></resources>\n")
    try await tree.initialize()
    let manifest = try tree.manifest
    #expect(manifest.contains("extends: mobilesmith") && manifest.contains("ViewControllerClassName: WDController"))
    for step in ["c", "cxx", "objective-c", "objective-cxx"] {
      #expect(manifest.contains("    depfile: build/\(step)/depfile\n"), "\(step)")
    }
    #expect(manifest.contains("    depfile: build/java/depfile\n"))
    // The class of Android was not seen: nothing is invented, and the host's rule stops the build.
    #expect(manifest.contains("none was seen") && manifest.contains("FragmentClassName: null"))
    let refused = try await tree.build(expecting: 1)
    #expect(refused.all.contains("error[config-keys]: the configuration has no FragmentClassName"), "\(refused.all)")
    // The other deliverables pass.
    let kept = try await tree.run(["ios", "android"])
    #expect(kept.status == 0, "\(kept.all)")
    let symbols = try await tree.symbols("libwords.a")
    #expect(symbols.isSuperset(of: ["_in_c", "__Z6in_cxxv", "_OBJC_CLASS_$_WDController", "_OBJC_CLASS_$_WDTable"]))
    let archs = try await Tool.check(["llvm-lipo-19", "-archs", "build/libwords.a"], in: tree.scratch("words"))
    #expect(Set(archs.split { " \n".contains($0) }) == ["arm64", "armv7", "armv7s"])
    let zip = try await tree.entries("-ios.zip")
    #expect(zip.contains("Screen.xib") && zip.contains("en.lproj/Words.strings"), "\(zip)")
    #expect(try await tree.entries(".aar").contains { $0.hasPrefix("res/values/") })
    #expect(try await tree.classes() == ["wd/words/Words.class"])
  }

  /// Nothing of a plugin: an error, and no file.
  @Test(arguments: ["texts", "resources", "tests only"]) func nothingToPack(_ what: String) async throws {
    let tree = PluginTree("empty")
    try tree.write("README.md")
    switch what {
    case "resources": try tree.write("Empty.bundle/a.txt")
    case "tests only": try tree.write("Tests/a.c", "int f(void) { return 1; }\n")
    default: try tree.write("docs/index.html")
    }
    let result = try await tree.run(["init"])
    #expect(result.status == 2 && result.out.isEmpty, "\(result.all)")
    #expect(result.err.contains("error: no manifest is written: it would pack nothing of the plugin"))
    #expect(result.err.contains("write npi.yml yourself"))
    if what == "resources" { #expect(result.err.contains("not packed: Empty.bundle")) }
    #expect(!tree.scratch.exists("empty/npi.yml"))
    #expect(try await tree.run(["init", "-n"]).status == 2)
  }

  /// A library that is only in `vendor` is taken, and that is said; beside code of the plugin's own it is named.
  @Test func vendorIsASecondChoice() async throws {
    let alone = PluginTree("alone")
    try await alone.library("vendor/libSDK.a", "sdk")
    let lines = try await alone.initialize()
    #expect(lines.contains { $0.hasPrefix("took vendor/libSDK.a") }, "\(lines)")
    _ = try await alone.build()
    #expect(try await alone.entries("-ios.zip") == ["libSDK.a"])

    let beside = PluginTree("beside")
    try await beside.library("vendor/libSDK.a", "sdk")
    try beside.write("ios/own.c", "int own(void) { return 1; }\n")
    #expect(names(try await beside.initialize(), "vendor/libSDK.a", "somebody else's"))
    _ = try await beside.build()
    #expect(try await beside.entries("-ios.zip") == ["libbeside.a"])
  }

  /// What is not packed is named by folder and ending, with counts, and what is to be done is said once.
  @Test func whatIsNotPackedIsCounted() async throws {
    let tree = PluginTree("counts")
    try await tree.library("ios/libOne.a", "one")
    for number in 1...8 { try tree.write("android/libs/x86/lib\(number).so") }
    for number in 1...3 { try tree.write("www/js/\(number).js") }
    try tree.write("www/index.js")
    let lines = try await tree.initialize()
    #expect(
      lines.contains("not packed: www/index.js, www/js/*.js (3): JavaScript, which the app's own packager takes"),
      "\(lines)")
    #expect(lines.contains { $0.hasPrefix("not packed: android/libs/x86/*.so (8): ") }, "\(lines)")
  }
}
