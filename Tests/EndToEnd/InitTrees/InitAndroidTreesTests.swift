import Foundation
import SystemPackage
import TestSupport
import Testing

/// Android's half of a tree, as Gradle and hosts of other kinds arrange it.
@Suite(.timeLimit(.minutes(10))) struct InitAndroidTreesTests {
  private static let library = "plugins { id 'com.android.library' }\n"

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
}
