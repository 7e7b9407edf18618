import Documents
import Findings

/// A podspec in Ruby, of which the statements are read that set something to literals. Both ways of an `if` are.
struct PodspecScript {
  private let tokens: [ScriptTokens.Token]
  private let package: Node?
  private var specs: [Podspec] = []
  /// The podspecs by the names of their variables; nil for one that is of no interest.
  private var variables: [String: Int?] = [:]
  /// Texts that a variable was set to.
  private var texts: [String: String] = [:]
  /// Variables that hold what is in package.json.
  private var packages: Set<String> = []
  /// What `end` ends: and the variable that was something else outside.
  private var blocks: [(name: String, before: Int??)?] = []

  static let mostSpecs = 500
  /// Of a text, in bytes.
  private static let longest = 1000

  /// The podspec first, then its subspecs.
  static func read(_ bytes: [UInt8], package: Node?) -> [Podspec] {
    var script = PodspecScript(tokens: ScriptTokens.read(bytes, .ruby), package: package)
    script.read()
    return script.specs
  }

  private init(tokens: [ScriptTokens.Token], package: Node?) {
    self.tokens = tokens
    self.package = package
  }

  private mutating func read() {
    var start = 0
    var depth = 0
    for (index, token) in tokens.enumerated() {
      if token.opens { depth += 1 } else if token.closes { depth = max(0, depth - 1) }
      let isEnd = token == .sign(";") || token == .newLine && depth == 0 && !goesOn(index)
      if isEnd {
        read(start..<index)
        start = index + 1
        depth = 0
      }
    }
    read(start..<tokens.count)
  }

  /// Whether a statement goes on behind this end of a line.
  private func goesOn(_ index: Int) -> Bool {
    tokens[at: index - 1]?.isSign(",=+>|&.") ?? false && !isParameters(index - 1)
  }

  /// The second `|` of `do |s|`.
  private func isParameters(_ index: Int) -> Bool {
    tokens[at: index] == .sign("|") && tokens[at: index - 2] == .sign("|")
  }

  private mutating func read(_ range: Range<Int>) {
    let range = range.drop { tokens[$0] == .newLine }
    guard !range.isEmpty else { return }
    set(range)
    follow(range)
  }

  // MARK: - Blocks

  private mutating func follow(_ range: Range<Int>) {
    let openers: Set<String> = ["if", "unless", "while", "until", "case", "begin", "def", "class", "module", "for"]
    var isLoop = false
    for index in range {
      guard let word = tokens[index].word, tokens[at: index - 1] != .sign(".") else { continue }
      let isFirst =
        index == range.lowerBound || [.sign("="), .sign(";"), .word("then")].contains(tokens[at: index - 1])
      if openers.contains(word), isFirst {
        isLoop = ["while", "until", "for"].contains(word)
        blocks.append(nil)
      } else if word == "do" {
        // A loop has one `end` with or without it.
        if !isLoop { open(index) }
      } else if word == "end", let last = blocks.popLast(), let (name, before) = last {
        variables[name] = before
      }
    }
  }

  /// `Pod::Spec.new do |s|`, `s.subspec 'Core' do |core|`, `s.subspec('Core') do |core|`, and others.
  private mutating func open(_ index: Int) {
    guard tokens[at: index + 1] == .sign("|"), let name = tokens[at: index + 2]?.word else { return blocks.append(nil) }
    blocks.append((name, variables[name]))
    if tokens[at: index - 1] == .word("new"), tokens[at: index - 3] == .word("Spec"), specs.isEmpty {
      specs.append(Podspec(path: ""))
      variables[name] = 0
      return
    }
    let call = tokens[at: index - 1] == .sign(")") ? index - 4 : index - 2
    guard let kind = tokens[at: call]?.word, ["subspec", "test_spec", "app_spec"].contains(kind) else { return }
    // What only tests the pod is of no interest.
    variables[name] = .some(nil)
    guard kind == "subspec", let outer = tokens[at: call - 2]?.word, let parent = variables[outer] ?? nil,
      specs.count < PodspecScript.mostSpecs
    else { return }
    let own = string(tokens[at: index - 1] == .sign(")") ? tokens[at: index - 2] : tokens[at: index - 1])
    let above = specs[parent].path
    specs.append(Podspec(path: (above.isEmpty ? "" : above + "/") + (own ?? Podspec.unnamed)))
    variables[name] = specs.count - 1
  }

  // MARK: - Values

  private mutating func set(_ range: Range<Int>) {
    let first = range.lowerBound
    guard let name = tokens[first].word else { return }
    if tokens[at: first + 1] == .sign("=") {
      let value = first + 2..<range.upperBound
      if value.contains(where: {
        string(tokens[$0]) == "package.json" || tokens[$0].text?.hasSuffix("/package.json") ?? false
      }) {
        packages.insert(name)
      } else if let text = literals(value).first {
        texts[name] = text
      }
      return
    }
    guard let spec = variables[name] ?? nil, tokens[at: first + 1] == .sign("."), var key = tokens[at: first + 2]?.word
    else { return }
    var next = first + 3
    let systems = ["ios", "osx", "macos", "tvos", "watchos", "visionos"]
    if systems.contains(key), tokens[at: next] == .sign("."), let own = tokens[at: next + 1]?.word {
      guard key == "ios" else { return }
      key = own
      next += 2
    }
    if key == "dependency" {
      if tokens[at: next] == .sign("(") { next += 1 }
      if let text = string(tokens[at: next]) { specs[spec].add([text], to: key) }
      return
    }
    if tokens[at: next] == .sign("+") { next += 1 }
    guard tokens[at: next] == .sign("="), next < range.upperBound else { return }
    let value = next + 1..<range.upperBound
    if Podspec.key(key) == "platforms" {
      specs[spec].add(platforms: platforms(value))
    } else {
      let found = literals(value)
      if key == "name" || key == "version", let text = found.first { texts["\(name).\(key)"] = text }
      specs[spec].add(found, to: key)
      specs[spec].add(pairs(value), to: key)
      if found.isEmpty, key == "compiler_flags" { specs[spec].add([key], to: "computed") }
    }
  }

  /// `{ 'Rally' => ['a.png'], :b => 'c' }`: what stands behind each key, and no map in it.
  private func pairs(_ range: Range<Int>) -> [(key: String, values: [String])] {
    guard let open = range.first(where: { tokens[$0] != .newLine }), tokens[open] == .sign("{") else { return [] }
    var pairs: [(key: String, values: [String])] = []
    var depth = 0
    var key: (name: String, end: Int)?
    for index in range {
      let isEnd = depth == 1 && tokens[index].isSign(",}")
      if isEnd, let (name, start) = key {
        let value = start..<index
        let isMap = value.first { tokens[$0] != .newLine }.map { tokens[$0] == .sign("{") } ?? true
        if !isMap { pairs.append((name, literals(value))) }
        key = nil
      }
      if tokens[index].opens { depth += 1 } else if tokens[index].closes { depth -= 1 }
      guard depth == 1, key == nil else { continue }
      if let name = tokens[index].label {
        key = (name, index + (tokens[at: index + 1] == .sign(">") ? 2 : 1))
      } else if let name = string(tokens[index]), tokens[at: index + 1]?.isSign(">:") ?? false {
        key = (name, index + 2)
      }
    }
    return pairs
  }

  /// `:ios, '9.0'`, `:ios => '9.0'`, `{ ios: '9.0', tvos: '9.0' }`
  private func platforms(_ range: Range<Int>) -> [(system: String, version: String?)] {
    range.compactMap { index in
      guard let system = tokens[index].label else { return nil }
      let isPair = [.sign(","), .sign(">")].contains(tokens[at: index + 1])
      let value = tokens[at: isPair ? index + 2 : index + 1]
      return (system, value.flatMap { $0.number ?? string($0) })
    }
  }

  /// The texts that stand for themselves in a value: not keys, not arguments, not parts of something that is computed.
  private func literals(_ range: Range<Int>) -> [String] {
    range.compactMap { index -> String? in
      if let name = tokens[index].word, isWhole(index..<index + 4, range), packages.contains(name) {
        return inPackage(index)
      }
      let end = tokens[index].word != nil && tokens[at: index + 1] == .sign(".") ? index + 3 : index + 1
      guard isWhole(index..<end, range) else { return nil }
      if let word = tokens[index].word {
        return texts[end > index + 1 ? "\(word).\(tokens[at: index + 2]?.word ?? "")" : word]
      }
      return string(tokens[index])
    }
  }

  /// `package['version']`, `package[:version]`
  private func inPackage(_ index: Int) -> String? {
    guard tokens[at: index + 1] == .sign("["), tokens[at: index + 3] == .sign("]") else { return nil }
    let key = tokens[at: index + 2]?.text ?? tokens[at: index + 2]?.label
    return key.flatMap { package?[$0]?.text }
  }

  /// Whether this is an item by itself: of the value, of a list, or behind a key.
  private func isWhole(_ item: Range<Int>, _ range: Range<Int>) -> Bool {
    func edge(_ index: Int, _ step: Int) -> ScriptTokens.Token? {
      var index = index
      while range.contains(index), tokens[index] == .newLine { index += step }
      return range.contains(index) ? tokens[index] : nil
    }
    guard item.upperBound <= range.upperBound else { return false }
    let before = edge(item.lowerBound - 1, -1)
    let after = edge(item.upperBound, 1)
    let isOpen = before.map { $0.isSign(",{>") || $0.label != nil || $0.isSign("[(") && !isCall(item.lowerBound) }
    let isEnded = after.map { $0.isSign(",]})") || $0 == .word("if") || $0 == .word("unless") }
    return isOpen ?? true && isEnded ?? true
  }

  /// Whether the bracket in front stands right behind a name: `Dir['*.h']`, `File.join('a', 'b')`.
  private func isCall(_ index: Int) -> Bool {
    var bracket = index - 1
    while tokens[at: bracket] == .newLine { bracket -= 1 }
    return tokens[at: bracket - 1]?.word != nil
  }

  /// A literal, or one in which only known variables stand.
  private func string(_ token: ScriptTokens.Token?) -> String? {
    guard case .computed(let template)? = token else { return token?.text ?? token?.number }
    var result = ""
    for (number, part) in template.split(separator: "#{", omittingEmptySubsequences: false).enumerated() {
      guard number > 0 else {
        result += part
        continue
      }
      guard let end = part.firstIndex(of: "}"), let value = texts[String(part[..<end].trimmed)] else { return nil }
      result += value + part[part.index(after: end)...]
    }
    // A text that is made of itself grows without end.
    return result.isEmpty || result.utf8.count > PodspecScript.longest ? nil : result
  }
}
