import Foundation
import SystemPackage
import TestSupport
import Testing

/// What podspecs, packages and projects of Xcode say of a plugin's half for iOS, and what `init` makes of it.
@Suite(.timeLimit(.minutes(10))) struct InitAppleTreesTests {
  private static func podspec(_ name: String, _ lines: String...) -> String {
    (["Pod::Spec.new do |s|", "s.name = '\(name)'", "s.version = '1.2'", "s.platform = :ios, '13.0'"] + lines + [
      "end", "",
    ])
    .joined(separator: "\n")
  }

  /// A project of targets, each with its sources and the resources that Xcode puts into it.
  private static func project(_ targets: Target...) -> String {
    var text = "// !$*UTF8*$!\n{\n  objects = {\n"
    for target in targets {
      let name = target.name.replacingOccurrences(of: " ", with: "")
      func phase(_ id: String, _ type: String, _ files: [String]) -> String {
        let entries = files.indices.map { "\(id)\($0)B," }.joined(separator: " ")
        let objects = files.enumerated().map { index, file in
          "\(id)\(index)B = {isa = PBXBuildFile; fileRef = \(id)\(index)R /* \(file) */; };\n"
            + "\(id)\(index)R /* \(file) */ = {isa = PBXFileReference; path = \(file); sourceTree = \"<group>\"; };\n"
        }
        return "\(id) = { isa = PBX\(type)BuildPhase; files = ( \(entries) ); };\n\(objects.joined())"
      }
      let needed = target.needs.map { "N\(name)\($0)," }.joined(separator: " ")
      text += """
        T\(name) /* \(name) */ = {
          isa = PBXNativeTarget;
          buildPhases = ( S\(name) /* Sources */, R\(name) /* Resources */, H\(name), );
          dependencies = ( \(needed) );
          name = "\(target.name)";
          productReference = P\(name) /* \(target.product) */;
          productType = "com.apple.product-type.\(target.product.hasSuffix(".a") ? "library.static" : "framework")";
        };

        """
      for other in target.needs { text += "N\(name)\(other) = { isa = PBXTargetDependency; target = T\(other); };\n" }
      text += phase("S\(name)", "Sources", target.sources) + phase("R\(name)", "Resources", target.resources)
      text += phase("H\(name)", "Headers", target.headers)
    }
    return text + "  };\n}\n"
  }

  private struct Target {
    let name: String
    let product: String
    let sources: [String]
    var headers: [String] = []
    var resources: [String] = []
    var needs: [String] = []
  }

  /// What a podspec lists is packed, and nothing of a demo: neither its bundle of the same name nor its texts and sources.
  @Test func whatAPodspecListsIsAllThatThereIs() async throws {
    let tree = PluginTree("share")
    try await tree.library("Share/libShare.a", "share")
    try tree.write("Share/Share.h", "int share(void);\n")
    try tree.write("Share/Share.bundle/a", "real\n")
    try tree.write("Share/Other.bundle/a")
    try tree.write("App/Share.bundle/a", "other\n")
    try tree.write("App/en.lproj/L.strings")
    try tree.write("App/App.m", "@interface App @end\n@implementation App @end\n")
    try tree.write("ShareSDKDemo/b.m", "int b(void) { return 1; }\n")
    try tree.write(
      "Share.podspec",
      Self.podspec(
        "Share", "s.source_files = 'Share/*.{h,m}'", "s.resource = 'Share/Share.bundle'",
        "s.vendored_libraries = 'Share/libShare.a'"))
    let lines = try await tree.initialize()
    #expect(
      names(
        lines, "App/App.m", "App/Share.bundle", "App/en.lproj", "Share/Other.bundle", "Share.podspec does not name it"),
      "\(lines)")
    #expect(names(lines, "ShareSDKDemo/ (1)", "an example of its use"), "\(lines)")
    _ = try await tree.build()
    #expect(try await tree.entries("-ios.zip") == ["Share.bundle/a", "libShare.a"])
    #expect(
      try await Tool.check(["sh", "-c", "unzip -p dist/*.zip Share.bundle/a"], in: tree.scratch("share")) == "real\n")
  }

  /// A podspec that lists no resources says nothing of them.
  @Test func aPodspecWithoutResources() async throws {
    let tree = PluginTree("share")
    try tree.write("ios/a.c", "int a(void) { return 1; }\n")
    try tree.write("ios/Share.bundle/a")
    try tree.write("Share.podspec", Self.podspec("Share", "s.source_files = 'ios/*.c'"))
    #expect(try await tree.initialize().isEmpty)
    _ = try await tree.build()
    #expect(try await tree.entries("-ios.zip") == ["Share.bundle/a", "libShare.a"])
  }

  /// A project deeper in the tree makes the pod: it is taken, and what the podspec names is no application's.
  @Test func theProjectThatMakesThePod() async throws {
    let tree = PluginTree("keep")
    try tree.write(
      "Core/Core.xcodeproj/project.pbxproj",
      Self.project(Target(name: "Core", product: "libCore.a", sources: ["core.c"])))
    try tree.write(
      "iOS/Keep/Keep.xcodeproj/project.pbxproj",
      Self.project(Target(name: "Keep", product: "libKeep.a", sources: ["keep.c"])))
    try tree.write("Core/core.c", "int core(void) { return 1; }\n")
    try tree.write("Core/Core.bundle/a")
    try tree.write("Core/Keep.bundle/a")
    try tree.write("iOS/Keep/keep.c", "int keep(void) { return 1; }\n")
    try tree.write(
      "Keep.podspec",
      Self.podspec("Keep", "s.source_files = 'iOS/Keep/*.c'", "s.resources = 'Core/Keep.bundle'"))
    let lines = try await tree.initialize()
    #expect(
      lines.contains("took iOS/Keep/Keep.xcodeproj, and not Core/Core.xcodeproj (it does not make Keep)"), "\(lines)")
    #expect(names(lines, "Core/Core.bundle", "beside Core/Core.xcodeproj, which is not taken"), "\(lines)")
    #expect(try tree.manifest.contains("- build/libKeep.a\n      - Core/Keep.bundle\n"))
  }

  /// A project that was looked at and is not used is in one line, not taken in one and refused in the next.
  @Test func aProjectThatIsNotUsed() async throws {
    let tree = PluginTree("info")
    for path in ["Info", "deep/Other"] {
      try tree.write(
        "\(path).xcodeproj/project.pbxproj",
        Self.project(Target(name: "Info", product: "libInfo.a", sources: ["Old.c"])))
    }
    try tree.write("New.c", "int info(void) { return 1; }\n")
    try tree.write("Info.podspec", Self.podspec("Info", "s.source_files = 'New.c'"))
    let lines = try await tree.initialize()
    #expect(
      lines == [
        "did not take Info.xcodeproj: it does not name New.c", "did not take deep/Other.xcodeproj (it lies deeper)",
      ], "\(lines)")
  }

  /// Of several frameworks the one that needs others is made with them; what belongs to the rest is named.
  @Test func severalFrameworks() async throws {
    let tree = PluginTree("pay")
    func target(_ name: String, _ needs: [String] = []) -> Target {
      Target(
        name: "Pay\(name)", product: "Pay\(name).framework", sources: ["\(name).m"],
        resources: ["PrivacyInfo.xcprivacy", "\(name).png"], needs: needs.map { "Pay\($0)" })
    }
    try tree.write(
      "Kit.xcodeproj/project.pbxproj",
      Self.project(target("Local"), target("Card", ["Core"]), target("Core")))
    for name in ["Local", "Card", "Core"] {
      try tree.write("Sources/\(name)/\(name).m")
      try tree.write("Sources/\(name)/PrivacyInfo.xcprivacy")
      try tree.write("Sources/\(name)/\(name).png")
    }
    let lines = try await tree.initialize()
    #expect(
      lines.contains(
        "took the target PayCard of Kit.xcodeproj with PayCore, which it needs, and not PayLocal "
          + "(none is called as the plugin: it is the one that needs the most others)"), "\(lines)")
    #expect(
      names(
        lines, "Sources/Local/Local.m", "Sources/Local/PrivacyInfo.xcprivacy", "Sources/Local/Local.png",
        "of another target"), "\(lines)")
    #expect(lines.count == 2, "\(lines)")
    let manifest = try tree.manifest
    #expect(
      manifest.contains("- build/device/PayCard.framework\n      - build/device/PayCore.framework\n  #"), "\(manifest)")
    #expect(manifest.contains("outputs: [build/device/PayCard.framework, build/device/PayCore.framework]"))
  }

  /// A target for another system is not the one that is taken, and a header goes with its source or with nobody.
  @Test func targetsAndHeaders() async throws {
    let tree = PluginTree("hud")
    try tree.write(
      "HUD.xcodeproj/project.pbxproj",
      Self.project(
        Target(name: "Kit macOS", product: "Kit.framework", sources: ["Mac.m"], headers: ["Mac.h"]),
        Target(name: "Kit", product: "libKit.a", sources: ["Kit.m"]),
        Target(name: "Kit-Framework", product: "Kit.framework", sources: ["Kit.m"], headers: ["Kit.h"])))
    for name in ["Mac.m", "Mac.h", "Kit.m", "Kit.h"] { try tree.write("src/\(name)") }
    let lines = try await tree.initialize()
    #expect(names(lines, "src/Kit.h", "headers: "), "\(lines)")
    #expect(names(lines, "src/Mac.m", "src/Mac.h", "of another target of HUD.xcodeproj than Kit"), "\(lines)")
  }

  /// How a podspec has its sources compiled, as far as that is safe to say to a compiler.
  @Test func settingsOfAPodspec() async throws {
    let tree = PluginTree("keep")
    try tree.write("ios/a.c", "int A(void) { return LEVEL; }\n#ifndef QUIET\n#error\n#endif\n")
    try tree.write("ios/b.cpp", "int b() { auto f = []<class T>(T x) { return x; }; return f(1) + sizeof(NAME); }\n")
    try tree.write("ios/inc/n.h")
    try tree.write(
      "Keep.podspec",
      Self.podspec(
        "Keep", "s.source_files = 'ios/*.{c,cpp}'",
        #"s.compiler_flags = '-fvisibility=hidden -Wno-comment', '"-DNAME=\"a b\""', '-include evil.h', '-Wl,-x', '-fplugin=x.so', "-DX=$(id)""#,
        "s.pod_target_xcconfig = {", "  'CLANG_CXX_LANGUAGE_STANDARD' => 'gnu++20', 'CLANG_CXX_LIBRARY' => 'libc++',",
        "  'GCC_PREPROCESSOR_DEFINITIONS' => '$(inherited) QUIET LEVEL=3',",
        "  :HEADER_SEARCH_PATHS => '\"$(PODS_TARGET_SRCROOT)/ios/inc\" $(PODS_ROOT)/x',",
        "  'RELEASE' => { 'GCC_PREPROCESSOR_DEFINITIONS' => 'INNER' }", "}"))
    try await tree.initialize()
    let manifest = try tree.manifest
    #expect(
      manifest.contains(
        " -fvisibility=hidden -Wno-comment '-DNAME=\"a b\"' -DQUIET -DLEVEL=3 -std=gnu++20 -I ios/inc -MMD"),
      "\(manifest)")
    #expect(!manifest.contains("INNER"))
    for text in [
      "compiler_flags -include evil.h", "compiler_flags -Wl,-x", "compiler_flags -fplugin=x.so",
      "compiler_flags -DX=$(id)",
      "HEADER_SEARCH_PATHS $(PODS_ROOT)/x",
    ] { #expect(manifest.contains("  #   \(text)\n"), "\(text) in \(manifest)") }
    _ = try await tree.build()
  }

  /// The same of a package's targets; what another system or a debugger gets is left out.
  @Test func settingsOfAPackage() async throws {
    let tree = PluginTree("keep")
    try tree.write("Sources/Keep/a.c", "int a(void) { return LEVEL + ON; }\n")
    try tree.write("Sources/Keep/b.cpp", "#include \"n.h\"\nint b() { return WIDE; }\n")
    try tree.write("Sources/Keep/inner/n.h", "int n(void);\n")
    try tree.write(
      "Package.swift",
      """
      let package = Package(name: "Keep", targets: [.target(name: "Keep",
        cSettings: [.define("LEVEL", to: "2"), .define("ON", to: "1", .when(platforms: [.iOS])), .define("MAC", .when(platforms: [.macOS])),
          .define("SLOW", .when(configuration: .debug)), .unsafeFlags(["-fno-common", "-Xclang", "-load"])],
        cxxSettings: [.headerSearchPath("inner"), .define("WIDE", to: "1")])], cxxLanguageStandard: .gnucxx17)

      """)
    try await tree.initialize()
    let manifest = try tree.manifest
    #expect(manifest.contains(" -I Sources/Keep/inner -DLEVEL=2 -DON=1 -fno-common -MMD"), "\(manifest)")
    #expect(manifest.contains(" -std=gnu++17 -DWIDE=1 "), "\(manifest)")
    #expect(
      manifest.contains("  #   .unsafeFlags -Xclang -load\n") && !manifest.contains("MAC") && !manifest.contains("SLOW")
    )
    _ = try await tree.build()
  }

  /// Where a pod's code looks for its resources: in the bundle that the podspec says, one for each of two pods.
  @Test func bundlesOfAPodspec() async throws {
    let tree = PluginTree("keep")
    try tree.write("ios/a.c", "int a(void) { return 1; }\n")
    for path in [
      "PrivacyInfo.xcprivacy", "en.lproj/L.strings", "en.lproj/M.strings", "Form.xib", "Icons.xcassets/a.json",
    ] {
      try tree.write("ios/res/\(path)")
    }
    try tree.write(
      "Keep.podspec",
      Self.podspec(
        "Keep", "s.source_files = 'ios/*.c'",
        "s.resource_bundles = { 'KeepPrivacy' => ['ios/res/PrivacyInfo.xcprivacy'], 'Keep' => 'ios/res/**/*.{strings,xib,xcassets}' }"
      ))
    let lines = try await tree.initialize()
    #expect(names(lines, "ios/res/Form.xib", "ibtool into Keep.bundle"), "\(lines)")
    #expect(names(lines, "ios/res/Icons.xcassets", "actool into Keep.bundle"), "\(lines)")
    #expect(
      try tree.manifest.contains(
        "- { from: ios/res/PrivacyInfo.xcprivacy, to: KeepPrivacy.bundle/PrivacyInfo.xcprivacy }"))
    _ = try await tree.build()
    #expect(
      Set(try await tree.entries("-ios.zip")) == [
        "libKeep.a", "KeepPrivacy.bundle/PrivacyInfo.xcprivacy", "Keep.bundle/en.lproj/L.strings",
        "Keep.bundle/en.lproj/M.strings",
      ])
  }

  /// A pod of the same tree that the first one does not work without is in its library, with its settings.
  @Test func podsThatAPodNeeds() async throws {
    let tree = PluginTree("keep")
    try tree.write("ios/a.c", "int core(void);\nint a(void) { return core(); }\n")
    try tree.write("Core/core.c", "int core(void) { return LEVEL; }\n")
    try tree.write("More/more.c", "int more(void) { return 1; }\n")
    try tree.write(
      "Keep.podspec", Self.podspec("Keep", "s.source_files = 'ios/*.c'", "s.dependency 'KeepCore/Base', '~> 1.0'"))
    try tree.write(
      "KeepCore.podspec",
      Self.podspec(
        "KeepCore", "s.source_files = 'Core/*.c'", "s.compiler_flags = '-DLEVEL=3'", "s.dependency 'Keep'",
        "s.frameworks = 'UIKit'"))
    try tree.write("KeepMore.podspec", Self.podspec("KeepMore", "s.source_files = 'More/*.c'", "s.dependency 'Keep'"))
    let lines = try await tree.initialize()
    #expect(lines == ["not packed: More/more.c: Keep.podspec does not name it"], "\(lines)")
    #expect(try tree.manifest.contains("The app links besides: UIKit."))
    _ = try await tree.build()
    #expect(try await tree.symbols("libKeep.a") == ["_a", "_core"])
  }

  /// What nothing in the tree says is marked, and a missing SDK is one clear error.
  @Test func withoutAnSDK() async throws {
    let tree = PluginTree("plain")
    try tree.write("f.m", "#import <Foundation/Foundation.h>\n")
    try tree.write("g.c", "int g(void) { return 1; }\n")
    try tree.scratch.write("tools/xcrun", "#!/bin/sh\nexit 72\n", executable: true)
    try await tree.initialize()
    #expect(try tree.manifest.contains("\n  # For iOS 12.0 and later: nothing in the tree says one.\n"))
    let result = try await tree.run(["objective-c"])
    #expect(result.status == 1)
    #expect(result.all.contains("\nno SDK of iOS is found: name one in the env of this step, SDK\n"), "\(result.all)")
    #expect(!result.all.contains("Foundation.h"), "\(result.all)")
  }

  /// Files of one name in many folders are one pattern.
  @Test func filesOfOneNameInManyFolders() async throws {
    let tree = PluginTree("pay")
    try tree.write("ios/a.c", "int a(void) { return 1; }\n")
    for name in ["AmericanExpress", "ApplePay", "Card", "LocalPayment", "ShopperInsights", "ThreeDSecure", "Venmo"] {
      try tree.write("ios/Payments\(name)Module/PrivacyInfo.xcprivacy")
    }
    let lines = try await tree.initialize()
    #expect(
      lines == ["not packed: ios/**/PrivacyInfo.xcprivacy (6): something else of that name is at the root of the zip"])
  }
}
