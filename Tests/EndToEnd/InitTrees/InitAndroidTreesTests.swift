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
}
