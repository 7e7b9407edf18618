import Foundation
import SystemPackage
import Testing
import TestSupport

/// A dozen trees after real ones: `init` and `build`, and what is in the deliverables. None is green and empty.
@Suite(.timeLimit(.minutes(10))) struct InitTreesTests {
  /// C for iOS and JNI for Android in one tree, with Java of no Android class.
  @Test func plainCWithJava() async throws {
    let tree = PluginTree("codec")
    try tree.write("src/c/codec.c", "#include \"codec.h\"\nint codec_version(void) { return CODEC; }\n")
    try tree.write("src/c/codec.h", "#include <stdint.h>\n#define CODEC 3\n")
    try tree.write("src/jni/codec_jni.c", "#include <jni.h>\n")
    try tree.write(
      "src/java/org/codec/Codec.java",
      "package org.codec;\nimport java.util.List;\npublic class Codec { public List<String> names; }\n")
    try tree.write("tools/encode.c", "int main(int argc, char **argv) { return 0; }\n")
    try tree.write("README.md")
    let lines = try await tree.initialize()
    #expect(names(lines, "src/jni/codec_jni.c", "NDK"))
    #expect(names(lines, "tools/encode.c", "a program of its own"))
    #expect(lines.count == 2, "\(lines)")
    _ = try await tree.build()
    #expect(try await tree.entries("-ios.zip") == ["libcodec.a"])
    #expect(try await tree.symbols("libcodec.a").contains("_codec_version"))
    #expect(try await tree.classes() == ["org/codec/Codec.class"])
    // The header is known from the compiler's depfile: no input names it.
    #expect(!(try tree.manifest.contains("codec.h")))
    try tree.write("src/c/codec.h", "#include <stdint.h>\n#define CODEC 4\n")
    #expect(try await tree.run(["--explain"]).all.contains("codec.h"))
  }

  /// The plugin's own sources and an SDK's library: both are packed. The headers of Cordova are on the developer's machine.
  @Test func cordovaWithAnSDK() async throws {
    let tree = PluginTree("cordova-plugin-pay")
    try tree.appleSDK([
      "Foundation": PluginTree.foundation, "UIKit": PluginTree.uikit,
      "Cordova": "#import <UIKit/UIKit.h>\n@interface CDVPlugin : NSObject @end\n",
    ])
    try await tree.androidSDK([
      "android.app.Activity": "public class Activity {}",
      "org.apache.cordova.CordovaPlugin": "public class CordovaPlugin {}",
    ])
    try tree.write(
      "plugin.xml",
      """
      <plugin xmlns="http://apache.org/cordova/ns/plugins/1.0" id="cordova-plugin-pay" version="2.3.1">
        <platform name="ios">
          <header-file src="src/ios/Pay.h"/><source-file src="src/ios/Pay.m"/>
          <source-file src="src/ios/libs/libPaySDK.a" framework="true"/>
          <framework src="PassKit.framework"/>
        </platform>
        <platform name="android">
          <source-file src="src/android/Pay.java" target-dir="src/com/example/pay"/>
        </platform>
      </plugin>
      """)
    try tree.write("package.json", #"{"name": "cordova-plugin-pay", "version": "2.3.0"}"#)
    try tree.write("src/ios/Pay.h", "#import <Cordova/Cordova.h>\n@interface Pay : CDVPlugin @end\n")
    try tree.write("src/ios/Pay.m", "#import \"Pay.h\"\n@implementation Pay @end\n")
    try await tree.library("src/ios/libs/libPaySDK.a", "pay_start")
    try tree.write(
      "src/android/Pay.java",
      "package com.example.pay;\nimport android.app.Activity;\nimport org.apache.cordova.CordovaPlugin;\n"
        + "public class Pay extends CordovaPlugin { Activity activity; }\n")
    try tree.write("www/pay.js")
    try tree.write("tests/tests.js")
    let lines = try await tree.initialize()
    #expect(names(lines, "www/pay.js", "JavaScript"))
    #expect(names(lines, "tests/ (1)"))
    let manifest = try tree.manifest
    #expect(manifest.contains("name: cordova-plugin-pay\nversion: 2.3.1\n"))
    #expect(manifest.contains("The app links besides: PassKit"))
    #expect(manifest.contains("headers that are not in the tree: Cordova/Cordova.h"))
    #expect(manifest.contains("Not in the tree: android.app, org.apache.cordova"))
    _ = try await tree.build()
    #expect(Set(try await tree.entries("-ios.zip")) == ["libPaySDK.a", "libcordova-plugin-pay.a"])
    #expect(try await tree.symbols("libcordova-plugin-pay.a").contains("_OBJC_CLASS_$_Pay"))
    #expect(try await tree.symbols("libPaySDK.a") == ["_pay_start"])
    #expect(try await tree.classes() == ["com/example/pay/Pay.class"])
  }

  @Test func titanium() async throws {
    let tree = PluginTree("ti.barcode")
    try tree.appleSDK(["Foundation": PluginTree.foundation, "UIKit": PluginTree.uikit])
    try await tree.androidSDK(["org.appcelerator.kroll.KrollModule": "public class KrollModule {}"])
    try tree.write("ios/manifest", "version: 4.0.1\nname: barcode\nmoduleid: ti.barcode\nplatform: iphone\n")
    try tree.write("android/manifest", "version: 4.0.1\nname: barcode\nmoduleid: ti.barcode\nplatform: android\n")
    try tree.write(
      "ios/Classes/TiBarcode.m",
      "#import <UIKit/UIKit.h>\n@interface TiBarcode : NSObject @end\n@implementation TiBarcode @end\n")
    try await tree.xcframework("ios/platform/ZXingObjC.xcframework", "zxing")
    try tree.write(
      "android/src/ti/barcode/BarcodeModule.java",
      "package ti.barcode;\nimport org.appcelerator.kroll.KrollModule;\nimport com.google.zxing.Reader;\n"
        + "public class BarcodeModule extends KrollModule { Reader reader; }\n")
    try await tree.jar("android/lib/zxing.jar", "com.google.zxing.Reader")
    try tree.write("android/platform/android/res/layout/scan.xml", "<View/>\n")
    try tree.write("example/app.js")
    let lines = try await tree.initialize()
    #expect(names(lines, "example/ (1)", "an example"))
    _ = try await tree.build()
    let zip = try await tree.entries("-ios.zip")
    #expect(
      zip.contains("libti.barcode.a") && zip.contains { $0.hasPrefix("ZXingObjC.xcframework/ios-arm64/") }, "\(zip)")
    let aar = try await tree.entries(".aar")
    #expect(aar.contains("libs/zxing.jar"), "\(aar)")
    #expect(try await tree.classes() == ["ti/barcode/BarcodeModule.class"])
  }

  /// Finished binaries in a folder for each system, as Corona's stores have them.
  @Test func coronaWithThreeJars() async throws {
    let tree = PluginTree("plugin.ads")
    try await tree.library(
      "plugins/2020.1/iphone/libplugin_ads.a", "luaopen_plugin_ads", for: ["arm64-apple-ios12.0", "armv7-apple-ios9.0"])
    try await tree.library(
      "plugins/2020.1/iphone-sim/libplugin_ads.a", "luaopen_plugin_ads", for: ["x86_64-apple-ios9.0-simulator"])
    try await tree.library(
      "plugins/2020.1/mac-sim/libplugin_ads.a", "luaopen_plugin_ads", for: ["x86_64-apple-macos11"])
    for name in ["ads", "billing", "support"] {
      try await tree.jar("plugins/2020.1/android/\(name).jar", "plugin.\(name).Main")
    }
    for folder in ["iphone", "android"] { try tree.write("plugins/2020.1/\(folder)/metadata.lua") }
    let lines = try await tree.initialize()
    #expect(names(lines, "plugins/2020.1/iphone-sim/libplugin_ads.a", "for simulators"))
    #expect(names(lines, "plugins/2020.1/mac-sim/libplugin_ads.a", "macOS"))
    #expect(names(lines, "plugins/2020.1/android/metadata.lua", "game engine"))
    _ = try await tree.build()
    #expect(try await tree.entries("-ios.zip") == ["libplugin_ads.a"])
    let aar = try await tree.entries(".aar")
    #expect(aar.filter { $0.hasPrefix("libs/") } == ["libs/ads.jar", "libs/billing.jar", "libs/support.jar"])
  }

  @Test func anXCFrameworkAlone() async throws {
    let tree = PluginTree("Chat")
    try await tree.xcframework("Chat.xcframework", "chat")
    try tree.write("LICENSE")
    let lines = try await tree.initialize()
    #expect(lines.isEmpty, "\(lines)")
    _ = try await tree.build()
    let zip = try await tree.entries("-ios.zip")
    #expect(zip.contains("Chat.xcframework/ios-arm64/Chat.framework/Chat"))
    #expect(zip.contains("Chat.xcframework/ios-arm64-simulator/Chat.framework/Chat"))
    #expect(zip.contains("Chat.xcframework/Info.plist"))
  }

  /// The tree's own project is built, whatever projects its examples have.
  @Test func xcodeWithExamples() async throws {
    let tree = PluginTree("Reach")
    func project(_ name: String, _ type: String, _ product: String, _ files: String) -> String {
      """
      // !$*UTF8*$!
        0A /* \(name) */ = {
          isa = PBXNativeTarget;
          name = \(name);
          productReference = 0B /* \(product) */;
          productType = "com.apple.product-type.\(type)";
        };
        0C = { isa = PBXFileReference; path = \(files); };
      """
    }
    try tree.write("Examples/Demo/Demo.xcodeproj/project.pbxproj", project("Demo", "application", "Demo.app", "main.m"))
    try tree.write("Examples/Demo/main.m", "int main(int argc, char **argv) { return 0; }\n")
    try tree.write("Reach.xcodeproj/project.pbxproj", project("Reach", "library.static", "libReach.a", "Reach.m"))
    try tree.write("Source/Reach.m", "#import \"Reach.h\"\n")
    try tree.write("Source/Reach.h")
    try tree.write("Source/Forgotten.m")
    try await tree.library("../made/libReach.a", "reach", for: ["arm64-apple-ios12.0"])
    try tree.scratch.write(
      "tools/xcodebuild",
      "#!/bin/sh\necho \"$@\" > ../called\nmkdir -p build/device && cp ../made/libReach.a build/device/\n",
      executable: true)
    let lines = try await tree.initialize()
    #expect(
      lines.contains(
        "took Reach.xcodeproj, and not Examples/Demo/Demo.xcodeproj (an example of its use)"), "\(lines)")
    #expect(names(lines, "Source/Forgotten.m", "no target of Reach.xcodeproj names it"))
    #expect(names(lines, "Examples/ (1)"))
    _ = try await tree.build()
    #expect(try tree.scratch.text("called").contains("-project Reach.xcodeproj -target Reach"))
    #expect(try await tree.entries("-ios.zip") == ["libReach.a"])
  }
}
