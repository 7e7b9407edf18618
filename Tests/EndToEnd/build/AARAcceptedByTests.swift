import Foundation
import SystemPackage
import Testing
import TestSupport

/// The AAR of the example plugin, as those who take it see it: Info-ZIP, the JDK, aapt2, javac.
@Suite struct AARAcceptedByTests {
  private func aar() async throws -> (plugin: FilePath, aar: FilePath) {
    let plugin = try await ExamplePlugin.packed.value("plugin")
    return (plugin, plugin.pushing(FilePath(ExamplePlugin.aar)))
  }

  private func unpacked() async throws -> (plugin: FilePath, scratch: Scratch) {
    let (plugin, aar) = try await aar()
    let scratch = Scratch()
    try await Tool.check(["unzip", "-qq", aar.string, "-d", scratch.path.string])
    return (plugin, scratch)
  }

  @Test func entriesAndTheirOrder() async throws {
    let (_, aar) = try await aar()
    let listing = try await Tool.check(["unzip", "-Z", "-1", aar.string])
    #expect(
      listing.split(separator: "\n") == [
        "AndroidManifest.xml", "META-INF/com/android/build/gradle/aar-metadata.properties", "classes.jar",
        "res/layout/rc_login.xml", "res/values-es/rc_strings.xml", "res/values/rc_attrs.xml",
        "res/values/rc_strings.xml", "R.txt", "proguard.txt", "assets/rc_help.html",
      ])
    try await Tool.check(["unzip", "-tqq", aar.string])
    let details = try await Tool.check(["zipinfo", "-v", aar.string])
    #expect(details.components(separatedBy: "extended local header:                          no").count == 11)
    #expect(details.components(separatedBy: "length of extra field:                          0 bytes").count == 11)
  }

  /// What the Gradle plugin's extraction of an AAR does: folders dropped, the last of two entries of one name wins,
  /// the jars of `libs/` in the order of their names.
  @Test func extractedAsGradleDoes() async throws {
    let (_, aar) = try await aar()
    let scratch = Scratch()
    try scratch.write(
      "Extract.java",
      """
      import java.io.*; import java.nio.file.*; import java.util.*; import java.util.zip.*;
      class Extract {
        public static void main(String[] a) throws Exception {
          Path out = Path.of(a[1]);
          TreeSet<String> libs = new TreeSet<>();
          try (ZipInputStream in = new ZipInputStream(new BufferedInputStream(new FileInputStream(a[0])))) {
            for (ZipEntry e; (e = in.getNextEntry()) != null; ) {
              if (e.isDirectory()) throw new IOException("a folder: " + e);
              Path file = out.resolve(e.getName()).normalize();
              if (!file.startsWith(out)) throw new IOException("leaves the folder: " + e);
              Files.createDirectories(file.getParent());
              Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
              if (e.getName().startsWith("libs/")) libs.add(e.getName());
            }
          }
          System.out.println(libs);
        }
      }
      """)
    let libs = try await Tool.check(["java", scratch("Extract.java").string, aar.string, scratch("java").string])
    #expect(libs == "[]\n")
    try await Tool.check(["unzip", "-qq", aar.string, "-d", scratch("unzip").string])
    try await Tool.check(["diff", "-r", scratch("java").string, scratch("unzip").string])
  }

  @Test func aapt2LinksManifestAndResources() async throws {
    let (_, scratch) = try await unpacked()
    try await Tool.check(["aapt2", "compile", "--dir", "res", "-o", "res.zip"], in: scratch.path)
    try await Tool.check(
      [
        "aapt2", "link", "--static-lib", "--no-resource-removal", "-I",
        "/usr/share/android-framework-res/framework-res.apk", "--manifest", "AndroidManifest.xml",
        "--output-text-symbols", "theirs.txt", "-o", "linked.apk", "res.zip",
      ], in: scratch.path)
    // Types, names and children of styleables; numbers and the children's order are the tools' own.
    let program = """
      import re, sys
      def read(path):
          return sorted(re.sub(r" (0x[0-9a-f]+|\\{.*|[0-9]+)$", "", line.strip()) for line in open(path))
      ours, theirs = read("R.txt"), read("theirs.txt")
      assert ours, "no names"
      print([l for l in theirs if l not in ours], [l for l in ours if l not in theirs])
      """
    let difference = try await Tool.check(["python3", "-c", program], in: scratch.path)
    let flags = try flagIDs(try scratch.text("res/values/rc_attrs.xml"))
    #expect(difference == "[\(flags.map { "'int id \($0)'" }.joined(separator: ", "))] []\n")
  }

  /// aapt2 makes ids of flags, Gradle does not.
  private func flagIDs(_ attrs: String) throws -> [String] {
    attrs.matches(of: try Regex("<flag name=\"([a-z_A-Z]+)\"")).compactMap { $0.output[1].substring.map(String.init) }
      .sorted()
  }

  @Test func javacCompilesAConsumer() async throws {
    let (plugin, scratch) = try await unpacked()
    try scratch.write(
      "app/Main.java",
      """
      package app;
      class Main extends com.mobilesmith.rallyconnector.ui.LoginFragment {
        public static void main(String[] a) throws Exception {
          System.out.println(Class.forName("com.mobilesmith.rallyconnector.ui.LoginFragment").getSuperclass().getName());
        }
      }
      """)
    let path = "classes.jar:" + plugin.appending("build").appending("stubs").string
    try await Tool.check(["javac", "-cp", path, "-d", "out", "app/Main.java"], in: scratch.path)
    let out = try await Tool.check(["java", "-cp", "out:" + path, "app.Main"], in: scratch.path)
    #expect(out == "android.support.v4.app.Fragment\n")
    let names = try await Tool.check(["unzip", "-Z", "-1", "classes.jar"], in: scratch.path).split(separator: "\n")
    #expect(names == names.sorted() && names.allSatisfy { $0.hasSuffix(".class") && !$0.contains("/R") })
    #expect(
      try await Tool.check(["jar", "--list", "--file", "classes.jar"], in: scratch.path).split(separator: "\n") == names
    )
  }

  @Test func contentsAreTheSources() async throws {
    let (plugin, scratch) = try await unpacked()
    for folder in ["res", "assets"] {
      try await Tool.check(
        ["diff", "-r", folder, plugin.appending("android").appending(folder).string], in: scratch.path)
    }
    for file in ["AndroidManifest.xml", "proguard.txt"] {
      try await Tool.check(["cmp", file, plugin.appending("android").appending(file).string], in: scratch.path)
    }
    try await Tool.check(["unzip", "-qq", "classes.jar", "-d", "classes"], in: scratch.path)
    try await Tool.check(
      ["diff", "-r", "classes", plugin.appending("build").appending("classes").string], in: scratch.path)
  }
}
