import Foundation
import SystemPackage
import TestSupport
import Testing

/// Android's half of a tree, as Gradle and hosts of other kinds arrange it.
@Suite(.timeLimit(.minutes(10))) struct InitAndroidTreesTests {
  private static let library = "plugins { id 'com.android.library' }\n"

  /// A module of Kotlin, which Gradle alone makes, and a stand-in for that: it reads what a build reads.
  private func kotlin(_ tree: PluginTree, _ module: String, _ script: String, reading files: [String]) async throws {
    try tree.write("\(module)/build.gradle", Self.library + script)
    try tree.write("\(module)/src/main/AndroidManifest.xml", "<manifest package=\"com.example.scan\"/>\n")
    try tree.write("\(module)/src/main/kotlin/com/example/scan/Scan.kt", "package com.example.scan\nclass Scan\n")
    try await tree.jar("../made/classes.jar", "com.example.scan.Scan")
    let made = "\(module)/build/intermediates/compile_library_classes_jar/release/bundleLibCompileToJarRelease"
    try tree.scratch.write(
      "\(tree.name)/gradlew",
      "#!/bin/sh\nset -e\ncat \(files.joined(separator: " ")) > /dev/null\nmkdir -p .gradle \(made)\n"
        + "cp '\(tree.scratch("made/classes.jar"))' \(made)/\n", executable: true)
  }

  /// Whatever a build reads makes it run again: scripts, settings, other modules, sources elsewhere; and it sees no more.
  @Test func inputsOfGradle() async throws {
    let tree = PluginTree("scan")
    let files = [
      "settings.gradle", "build.gradle", "gradle.properties", "gradle/libs.versions.toml", "versions.gradle",
      "buildSrc/src/main/java/Tools.java", "buildSrc/build.gradle", "gradle/logic/build.gradle",
      "gradle/logic/src/main/java/Logic.java", "gradle/wrapper/gradle-wrapper.properties", "app/build.gradle",
      "core/build.gradle",
      "core/src/main/java/com/example/core/Core.java", "scan/src/oldarch/com/example/scan/Arch.java",
      "scan/src/main/cpp/CMakeLists.txt", "shared/android/codec.c", "shared/android/codec.h", "gradlew",
    ]
    for file in files { try tree.write(file) }
    try tree.write("settings.gradle", "includeBuild 'gradle/logic'\ninclude ':scan', ':core', ':app'\n")
    try tree.write("build.gradle", "apply from: \"$rootDir/versions.gradle\"\n")
    try tree.write("app/build.gradle", "plugins { id 'com.android.application' }\n")
    try tree.write("core/build.gradle", Self.library)
    try tree.write("app/src/main/java/com/example/app/App.java")
    try tree.write("scan/src/test/java/com/example/scan/ScanTest.java")
    try tree.write("scan/src/main/cpp/CMakeLists.txt", "add_library(scan ../../../../shared/android/codec.c)\n")
    try await kotlin(
      tree, "scan",
      "android { sourceSets { main { java.srcDirs += ['src/oldarch'] } } }\n"
        + "dependencies { implementation project(':core') }\n", reading: files)
    let lines = try await tree.initialize()
    #expect(!lines.contains { $0.contains("oldarch") || $0.contains("buildSrc") || $0.contains("Logic") }, "\(lines)")
    #expect(names(lines, "core/src/main/java/com/example/core/Core.java", "of another library"), "\(lines)")
    let manifest = try tree.manifest
    for folder in ["scan/src/test", "app/src/main", "scan/build"] { #expect(!manifest.contains("\(folder)/**")) }
    _ = try await tree.build()
    for file in files {
      let text = try tree.scratch.text("scan/\(file)")
      try tree.scratch.write(
        "scan/\(file)", text + (file == "gradlew" ? "\n: more\n" : "\n"), executable: file == "gradlew")
      #expect(try await tree.run(["android"]).all.contains("[1/"), "\(file)")
    }
    #expect(try await tree.run(["android"]).all.contains("nothing to do"))
    if try await Tool.run(["sh", "-c", "bwrap --ro-bind / / true"]).status == 0 {
      let result = try await tree.run(["-B", "--sandbox", "android"])
      #expect(result.status == 0, "\(result.all)")
    }
  }

  /// A module at the root of a tree that has more than Android's half.
  @Test func inputsOfARoot() async throws {
    let tree = PluginTree("scan")
    try await kotlin(tree, ".", "", reading: ["libs/scan.txt"])
    try tree.write("libs/scan.txt")
    try tree.write("ios/Scan.c", "int scan(void) { return 1; }\n")
    try tree.write("docs/scan.md")
    try tree.write("src/debug/.keep")
    for number in 0..<3 { try tree.write("src/main/assets/\(number).txt") }
    try await tree.initialize()
    let manifest = try tree.manifest
    #expect(
      manifest.contains("    inputs:\n      - \"libs/**\"\n      - \"src/main/**\"\n      - \"{gradlew,*.gradle}\"\n"),
      "\(manifest)")
    #expect(!manifest.contains("--no-sandbox"))
    _ = try await tree.build()
    for number in 3..<300 { try tree.write("src/main/assets/\(number).txt") }
    try await Tool.check(["rm", tree.scratch("scan/npi.yml").string])
    try await tree.initialize()
    #expect(try tree.manifest.contains("build it with --no-sandbox"))
  }

  /// A project of Xcode's that Android's native sources bring along makes nothing of the plugin's.
  @Test func projectAmongAndroidsSources() async throws {
    let tree = PluginTree("usb")
    try tree.write("settings.gradle", "include ':lib'\n")
    try tree.write("lib/build.gradle", Self.library + "android { namespace 'com.example.usb' }\n")
    try tree.write("lib/src/main/java/com/example/usb/Usb.java", "package com.example.usb;\npublic class Usb {}\n")
    try tree.write("lib/src/main/jni/usb/usb.c", "int usb(void) { return 1; }\n")
    try tree.write(
      "lib/src/main/jni/usb/Xcode/usb.xcodeproj/project.pbxproj",
      "0A = {\nisa = PBXNativeTarget;\nname = usb;\nproductType = \"com.apple.product-type.library.static\";\n};\n")
    let lines = try await tree.initialize()
    #expect(
      lines.contains("did not take lib/src/main/jni/usb/Xcode/usb.xcodeproj (it lies among Android's sources)"),
      "\(lines)")
    #expect(try !tree.manifest.contains("ios:"))
  }

  /// A library's own values are Gradle's to put in, the app's are not.
  @Test(arguments: [
    "android { defaultConfig { manifestPlaceholders = [pluginName: 'Scan', host: \"com.example\", key: findKey()] } }",
    "def scan = 'Scan'\nandroid { defaultConfig {\n manifestPlaceholders['pluginName'] = scan\n"
      + " manifestPlaceholders.put(\"host\", \"com.example\")\n manifestPlaceholders += [key: \"$key\"] } }",
    "android { defaultConfig {\n manifestPlaceholders += mapOf(\"pluginName\" to \"Scan\",\n \"host\" to \"com.example\")\n } }\n"
      + "android.buildTypes { a { manifestPlaceholders.key = 1\n manifestPlaceholders['key'] = 'a' }\n"
      + " b { manifestPlaceholders['key'] = 'b' } }",
  ]) func placeholders(_ script: String) async throws {
    let tree = PluginTree("scan")
    try tree.write("build.gradle", Self.library + "android { namespace 'com.example.scan' }\n" + script + "\n")
    try tree.write(
      "src/main/AndroidManifest.xml",
      "<manifest xmlns:android=\"http://schemas.android.com/apk/res/android\"><application>\n"
        + "<meta-data android:name=\"org.${pluginName}\" android:value=\"${host}.Scan\"/>\n"
        + "<meta-data android:name=\"${applicationId}\" android:value=\"${key} ${other}\"/></application></manifest>\n")
    try tree.write("src/main/java/com/example/scan/Scan.java", "package com.example.scan;\npublic class Scan {}\n")
    let lines = try await tree.initialize()
    #expect(lines.contains { $0.contains("holds ${key}, whose value only Gradle knows") }, "\(lines)")
    #expect(lines.contains { $0.contains("holds ${other}: the app's build") }, "\(lines)")
    _ = try await tree.build()
    let text = try await Tool.check(
      ["sh", "-c", "unzip -p dist/*.aar AndroidManifest.xml"], in: tree.scratch(tree.name))
    #expect(text.contains("\"org.Scan\"") && text.contains("\"com.example.Scan\""), "\(text)")
    #expect(text.contains("\"${applicationId}\"") && text.contains("\"${key} ${other}\""), "\(text)")
  }

  /// What a template's tools are called is no name of the plugin's.
  @Test func toolsBesideThePlugin() async throws {
    let tree = PluginTree("plugin")
    try tree.write("publish/package.json", #"{"name": "nativescript-publish", "version": "1.0.0"}"#)
    try tree.write("src/package.json", #"{"name": "nativescript-thing", "version": "11.1.3", "nativescript": {}}"#)
    try await tree.library("src/platforms/ios/libThing.a", "thing")
    // Without a package of its own, as the app's build has it.
    try tree.write("src/platforms/android/AndroidManifest.xml", "<manifest>\n<application/>\n</manifest>\n")
    try await tree.aar("src/platforms/android/thing.aar", "com.example.thing.Thing")
    try tree.scratch.write(
      "AndroidManifest.xml",
      "<manifest xmlns:android=\"http://schemas.android.com/apk/res/android\" package=\"com.example.thing\">"
        + "<uses-sdk android:minSdkVersion=\"17\"/></manifest>\n")
    try await Tool.check(
      ["zip", "-qX", "plugin/src/platforms/android/thing.aar", "AndroidManifest.xml"], in: tree.scratch(""))
    try await tree.initialize()
    #expect(try tree.manifest.contains("name: nativescript-thing\nversion: 11.1.3\n"))
    _ = try await tree.build()
    #expect(try await tree.classes() == ["com/example/thing/Thing.class"])
    let text = try await Tool.check(
      ["sh", "-c", "unzip -p dist/*.aar AndroidManifest.xml"], in: tree.scratch(tree.name))
    #expect(text.contains("package=\"com.example.thing.plugin\"") && text.contains("minSdkVersion=\"17\""), "\(text)")
  }

  /// The version is the module's, and not another one's.
  @Test func versionOfAnotherModule() async throws {
    let tree = PluginTree("camera")
    try tree.write("settings.gradle", "include ':liba', ':libb'\n")
    try tree.write("build.gradle", "ext { versionNameString = '3.3.3' }\n")
    try tree.write("gradle.properties", "POM_ARTIFACT_ID=camera-android\n")
    try tree.write(
      "liba/build.gradle",
      Self.library + "android { namespace 'com.example.a'\n"
        + "defaultConfig { versionName rootProject.ext.versionNameString } }\n"
        + "dependencies { implementation project(':libb') }\n")
    try tree.write("liba/src/main/java/com/example/a/A.java", "package com.example.a;\npublic class A {}\n")
    try tree.write(
      "libb/build.gradle",
      Self.library + "android { namespace 'com.example.b'\ndefaultConfig { versionName \"1.0.1\" } }\n")
    try tree.write("libb/src/main/java/com/example/b/B.java", "package com.example.b;\npublic class B {}\n")
    try await tree.initialize()
    #expect(try tree.manifest.contains("name: camera-android\nversion: 3.3.3\n"))
  }

  /// Two source sets with the same class: one of them is compiled.
  @Test func alternativesOfJava() async throws {
    let tree = PluginTree("arch")
    try tree.write("build.gradle", Self.library + "android { namespace 'com.example.arch' }\n")
    for set in ["main/java", "oldarch", "newarch"] {
      let name = set == "main/java" ? "Main" : "Arch"
      try tree.write(
        "src/\(set)/com/example/arch/\(name).java", "package com.example.arch;\npublic class \(name) {}\n")
    }
    let lines = try await tree.initialize()
    #expect(
      names(
        lines, "src/newarch/com/example/arch/Arch.java",
        "src/oldarch/com/example/arch/Arch.java is the class com.example.arch.Arch, too: take one of the two"),
      "\(lines)")
    _ = try await tree.build()
    #expect(try await Set(tree.classes()) == ["com/example/arch/Main.class", "com/example/arch/Arch.class"])
  }

  /// What is elsewhere is named, with where.
  @Test func binaryTargetElsewhere() async throws {
    let tree = PluginTree("rtc")
    try tree.write(
      "Package.swift",
      """
      // swift-tools-version:5.5
      import PackageDescription
      let package = Package(name: "RTC", targets: [
        .binaryTarget(name: "RTC", url: "https://example.com/RTC.xcframework.zip", checksum: "00"),
        .binaryTarget(name: "Here", url: "https://example.com/Here.xcframework.zip", checksum: "00")])
      """)
    let text =
      "Package.swift: its RTC is at https://example.com/RTC.xcframework.zip: fetch it, and unpack it in the tree"
    let result = try await tree.run(["init"])
    #expect(result.status == 2 && result.err.contains(text), "\(result.all)")
    try await tree.xcframework("Here.xcframework", "here")
    let lines = try await tree.initialize()
    #expect(lines.contains("not packed: \(text)") && !lines.contains { $0.contains("its Here") }, "\(lines)")
  }

  /// Applications and modules of tests, applied by a catalogue of versions.
  @Test func applicationsByCatalogue() async throws {
    let tree = PluginTree("balloon")
    try tree.write("settings.gradle.kts", "include(\":app\", \":lib\", \":bench\")\n")
    try tree.write("app/build.gradle.kts", "plugins { id(libs.plugins.android.application.get().pluginId) }\n")
    try tree.write("bench/build.gradle.kts", "plugins {\n  id(\"com.android.test\")\n}\n")
    try tree.write(
      "lib/build.gradle.kts",
      "plugins { id(libs.plugins.android.library.get().pluginId) }\nandroid { namespace = \"com.example.lib\" }\n")
    try tree.write(
      "lib-more/build.gradle.kts",
      "plugins { id(libs.plugins.android.library.get().pluginId) }\nandroid { namespace = \"com.example.more\" }\n"
        + "dependencies { api(project(\":lib\")) }\n")
    for module in ["app", "bench", "lib"] {
      try tree.write("\(module)/src/main/AndroidManifest.xml", "<manifest/>\n")
      try tree.write(
        "\(module)/src/main/java/com/example/\(module)/C.java",
        "package com.example.\(module);\npublic class C {}\n")
    }
    try tree.write("app/src/main/res/drawable/icon.png")
    let lines = try await tree.initialize()
    #expect(names(lines, "app/src/main/res/drawable/icon.png", "of an application"), "\(lines)")
    #expect(names(lines, "bench/src/main/java/com/example/bench/C.java", "tests"), "\(lines)")
    #expect(try tree.manifest.contains("each for an AAR of its own: lib-more.\n"))
  }

  /// A description of the plugin is no part of it, in Unity's Assets neither; a plugin of Godot's says its name.
  @Test func descriptionsOfEngines() async throws {
    let unity = PluginTree("share")
    try unity.write("Assets/Share/package.json", #"{"name": "com.example.share", "version": "5.4.3"}"#)
    try unity.write("Assets/Share/Plugins/iOS/share.c", "int share(void) { return 1; }\n")
    #expect(try await unity.initialize().isEmpty)
    let godot = PluginTree("godot-ads")
    try await godot.library("plugin/ads.a", "ads")
    try godot.write("plugin/ads.gdip", "[config]\nname=\"Ads\"\n[dependencies]\nsystem=[\"AdSupport.framework\"]\n")
    try await godot.initialize()
    let manifest = try godot.manifest
    #expect(manifest.contains("name: Ads\n") && manifest.contains("links besides: AdSupport"))
    try godot.write("more/more.gdip", "[config]\nname=\"More\"\n")
    try await Tool.check(["rm", godot.scratch("godot-ads/npi.yml").string])
    try await godot.initialize()
    #expect(try godot.manifest.contains("name: godot-ads\n"))
  }
}
