import SystemPackage
import TestSupport

extension Bench {
  /// Plugins that do collide, against lld's link of the same files: all slices, nothing kept from one run to the next.
  mutating func colliding(_ corpus: CollidingCorpus) async throws {
    let scratch = Scratch()
    let flags = ["-dylib", "-undefined", "dynamic_lookup", "-all_load"]
    func check(_ options: String...) -> [String] {
      let words =
        [Bench.tool, "check", "--closed-world", "--linker", "lld"] + options + corpus.vendors.map(\.string) + ["--"]
        + flags
      return ["env", "NPI_PACK_STORE=\(scratch("store").string)"] + words
    }
    // All that it has to say, as we do.
    let links = CollidingCorpus.slices.indices.map { slice in
      (["ld64.lld-19", "-o", "/dev/null", "--error-limit=0"] + CollidingCorpus.slices[slice].line + flags
        + corpus.vendors.indices.map { corpus.library($0, slice).string }).joined(separator: " ")
    }
    let commands = [check(), check("--format", "json"), ["sh", "-c", links.joined(separator: "; ") + "; true"]]
    let times = try await inTurn(commands, in: scratch.path, rounds: 5, removing: ["store"], status: 1)
    for (index, what) in ["as text", "as JSON"].enumerated() {
      let ratio = times[2].wall / times[index].wall
      report(
        "ten vendors with one library in two versions, five slices, \(what): \(Bench.milliseconds(times[index])), "
          + "lld \(Bench.milliseconds(times[2])): \(Bench.text(ratio)) times", (ratio >= 1, "at least 1"))
    }
    let shown = try await Tool.run(["sh", "-c", "\"$@\" > text; wc -l < text", "sh"] + check(), in: scratch.path)
    let lines = Int(shown.out.filter(\.isNumber)) ?? .max
    report("its text: \(lines) lines", (lines <= 200, "at most 200"))
  }
}
