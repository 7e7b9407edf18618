import SystemPackage
import TestSupport

extension Bench {
  /// All rules of an archive, against a program that reads its bytes and judges nothing.
  mutating func lint(_ corpus: Corpus, _ android: AndroidCorpus) async throws {
    let scratch = Scratch()
    for (name, tree) in [("ios.zip", corpus.tree), ("android.aar", android.tree)] {
      let archive = scratch(name).string
      try await Tool.check(["zip", "-q", "-6", "-X", "-r", archive, "."], in: tree)
      let times = try await inTurn(
        [
          ["sh", "-c", "\"$0\" lint \"$1\" > /dev/null 2>&1; test $? -le 1", Bench.tool, archive],
          ["unzip", "-tqq", archive],
        ],
        in: ".", rounds: 5)
      report(
        "lint \(name): \(Bench.milliseconds(times[0])), unzip -t \(Bench.milliseconds(times[1])): "
          + "\(Bench.text(times[1].wall / times[0].wall)) times", nil)
    }
  }
}
