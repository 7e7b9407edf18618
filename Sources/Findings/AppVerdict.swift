/// The head of a report on an app: what becomes of the app, and what causes it.
package struct AppVerdict: Hashable, Sendable {
  /// `this app does not link`
  package var outcome: String
  /// The worst first; notes are no causes.
  package var causes: [Cause]

  /// One or more findings about the same plugins, which one decision can end.
  package struct Cause: Hashable, Sendable {
    package var level: Level
    /// `A.zip and B.zip: 26 symbols of the same names, all different`
    package var text: String
    /// What to do.
    package var advice: String?
    package var edit: Edit?
    /// The plugins as `FindingScope` names them.
    package var plugins: [String]

    package init(_ level: Level, _ text: String, advice: String?, edit: Edit? = nil, plugins: [String]) {
      self.level = level
      self.text = text
      self.advice = advice
      self.edit = edit
      self.plugins = plugins
    }
  }

  package init(_ outcome: String, _ causes: [Cause]) {
    self.outcome = outcome
    self.causes = causes
  }

  /// `this app does not link: 2 causes`
  package var headline: String {
    let errors = causes.count { $0.level == .error }
    let count =
      errors > 0 ? counted(errors, "cause") : causes.isEmpty ? nil : "\(counted(causes.count, "cause")) of warnings"
    return [outcome, count].compactMap(\.self).joined(separator: ": ")
  }

  /// The first causes as lines that take at most this height. Advice that several in a row share is there once, after
  /// the last; the lines that end causes are there if all of them fit.
  func lines(most: Int, height: (Line) -> Int = { _ in 1 }) -> [Line] {
    func lines(_ count: Int, hasEdits: Bool) -> [Line] {
      let shown = causes.prefix(count)
      var lines: [Line] = []
      for (index, cause) in shown.enumerated() {
        lines.append(.cause(cause.level, cause.text))
        let isShared = index + 1 < count && causes[index + 1].advice == cause.advice
        if let advice = cause.advice, !isShared { lines.append(.advice(advice)) }
        if hasEdits, let edit = cause.edit { lines.append(.edit(edit)) }
      }
      return lines + (count < causes.count ? [.more(causes.count - count)] : [])
    }
    // Each cause has a line at least.
    let counts = (0...min(causes.count, max(0, most))).reversed()
    func fits(_ lines: [Line]) -> Bool { lines.reduce(0) { $0 + height($1) } <= most }
    let all = lines(causes.count, hasEdits: true)
    return fits(all) ? all : counts.lazy.map { lines($0, hasEdits: false) }.first(where: fits) ?? []
  }

  enum Line: Hashable {
    case cause(Level, String)
    case advice(String)
    case edit(Edit)
    case more(Int)
  }
}
