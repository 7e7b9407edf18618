import Android
import Artifacts
import Documents
import SystemPackage
import TestSupport

/// Android's own manifest merger (Debian's build of it, from the Android Gradle plugin 2.2), asked what an app is given.
enum AndroidMerger {
  private static let names = ["annotations", "build.manifest-merger", "common", "sdklib", "sdk-common"]
  private static let classPath =
    (names.map { "/usr/share/java/com.android.tools.\($0).jar" } + ["/usr/share/java/guava.jar"]).joined(separator: ":")

  /// One merge a line of the file: the app's manifest, the libraries' joined by colons, the output.
  private static let program = """
    import com.android.manifmerger.*;
    import com.android.utils.ILogger;
    import java.io.File;
    import java.nio.file.*;

    public class Run {
      // What stands for tools only is taken out at the end, as in the build of an app.
      static class AppMerger extends Merger {
        @Override
        protected ManifestMerger2.Invoker createInvoker(File main, ILogger logger) {
          return super.createInvoker(main, logger)
              .withFeatures(ManifestMerger2.Invoker.Feature.REMOVE_TOOLS_DECLARATIONS);
        }
      }

      public static void main(String[] args) throws Exception {
        for (String line : Files.readAllLines(Paths.get(args[0]))) {
          String[] p = line.split("\\t");
          try {
            new AppMerger().process(new String[] {"--log", "ERROR", "--main", p[0], "--libs", p[1], "--out", p[2]});
          } catch (RuntimeException e) {
            System.err.println(p[2] + ": " + e);
          }
        }
      }
    }
    """

  /// For each job the merged manifest, nil if the merger refuses it; libraries first have priority.
  static func merge(_ jobs: [(app: String, libraries: [String])]) async throws -> [XMLTag?] {
    let scratch = Scratch()
    var lines = ""
    for (number, job) in jobs.enumerated() {
      let app = try scratch.write("\(number)/app.xml", job.app).string
      let libraries = try job.libraries.enumerated().map {
        try scratch.write("\(number)/\($0.offset).xml", $0.element).string
      }
      lines += "\(app)\t\(libraries.joined(separator: ":"))\t\(scratch("\(number).xml"))\n"
    }
    try scratch.write("jobs", lines)
    try scratch.write("Run.java", program)
    try await Tool.check(["java", "-cp", classPath, scratch("Run.java").string, scratch("jobs").string])
    return try jobs.indices.map { number in
      guard scratch.exists("\(number).xml") else { return nil }
      return try XMLEvents.read(try scratch.read("\(number).xml"))
    }
  }
}

/// A tree as lines: the same for trees that mean the same. What is required is so without being said.
func outline(_ tag: XMLTag) -> [String] {
  let isMeant = ["uses-feature", "uses-library"].contains(tag.name)
  let attributes = tag.attributes.filter {
    $0.namespace != AndroidManifest.tools && !(isMeant && $0.name == "required" && $0.value == "true")
  }.map {
    let prefix = $0.namespace == AndroidManifest.android ? "android:" : $0.namespace.isEmpty ? "" : "{\($0.namespace)}"
    return "\(prefix)\($0.name)=\($0.value)"
  }
  let name = ([tag.name] + attributes.sorted()).joined(separator: " ")
  let children = tag.children.map(outline).sorted { $0.lexicographicallyPrecedes($1) }
  return [name] + children.joined().map { "  \($0)" }
}
