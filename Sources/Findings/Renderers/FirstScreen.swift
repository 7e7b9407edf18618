/// What a terminal shows of the report on an app. If it is cut, that is all of it as long as it fits on a screen, and
/// otherwise the verdict, its causes with what to do, and how to see the rest.
struct FirstScreen {
  /// The lines of a terminal that nobody has made larger.
  static let height = 24

  enum Line: Equatable {
    /// Ready to be shown.
    case plain(String)
    case strong(String)
    case cause(Level, String)
    case advice(String)

    /// In columns of a terminal, as if every scalar took one. Colours take none.
    var width: Int {
      switch self {
      case .plain(let text):
        text.unicodeScalars.count - text.matches(of: /\u{1B}\[[0-9;]*m/).reduce(0) { $0 + $1.output.count }
      case .strong(let text): text.unicodeScalars.count
      case .cause(let level, let text): "  \(level.rawValue): ".utf8.count + text.unicodeScalars.count
      case .advice(let text): "    -> ".utf8.count + text.unicodeScalars.count
      }
    }
  }

  let report: AppReport
  /// Longer lines are wrapped; nil if they are not.
  let columns: Int?
  /// The lines of each finding.
  let findings: [[String]]
  /// The lines of the table with rows for this many plugins.
  let table: (_ most: Int) -> [String]

  /// Everything, but for the summary at the end.
  var whole: [Line] {
    let causes = findings.count < Self.minForVerdict ? [] : causes(Self.maxCauses)
    return (causes.isEmpty ? [] : [headline] + causes + [.plain("")]) + plain(findings.joined()) + plain(table(.max))
  }

  private static let maxCauses = 15
  /// Fewer findings are as short as their verdict.
  private static let minForVerdict = 4

  /// At most a screen, with the summary, a note before it and the prompt after it.
  var lines: [Line] {
    let room = Self.height - 3
    let all = plain(findings.joined())
    let free = room - height(all)
    // Rows of the table give way before any line of a finding does.
    let most = free < 0 ? nil : ([.max] + (0...free).reversed()).first { height(plain(table($0))) <= free }
    if let most { return all + plain(table(most)) }
    let end = plain(table(0))
    let left = room - height([headline] + plain(["", Self.rest(findings.count), ""]) + end)
    let causes = causes(left)
    let (first, count) = whatFits(left - height(causes))
    return [headline] + causes + first + plain(["", Self.rest(findings.count - count), ""]) + end
  }

  private var headline: Line { .strong(report.verdict?.headline ?? report.report.summary) }

  private func causes(_ most: Int) -> [Line] {
    (report.verdict?.lines(most: most) { height([Self.line($0)]) } ?? []).map(Self.line)
  }

  private static func line(_ line: AppVerdict.Line) -> Line {
    switch line {
    case .cause(let level, let text): .cause(level, text)
    case .advice(let text): .advice(text)
    case .edit(let edit): .plain("       \(edit.line)")
    case .more(let count): .plain("  and \(counted(count, "more cause"))")
    }
  }

  /// The first findings, and how many these are.
  private func whatFits(_ most: Int) -> (lines: [Line], count: Int) {
    var (lines, count) = ([String](), 0)
    for finding in findings {
      if height(plain([""] + lines + finding.dropLast())) > most { break }
      lines += finding
      count += 1
    }
    return (lines.isEmpty ? [] : plain([""] + lines.dropLast()), count)
  }

  private static func rest(_ left: Int) -> String {
    "and \(counted(left, "more finding")): -v shows all, and --format html -o report.html makes a page of them"
  }

  /// The rows of a terminal that lines take up.
  private func height(_ lines: some Sequence<Line>) -> Int {
    guard let columns, columns > 0 else { return lines.reduce(0) { count, _ in count + 1 } }
    return lines.reduce(0) { $0 + max(1, ($1.width + columns - 1) / columns) }
  }

  private func plain(_ lines: some Sequence<String>) -> [Line] { lines.map(Line.plain) }
}
