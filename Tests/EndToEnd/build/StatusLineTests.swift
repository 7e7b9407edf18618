import BuildEngine
import Findings
import Synchronization
import SystemPackage
import Testing

@testable import npi_pack

/// The text of the status line, and how often it is written.
@Suite struct StatusLineTests {
  private func line(
    _ summary: String, seconds: Int = 0, others: Int = 0, bytes: (done: Int64, total: Int64)? = nil, columns: Int = 80
  ) -> String {
    var line = StatusLine(done: 3, total: 7)
    line.running = StatusLine.Running(
      summary: summary, seconds: seconds,
      bytes: bytes.map { StatusLine.Bytes(done: $0.done << 20, total: $0.total << 20) })
    line.others = others
    return line.text(columns: columns)
  }

  @Test func whatItSays() {
    #expect(line("run a") == "[3/7] run a")
    #expect(line("run a", seconds: 1) == "[3/7] run a")
    #expect(line("run a", seconds: 12, others: 2) == "[3/7] run a (12 s, 2 more)")
    #expect(line("run a", seconds: 1, others: 2) == "[3/7] run a (2 more)")
    #expect(line("run a", seconds: 125) == "[3/7] run a (2 min 5 s)")
    #expect(line("run a", seconds: 3725) == "[3/7] run a (1 h 2 min)")
    #expect(line("run a\u{1B}[K\n") == #"[3/7] run a\u{1b}[K\n"#)
    #expect(StatusLine(done: 3, total: 7).text(columns: 80) == "[3/7] looking at inputs")
    #expect(StatusLine(done: 3, total: 7, isInterrupted: true).text(columns: 80) == "[3/7] interrupted")
    var ended = StatusLine(done: 3, total: 7, isInterrupted: true)
    ended.running = StatusLine.Running(summary: "run a", seconds: 3)
    #expect(ended.text(columns: 80) == "[3/7] interrupted: run a (3 s)")
  }

  @Test func theBar() {
    #expect(line("zip a", bytes: (0, 64)) == "[3/7] zip a [>                   ] 0/64 MB")
    #expect(line("zip a", bytes: (32, 64)) == "[3/7] zip a [==========>         ] 32/64 MB")
    #expect(line("zip a", seconds: 5, bytes: (63, 64)) == "[3/7] zip a [===================>] 63/64 MB (5 s)")
    #expect(line("zip a", bytes: (64, 64)) == "[3/7] zip a [====================] 64/64 MB")
    // Claims that make no sense.
    #expect(line("zip a", bytes: (99, 64)) == "[3/7] zip a [====================] 99/64 MB")
    #expect(line("zip a", bytes: (-1, 64)) == "[3/7] zip a [>                   ] -1/64 MB")
    #expect(line("zip a", bytes: (16, 32)) == "[3/7] zip a")
  }

  /// What gives way when it gets narrower.
  @Test func whatIsTooLong() {
    let name = "ios-zip RallyConnector-1.4.0-ios.zip"
    let line = { (columns: Int) in
      self.line(name, seconds: 12, others: 2, bytes: (32, 64), columns: columns)
    }
    #expect(line(100) == "[3/7] \(name) [==========>         ] 32/64 MB (12 s, 2 more)")
    #expect(line(80) == "[3/7] ios-zip Rall...4.0-ios.zip [==========>         ] 32/64 MB (12 s, 2 more)")
    #expect(line(60) == "[3/7] ios-zip Rally...1.4.0-ios.zip 32/64 MB (12 s, 2 more)")
    #expect(line(40) == "[3/7] ios-zip ...ios.zip (12 s, 2 more)")
    #expect(line(20) == "[3/7] ios-z...s.zip")
    #expect(line(6) == "[3/7]")
    #expect(line(0).isEmpty)
  }

  @Test(arguments: ["plain", "计划构建步骤的名字很长", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "e\u{301}o\u{308}", "각각각", "\u{1100}\u{1161}\u{11A8}"])
  func neverWiderThanTheTerminal(_ name: String) {
    for columns in 0...120 {
      let text = line("run \(name)\(name)", seconds: 12, bytes: (5, 64), columns: columns)
      // A terminal that knows no more of Unicode than that such a scalar may be wide.
      let widest = text.unicodeScalars.reduce(0) { sum, scalar in
        let isMark = scalar.properties.generalCategory == .nonspacingMark || scalar == "\u{200D}"
        return sum + (scalar.isASCII ? 1 : isMark ? 0 : 2)
      }
      #expect(widest <= max(0, columns - 1), "\(columns): \(text)")
    }
  }

  // MARK: How often

  private final class Recorder: Sendable {
    let written = Mutex<[String]>([])
    let time = Mutex(Duration.zero)
    let later = Mutex<[@Sendable () -> Void]>([])
    private let start = ContinuousClock.now

    var texts: [String] { written.withLock { $0 } }

    func pass(_ duration: Duration) { time.withLock { $0 += duration } }

    /// What the ticker would do now.
    func tick() {
      let bodies = later.withLock { later in
        defer { later = [] }
        return later
      }
      for body in bodies { body() }
    }

    var screen: Screen {
      Screen(
        write: { text in self.written.withLock { $0.append(text) } }, columns: { 80 }, isInForeground: { true },
        now: { self.start + self.time.withLock { $0 } }, later: { body in self.later.withLock { $0.append(body) } })
    }
  }

  private struct NoAction: Action {
    func encode(into encoder: inout some KeyEncoder) {}
    func run(_ context: ActionContext) async throws -> ActionReport { ActionReport() }
  }

  private func step(_ name: String) -> Step {
    Step(name: name, summary: "run \(name)", inputs: [], outputs: [], action: NoAction(), place: Place("npi.yml"))
  }

  private func progress(_ recorder: Recorder, isTerminal: Bool = true) -> ProgressLines {
    ProgressLines(
      Console(color: false, colorsOutput: false, isTerminal: isTerminal), quiet: false, verbose: false, explain: false,
      again: RunAgain(), screen: recorder.screen)
  }

  private func finish(_ progress: ProgressLines, _ step: Step, of total: Int) {
    progress.finished(StepResult(step, .ran(.forced)), of: total)
  }

  @Test func tenThousandQuickSteps() {
    let recorder = Recorder()
    let lines = progress(recorder)
    for number in 0..<10_000 {
      lines.started(step("s\(number)"), of: 10_000, because: .forced)
      finish(lines, step("s\(number)"), of: 10_000)
      // Two seconds in all.
      recorder.pass(.microseconds(200))
    }
    let count = recorder.texts.count
    #expect((20...40).contains(count), "\(count)")
    #expect(recorder.texts.first == "\r[0/10000] run s0\u{1B}[K\r")
    lines.finish()
    #expect(recorder.texts.last == "\r\u{1B}[K")
    // The ticker is still under way: it must not bring the line back.
    recorder.tick()
    #expect(recorder.texts.count == count + 1)
  }

  @Test func timeMovesTheSecondsAndNothingElseIsWritten() {
    let recorder = Recorder()
    let lines = progress(recorder)
    lines.started(step("a"), of: 2, because: .forced)
    for _ in 0..<50 {
      recorder.pass(.milliseconds(100))
      recorder.tick()
    }
    #expect(
      recorder.texts
        == ["[0/2] run a", "[0/2] run a (2 s)", "[0/2] run a (3 s)", "[0/2] run a (4 s)", "[0/2] run a (5 s)"]
        .map { "\r\($0)\u{1B}[K\r" })
  }

  /// Two bars at once: that of the step that has run longest, until it ends.
  @Test func barsDoNotFlicker() {
    let recorder = Recorder()
    let lines = progress(recorder)
    for name in ["a", "b"] { lines.started(step(name), of: 2, because: .forced) }
    for done in 1...64 {
      for name in ["b", "a"] { lines.advanced(step(name), done: Int64(done) << 20, of: 64 << 20) }
      recorder.pass(.milliseconds(20))
      if done % 5 == 0 { recorder.tick() }
    }
    let bars = recorder.texts.dropFirst()
    #expect(bars.count > 10)
    // The bar of the first one at once; just before it, that another one runs.
    #expect(bars.dropFirst().first?.contains(" 1/64 MB") == true)
    #expect(bars.allSatisfy { $0.hasPrefix("\r[0/2] run a") }, "\(bars)")
    // What is not long gets none.
    finish(lines, step("a"), of: 2)
    recorder.pass(.seconds(1))
    lines.advanced(step("b"), done: 64 << 20, of: 64 << 20)
    #expect(recorder.texts.last?.hasPrefix("\r[1/2] run b [====================] 64/64 MB") == true)
  }

  /// Whether the end repeats it depends on what was printed after it.
  @Test func theLastThingPrinted() {
    for isTerminal in [true, false] {
      let recorder = Recorder()
      let lines = progress(recorder, isTerminal: isTerminal)
      for name in ["a", "b"] { lines.started(step(name), of: 4, because: .forced) }
      lines.finished(StepResult(step("a"), .failed(StepFailure("no"))), of: 4)
      finish(lines, step("b"), of: 4)
      lines.started(step("c"), of: 4, because: .forced)
      finish(lines, step("c"), of: 4)
      #expect(lines.finish() == isTerminal)
    }
    let recorder = Recorder()
    let lines = progress(recorder)
    lines.finished(StepResult(step("a"), .failed(StepFailure("no"))), of: 2)
    lines.finished(StepResult(step("b"), .ran(.forced), notes: ["a note"]), of: 2)
    #expect(!lines.finish())
  }
}
