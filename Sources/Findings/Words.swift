/// `1 file`, `3 files`. `many` is the plural, unless that is the singular with an s.
package func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
  count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
}

/// ` and 3 more`; empty if there are none.
package func andMore(_ count: Int) -> String { count > 0 ? " and \(count) more" : "" }

/// `a, b and 3 more`: the first ones of many, for one line. `count` is the total, if `texts` has only some of them.
package func listed(
  _ texts: some Collection<String>, limit: Int = 5, of count: Int? = nil, separator: String = ", "
) -> String {
  let shown = texts.prefix(limit)
  return shown.joined(separator: separator) + andMore((count ?? texts.count) - shown.count)
}

/// `a`, `a and b`, `a, b and c`; `a, b, c and 4 more` of more than four.
package func enumerated(_ texts: [String]) -> String {
  if texts.count > 4 { return listed(texts, limit: 3) }
  guard let last = texts.last, texts.count > 1 else { return texts.joined() }
  return "\(texts.dropLast().joined(separator: ", ")) and \(last)"
}
