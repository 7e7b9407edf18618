import Foundation
import SystemPackage
import TestSupport

extension Bench {
  /// `npi-pack`, built like this benchmark.
  static var tool: String {
    FilePath(Bundle.main.executablePath ?? CommandLine.arguments[0]).removingLastComponent().appending("npi-pack")
      .string
  }

  private static let manifest = """
    name: Bench
    version: 1.0
    rules: { missing-library: off }
    deliverables:
      ios: { kind: ios-zip, items: [ITEMS] }

    """

  /// A whole cold build: process start, digests of all inputs, zip, read-back through libarchive, rules, release record.
  mutating func build(_ corpus: Corpus) async throws {
    let scratch = Scratch()
    try scratch.write("npi.yml", Bench.manifest.replacingOccurrences(of: "ITEMS", with: "{ from: tree, to: . }"))
    try await Tool.check(["cp", "-r", corpus.tree.string, scratch("tree").string])
    try await compare("whole cold build", with: "zip -6 -X", atLeast: 4) {
      for folder in [".npi", "dist"] { try? FileManager.default.removeItem(atPath: scratch(folder).string) }
      try await Tool.check([Bench.tool, "--quiet"], in: scratch.path)
    } theirs: {
      try? FileManager.default.removeItem(atPath: scratch("six.zip").string)
      try await Tool.check(["zip", "-q", "-6", "-X", "-r", scratch("six.zip").string, "."], in: scratch("tree"))
    }
  }

  /// The memory of a whole build with one entry of 2 GB.
  mutating func memory(_ corpus: Corpus) async throws {
    let scratch = Scratch()
    try scratch.write("npi.yml", Bench.manifest.replacingOccurrences(of: "ITEMS", with: "large.bin"))
    try await Tool.check(
      [
        "sh", "-c",
        "while [ \"$(wc -c < \"$2\")\" -lt 2147483648 ]; do find \"$1\" -type f -exec cat {} + >> \"$2\"; done", "sh",
        corpus.tree.string, try scratch.write("large.bin", "x").string,
      ])
    let peak = try await Bench.peakMegabytes([Bench.tool, "--quiet"], in: scratch.path)
    let size = try fileSize(scratch("large.bin"))
    report("peak memory, one entry of \(size >> 20) MB: \(peak) MB", (peak < 256, "under 256 MB"))
  }

  private static let androidManifest = """
    name: Bench
    version: 1.0
    deliverables:
      android: { kind: aar, manifest: AndroidManifest.xml, classes: classes, res: res, assets: assets, jni: jni }

    """

  /// A whole cold build of an AAR of 200 MB, against making the same two archives with the JDK's jar, and with zip.
  mutating func aar(_ corpus: AndroidCorpus) async throws {
    let scratch = Scratch()
    try await Tool.check(["cp", "-r", "\(corpus.tree)/.", scratch.path.string])
    try scratch.write("npi.yml", Bench.androidManifest)
    func ours() async throws {
      for folder in [".npi", "dist"] { try? FileManager.default.removeItem(atPath: scratch(folder).string) }
      try await Tool.check([Bench.tool, "--quiet"], in: scratch.path)
    }
    func theirs(_ script: String) async throws {
      try await Tool.check(["sh", "-ec", "rm -f classes.jar peer.aar; " + script], in: scratch.path)
    }
    let parts = "AndroidManifest.xml classes.jar res assets jni"
    try await compare("AAR", with: "jar cf", atLeast: 5, ours: ours) {
      try await theirs("jar cf classes.jar -C classes .; jar cfM peer.aar \(parts)")
    }
    let size = try fileSize(scratch("dist/Bench-1.0.aar"))
    report("size: ours \(size), jar \(try fileSize(scratch("peer.aar")))", nil)
    try await compare("AAR", with: "zip -6 -X", atLeast: 5, ours: ours) {
      try await theirs("(cd classes; zip -q -6 -X -r ../classes.jar .); zip -q -6 -X -r peer.aar \(parts)")
    }
    report("size: zip \(try fileSize(scratch("peer.aar")))", nil)
  }
}
