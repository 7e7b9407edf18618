/// What a report says at its end of what was compared, in words that each format shows its own way.
struct ComparedTable {
  static let columns = ["plugin", "version", "platforms and slices", "code found", "not looked at"]

  /// A text for each column; empty where nothing is to be said.
  let rows: [[String]]
  /// How many plugins are only counted.
  let left: Int
  /// Who compared them: `npi-pack 1.0, linker lld`.
  let tool: String
  /// What judged, and what did not.
  let coverage: [String]

  init(_ report: AppReport, _ context: ReportContext, isCut: Bool = false) {
    let most = isCut ? report.maxItems ?? .max : .max
    // Whatever was not read whole is named in any case.
    let shown = report.compared.enumerated().filter { $0.offset < most || !$0.element.unread.isEmpty }.map(\.element)
    rows = shown.map(\.cells)
    left = report.compared.count - shown.count
    tool = "npi-pack \(context.version)" + (report.linker.map { ", linker \($0)" } ?? "")
    coverage = report.coverage.lines
  }

  var isEmpty: Bool { rows.isEmpty && coverage.isEmpty }

  var more: [String] { left == 0 ? [] : ["and \(left) more plugins"] }

  /// A line for each plugin and each owner of rules, for formats without tables.
  var lines: [String] { (rows.isEmpty ? [] : ["compared by \(tool):"]) + rows.map(Self.line) + more + coverage }

  /// `Rally 1.4.0: ios-arm64; 2 libraries; not looked at: assets (too large)`
  static func line(_ row: [String]) -> String {
    let unread = row[4].isEmpty ? "" : "not looked at: \(row[4])"
    let name = [row[0], row[1]].filter { !$0.isEmpty }.joined(separator: " ")
    return "\(name): \([row[2], row[3], unread].filter { !$0.isEmpty }.joined(separator: "; "))"
  }

  /// Rows of a text for a terminal, with spaces between the columns.
  var alignedRows: [String] {
    let rows = [Self.columns] + rows.map { $0.map(printable) }
    // A column in which nothing is said takes no room, and a long text moves only its own row.
    let widths = Self.columns.indices.map { column in
      let texts = rows.dropFirst().map { $0[column].count }
      return texts.allSatisfy { $0 == 0 } ? 0 : (texts + [rows[0][column].count]).filter { $0 <= 40 }.max() ?? 0
    }
    return rows.map { row in
      var line = ""
      for (text, width) in zip(row, widths) where width > 0 {
        line += "  " + text + String(repeating: " ", count: max(0, width - text.count))
      }
      return line.trimmedEnd
    }
  }
}

extension ComparedPlugin {
  /// A text for each of `ComparedTable.columns`.
  fileprivate var cells: [String] {
    [
      name, version ?? "", slices.joined(separator: ", "), code.isEmpty ? "no code" : code.joined(separator: ", "),
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
  /// Members by owner; with the apps of which it is said, if the others differ.
  var json: JSONValue {
    .object(
      parts.map { part in
        let missing = part.missing.map { ["name": .string($0.name), "reason": .string($0.reason)] as JSONValue }
        return (part.title, ["judged": .array(part.judged.map(JSONValue.string)), "missing": .array(missing)])
      })
  }
}

extension String {
  fileprivate var trimmedEnd: String {
    var text = self[...]
    while text.unicodeScalars.last == " " { text.unicodeScalars.removeLast() }
    return String(text)
  }
}
