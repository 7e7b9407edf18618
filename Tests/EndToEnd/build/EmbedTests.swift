import Foundation
import SystemPackage
import Testing
import TestSupport

/// The code of an embedded AAR finds its resources at run time: an app is put together from the plugin's AAR as the
/// Gradle plugin does it, with an R class for the plugin's package only, and run by a JVM.
@Suite struct EmbedTests {
  private func packed() async throws -> Scratch {
    let scratch = Scratch()
    try scratch.write(
      "npi.yml",
      """
      name: Demo
      version: 1.0
      deliverables:
        third: { kind: aar, manifest: third/AndroidManifest.xml, classes: third/classes, res: third/res, name: third.aar }
        android: { kind: aar, manifest: AndroidManifest.xml, res: res, embed: third.aar, name: demo.aar }
      """)
    try scratch.write("AndroidManifest.xml", "<manifest package=\"com.demo\"/>")
    try scratch.write("third/AndroidManifest.xml", "<manifest package=\"com.third\"/>")
    try scratch.write("res/values/v.xml", "<resources><string name=\"own\">Own</string></resources>")
    try scratch.write(
      "third/res/values/v.xml",
      """
      <resources><string name="third">Third</string>
      <declare-styleable name="View"><attr name="size" format="dimension"/></declare-styleable></resources>
      """)
    try scratch.write("third/res/layout/row.xml", "<View/>")
    // `missing` and `present` are names of a library that the AAR was built with.
    try scratch.write(
      "third/stubs/R.java",
      """
      package com.third;
      public class R {
        public static class string { public static int third, missing, present; }
        public static class layout { public static int row; }
        public static class styleable { public static int[] View; public static int View_size; }
        public static class menu { public static int gone; }
      }
      """)
    try scratch.write(
      "third/src/Widget.java",
      """
      package com.third;
      public class Widget {
        public static String all() {
          return R.string.third + " " + R.string.missing + " " + R.string.present + " " + R.layout.row + " "
            + java.util.Arrays.toString(R.styleable.View) + " " + R.styleable.View_size + " " + R.menu.gone;
        }
      }
      """)
    try await Tool.check(
      ["javac", "-d", "third/classes", "third/src/Widget.java", "third/stubs/R.java"], in: scratch.path)
    try await ExamplePlugin.pack(scratch.path, ["third"])
    // What the Gradle plugin writes into R.txt besides: the names of the library's own dependencies.
    try await Tool.check(
      [
        "sh", "-ec",
        """
        unzip -p dist/third.aar R.txt > R.txt
        for line in 'string missing' 'string present' 'menu gone'; do echo "int $line 0x0" >> R.txt; done
        cp dist/third.aar third.aar && zip -q third.aar R.txt
        """,
      ], in: scratch.path)
    try await ExamplePlugin.pack(scratch.path, ["android"])
    try await Tool.check(["unzip", "-qq", "dist/demo.aar", "-d", "app"], in: scratch.path)
    return scratch
  }

  @Test func codeFindsItsResources() async throws {
    let scratch = try await packed()
    // The app's R: the names of the AAR's R.txt that the app really has, numbered.
    let program = """
      import re
      text, number = "package com.demo; public class R {\\n", 0x7f010000
      types = {}
      for line in open("app/R.txt"):
          kind, type, name, value = line.split(" ", 3)
          if name in ("missing", "gone"): continue
          number += 1
          value = "{ 1, 2, 3 }" if kind == "int[]" else value if type == "styleable" else hex(number)
          types.setdefault(type, []).append("public static %s %s = %s;" % (kind, name, value.strip()))
      for type, fields in types.items(): text += "public static class %s { %s }\\n" % (type, " ".join(fields))
      open("R.java", "w").write(text + "}")
      open("Main.java", "w").write(\"""
        class Main { public static void main(String[] a) {
          System.out.println(com.third.Widget.all());
          System.out.println(com.demo.R.string.third + " 0 " + com.demo.R.string.present + " " + com.demo.R.layout.row + " [1, 2, 3] 0 0");
          System.out.println(com.demo.R.string.own != 0);
        } }\""")
      """
    try await Tool.check(["python3", "-c", program], in: scratch.path)
    let path = "app/classes.jar:app/libs/r-classes.jar"
    try await Tool.check(["javac", "-cp", path, "-d", "out", "R.java", "Main.java"], in: scratch.path)
    let out = try await Tool.check(["java", "-Xverify:all", "-cp", "out:\(path)", "Main"], in: scratch.path)
      .split(separator: "\n")
    #expect(out.count == 3 && out[0] == out[1] && out[2] == "true" && out[0].hasSuffix("[1, 2, 3] 0 0"), "\(out)")
  }

  @Test func aapt2LinksTheMergedResources() async throws {
    let scratch = try await packed()
    try await Tool.check(["aapt2", "compile", "--dir", "app/res", "-o", "res.zip"], in: scratch.path)
    try await Tool.check(
      [
        "aapt2", "link", "--static-lib", "--no-resource-removal", "-I",
        "/usr/share/android-framework-res/framework-res.apk", "--manifest", "app/AndroidManifest.xml",
        "--output-text-symbols", "theirs.txt", "-o", "linked.apk", "res.zip",
      ], in: scratch.path)
    let theirs = try scratch.text("theirs.txt")
    for name in ["string own", "string third", "layout row", "attr size", "styleable View"] {
      #expect(theirs.contains(" \(name) "), "\(name)")
    }
  }
}
