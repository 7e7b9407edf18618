import Foundation
import SystemPackage
import TestSupport
import Testing

/// What stands in the tree is in the manifest, or named; and nothing is in a library twice.
@Suite(.timeLimit(.minutes(10))) struct InitNothingInSilenceTests {
  /// Two targets of one project: the files of the second are in no deliverable, though the project names them.
  @Test func filesOfAnotherTarget() async throws {
    let tree = PluginTree("image")
    func target(_ id: String, _ name: String, _ product: String, _ dependencies: String = "") -> String {
      """
        \(id) /* \(name) */ = {
          isa = PBXNativeTarget;
          buildPhases = (
            \(id)1 /* Headers */,
            \(id)2 /* Sources */,
          );
          dependencies = (
            \(dependencies)
          );
          name = \(name);
          productReference = \(id)9 /* \(product) */;
          productType = "com.apple.product-type.\(product.hasSuffix(".a") ? "library.static" : "framework")";
        };
      """
    }
    func phase(_ id: String, _ type: String, _ files: [String]) -> String {
      let entries = files.map { "\(id)B\($0.utf8.count) /* \($0) in \(type), of a target */," }.joined(
        separator: "\n      ")
      let objects = files.map { file in
        """
          \(id)B\(file.utf8.count) /* \(file) in \(type) */ = {isa = PBXBuildFile; fileRef = \(id)F\(file.utf8.count) /* \(file) */; };
          \(id)F\(file.utf8.count) /* \(file) */ = {isa = PBXFileReference; lastKnownFileType = x; path = "Sources/\(file)"; sourceTree = "<group>"; };
        """
      }
      return """
          \(id) /* \(type) */ = {
            isa = PBX\(type)BuildPhase;
            files = (
              \(entries)
            );
          };
        \(objects.joined(separator: "\n"))
        """
    }
    let parts = [
      target("AA", "image", "image.framework", "D1 /* PBXTargetDependency */,"),
      target("BB", "maps", "maps.framework"), target("CC", "codec", "libcodec.a"),
      "  D1 /* PBXTargetDependency */ = {\n    isa = PBXTargetDependency;\n    target = CC /* codec */;\n  };",
      phase("AA1", "Headers", ["Image.h"]), phase("AA2", "Sources", ["Image.m"]),
      phase("BB1", "Headers", ["MapView.h"]), phase("BB2", "Sources", ["MapView+Image.m", "Pin.swift"]),
      phase("CC1", "Headers", []), phase("CC2", "Sources", ["codec.c"]),
    ]
    try tree.write("image.xcodeproj/project.pbxproj", "// !$*UTF8*$!\n" + parts.joined(separator: "\n"))
    for name in ["Image.h", "Image.m", "MapView.h", "MapView+Image.m", "Pin.swift", "codec.c"] {
      try tree.write("Sources/\(name)")
    }
    let lines = try await tree.initialize()
    #expect(names(lines, "Sources/MapView+Image.m", "Sources/MapView.h", "of another target"), "\(lines)")
    #expect(names(lines, "Sources/Pin.swift", "Swift"), "\(lines)")
    #expect(!lines.contains { $0.contains("Sources/Image.") || $0.contains("codec.c") }, "\(lines)")
    let manifest = try tree.manifest
    #expect(manifest.contains("- build/device/image.framework") && manifest.contains("-target, image,"))
  }

  /// A finished library that no project stands beside: functions of C tell what it was made of, and an application's sources
  /// are the application's.
  @Test func whatAFinishedLibraryIsMadeOf() async throws {
    let tree = PluginTree("flurry")
    try await tree.library("ios/libFlurry.a", "flurry_start")
    try tree.write(
      "App.xcodeproj/project.pbxproj",
      "0A = {\nisa = PBXNativeTarget;\nname = App;\nproductType = \"com.apple.product-type.application\";\n};\n"
        + "0C = { isa = PBXFileReference; path = Delegate.c; };\n")
    try tree.write("src/start.c", "/* int other(void) { } */\nint flurry_start(void)\n{\n  return 1;\n}\n")
    try tree.write("src/Delegate.c", "int delegate(void) { return 1; }\n")
    try tree.write(
      "src/bridge.cpp", "int helper(int x) { return x; }\nextern \"C\" { int bridge(void) { return 1; } }\n")
    let lines = try await tree.initialize()
    #expect(names(lines, "src/start.c", "compiled into ios/libFlurry.a already"), "\(lines)")
    #expect(names(lines, "src/Delegate.c", "of an application"), "\(lines)")
    _ = try await tree.build()
    #expect(Set(try await tree.entries("-ios.zip")) == ["libFlurry.a", "libflurryPlugin.a"])
    #expect(try await tree.symbols("libflurryPlugin.a").contains("_bridge"))
  }

  /// Two files with the same functions: one is taken. Alternatives of the preprocessor, overloads of C++ and functions that no
  /// other file sees are no contradiction.
  @Test func alternatives() async throws {
    let tree = PluginTree("web")
    try tree.write("ios/Web.c", "static int own(void) { return 1; }\nint web_open(void) { return own(); }\n")
    try tree.write("ios/WebOld.c", "static int own(void) { return 2; }\nint web_open(void) { return own(); }\n")
    try tree.write("ios/Arm.c", "#if defined(__arm64__)\nint sum(void) { return 1; }\n#else\nint sum(void) {\n#endif\n")
    try tree.write("ios/Plain.c", "#if !defined(__arm64__)\nint sum(void) { return 2; }\n#endif\n")
    try tree.write("ios/One.cpp", "int area(int x) { return x; }\n")
    try tree.write("ios/Two.cpp", "int area(int x, int y) { return x * y; }\n")
    try tree.write("ios/Three.cpp", "namespace other { int area(int x) { return x; } }\n")
    // The braces of an `#else` are in balance by themselves only.
    try tree.write(
      "ios/Arm.c", "#if defined(__arm64__)\nint sum(void) {\n#else\nint sum(int x) {\n#endif\nreturn 1; }\n")
    let lines = try await tree.initialize()
    #expect(lines.count == 1 && names(lines, "ios/WebOld.c", "ios/Web.c defines web_open, too"), "\(lines)")
    _ = try await tree.build()
    let symbols = try await tree.symbols("libweb.a")
    #expect(symbols == ["_web_open", "_sum", "__Z4areai", "__Z4areaii", "__ZN5other4areaEi"], "\(symbols)")
  }

  /// Methods and functions of C++ that two files define alike, and the same of two namespaces, which is not alike.
  @Test func twinsOfCxx() async throws {
    let tree = PluginTree("track")
    let source =
      "struct Track { Track(); int start(int x); };\nTrack::Track() {}\nint Track::start(int x) { return x; }\n"
    try tree.write("Classes/Track.cpp", source + "namespace track { int version() { return 1; } }\n")
    try tree.write("Strict/Track.cpp", source + "namespace track {\nint version() {\n  return 2;\n} }\n")
    try tree.write("Classes/More.cpp", "namespace more { int version() { return 3; } }\n")
    let lines = try await tree.initialize()
    #expect(lines.count == 1 && names(lines, "Classes/Track.cpp", "Strict/Track.cpp defines"), "\(lines)")
    #expect(lines.first?.contains("::") == true, "\(lines)")
    _ = try await tree.build()
    let symbols = try await tree.symbols("libtrack.a")
    #expect(symbols.isSuperset(of: ["__ZN5Track5startEi", "__ZN4more7versionEv"]), "\(symbols)")
  }

  /// Libraries of another system for a processor that Android has, too.
  @Test func librariesOfAnotherSystem() async throws {
    let tree = PluginTree("snap")
    try await tree.native("native/FreeBSD/x86_64/libsnap.so", "x86_64-unknown-freebsd13")
    try await tree.native("native/x86_64/libsnap.so", "x86_64-unknown-freebsd13")
    try await tree.native("native/arm64-v8a/libsnap.so", "aarch64-linux-android21")
    let lines = try await tree.initialize()
    #expect(names(lines, "native/FreeBSD/x86_64/libsnap.so", "for freebsd"), "\(lines)")
    #expect(names(lines, "native/x86_64/libsnap.so", "for FreeBSD, and not for Android"), "\(lines)")
    _ = try await tree.build()
    #expect(try await tree.entries(".aar").filter { $0.hasPrefix("jni/") } == ["jni/arm64-v8a/libsnap.so"])
  }

  /// The version of a tool is none of the plugin.
  @Test func theVersionOfATool() async throws {
    let tree = PluginTree("zip")
    try tree.write("settings.gradle.kts", "rootProject.name = \"zip\"\n")
    try tree.write(
      "build.gradle.kts",
      "plugins { id(\"com.android.library\") }\nval text = rootProject.file(\"VERSION\").readText()\nversion = text\n"
        + "android {\n  namespace = \"com.example.zip\"\n  externalNativeBuild {\n    cmake {\n      version = \"3.22.1\"\n"
        + "    }\n  }\n}\n")
    try tree.write("src/main/java/com/example/zip/Zip.java", "package com.example.zip;\npublic class Zip {}\n")
    try await tree.initialize()
    #expect(try tree.manifest.contains("version: 1.0.0 # nothing in the tree says one"))
  }

  /// An AAR that is ready, and the module that it was made of, which no settings of Gradle name.
  @Test func aReadyAAR() async throws {
    let tree = PluginTree("ads")
    try await tree.aar("packages/ads.aar", "com.example.ads.Ads")
    try tree.write("gradlew")
    try tree.write(
      "source/ads/build.gradle", "plugins { id 'com.android.library' }\nandroid { namespace 'com.example.ads' }\n")
    try tree.write(
      "source/ads/src/main/java/com/example/ads/Ads.java",
      "package com.example.ads;\nimport com.vendor.Ad;\npublic class Ads {}\n")
    let lines = try await tree.initialize()
    #expect(
      names(
        lines, "source/ads/src/main/java/com/example/ads/Ads.java", "packages/ads.aar, which is made of it, is packed"),
      "\(lines)")
    _ = try await tree.build()
    #expect(try await tree.classes() == ["com/example/ads/Ads.class"])
  }

  /// Only the module's own sources are Gradle's to compile, and what a description says of Android is in the made manifest.
  @Test func outsideOfTheModule() async throws {
    let tree = PluginTree("scan")
    try tree.write("settings.gradle", "include ':lib'\n")
    try tree.write(
      "lib/build.gradle",
      "plugins { id 'com.android.library' }\nandroid { namespace 'com.example.scan'\n defaultConfig { minSdk 23 }\n"
        + " externalNativeBuild { cmake { } } }\n")
    try tree.write(
      "lib/src/main/java/com/example/scan/Scan.java",
      "package com.example.scan;\nimport com.vendor.Camera;\npublic class Scan {}\n")
    try tree.write("lib/src/main/cpp/scan.c")
    try await tree.jar("lib/extra/camera.jar", "com.vendor.Camera")
    try tree.write("extras/android/Extra.java", "package com.example.extra;\npublic class Extra {}\n")
    try tree.write("a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/deep.c")
    let lines = try await tree.initialize()
    #expect(names(lines, "extras/android/Extra.java", "outside of the module that Gradle builds"), "\(lines)")
    #expect(names(lines, "lib/extra/camera.jar", "outside of the module"), "\(lines)")
    #expect(names(lines, "a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q", "too deep"), "\(lines)")
    #expect(!lines.contains { $0.contains("scan.c") }, "\(lines)")
    let manifest = try tree.manifest
    #expect(manifest.contains("package=\"com.example.scan\"><uses-sdk android:minSdkVersion=\"23\"/></manifest>"))
  }

  /// What lies beside the resources that a description names, and looks as they do.
  @Test func resourcesThatADescriptionForgot() async throws {
    let tree = PluginTree("maps")
    try tree.write(
      "plugin.xml",
      """
      <plugin id="maps" version="2.7"><platform name="ios"><source-file src="src/ios/Maps.c"/>
        <resource-file src="src/ios/strings/en.json"/></platform></plugin>
      """)
    try tree.write("src/ios/Maps.c", "int maps(void) { return 1; }\n")
    for name in ["en.json", "uk.json", "readme.md"] { try tree.write("src/ios/strings/\(name)") }
    let lines = try await tree.initialize()
    #expect(lines == ["not packed: src/ios/strings/uk.json: plugin.xml does not name it"], "\(lines)")
  }

  /// A package beside that of the AAR that is embedded: two of one package would share an R. The AAR's API level is asked for.
  @Test func thePackageOfAnEmbeddedAAR() async throws {
    let tree = PluginTree("share")
    try await tree.aar("Plugins/Share.aar", "com.example.share.Share")
    try tree.scratch.write(
      "made/aar/AndroidManifest.xml",
      "<manifest xmlns:android=\"http://schemas.android.com/apk/res/android\" package=\"com.example.share\">"
        + "<uses-sdk android:minSdkVersion=\"19\"/></manifest>\n")
    try await Tool.check(
      ["zip", "-qX", tree.scratch("share/Plugins/Share.aar").string, "AndroidManifest.xml"],
      in: tree.scratch("made/aar"))
    let lines = try await tree.initialize()
    #expect(lines.isEmpty, "\(lines)")
    #expect(try tree.manifest.contains("package=\"com.example.share.plugin\"><uses-sdk android:minSdkVersion=\"19\"/>"))
    _ = try await tree.build()
    #expect(try await tree.classes() == ["com/example/share/Share.class"])
  }

  /// A finished framework says its version, where nothing else does; a vendor's beside sources does not say the plugin's.
  @Test func theVersionOfAFramework() async throws {
    let tree = PluginTree("colony")
    try await tree.xcframework("Colony.xcframework", "colony")
    let info = "Colony.xcframework/ios-arm64/Colony.framework/Info.plist"
    try tree.write(
      info,
      PluginTree.plist(
        "<key>CFBundleShortVersionString</key><string>4.9.0</string><key>MinimumOSVersion</key><string>13.4</string>"))
    try await Tool.check(["python3", "-c", Self.binary, tree.scratch("colony/\(info)").string])
    try await tree.initialize()
    #expect(try tree.manifest.contains("\nversion: 4.9.0\n"))
    _ = try await tree.build()
    try tree.write("ios/own.c", "int own(void) { return 1; }\n")
    try FileManager.default.removeItem(atPath: tree.scratch("colony/npi.yml").string)
    try await tree.initialize()
    let manifest = try tree.manifest
    #expect(manifest.contains("version: 1.0.0 # nothing") && manifest.contains("-apple-ios13.4"), "\(manifest)")
  }

  private static let binary = """
    import plistlib, sys
    entries = plistlib.load(open(sys.argv[1], 'rb'))
    plistlib.dump(entries, open(sys.argv[1], 'wb'), fmt=plistlib.FMT_BINARY)
    """
}
