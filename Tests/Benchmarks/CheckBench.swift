import Foundation
import SystemPackage
import TestSupport

extension Bench {
  /// A whole link against lld's own, and all plugins of a store against what people do by hand.
  mutating func check(_ corpus: CheckCorpus) async throws {
    try await link(corpus)
    try await plugins(corpus)
  }

  private mutating func link(_ corpus: CheckCorpus) async throws {
    let words =
      ["-arch", "arm64", "-platform_version", "ios", "13.0", "13.0", "-dylib", "-undefined", "dynamic_lookup"]
      + [corpus.main.string] + corpus.libraries.map(\.string)
    let ours = [Bench.tool, "check", "--closed-world", "--linker", "lld", "--"] + words
    let theirs = ["ld64.lld-19", "-o", "/dev/null"] + words
    let times = try await inTurn([ours, theirs], in: ".", rounds: 7)
    let ratio = times[1].wall / times[0].wall
    report(
      "a link of 100 libraries with 200,000 symbols: \(Bench.text(times[0])), lld \(Bench.text(times[1])): "
        + "\(Bench.text(ratio)) times", (ratio >= 5, "at least 5"))
    let memory = (try await Bench.peakMegabytes(ours, in: "."), try await Bench.peakMegabytes(theirs, in: "."))
    report("its memory: \(memory.0) MB, lld \(memory.1) MB", (memory.0 < memory.1, "below lld's"))
  }

  private mutating func plugins(_ corpus: CheckCorpus) async throws {
    let scratch = Scratch()
    // A new one each time: file systems are slow to make files where many have just been removed.
    let store = scratch("store").string
    let names = corpus.plugins.map(\.string)
    let ours = ["env", "NPI_PACK_STORE=\(store)", Bench.tool, "check"] + names
    let list = scratch("plugins").string
    try names.joined(separator: "\n").write(toFile: list, atomically: false, encoding: .utf8)
    let byHand = "LC_ALL=C; export LC_ALL; xargs llvm-nm-19 -gU < \(list) | sort | uniq -d > \(scratch("out").string)"
    var cold: [Times] = []
    for round in 0..<3 {
      let own = ["env", "NPI_PACK_STORE=\(scratch("store\(round)").string)", Bench.tool, "check"]
      cold += try await inTurn([own + names], in: ".", rounds: 1)
    }
    let first = cold.sorted { $0.wall < $1.wall }[1]
    let theirs = try await inTurn([["sh", "-c", byHand]], in: ".", rounds: 1)[0]
    let symbols = "\(CheckCorpus.pluginCount) plugins with \(CheckCorpus.symbolCount / 1_000_000) million symbols"
    let ratio = theirs.wall / first.wall
    report(
      "\(symbols): \(Bench.text(first)), llvm-nm, sort and uniq \(Bench.text(theirs)): \(Bench.text(ratio)) times",
      (ratio >= 20, "at least 20"))
    let plain = ["env", "-u", "NPI_PACK_STORE", "-u", "XDG_CACHE_HOME", "-u", "HOME", Bench.tool, "check"] + names
    let without = try await inTurn([plain], in: ".", rounds: 3)[0]
    report("without a store: \(Bench.text(without)): \(Bench.text(theirs.wall / without.wall)) times", nil)
    let bytes = try await Bench.peakMegabytes(ours, in: ".") << 20 / CheckCorpus.symbolCount
    report("memory: \(bytes) bytes a symbol at most", (bytes < 48, "below 48"))
    // The plugin in the middle is another one each time.
    let plugin = corpus.plugins[CheckCorpus.pluginCount / 2].string
    let old = scratch("old.a").string
    try FileManager.default.copyItem(atPath: plugin, toPath: old)
    defer {
      try? FileManager.default.removeItem(atPath: plugin)
      try? FileManager.default.copyItem(atPath: old, toPath: plugin)
    }
    var times: [Double] = []
    for round in 0..<5 {
      try FileManager.default.removeItem(atPath: plugin)
      try FileManager.default.copyItem(atPath: corpus.changed.string, toPath: plugin)
      // Its own content each time: a byte of the archive's first date.
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: plugin))
      try file.seek(toOffset: 8 + 16)
      try file.write(contentsOf: Data("\(round + 1)".utf8))
      try file.close()
      times.append(try await inTurn([ours], in: ".", rounds: 1)[0].wall)
    }
    let again = Bench.median(times)
    report(
      "one plugin changed: \(Bench.text(again * 1000)) ms, \(Bench.text(again / first.wall)) of the first time",
      (again < first.wall / 10, "below 0.1"))
  }

  private static func text(_ time: Times) -> String { milliseconds(time) }
}
