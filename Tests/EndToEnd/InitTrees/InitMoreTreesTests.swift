import Foundation
import SystemPackage
import Testing
import TestSupport

/// The other half of the dozen.
@Suite(.timeLimit(.minutes(10))) struct InitMoreTreesTests {
  /// A Gradle module of Java alone needs no Gradle.
  @Test func gradleModule() async throws {
    let tree = PluginTree("lame")
    try await tree.androidSDK(["android.content.Context": "public class Context {}"])
    try tree.write("settings.gradle", "rootProject.name = 'lame'\ninclude ':lib', ':app'\n")
    try tree.write(
      "lib/build.gradle",
      "plugins { id 'com.android.library' }\nandroid { namespace 'com.example.lame'\n"
        + "defaultConfig { minSdkVersion 16\nversionName '1.3' } }\n")
    try tree.write("lib/src/main/AndroidManifest.xml", "<manifest/>\n")
    try tree.write(
      "lib/src/main/java/com/example/lame/Lame.java",
      "package com.example.lame;\nimport android.content.Context;\npublic class Lame { Context context; }\n")
    try tree.write("lib/src/main/res/values/lame.xml", "<resources><string name=\"lame\">x</string></resources>\n")
    try tree.write("lib/src/main/cpp/lame.c", "int lame(void) { return 1; }\n")
    for (abi, target) in PluginTree.androids.prefix(2) {
      try await tree.native("lib/src/main/jniLibs/\(abi)/liblame.so", target)
    }
    try tree.write("lib/src/test/java/com/example/lame/LameTest.java")
    try tree.write("app/build.gradle", "plugins { id 'com.android.application' }\n")
    try tree.write("app/src/main/java/com/example/app/Main.java")
    let lines = try await tree.initialize()
    #expect(names(lines, "lib/src/main/cpp/lame.c", "NDK"))
    #expect(names(lines, "app/src/main/java/com/example/app/Main.java", "of an application"))
    #expect(names(lines, "lib/src/test/ (1)"))
    #expect(try tree.manifest.contains("name: lame\nversion: 1.3\n"))
    _ = try await tree.build()
    let aar = try await tree.entries(".aar")
    #expect(aar.contains("jni/arm64-v8a/liblame.so") && aar.contains("jni/armeabi-v7a/liblame.so"), "\(aar)")
    #expect(aar.contains { $0.hasPrefix("res/values/") })
    #expect(try await tree.classes() == ["com/example/lame/Lame.class"])
    let made = try FileManager.default.contentsOfDirectory(atPath: tree.scratch("lame/dist").string)
    #expect(!made.contains { $0.hasSuffix(".zip") })
  }

  @Test func unityFolder() async throws {
    let tree = PluginTree("Share")
    try tree.appleSDK(["Foundation": PluginTree.foundation, "UIKit": PluginTree.uikit])
    try tree.write("Assets/Share/Share.cs")
    try tree.write("Assets/Share/Share.cs.meta")
    try tree.write(
      "Assets/Plugins/iOS/Share.mm", "#import <UIKit/UIKit.h>\nextern \"C\" int _Share(void) { return 1; }\n")
    try await tree.framework("Assets/Plugins/iOS/ShareKit.framework", "share_kit")
    try tree.write("Assets/Plugins/iOS/Share.bundle/icon.txt")
    try await tree.aar("Assets/Plugins/Android/share.aar", "com.example.share.Share")
    try await tree.jar("Assets/Plugins/Android/helper.jar", "com.example.helper.Helper")
    for (abi, target) in PluginTree.androids {
      try await tree.native("Assets/Plugins/Android/libs/\(abi)/libshare.so", target)
    }
    try tree.write("Assets/Plugins/x86_64/share.dll")
    let lines = try await tree.initialize()
    #expect(names(lines, "Assets/Share/Share.cs", "Unity"))
    #expect(names(lines, "Assets/Plugins/x86_64/share.dll", "for Windows"))
    #expect(!lines.contains { $0.contains(".meta") })
    _ = try await tree.build()
    let zip = try await tree.entries("-ios.zip")
    #expect(
      zip.contains("libShare.a") && zip.contains("ShareKit.framework/ShareKit") && zip.contains("Share.bundle/icon.txt")
    )
    #expect(try await tree.symbols("libShare.a").contains("__Share"))
    let aar = try await tree.entries(".aar")
    #expect(aar.filter { $0.hasPrefix("jni/") }.count == 4 && aar.contains("libs/helper.jar"), "\(aar)")
    #expect(try await tree.classes() == ["com/example/share/Share.class"])
  }

  @Test func flutterPlugin() async throws {
    let tree = PluginTree("web_view")
    try tree.appleSDK([
      "Foundation": PluginTree.foundation, "UIKit": PluginTree.uikit,
      "Flutter": "#import <UIKit/UIKit.h>\n@protocol FlutterPlugin @end\n",
    ])
    try tree.write("pubspec.yaml", "name: web_view\nversion: 0.4.0\nflutter:\n  plugin:\n    platforms: {}\n")
    try tree.write("lib/web_view.dart")
    try tree.write(
      "ios/Classes/WebViewPlugin.h",
      "#import <Flutter/Flutter.h>\n@interface WebViewPlugin : NSObject<FlutterPlugin> @end\n")
    try tree.write("ios/Classes/WebViewPlugin.m", "#import \"WebViewPlugin.h\"\n@implementation WebViewPlugin @end\n")
    try tree.write(
      "ios/web_view.podspec",
      "Pod::Spec.new do |s|\n s.name = 'web_view'\n s.version = '0.0.1'\n s.source_files = 'Classes/**/*'\n"
        + " s.ios.deployment_target = '11.0'\nend\n")
    try tree.write("android/build.gradle", "group 'x'\nversion '1.0-SNAPSHOT'\napply plugin: 'com.android.library'\n")
    try tree.write("android/gradlew", "")
    try tree.write("android/src/main/AndroidManifest.xml", "<manifest package=\"com.example.webview\"/>\n")
    try tree.write(
      "android/src/main/java/com/example/webview/WebViewPlugin.java",
      "package com.example.webview;\nimport io.flutter.embedding.engine.plugins.FlutterPlugin;\npublic class WebViewPlugin implements FlutterPlugin {}\n"
    )
    try tree.write("example/lib/main.dart")
    try tree.write("example/ios/Runner/AppDelegate.m")
    // Flutter's classes come with its own Gradle plugin: that compiles.
    try await tree.jar("../made/classes.jar", "com.example.webview.WebViewPlugin")
    let made = "build/intermediates/compile_library_classes_jar/release/bundleLibCompileToJarRelease"
    try tree.scratch.write(
      "web_view/android/gradlew", "#!/bin/sh\nmkdir -p \(made) && cp ../../made/classes.jar \(made)/\n",
      executable: true)
    let lines = try await tree.initialize()
    #expect(names(lines, "lib/web_view.dart", "Dart"))
    #expect(names(lines, "example/ (2)"))
    let manifest = try tree.manifest
    #expect(manifest.contains("name: web_view\nversion: 0.4.0\n"))
    #expect(manifest.contains("apple-ios11.0"))
    _ = try await tree.build()
    #expect(try await tree.entries("-ios.zip") == ["libweb_view.a"])
    #expect(try await tree.classes() == ["com/example/webview/WebViewPlugin.class"])
  }

  /// A plugin of Godot's for iOS: a library for release and one for debugging, and files of the engine.
  @Test func godot() async throws {
    let tree = PluginTree("camera")
    try tree.write("addons/camera/plugin.gd")
    try tree.write("ios/plugins/camera.gdip")
    try await tree.library("ios/plugins/camera.release.a", "camera_init")
    try await tree.library("ios/plugins/camera.debug.a", "camera_init")
    try await tree.aar("addons/camera/bin/release/camera-release.aar", "org.godotengine.camera.Camera")
    try await tree.aar("addons/camera/android/camera.aar", "org.godotengine.camera.Camera")
    let lines = try await tree.initialize()
    #expect(names(lines, "ios/plugins/camera.debug.a", "for debugging"))
    #expect(names(lines, "addons/camera/plugin.gd", "game engine") && names(lines, "ios/plugins/camera.gdip"))
    #expect(names(lines, "addons/camera/bin/release/camera-release.aar", "made by a build"))
    _ = try await tree.build()
    #expect(try await tree.entries("-ios.zip") == ["camera.release.a"])
    #expect(try await tree.classes() == ["org/godotengine/camera/Camera.class"])
  }

  @Test func reactNative() async throws {
    let tree = PluginTree("netinfo")
    try tree.appleSDK([
      "Foundation": PluginTree.foundation, "UIKit": PluginTree.uikit,
      "React": "#import <UIKit/UIKit.h>\n@protocol RCTBridgeModule @end\n",
    ])
    try await tree.androidSDK(["com.facebook.react.bridge.Module": "public class Module {}"])
    try tree.write("package.json", #"{"name": "@community/netinfo", "version": "12.0.1"}"#)
    try tree.write("src/index.ts")
    try tree.write(
      "ios/RNCNetInfo.m",
      "#import <React/React.h>\n@interface RNCNetInfo : NSObject<RCTBridgeModule> @end\n@implementation RNCNetInfo @end\n"
    )
    try tree.write("ios/Table.cpp", "int table() { return 1; }\n")
    try tree.write("android/src/main/AndroidManifest.xml", "<manifest package=\"com.example.netinfo\"/>\n")
    try tree.write(
      "android/src/main/java/com/example/netinfo/NetInfo.java",
      "package com.example.netinfo;\nimport com.facebook.react.bridge.Module;\npublic class NetInfo extends Module {}\n"
    )
    try tree.write("windows/NetInfo.cpp")
    try tree.write("node_modules/react/index.js")
    try tree.write("example/ios/Example.xcodeproj/project.pbxproj")
    let lines = try await tree.initialize()
    #expect(names(lines, "src/index.ts", "JavaScript"))
    #expect(names(lines, "windows/NetInfo.cpp", "for windows"))
    #expect(names(lines, "node_modules/ (1)", "somebody else's"))
    #expect(lines.contains { $0.hasPrefix("did not take example/ios/Example.xcodeproj") }, "\(lines)")
    #expect(try tree.manifest.contains("name: netinfo\nversion: 12.0.1\n"))
    _ = try await tree.build()
    #expect(try await tree.symbols("libnetinfo.a").isSuperset(of: ["_OBJC_CLASS_$_RNCNetInfo", "__Z5tablev"]))
    #expect(try await tree.classes() == ["com/example/netinfo/NetInfo.class"])
  }

  @Test func swiftPackageWithABinaryTarget() async throws {
    let tree = PluginTree("support")
    try tree.write(
      "Package.swift",
      """
      // swift-tools-version:5.5
      import PackageDescription
      let package = Package(name: "SupportSDK", platforms: [.iOS(.v12)],
        targets: [.binaryTarget(name: "SupportSDK", path: "SupportSDK.xcframework"), .target(name: "Placeholder")])
      """)
    try tree.write("Sources/Placeholder/Placeholder.swift")
    try await tree.xcframework("SupportSDK.xcframework", "support")
    try await tree.xcframework("Carthage/Build/Other.xcframework", "other")
    let lines = try await tree.initialize()
    #expect(names(lines, "Sources/Placeholder/Placeholder.swift", "Swift"))
    #expect(names(lines, "Carthage/Build/Other.xcframework", "somebody else's"))
    #expect(try tree.manifest.contains("name: SupportSDK\n"))
    _ = try await tree.build()
    let zip = try await tree.entries("-ios.zip")
    #expect(zip.contains("SupportSDK.xcframework/ios-arm64/SupportSDK.framework/SupportSDK"))
    #expect(!zip.contains { $0.contains("Other") })
  }
}
