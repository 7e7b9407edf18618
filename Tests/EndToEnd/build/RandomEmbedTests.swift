import Foundation
import SystemPackage
import Testing
import TestSupport

/// Libraries by chance, most of whose names are there for some configurations only, embedded in a plugin: aapt2 links
/// what comes of it, and the R classes of the libraries have the numbers of aapt2's own R on a JVM.
@Suite(.timeLimit(.minutes(20)))
struct RandomEmbedTests {
  private static let seeds = Seeded.seeds(30)

  private func write(_ scratch: Scratch) throws {
    var manifest = "name: Demo\nversion: 1.0\ndeliverables:\n"
    for seed in Self.seeds {
      let libraries = (0..<1 + seed % 3).map { "\(seed)x\($0)" }
      for (index, name) in (["\(seed)"] + libraries).enumerated() {
        try scratch.write("\(name)/AndroidManifest.xml", "<manifest package=\"com.p\(name)\"/>")
        for (path, text) in RandomLibrary(seed: 100 * seed + index).files {
          try scratch.write("\(name)/res/\(path)", text)
        }
        let embedded = libraries.map { "dist/\($0).aar" }.joined(separator: ", ")
        manifest +=
          "  d\(name): { kind: aar, manifest: \(name)/AndroidManifest.xml, res: \(name)/res, name: \(name).aar"
        manifest += index == 0 ? ", embed: [\(embedded)] }\n" : " }\n"
      }
    }
    try scratch.write("npi.yml", manifest + "rules: { duplicate-resource: note }\n")
  }

  /// For each plugin the R of an app, once from plain inputs and once from overlays; both must have the same names.
  private static let link = """
    mkdir -p app
    for plugin in "$@"; do
      unzip -qq dist/$plugin.aar -d app/$plugin
      aapt2 compile --dir app/$plugin/res -o app/$plugin.zip
      common="-I /usr/share/android-framework-res/framework-res.apk --manifest app/$plugin/AndroidManifest.xml"
      aapt2 link $common --java gen -o app/$plugin.apk --output-text-symbols app/$plugin.plain app/$plugin.zip 2> err ||
        { echo "$plugin: aapt2 link: $(cat err)"; continue; }
      aapt2 link $common --auto-add-overlay -o app/$plugin.apk --output-text-symbols app/$plugin.overlay \\
        -R app/$plugin.zip 2> err || echo "$plugin: aapt2 link -R: $(cat err)"
      cmp app/$plugin.plain app/$plugin.overlay || true
    done
    """

  /// Arguments: the plugin's package, a library's, the library's R.txt; and so on. What is wrong, then how many fields
  /// there are, and how many of them the app's R has not.
  private static let main = """
    import java.lang.reflect.*;
    import java.nio.file.*;
    class Main {
      public static void main(String[] words) throws Exception {
        int fields = 0, absent = 0;
        for (int i = 0; i < words.length; i += 3)
          for (String line : Files.readAllLines(Paths.get(words[i + 2]))) {
            String[] parts = line.split(" ");
            Object ours, theirs;
            try {
              ours = Class.forName(words[i + 1] + ".R$" + parts[1]).getField(parts[2]).get(null);
            } catch (Throwable error) {
              System.out.println(words[i + 1] + " " + line + ": " + error);
              continue;
            }
            try {
              theirs = Class.forName(words[i] + ".R$" + parts[1]).getField(parts[2]).get(null);
            } catch (ReflectiveOperationException error) {
              theirs = parts[0].equals("int") ? (Integer) 0 : null;
              absent++;
            }
            fields++;
            if (ours == null ? theirs != null : !ours.equals(theirs))
              System.out.println(words[i + 1] + " " + line + ": " + ours + ", not " + theirs);
          }
        System.out.println(fields + " " + absent);
      }
    }
    """

  @Test func embeddedRClassesHaveTheAppsNumbers() async throws {
    let scratch = Scratch()
    try write(scratch)
    try await ExamplePlugin.pack(scratch.path)
    let names = Self.seeds.map { "\($0)" }
    let wrong = try await Tool.check(["sh", "-ec", Self.link, "sh"] + names, in: scratch.path)
    #expect(wrong.isEmpty, "\(wrong)")
    try scratch.write("Main.java", Self.main)
    let jars = names.map { "app/\($0)/libs/r-classes.jar" }.joined(separator: ":")
    let generated = names.map { "gen/com/p\($0)/R.java" }.filter(scratch.exists)
    try await Tool.check(["javac", "-d", "out", "Main.java"] + generated, in: scratch.path)
    var words: [String] = []
    for seed in Self.seeds {
      for index in 0..<1 + seed % 3 {
        let library = "\(seed)x\(index)"
        try scratch.write(
          "\(library).txt", try await Tool.check(["unzip", "-p", "dist/\(library).aar", "R.txt"], in: scratch.path))
        words += ["com.p\(seed)", "com.p\(library)", "\(library).txt"]
      }
    }
    let out = try await Tool.check(
      ["java", "-Xverify:all", "-cp", "out:\(jars)", "Main"] + words, in: scratch.path)
    let counts = out.split(separator: "\n").last?.split(separator: " ").compactMap { Int($0) } ?? []
    #expect(out.split(separator: "\n").count == 1, "\(out)")
    // Else it would show little.
    #expect(counts.count == 2 && (Self.seeds.count < 30 || (counts[0] > 500 && counts[1] > 30)), "\(counts)")
  }
}
