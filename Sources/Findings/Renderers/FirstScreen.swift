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
  }

  let report: AppReport
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
    // Rows of the table give way before any line of a finding does.
    let most = ([.max] + (0...room).reversed()).first { all.count + table($0).count <= room }
    if let most { return all + plain(table(most)) }
    let end = plain(["", Self.rest, ""] + table(0))
    let left = room - 1 - end.count
    let causes = causes(left)
    return [headline] + (causes.isEmpty ? whatFits(left) : causes) + end
  }

  private var headline: Line { .strong(report.verdict?.headline ?? report.report.summary) }

  private func causes(_ most: Int) -> [Line] {
    (report.verdict?.lines(most: most) ?? []).map { line in
      switch line {
      case .cause(let level, let text): .cause(level, text)
      case .advice(let text): .advice(text)
      case .more(let count): .plain("  and \(counted(count, "more cause"))")
      }
    }
  }

  /// The first findings, for a report in which nothing asks for an action.
  private func whatFits(_ most: Int) -> [Line] {
    var lines: [String] = []
    for finding in findings {
      if 1 + lines.count + finding.count - 1 > most { break }
      lines += finding
    }
    return lines.isEmpty ? [] : plain([""] + lines.dropLast())
  }

  private static let rest = "-v shows every finding; --format html -o report.html makes a page of them"

  private func plain(_ lines: some Sequence<String>) -> [Line] { lines.map(Line.plain) }
}
