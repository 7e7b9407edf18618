import Findings

/// The status line of a build on a terminal:
///
///     [3/7] run libA (12 s, 2 more)
///     [0/2] ios-zip Rally-1.4.0-ios.zip [=======>            ] 23/64 MB (5 s)
///
/// It counts finished steps (run, failed, up to date), names the one that has run longest, and counts the others.
struct StatusLine {
  var done: Int
  var total: Int
  /// Nil while no step runs and the engine determines the next one.
  var running: Running?
  var others = 0
  var isInterrupted = false

  struct Running {
    /// `aar RallyConnector.aar`.
    var summary: String
    var seconds = 0
    var bytes: Bytes?
  }

  struct Bytes {
    var done: Int64
    var total: Int64
  }

  /// Shorter steps show neither seconds nor bytes.
  static let longSeconds = 2
  static let longBytes: Int64 = 32 << 20

  /// In columns. A shorter name would be worth less than the text behind it.
  private static let shortestName = 16

  /// At most `columns` - 1 columns wide: a line that wraps cannot be overwritten, and some terminals already wrap in
  /// the last column. If it is too long, parts are left out in this order: the bar, bytes, seconds, the middle of the
  /// step's name.
  func text(columns: Int) -> String {
    let room = max(0, columns - 1)
    let head = "[\(done)/\(total)] "
    let width = DisplayWidth.of(name)
    for tail in tails {
      let left = room - head.utf8.count - tail.utf8.count
      if left >= min(width, StatusLine.shortestName) { return head + DisplayWidth.shorten(name, to: left) + tail }
    }
    return DisplayWidth.shorten(head + DisplayWidth.shorten(name, to: room - head.utf8.count), to: room)
  }

  private var name: String {
    guard let running else { return isInterrupted ? "interrupted" : "looking at inputs" }
    return (isInterrupted ? "interrupted: " : "") + printable(running.summary)
  }

  /// The texts that may follow the name, the longest first.
  private var tails: [String] {
    guard let running else { return [""] }
    var times: [String] = []
    if running.seconds >= StatusLine.longSeconds { times.append(StatusLine.time(running.seconds)) }
    if others > 0 { times.append("\(others) more") }
    let time = times.isEmpty ? "" : " (\(times.joined(separator: ", ")))"
    guard let bytes = running.bytes, bytes.total > StatusLine.longBytes else { return [time, ""] }
    let amount = " \(bytes.done >> 20)/\(bytes.total >> 20) MB"
    return [" [\(StatusLine.bar(bytes))]\(amount)\(time)", "\(amount)\(time)", time, ""]
  }

  /// `=======>            `, 20 columns wide.
  private static func bar(_ bytes: Bytes) -> String {
    let filled = Int(20 * Double(min(max(0, bytes.done), bytes.total)) / Double(bytes.total))
    let done = String(repeating: "=", count: filled)
    return filled == 20 ? done : done + ">" + String(repeating: " ", count: 19 - filled)
  }

  /// `12 s`, `2 min 5 s`, `1 h 2 min`.
  static func time(_ seconds: Int) -> String {
    switch seconds {
    case ..<60: "\(seconds) s"
    case ..<3600: "\(seconds / 60) min \(seconds % 60) s"
    default: "\(seconds / 3600) h \(seconds / 60 % 60) min"
    }
  }
}

/// An upper limit for the width of text on a terminal: versions of Unicode differ, and a line that wraps cannot be
/// overwritten.
enum DisplayWidth {
  static func of(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + of($1) } }

  /// One column for ASCII, at least two for all else. Each of several joined emoji counts, because not every terminal
  /// joins them.
  static func of(_ character: Character) -> Int {
    if character.isASCII { return 1 }
    let columns = character.unicodeScalars.reduce(0) { columns, scalar in
      switch scalar.properties.generalCategory {
      case _ where scalar.isASCII: columns + 1
      case .nonspacingMark, .enclosingMark, .format: columns
      default: columns + 2
      }
    }
    return max(2, columns)
  }

  /// At most this many columns of a text: its beginning and end, if there is room for both.
  static func shorten(_ text: String, to columns: Int) -> String {
    guard of(text) > columns else { return text }
    guard columns >= minForBothEnds else { return String(prefix(of: text, columns)) }
    let room = columns - 3
    let end = prefix(of: String(text.reversed()), room / 2)
    return prefix(of: text, room - room / 2) + "..." + String(end.reversed())
  }

  /// Two columns of each end, at least, and the dots between them.
  private static let minForBothEnds = 8

  private static func prefix(of text: String, _ columns: Int) -> Substring {
    var left = columns
    return text.prefix { character in
      left -= of(character)
      return left >= 0
    }
  }
}
