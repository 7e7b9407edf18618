import Findings
import Synchronization

/// Records how long work takes, for Chrome's trace viewer and Perfetto.
///
/// The format: "Trace Event Format" of the Chromium project, complete events (`"ph": "X"`): a name, a category, when it
/// began and how long it took, in microseconds. Events of one `tid` nest or follow one another. So a `tid` is not a
/// thread here (work goes from one to another) but a lane: a span takes the first free lane, and its parts lie in the
/// same lane.
package final class Trace: Sendable {
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private let state = Mutex(State())

  private struct State {
    var events: [Event] = []
    /// For each lane the numbers of the spans that are open, the innermost last.
    var lanes: [[Int]] = []
    var last = 0
  }

  fileprivate struct Event {
    let name: String
    let category: String
    let lane: Int
    /// In microseconds since the trace began.
    let begin: Int
    var end = 0
    var arguments: [(key: String, value: String)] = []
  }

  package init() { start = clock.now }

  /// In whole microseconds. All times are rounded down, so that nested spans stay nested.
  private var now: Int {
    let time = start.duration(to: clock.now).components
    return Int(time.seconds) * 1_000_000 + Int(time.attoseconds / 1_000_000_000_000)
  }

  package struct Span: Sendable {
    fileprivate let trace: Trace
    fileprivate let number: Int
    fileprivate let event: Event

    /// Begins a part of this span. Parts that run at once each have a lane of their own.
    package func begin(_ name: String, _ category: String) -> Span { trace.begin(name, category, in: self) }

    /// May be called once.
    package func end(_ arguments: [(key: String, value: String)] = []) { trace.end(self, arguments) }
  }

  package func begin(_ name: String, _ category: String) -> Span { begin(name, category, in: nil) }

  private func begin(_ name: String, _ category: String, in parent: Span?) -> Span {
    state.withLock { state in
      state.last += 1
      var lane = state.lanes.firstIndex(where: \.isEmpty) ?? state.lanes.count
      if let parent, state.lanes[parent.event.lane].last == parent.number { lane = parent.event.lane }
      if lane == state.lanes.count { state.lanes.append([]) }
      state.lanes[lane].append(state.last)
      return Span(trace: self, number: state.last, event: Event(name: name, category: category, lane: lane, begin: now))
    }
  }

  private func end(_ span: Span, _ arguments: [(key: String, value: String)]) {
    state.withLock { state in
      var event = span.event
      // Spans that an error left open inside this one end with it.
      if let index = state.lanes[event.lane].firstIndex(of: span.number) {
        state.lanes[event.lane].removeSubrange(index...)
      }
      (event.end, event.arguments) = (now, arguments)
      state.events.append(event)
    }
  }

  /// The beginning of every trace file.
  package static let head = #"{"displayTimeUnit":"ms","traceEvents":["#

  package var text: String {
    let (events, lanes) = state.withLock { ($0.events, $0.lanes.count) }
    func named(_ what: String, _ lane: Int, _ name: String) -> JSONValue {
      ["name": .string(what), "ph": "M", "pid": 1, "tid": .int(lane), "args": ["name": .string(name)]]
    }
    let names = [named("process_name", 0, "npi-pack")] + (0..<lanes).map { named("thread_name", $0, "lane \($0 + 1)") }
    let spans = events.sorted { ($0.begin, -$0.end) < ($1.begin, -$1.end) }.map { event in
      JSONValue.object([
        ("name", .string(event.name)), ("cat", .string(event.category)), ("ph", "X"), ("ts", .int(event.begin)),
        ("dur", .int(event.end - event.begin)), ("pid", 1), ("tid", .int(event.lane)),
        ("args", .object(event.arguments.map { ($0.key, .string($0.value)) })),
      ])
    }
    return JSONValue.object([("displayTimeUnit", "ms"), ("traceEvents", .array(names + spans))]).compact + "\n"
  }
}
