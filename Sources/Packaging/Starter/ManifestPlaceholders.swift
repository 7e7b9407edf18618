/// What `manifestPlaceholders` of a module's script says: Gradle puts these values into the library's own manifest, and leaves
/// the names that it has none for, such as `${applicationId}`, to the app's build.
struct ManifestPlaceholders: Sendable {
  enum Value: Sendable, Equatable {
    case literal(String)
    /// Or it differs from one build type to another, or is more than plain text.
    case computed
  }

  private(set) var values: [String: Value] = [:]

  private let tokens: [ScriptTokens.Token]
  private var entries = 0
  /// More are no plugin's own.
  private static let most = 100

  init(_ tokens: [ScriptTokens.Token]) {
    self.tokens = tokens
    var index = 0
    while index < tokens.count {
      defer { index += 1 }
      guard ["manifestPlaceholders", "addManifestPlaceholders"].contains(tokens[index].word) else { continue }
      let start = index + 1
      var depth = 0
      while index + 1 < tokens.count, depth > 0 || tokens[index + 1] != .newLine {
        depth += tokens[index + 1].opens ? 1 : tokens[index + 1].closes ? -1 : 0
        if depth < 0 { break }
        index += 1
      }
      for place in start..<max(start, index + 1) { take(place) }
    }
  }

  /// `name: 'value'` and `"name": 'value'` of a map, `"name" to "value"`, `["name"] = "value"`, `.name = "value"`,
  /// `put("name", "value")`.
  private mutating func take(_ place: Int) {
    let next = tokens[at: place + 1]
    let entry: (name: String, value: Int)?
    if let name = tokens[place].label {
      entry = (name, place + 1)
    } else if let name = tokens[place].text {
      let isPut = next == .sign(",") && tokens[at: place - 1] == .sign("(") && tokens[at: place - 2] == .word("put")
      let isItem = next == .sign("]") && tokens[at: place + 2] == .sign("=")
      entry = next == .sign(":") || next == .word("to") || isPut ? (name, place + 2) : isItem ? (name, place + 3) : nil
    } else if let name = tokens[place].word, next == .sign("="), tokens[at: place - 1] == .sign("."),
      tokens[at: place - 2] == .word("manifestPlaceholders")
    {
      entry = (name, place + 2)
    } else {
      entry = nil
    }
    guard let (name, index) = entry, entries < ManifestPlaceholders.most else { return }
    entries += 1
    let value = literal(at: index).map(Value.literal) ?? .computed
    values[name] = values[name].map { $0 == value } ?? true ? value : .computed
  }

  private func literal(at index: Int) -> String? {
    let isWhole = tokens[at: index + 1].map { $0 == .newLine || $0.isSign(",)]};") } ?? true
    guard isWhole, let token = tokens[at: index] else { return nil }
    let value =
      token.text ?? token.number
      ?? token.word.flatMap { name in
        ["true", "false"].contains(name) ? name : tokens.literal(of: name)
      }
    return value.flatMap { ManifestPlaceholders.isPlain($0) ? $0 : nil }
  }

  /// As it can stand in an attribute, and in a command of sed's.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.count < 500
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-:/@ +*#=".contains($0)) }
  }
}

extension AndroidManifestFile {
  private static let mostPlaceholders = 100

  /// The names in `${…}`, but for the one that every app has.
  var placeholders: [String] {
    let names = text.matches(of: #/\$\{([A-Za-z0-9_.\-]{1,100})\}/#).map { String($0.1) }
    return Array(Set(names).subtracting(["applicationId"]).sorted().prefix(AndroidManifestFile.mostPlaceholders))
  }
}
