/// The end of a report, which lists what was compared. Each format shows it in its own way.
struct ComparedTable {
  static let columns = ["plugin", "version", "platforms and slices", "code found", "not looked at"]

  /// A text for each column, which may be empty.
  let rows: [[String]]
  /// The number of plugins that have no row.
  let left: Int
  /// `compared by npi-pack 1.0, linker lld`; nil if nothing was.
  let heading: String?
  /// The lines of rules and families that judged, and of those that could not.
  let coverage: [String]

  private static let maxUnread = 5

  /// `most`: the number of plugins that have a row. Some that were not read completely have one besides.
  init(_ report: AppReport, _ context: ReportContext, most: Int = .max) {
    let others = report.compared.dropFirst(most).filter { !$0.unread.isEmpty }
    let shown = report.compared.prefix(most) + others.prefix(Self.maxUnread)
    rows = shown.map(\.cells)
    left = report.compared.count - shown.count
    let tool = "npi-pack \(context.version)" + (report.linker.map { ", linker \($0)" } ?? "")
    let what = rows.isEmpty && left > 0 ? "\(counted(left, "plugin")) " : ""
    heading = report.compared.isEmpty && report.linker == nil ? nil : "\(what)compared by \(tool)"
    coverage = report.coverage.lines
  }

  var isEmpty: Bool { heading == nil && coverage.isEmpty }

  var more: [String] { left == 0 || rows.isEmpty ? [] : ["and \(counted(left, "more plugin"))"] }

  /// A line for each plugin and each owner of rules, for formats without tables.
  var lines: [String] { [heading].compactMap(\.self) + rows.map(Self.line) + more + coverage }

  /// `Rally 1.4.0: ios-arm64; 2 libraries; not looked at: assets (too large)`
  static func line(_ row: [String]) -> String {
    let unread = row[4].isEmpty ? "" : "not looked at: \(row[4])"
    let name = [row[0], row[1]].filter { !$0.isEmpty }.joined(separator: " ")
    return "\(name): \([row[2], row[3], unread].filter { !$0.isEmpty }.joined(separator: "; "))"
  }

  /// Rows for a terminal, with spaces between the columns.
  var alignedRows: [String] {
    if rows.isEmpty { return [] }
    let rows = [Self.columns] + rows.map { $0.map(printable) }
    // An empty column takes no room, and a long text moves only its own row.
    let widths = Self.columns.indices.map { column in
      let texts = rows.dropFirst().map { $0[column].count }
      return texts.allSatisfy { $0 == 0 } ? 0 : (texts + [rows[0][column].count]).filter { $0 <= 40 }.max() ?? 0
    }
    return rows.map { row in
      var (line, gap) = ("", 0)
      for (text, width) in zip(row, widths) where width > 0 {
        gap += 2
        if !text.isEmpty {
          line += String(repeating: " ", count: gap) + text
          gap = 0
        }
        gap += max(0, width - text.count)
      }
      return line
    }
  }
}

extension ComparedPlugin {
  /// A text for each of `ComparedTable.columns`.
  fileprivate var cells: [String] {
    [
      name, version ?? "", slices.joined(separator: ", "),
      code.isEmpty && unread.isEmpty ? "no code" : code.joined(separator: ", "),
      unread.joined(separator: "; "),
    ]
  }

  var json: JSONValue {
    func list(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
    return [
      "name": .string(name), "version": version.map(JSONValue.string) ?? .null, "path": .string(path),
      "slices": list(slices), "code": list(code), "unread": list(unread),
    ]
  }
}

extension Coverage {
  /// Members by owner, with the apps that a part holds for if the others differ.
  var json: JSONValue {
    .object(
      parts.map { part in
        let missing = part.missing.map { ["name": .string($0.name), "reason": .string($0.reason)] as JSONValue }
        return (part.title, ["judged": .array(part.judged.map(JSONValue.string)), "missing": .array(missing)])
      })
  }
}
