import Foundation
import SystemPackage
import TestSupport
import Testing

/// Where there is a choice: what `init` takes, and what it says of it.
@Suite(.timeLimit(.minutes(10))) struct InitChoicesTests {
  private static func project(_ name: String, _ type: String, _ product: String, _ files: [String]) -> String {
    """
    // !$*UTF8*$!
      0A /* \(name) */ = {
        isa = PBXNativeTarget;
        name = \(name);
        productReference = 0B /* \(product) */;
        productType = "com.apple.product-type.\(type)";
      };
      \(files.map { "0C = { isa = PBXFileReference; path = \($0); };" }.joined(separator: "\n"))
    """
  }

  /// A finished library, and the project that makes it: one of them, for both would be the same code twice.
  @Test func aFinishedLibraryIsNotMadeAgain() async throws {
    let tree = PluginTree("flurry")
    try await tree.library("plugins/iphone/libFlurryPlugin.a", "flurry")
    try tree.write(
      "src/ios/Plugin.xcodeproj/project.pbxproj",
      Self.project("FlurryPlugin", "library.static", "libFlurryPlugin.a", ["FlurryPlugin.c"]))
    try tree.write(
      "src/ios/App.xcodeproj/project.pbxproj", Self.project("App", "application", "App.app", ["AppDelegate.c"]))
    try tree.write("src/ios/FlurryPlugin.c", "int flurry(void) { return 1; }\n")
    try tree.write("src/ios/AppDelegate.c", "int app(void) { return 1; }\n")
    try tree.write("src/ios/en.lproj/InfoPlist.strings")
    let lines = try await tree.initialize()
    #expect(
      lines.contains(
        "did not take src/ios/Plugin.xcodeproj: plugins/iphone/libFlurryPlugin.a, which it makes, is there"), "\(lines)"
    )
    #expect(lines.contains { $0.contains("src/ios/App.xcodeproj (an application is all that it makes)") }, "\(lines)")
    #expect(names(lines, "src/ios/FlurryPlugin.c", "compiled into plugins/iphone/libFlurryPlugin.a already"))
    #expect(
      names(lines, "src/ios/AppDelegate.c", "src/ios/en.lproj", "of an application")
        || names(lines, "src/ios/AppDelegate.c", "of an application"))
    _ = try await tree.build()
    #expect(try await tree.entries("-ios.zip") == ["libFlurryPlugin.a"])
  }

  /// Sources of the very classes that a finished library has are not compiled beside it.
  @Test func sourcesOfAFinishedLibrary() async throws {
    let tree = PluginTree("ads")
    let source = """
      __attribute__((objc_root_class)) @interface ADView @end
      @implementation ADView @end
      """
    try tree.scratch.write("made/view.m", source)
    try await Tool.check(["clang", "-target", "arm64-apple-ios12.0", "-c", "view.m"], in: tree.scratch("made"))
    try tree.write("ios/readme.txt")
    try await Tool.check(
      ["llvm-ar", "--format=darwin", "rcsD", tree.scratch("ads/ios/libAds.a").string, "view.o"],
      in: tree.scratch("made"))
    try tree.write("source/ADView.m", source)
    try tree.write("source/ADBridge.m", source.replacingOccurrences(of: "ADView", with: "ADBridge"))
    let lines = try await tree.initialize()
    #expect(names(lines, "source/ADView.m", "compiled into ios/libAds.a already"), "\(lines)")
    _ = try await tree.build()
    #expect(Set(try await tree.entries("-ios.zip")) == ["libAds.a", "libadsPlugin.a"])
    #expect(try await tree.symbols("libadsPlugin.a").contains("_OBJC_CLASS_$_ADBridge"))
  }

  /// What a podspec names and a project does not is compiled without the project.
  @Test func aProjectThatForgotASource() async throws {
    let tree = PluginTree("info")
    try tree.write("ios/Info.xcodeproj/project.pbxproj", Self.project("Info", "library.static", "libInfo.a", ["Old.c"]))
    try tree.write(
      "info.podspec", "Pod::Spec.new do |s|\n s.name = 'info'\n s.version = '1.2'\n s.source_files = 'ios/New.c'\nend\n"
    )
    try tree.write("ios/New.c", "int info_new(void) { return 1; }\n")
    try tree.write("ios/Copy.c", "int info_new(void) { return 2; }\n")
    let lines = try await tree.initialize()
    #expect(lines.contains("did not take ios/Info.xcodeproj: it does not name ios/New.c"), "\(lines)")
    #expect(names(lines, "ios/Copy.c", "info.podspec does not name it"))
    _ = try await tree.build()
    #expect(try await tree.symbols("libinfo.a") == ["_info_new"])
  }

  /// A model with an initializer of the host's name is none of the host's classes, and a sample's Fragment is the sample's.
  @Test func aHostNeedsItsClass() async throws {
    let tree = PluginTree("store")
    try tree.write(
      "ios/Body.m",
      "__attribute__((objc_root_class)) @interface NSObject @end\n@interface Body : NSObject\n- (id)initWithJSON:(id)json;\n@end\n"
        + "@implementation Body\n- (id)initWithJSON:(id)json { return self; }\n@end\n")
    try tree.write(
      "lib/build.gradle", "plugins { id 'com.android.library' }\nandroid { namespace 'com.example.store' }\n")
    try tree.write(
      "lib/src/main/java/com/example/store/Store.java", "package com.example.store;\npublic class Store {}\n")
    try tree.write("app/build.gradle", "plugins { id 'com.android.application' }\n")
    try tree.write(
      "app/src/main/java/com/example/app/MainFragment.java",
      "package com.example.app;\nimport android.support.v4.app.Fragment;\npublic class MainFragment extends Fragment {}\n"
    )
    try await tree.initialize()
    let manifest = try tree.manifest
    #expect(manifest.contains("# extends: mobilesmith") && !manifest.contains("\nextends:"))
    #expect(manifest.contains("ViewControllerClassName: null") && manifest.contains("FragmentClassName: null"))
    _ = try await tree.build()
  }

  /// A toolchain in the tree has libraries of the system: none is shipped. A library tells what it is for, not its folder.
  @Test func toolchainsAreNobodysPlugin() async throws {
    let tree = PluginTree("voice")
    try await tree.native("android/jniLibs/x86/libvoice.so", "i686-linux-android21")
    try await tree.native("android/jniLibs/x86_64/libvoice.so", "i686-linux-android21")
    try await tree.native("sdk/android-toolchain-arm/sysroot/usr/lib/libEGL.so", "armv7a-linux-androideabi21")
    let lines = try await tree.initialize()
    #expect(names(lines, "android/jniLibs/x86_64/libvoice.so", "it is for x86, whatever its folder says"), "\(lines)")
    #expect(names(lines, "sdk/android-toolchain-arm/sysroot/usr/lib/libEGL.so: somebody else's"))
    _ = try await tree.build()
    #expect(try await tree.entries(".aar").filter { $0.hasPrefix("jni/") } == ["jni/x86/libvoice.so"])
  }

  /// Resources that only a description knows, and native code that Gradle makes.
  @Test func whatDescriptionsName() async throws {
    let tree = PluginTree("maps")
    try tree.write(
      "plugin.xml",
      """
      <plugin id="maps" version="2.7"><platform name="ios">
        <source-file src="src/ios/Maps.c"/><resource-file src="src/ios/strings/en.json"/></platform>
        <platform name="android"><source-file src="src/android/Maps.java" target-dir="src/maps"/>
        <resource-file src="src/android/paths.xml" target="res/xml/paths.xml"/></platform></plugin>
      """)
    try tree.write("src/ios/Maps.c", "int maps(void) { return 1; }\n")
    try tree.write("src/ios/strings/en.json", "{}\n")
    try tree.write("src/android/Maps.java", "package maps.plugin;\npublic class Maps {}\n")
    try tree.write("src/android/Template.java", "package __NAME__;\npublic class Template {}\n")
    try tree.write("src/android/paths.xml", "<paths/>\n")
    let lines = try await tree.initialize()
    #expect(names(lines, "src/android/Template.java", "plugin.xml does not name it"), "\(lines)")
    #expect(!lines.contains { $0.contains("paths.xml") }, "\(lines)")
    _ = try await tree.build()
    #expect(Set(try await tree.entries("-ios.zip")) == ["libmaps.a", "en.json"])
    #expect(try await tree.classes() == ["maps/plugin/Maps.class"])
    #expect(try await tree.entries(".aar").contains("res/xml/paths.xml"))
  }

  @Test func gradleMakesNativeCodeToo() async throws {
    let tree = PluginTree("gif")
    try tree.write(
      "build.gradle",
      "plugins { id 'com.android.library' }\nandroid { namespace 'com.example.gif'\n externalNativeBuild { cmake { } } }\n"
    )
    try tree.write("src/main/java/com/example/gif/Gif.java", "package com.example.gif;\npublic class Gif {}\n")
    try tree.write("src/main/c/gif.c")
    try await tree.jar("../made/classes.jar", "com.example.gif.Gif")
    try await tree.native("../made/libgif.so", "aarch64-linux-android21")
    let classes = "build/intermediates/compile_library_classes_jar/release/bundleLibCompileToJarRelease"
    let native = "build/intermediates/merged_native_libs/release/mergeReleaseNativeLibs/out/lib/arm64-v8a"
    try tree.scratch.write(
      "tools/gradle",
      "#!/bin/sh\n[ \"$*\" = ':bundleLibCompileToJarRelease :mergeReleaseNativeLibs --no-daemon' ] || exit 1\n"
        + "mkdir -p \(classes) \(native) && cp ../made/classes.jar \(classes)/ && cp ../made/libgif.so \(native)/\n",
      executable: true)
    let lines = try await tree.initialize()
    #expect(lines.isEmpty, "\(lines)")
    _ = try await tree.build()
    #expect(try await tree.entries(".aar").contains("jni/arm64-v8a/libgif.so"))
    #expect(try await tree.classes() == ["com/example/gif/Gif.class"])
  }

  /// Sources that name resources by R are compiled with one that aapt2 makes; none of it is in the AAR.
  @Test func sourcesWithR() async throws {
    let tree = PluginTree("screen")
    try await tree.androidSDK(["android.content.Context": "public class Context {}"])
    // Android's own resources, as the SDK's jar has them.
    let jar = tree.scratch("home/Android/Sdk/platforms/android-34/android.jar").string
    let classes = tree.scratch("made/android").string
    try await Tool.check([
      "sh", "-c", "cp \(AAPT.framework) '\(jar)' && jar --update --file '\(jar)' -C '\(classes)' .",
    ])
    try tree.write("android/AndroidManifest.xml", "<manifest package=\"com.example.screen\"/>\n")
    try tree.write("android/res/values/a.xml", "<resources><string name=\"title\">x</string></resources>\n")
    try tree.write(
      "android/src/com/example/screen/Screen.java",
      "package com.example.screen;\nimport android.content.Context;\n"
        + "public class Screen { int title() { return R.string.title; } }\n")
    let lines = try await tree.initialize()
    #expect(lines.isEmpty, "\(lines)")
    #expect(try tree.manifest.contains("aapt2 link --static-lib --non-final-ids"))
    _ = try await tree.build()
    #expect(try await tree.classes() == ["com/example/screen/Screen.class"])
    #expect(try await tree.entries(".aar").contains("res/values/a.xml"))
  }
}
