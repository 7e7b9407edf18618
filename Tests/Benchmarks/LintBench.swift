import SystemPackage
import TestSupport

extension Bench {
  /// All rules of a host, which look into 200 MB of code, against one read of the same bytes through libarchive.
  mutating func lint(_ corpus: Corpus, _ android: AndroidCorpus) async throws {
    let scratch = Scratch()
    for (name, tree) in [("ios.zip", corpus.tree), ("android.aar", android.tree)] {
      let archive = scratch(name).string
      try await Tool.check(["zip", "-q", "-6", "-X", "-r", archive, "."], in: tree)
      let lint = "\"$0\" lint \"$1\" --recipe mobilesmith > /dev/null 2>&1; test $? -le 1"
      let times = try await inTurn(
        [
          ["sh", "-c", lint, Bench.tool, archive], ["sh", "-c", "bsdtar -xOf \"$0\" > /dev/null", archive],
          ["unzip", "-tqq", archive],
        ],
        in: ".", rounds: 5)
      let ratio = times[0].wall / times[1].wall
      report(
        "lint \(name): \(Bench.milliseconds(times[0])), bsdtar -xO \(Bench.milliseconds(times[1])), "
          + "unzip -t \(Bench.milliseconds(times[2])): \(Bench.text(ratio)) times libarchive's",
        name == "ios.zip" ? (ratio <= 1.3, "1.3") : nil)
    }
  }
}
