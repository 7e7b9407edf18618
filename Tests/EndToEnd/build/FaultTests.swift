#if os(Linux)
  import Foundation
  import SystemPackage
  import TestSupport
  import Testing

  /// Each call that the system can refuse is refused once: the right result or a clear error, never a wrong output, a crash
  /// or a hang, and the next run ends well.
  ///
  /// `NPI_FAULTS=all` lets every call fail in every way, `NPI_FAULTS=build/open/17/EIO` this one only.
  @Suite("calls that fail once", .serialized)
  struct FaultTests {
    static let errors: [(name: String, number: Int32)] = [("EIO", EIO), ("ENOSPC", ENOSPC), ("EINTR", EINTR)]

    struct Fault: Sendable, CustomStringConvertible {
      var run: FaultRun
      var function: String
      var call: Int
      var error: (name: String, number: Int32)
      var description: String { "\(run.rawValue)/\(function)/\(call)/\(error.name)" }
    }

    @Test(.timeLimit(.minutes(60)), arguments: FaultRun.allCases)
    func aCallThatFailsOnce(_ run: FaultRun) async throws {
      let template = try await FaultTemplate(run)
      var random = Seeded(seed: 7)
      let faults = FaultTests.chosen(run, try await template.counts(), &random)
      let width = ProcessInfo.processInfo.activeProcessorCount
      var happened = 0
      await withTaskGroup(of: (Fault, FaultTrial).self) { group in
        var rest = faults[...]
        func start() {
          guard let fault = rest.popFirst() else { return }
          group.addTask { (fault, await template.trial(fault)) }
        }
        for _ in 0..<width { start() }
        while let (fault, trial) = await group.next() {
          if trial.happened { happened += 1 }
          #expect(trial.problem == nil, "\(fault): \(trial.problem ?? "")")
          start()
        }
      }
      // Threads take turns: not each number of calls is reached each time.
      #expect(happened * 10 >= faults.count * 8, "\(happened) of \(faults.count) calls were made to fail")
    }

    /// Every function's first calls, and of the others some by chance, each with one error of three; `NPI_FAULTS=all`: all.
    static func chosen(_ run: FaultRun, _ counts: [(function: String, count: Int)], _ random: inout Seeded) -> [Fault] {
      let wanted = ProcessInfo.processInfo.environment["NPI_FAULTS"]
      let all = counts.flatMap { function, count in
        (0..<count).flatMap { call in
          errors.map { Fault(run: run, function: function, call: call + 1, error: $0) }
        }
      }
      if wanted == "all" { return all }
      if let wanted { return all.filter { $0.description == wanted } }
      return counts.flatMap { function, count in
        var calls = Set(0..<min(count, 8))
        calls.formUnion((0..<min(count, 4)).map { count - 1 - $0 })
        for _ in 0..<6 where count > 12 { calls.insert(random.number(count)) }
        let first = random.number(errors.count)
        return calls.sorted().enumerated().map { index, call in
          Fault(run: run, function: function, call: call + 1, error: errors[(index + first) % errors.count])
        }
      }
    }
  }

  enum FaultRun: String, CaseIterable, Sendable {
    /// What was made before is out of date.
    case build
    /// Everything is in the user's store.
    case restore
    case check
    /// What an earlier one found is in the user's store.
    case checkAgain = "check-again"
  }

  struct FaultTrial: Sendable {
    /// The call was made, and failed.
    var happened = false
    var problem: String?
  }
#endif
