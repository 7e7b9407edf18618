import Foundation
import SystemPackage
import Testing
import TestSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// No room, no permission, inputs that go away: a clear error, and the old outputs whole.
@Suite struct FullDiskTests {
  /// `sh`'s limit of a file's size, in blocks of 512 bytes: from nothing at all to more than the largest output and the log.
  @Test(.timeLimit(.minutes(20))) func filesThatMayNotGrow() async throws {
    let states = try await FourStates.shared.value
    let largest = states.expected.flatMap { $0.values.map(\.count) }.max() ?? 0
    let scratch = Scratch()
    try FourStates.write(to: scratch, at: "p", state: 0, pause: "0")
    try await Tool.check([Scenario.binary.string], in: scratch("p"))
    var failures = 0
    for point in 0..<20 {
      let state = 1 + point % (FourStates.count - 1)
      let blocks = largest / 512 * point * point / 60
      let problem = try await build(scratch, states, state: state, "ulimit -f \(blocks)")
      if problem.failed { failures += 1 }
      #expect(problem.text == nil, "\(blocks) blocks")
    }
    // Some of them do have enough.
    #expect((10..<20).contains(failures))
  }

  /// A real disk that fills up, where this may make one: as root on Linux.
  @Test(.timeLimit(.minutes(20))) func aDiskThatIsFull() async throws {
    let states = try await FourStates.shared.value
    let scratch = Scratch()
    try scratch.write("p/.keep", "")
    let canMount =
      try await Tool.run(["mount", "-t", "tmpfs", "-o", "size=1M", "none", scratch("p").string]).status == 0
    defer { if canMount { _ = try? Tool.runSync(["umount", scratch("p").string]) } }
    guard canMount else { return }
    try FourStates.write(to: scratch, at: "p", state: 0, pause: "0")
    try await Tool.check([Scenario.binary.string], in: scratch("p"))
    var failures = 0
    for point in 0..<20 {
      let state = 1 + point % (FourStates.count - 1)
      let room = "df -Pk . | tail -n 1 | { read a b c free rest; echo $free; }"
      let fill = "dd if=/dev/zero of=../p/fill bs=1k count=$(( $(\(room)) - \(point * 2) )) 2>&-"
      let problem = try await build(scratch, states, state: state, fill, after: "rm -f fill")
      if problem.failed { failures += 1 }
      #expect(problem.text == nil, "\(point * 2) KB are free")
    }
    #expect(failures >= 5)
  }

  /// Builds that state after `preparation`, looks at what there is, then builds without it.
  private func build(
    _ scratch: Scratch, _ states: FourStates, state: Int, _ preparation: String, after: String = ":"
  ) async throws -> (failed: Bool, text: String?) {
    let old = try (0..<FourStates.count).first { try states.problem(scratch, "p", state: $0) == nil }
    try FourStates.set(state, scratch, "p")
    // One of the states may come from the store.
    if state != 2 { try FourStates.forget(scratch, "p") }
    // What it prints goes through a pipe: a file of ours could not grow either.
    let run = try await Tool.run(
      ["sh", "-c", "{ (\(preparation); \(Scenario.binary.string)); echo status $?; } 2>&1 | cat; \(after)"],
      in: scratch("p"))
    let said = run.out
    let failed = !said.hasSuffix("status 0\n")
    // A command of the user's says it in its own words.
    let reasons = ["file too large", "no space left on device", "signal 25 (xfsz)", "file size limit exceeded"]
    let isClear = reasons.contains(where: said.lowercased().contains)
    if failed, !isClear || !["status 1\n", "status 2\n"].contains(where: said.hasSuffix) {
      return (failed, said)
    }
    if let problem = states.halfMade(scratch, "p", states: [old ?? 0, state]) { return (failed, problem) }
    let missing = FourStates.deliverables.filter { !scratch.exists("p/\($0)") }
    if !missing.isEmpty { return (failed, "\(missing) is lost") }
    let next = try await Tool.run([Scenario.binary.string], in: scratch("p"))
    if next.status != 0 { return (failed, next.all) }
    return (failed, try states.problem(scratch, "p", state: state))
  }

  /// Whoever may not write there is told so, and nothing changes. Root may: then somebody else builds.
  @Test func foldersThatMayNotBeWritten() async throws {
    let states = try await FourStates.shared.value
    let scratch = Scratch()
    try FourStates.write(to: scratch, at: "p", state: 0, pause: "0")
    try await Tool.check(["cp", Scenario.binary.string, scratch("npi-pack").string])
    // Who may go through the folders above the scratch folder is not ours to say.
    let user =
      "if [ $(id -u) = 0 ]; then set -- setpriv --reuid=65534 --regid=65534 --clear-groups \"$@\"; fi; exec \"$@\""
    func run(_ words: [String] = []) async throws -> ToolResult {
      try await Tool.run(["sh", "-c", user, "sh", scratch("npi-pack").string] + words, in: scratch("p"))
    }
    if getuid() == 0 { try await Tool.check(["chown", "-R", "65534:65534", scratch.path.string]) }
    let first = try await run()
    #expect(first.status == 0, "\(first.all)")
    for (state, folder) in [(1, "dist"), (2, "build"), (3, ".npi")] {
      try FourStates.set(state, scratch, "p")
      try await Tool.check(["chmod", "-R", "a-w", scratch("p/\(folder)").string])
      let refused = try await run()
      #expect(refused.status != 0 && refused.err.contains("permission denied"), "\(folder): \(refused.all)")
      #expect(refused.err.contains("check who may read and write it"), "\(folder): \(refused.all)")
      #expect(states.halfMade(scratch, "p", states: [0, 1, 2, 3]) == nil)
      try await Tool.check(["chmod", "-R", "u+w", scratch("p/\(folder)").string])
    }
    let last = try await run()
    #expect(last.status == 0, "\(last.all)")
    #expect(try states.problem(scratch, "p", state: 3) == nil)
  }

  /// A large input that somebody writes to, cuts off or takes away, all the time. A build that happened to find one and
  /// the same content whenever it looked is right; any other says what was wrong, and leaves the old deliverable.
  @Test(.timeLimit(.minutes(20)), arguments: ["ios", "android"])
  func inputsThatChangeWhileTheyAreRead(_ target: String) async throws {
    let states = try await FourStates.shared.value
    let scratch = Scratch()
    try FourStates.write(to: scratch, at: "p", state: 0, pause: "0")
    try await Tool.check([Scenario.binary.string, target], in: scratch("p"))
    let output = FourStates.deliverables[target == "ios" ? 0 : 1]
    let changes = [
      "echo more >> src/large", ": > src/large; cat large > src/large", "rm src/large; cat large > src/large",
      "cp large src/large.new; mv src/large.new src/large",
    ]
    try scratch.write("p/large", [UInt8](repeating: 7, count: 12 << 20))
    for change in changes {
      try scratch.write("p/src/large", [UInt8](repeating: 8, count: 12 << 20))
      let old = try scratch.read("p/\(output)")
      // Killed for good: whoever the tests run under may have blocked the gentler signals.
      let writer = "(while :; do \(change); done) 2>&- & id=$!"
      let result = try await Tool.run(
        ["sh", "-c", "\(writer); \(Scenario.binary.string) \(target); s=$?; kill -9 $id; exit $s"], in: scratch("p"))
      if result.status == 0 {
        try await Tool.check(["unzip", "-tq", output], in: scratch("p"))
      } else {
        let reasons = ["changed while it was being", "was cut off while", "no such file or directory", "is not there"]
        #expect([1, 2].contains(result.status), "\(change): \(result.all)")
        #expect(reasons.contains(where: result.err.lowercased().contains), "\(change): \(result.all)")
        #expect(try scratch.read("p/\(output)") == old, "\(change)")
      }
      if change.contains(">>") { #expect(result.status != 0) }
    }
    try await Tool.check(["rm", "-f", "src/large", "src/large.new"], in: scratch("p"))
    try await Tool.check([Scenario.binary.string, target], in: scratch("p"))
    #expect(try scratch.read("p/\(output)") == states.expected[0][output])
  }
}
