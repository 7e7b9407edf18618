import Foundation
import SystemPackage
import TestSupport

/// A thousand AARs with two million classes and resources, as Python's zipfile writes them. Every hundredth has a class, a
/// value and a Java resource that its neighbour has, too.
struct AARCorpus {
  static let version = 1
  static let count = 1000

  let home: FilePath
  var plugins: [FilePath] { (0..<AARCorpus.count).map { home.appending("Plugin\($0).aar") } }

  static func make(in cache: FilePath) async throws -> AARCorpus {
    let home = FilePath(FileManager.default.currentDirectoryPath).pushing(cache).appending("aars-v\(version)")
    let corpus = AARCorpus(home: home)
    if FileManager.default.fileExists(atPath: home.appending("complete").string) { return corpus }
    print("making 1,000 AARs (once, about two minutes)")
    try? FileManager.default.removeItem(atPath: home.string)
    try FileManager.default.createDirectory(atPath: home.string, withIntermediateDirectories: true)
    let program = """
      import io, sys, zipfile
      for number in range(\(count)):
        jar = io.BytesIO()
        with zipfile.ZipFile(jar, "w") as it:
          for index in range(1000):
            it.writestr(f"com/vendor/plugin{number}/module{index % 10}/SomeClassOfTheVendor{index}.class", b"%d" % index)
          if number % 100 >= 98:
            it.writestr(f"com/shared/lib{number // 100}/Helper.class", b"%d" % number)
            it.writestr(f"shared/lib{number // 100}.properties", b"%d" % number)
        values = "".join(f'<string name="plugin{number}_text_of_the_vendor_{index}">text {index}</string>' for index in range(1000))
        if number % 100 >= 98: values += f'<string name="shared_{number // 100}">{number}</string>'
        with zipfile.ZipFile(f"Plugin{number}.aar", "w", zipfile.ZIP_DEFLATED) as it:
          it.writestr("AndroidManifest.xml", f'<manifest package="com.vendor.plugin{number}"/>')
          it.writestr("classes.jar", jar.getvalue())
          it.writestr("res/values/values.xml", f"<resources>{values}</resources>")
          it.writestr("R.txt", "")
      """
    try await Tool.check(["python3", "-c", program], in: home)
    try Data().write(to: URL(fileURLWithPath: home.appending("complete").string))
    return corpus
  }
}

extension Bench {
  /// Names a folder with AARs that vendors ship, which may not be passed on.
  static let variable = "NPI_REAL_AARS"

  /// What AARs bring into an app, against a list of the AARs' entries.
  mutating func android(_ corpus: AARCorpus) async throws {
    let scratch = Scratch()
    let names = corpus.plugins.map(\.string)
    func ours(_ round: Int) -> [String] {
      ["env", "NPI_PACK_STORE=\(scratch("store\(round)").string)", Bench.tool, "check"] + names
    }
    let list = scratch("list").string
    try names.joined(separator: "\n").write(toFile: list, atomically: false, encoding: .utf8)
    let theirs = ["sh", "-c", "xargs -n 1 unzip -Z -1 < \(list) > \(scratch("out").string)"]
    var (cold, peer): ([Times], [Times]) = ([], [])
    for round in 0..<5 {
      let times = try await inTurn([ours(round), theirs], in: ".", rounds: 1, status: 1)
      (cold, peer) = (cold + [times[0]], peer + [times[1]])
    }
    let (first, unzip) = (Bench.median(cold.map(\.wall)), Bench.median(peer.map(\.wall)))
    report(
      "1,000 AARs with two million classes and resources: \(Bench.text(first)) s, unzip -Z -1 \(Bench.text(unzip)) s: "
        + "\(Bench.text(unzip / first)) times", (first < unzip, "above 1"))
    let memory = cold.map(\.peak).max() ?? .max
    report("its memory: \(memory) MB", (memory < 200, "below 200 MB"))
    let warm = try await inTurn([ours(0)], in: ".", rounds: 5, status: 1)[0].wall
    report(
      "nothing changed: \(Bench.text(warm * 1000)) ms, \(Bench.text(warm / first)) of the first time",
      (warm <= first / 10, "at most 0.1"))
    try await realSets(scratch)
  }

  /// 140 sets of 12 AARs that people could have in one app, by chance with a fixed seed.
  private mutating func realSets(_ scratch: Scratch) async throws {
    guard let folder = ProcessInfo.processInfo.environment[Bench.variable] else {
      return print("140 sets of real AARs are left out: \(Bench.variable) names a folder with AARs")
    }
    let all = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".aar") }.sorted()
    var random = Seeded(seed: 33)
    let apps = (0..<140).map { number in
      let plugins = (0..<12).compactMap { _ in all.randomElement(using: &random).map { "\"\(folder)/\($0)\"" } }
      return "app\(number): { plugins: [\(Set(plugins).sorted().joined(separator: ", "))] }"
    }
    let file = scratch("apps.yml").string
    try apps.joined(separator: "\n").write(toFile: file, atomically: false, encoding: .utf8)
    let words = [
      "env", "NPI_PACK_STORE=\(scratch("sets").string)", Bench.tool, "check", "--format", "json", "--apps", file,
    ]
    let times = try await inTurn([words], in: ".", rounds: 1, status: 2)[0]
    report("140 sets of real AARs: \(Bench.text(times.cpu)) s of processors", (times.cpu < 20, "below 20 s"))
  }
}
