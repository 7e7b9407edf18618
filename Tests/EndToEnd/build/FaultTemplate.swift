#if os(Linux)
  import Foundation
  import SystemPackage
  import TestSupport

  /// What a run with a fault begins with, and what it must come to.
  struct FaultTemplate: Sendable {
    let run: FaultRun
    private let scratch = Scratch()
    private let states: FourStates
    /// Of a check that nothing disturbs.
    private var right = (status: Int32(0), out: "")

    init(_ run: FaultRun) async throws {
      self.run = run
      states = try await FourStates.shared.value
      try scratch.write("t/tmp/.keep", "")
      switch run {
      case .build:
        try FourStates.write(to: scratch, at: "t/p", state: 0, pause: "0")
        try await perform(in: scratch("t"), wants: 0)
        try FourStates.set(1, scratch, "t/p")
      case .restore:
        try FourStates.write(to: scratch, at: "t/p", state: 1, pause: "0")
        try await perform(in: scratch("t"), wants: 0)
        for made in ["dist", "build", ".npi"] { try scratch.remove("t/p/\(made)") }
      case .check, .checkAgain:
        for number in 1...2 {
          let source =
            "int MakeStringCopy(void) { return \(number); }\nint own\(number)(void) { return MakeStringCopy(); }\n"
            // Large enough to be mapped.
            + "char fill\(number)[100000] = {1};\n"
          try scratch.write("t/p/a\(number).c", source)
          let object = ["-target", "arm64-apple-ios13.0", "-ffreestanding", "-c", "a\(number).c", "-o", "a\(number).o"]
          try await Tool.check(["clang"] + object, in: scratch("t/p"))
          let library = ["-static", "-D", "-o", "lib\(number).a", "a\(number).o"]
          try await Tool.check(["llvm-libtool-darwin-19"] + library, in: scratch("t/p"))
        }
        try await Tool.check(["zip", "-q", "P2.zip", "lib2.a"], in: scratch("t/p"))
        // A file that was written to just now is not known by its time.
        try await Task.sleep(for: .seconds(2.5))
        let done = try await perform(in: scratch("t"), wants: 1)
        right = (done.status, done.out)
        if run == .check { try scratch.remove("t/store") }
      }
    }

    /// How often each function is called. Twice, as some things are done the first time only.
    func counts() async throws -> [(function: String, count: Int)] {
      let root = try await copied()
      let result = try await command(in: root, ["FAULT_COUNTS": root.appending("counts").string])
      guard let problem = problem(result, in: root, mayFail: false) else {
        if run == .restore, !result.out.contains("restored ") { throw ToolError("nothing was restored: \(result.all)") }
        let lines = try String(contentsOfFile: root.appending("counts").string, encoding: .utf8).split(separator: "\n")
        try FileManager.default.removeItem(atPath: root.string)
        return lines.map { line in
          let words = line.split(separator: " ")
          return (String(words[0]), Int(words[1]) ?? 0)
        }
      }
      throw ToolError("nothing failed, and yet: \(problem)")
    }

    func trial(_ fault: FaultTests.Fault) async -> FaultTrial {
      var trial = FaultTrial()
      do {
        let root = try await copied()
        defer { try? FileManager.default.removeItem(atPath: root.string) }
        let done = root.appending("done")
        let variables = [
          "FAULT_FUNCTION": fault.function, "FAULT_CALL": "\(fault.call)", "FAULT_ERROR": "\(fault.error.number)",
          "FAULT_DONE": done.string,
        ]
        let result = try await command(in: root, variables)
        trial.happened = FileManager.default.fileExists(atPath: done.string)
        // Nobody is told of an interruption: the call is made again.
        let isRetried =
          fault.error.number == EINTR && ["open", "read", "write", "pwrite", "fsync"].contains(fault.function)
        trial.problem = problem(result, in: root, mayFail: trial.happened && !isRetried)
        if trial.problem == nil {
          let next = try await perform(in: root)
          trial.problem = problem(next, in: root, mayFail: false).map { "the next run: \($0)" }
        }
      } catch {
        trial.problem = "\(error)"
      }
      return trial
    }

    /// A copy of what a run begins with.
    private func copied() async throws -> FilePath {
      let root = scratch("run-\(UUID().uuidString)")
      try await Tool.check(["cp", "-a", scratch("t").string, root.string])
      return root
    }

    private var words: [String] {
      switch run {
      case .build, .restore: [Scenario.binary.string, "-j", "2"]
      case .check, .checkAgain:
        [Scenario.binary.string, "check", "--linker", "lld", "lib1.a", "P2.zip", "--", "-all_load"]
      }
    }

    /// With the library, which is told what to do.
    private func command(in root: FilePath, _ variables: [String: String]) async throws -> ToolResult {
      var all = variables
      all["LD_PRELOAD"] = try await FaultLibrary.made.value.path.string
      all["FAULT_ROOT"] = root.string
      return try await perform(in: root, all)
    }

    @discardableResult
    private func perform(
      in root: FilePath, _ variables: [String: String] = [:], wants status: Int32? = nil
    ) async throws -> ToolResult {
      let settings = variables.map { "\($0)=\($1)" }
      let result = try await Tool.run(
        ["timeout", "-s", "KILL", "60", "env"] + settings + words, in: root.appending("p"),
        environment: [
          "NPI_PACK_STORE": root.appending("store").string, "TMPDIR": root.appending("tmp").string, "NO_COLOR": "1",
        ])
      if let status, result.status != status { throw ToolError("status \(result.status): \(result.all)") }
      return result
    }

    /// What is wrong with what a run has come to.
    private func problem(_ result: ToolResult, in root: FilePath, mayFail: Bool) -> String? {
      let said = "status \(result.status): \(result.all)"
      let isRight = result.status == right.status
      guard isRight || mayFail && (result.status == 1 || result.status == 2) else { return said }
      if !isRight, !result.err.contains("error: ") { return "no error is told: \(said)" }
      switch run {
      case .check, .checkAgain: return isRight && result.out != right.out ? "another result: \(said)" : nil
      case .build, .restore: break
      }
      for output in FourStates.outputs {
        let bytes = (try? Data(contentsOf: URL(fileURLWithPath: root.appending("p/\(output)").string))).map {
          [UInt8]($0)
        }
        if bytes == states.expected[1][output] { continue }
        // Of a command that fails, what it left behind is a half-made output that nobody takes for one.
        let isOld = run == .build && bytes == states.expected[0][output]
        if isRight || !(isOld || bytes == nil) { return "\(output) is wrong: \(said)" }
      }
      return nil
    }
  }
#endif
