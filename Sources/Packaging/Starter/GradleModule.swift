/// What a module's `build.gradle` or `build.gradle.kts` says in so many words; what it computes only Gradle knows.
struct GradleModule: Sendable {
  enum Kind: Sendable { case library, application, test, other }

  /// Empty: the tree's root.
  let folder: String
  let kind: Kind
  let namespace: String?
  let minSDK: String?
  let version: String?
  /// Files that `consumerProguardFiles` names, relative to the module.
  let consumerRules: [String]
  /// The last names of the modules that this one depends on.
  let needs: [String]
  let placeholders: ManifestPlaceholders
  /// Whether Gradle has CMake or ndk-build make libraries.
  let isNative: Bool
  private let dependencies: [Dependency]

  private struct Dependency {
    let configuration: String
    /// What stands in quotes on its line.
    let texts: [String]
    let hasFileTree: Bool
  }

  init(_ text: String, folder: String) { self.init(ScriptTokens.read(Array(text.utf8), .gradle), folder: folder) }

  init(_ tokens: [ScriptTokens.Token], folder: String) {
    self.folder = folder
    placeholders = ManifestPlaceholders(tokens)
    let lines = tokens.split(separator: .newLine)
    kind = lines.lazy.compactMap(GradleModule.kind).first ?? .other
    namespace = tokens.text(behind: "namespace", "=(", where: GradleModule.isName) ?? GradleModule.namespace(tokens)
    minSDK = GradleModule.minimum(tokens)
    version = tokens.text(behind: "versionName", "=", where: GradleModule.isVersion)
    consumerRules = GradleModule.rules(tokens)
    isNative = tokens.contains(.word("externalNativeBuild"))
    let found = lines.lazy.compactMap { line in GradleModule.configuration(line).map { (name: $0, line: line) } }
      .prefix(GradleModule.most)
    needs = found.compactMap { GradleModule.project($0.line) }
    dependencies = found.map { name, line in
      Dependency(configuration: name, texts: line.compactMap(\.string), hasFileTree: line.contains(.word("fileTree")))
    }
  }

  /// More dependencies are no plugin's own.
  private static let most = 1000

  // MARK: - Values

  /// `namespace = id`, where that is a variable of this script and all that stands there.
  private static func namespace(_ tokens: [ScriptTokens.Token]) -> String? {
    guard let index = tokens.firstIndex(of: .word("namespace")) else { return nil }
    let place = tokens[at: index + 1]?.isSign("=(") ?? false ? index + 2 : index + 1
    guard let name = tokens[at: place]?.word, tokens[at: place + 1].map({ $0 == .newLine || $0.isSign(")};") }) ?? true,
      let value = tokens.literal(of: name), value.utf8.contains(UInt8(ascii: "."))
    else { return nil }
    return value
  }

  /// `com.example.scan`
  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
  }

  /// What is computed, or cannot be part of a file's name, is the user's to write.
  static func isVersion(_ text: String) -> Bool {
    text.first.map { $0.isASCII && $0.isNumber } ?? false
      && text.allSatisfy { $0.isLetter || $0.isNumber || "_.+-".contains($0) }
  }

  /// `minSdk = 21`, `minSdkVersion(21)`
  private static func minimum(_ tokens: [ScriptTokens.Token]) -> String? {
    for (index, token) in tokens.enumerated() where token == .word("minSdk") || token == .word("minSdkVersion") {
      let place = tokens[at: index + 1]?.isSign("=(") ?? false ? index + 2 : index + 1
      if let number = tokens[at: place]?.number { return String(number.prefix { $0 != "." && $0 != "_" }) }
    }
    return nil
  }

  /// `consumerProguardFiles("a.pro", "b.pro")`
  private static func rules(_ tokens: [ScriptTokens.Token]) -> [String] {
    var rules: [String] = []
    var isInside = false
    for token in tokens {
      switch token {
      case .word("consumerProguardFiles"), .word("consumerProguardFile"): isInside = true
      case .text(let text): if isInside { rules.append(text) }
      case .word("file"), .word("files"), .word("listOf"), .word("arrayOf"), .newLine, .computed: break
      default: if !token.isSign(",(+=") { isInside = false }
      }
    }
    return rules
  }

  // MARK: - Lines

  /// By the plugin that is applied here: `id("com.android.library")`, `alias(libs.plugins.android.library)`,
  /// `apply plugin: 'com.android.library'`, or one of the project's own that ends like these.
  private static func kind(_ line: ArraySlice<ScriptTokens.Token>) -> Kind? {
    func isWord(_ token: ScriptTokens.Token, _ words: [String]) -> Bool {
      (token.word ?? token.label).map(words.contains) ?? false
    }
    guard line.contains(where: { isWord($0, ["id", "alias", "apply", "plugin"]) }) else { return nil }
    let isLater = line.indices.contains { index in
      let next = line.dropFirst(index - line.startIndex + 1).drop { $0 == .sign("(") }.first
      return line[index] == .word("apply") && next == .word("false")
    }
    if isLater { return nil }
    let text = line.map { $0.string ?? $0.word ?? ($0 == .sign(".") ? "." : $0 == .sign("-") ? "-" : " ") }.joined()
    return AppliedPlugin.kind(Array(text.lowercased().utf8))
  }

  private static let configurations = [
    "mplementation", "pi", "ompile", "ompileOnly", "rovided", "untimeOnly", "Processor", "kapt", "ksp",
  ]

  /// Of the first statement on a line that adds a dependency: `api`, `testImplementation`.
  private static func configuration(_ line: ArraySlice<ScriptTokens.Token>) -> String? {
    for index in line.indices where index == line.startIndex || line[index - 1].isSign("{;") {
      if let word = line[index].word, configurations.contains(where: word.hasSuffix) { return word }
    }
    return nil
  }

  /// `net` of `project(path: ':core:net')`.
  private static func project(_ line: ArraySlice<ScriptTokens.Token>) -> String? {
    guard let index = line.firstIndex(of: .word("project")) else { return nil }
    let text = line[index...].prefix(8).lazy.compactMap(\.text).first
    return text?.split(separator: ":").last.map(String.init)
  }

  /// Why Gradle would not pack a file of `libs/`, nil if it would: only tests, or the compiler, are to see it.
  func reasonToLeaveOut(_ file: String) -> String? {
    let named = dependencies.filter { $0.texts.contains { $0 == file || $0.hasSuffix("/" + file) } }
    let relevant = named.isEmpty ? dependencies.filter(\.hasFileTree) : named
    let packing: Set<String> = [
      "implementation", "api", "compile", "runtimeOnly", "releaseImplementation", "releaseApi",
    ]
    guard let first = relevant.first, !relevant.contains(where: { packing.contains($0.configuration) }) else {
      return nil
    }
    return "\(first.configuration) in Gradle"
  }
}

/// Of which kind a plugin of Gradle's makes a module, by the end of its name.
private enum AppliedPlugin {
  /// In small letters.
  static func kind(_ line: [UInt8]) -> GradleModule.Kind? {
    var kinds: Set<String> = []
    var rest = line[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "a")) {
      rest = rest[start...]
      if let name = name(rest) { kinds.insert(name) }
      rest = rest.dropFirst()
    }
    if kinds.contains("library") { return .library }
    if kinds.contains("application") { return .application }
    return kinds.contains("test") ? .test : nil
  }

  /// What stands behind `android`, also where a dot or a dash divides them, and ends there.
  private static func name(_ text: ArraySlice<UInt8>) -> String? {
    guard text.starts(with: "android".utf8) else { return nil }
    let rest = text.dropFirst(7)
    let divider = rest.first.map("._-".utf8.contains) ?? false
    let word = rest.dropFirst(divider ? 1 : 0)
    return ["library", "application", "test"].first { name in
      guard word.starts(with: name.utf8), divider || name != "test" else { return false }
      return word.dropFirst(name.utf8.count).first.map { !isWord($0) } ?? true
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") || "0123456789_".utf8.contains(byte)
      || byte >= 0x80
  }
}

extension ScriptTokens.Token {
  /// What stands in quotes.
  fileprivate var string: String? { if case .computed(let text) = self { text } else { text } }
}

extension [ScriptTokens.Token] {
  /// The first text behind a word, and perhaps one of these signs, that is a fit one.
  fileprivate func text(behind word: String, _ signs: String, where isFit: (String) -> Bool) -> String? {
    for (index, token) in enumerated() where token == .word(word) {
      let place = self[at: index + 1]?.isSign(signs) ?? false ? index + 2 : index + 1
      if let text = self[at: place]?.text, isFit(text) { return text }
    }
    return nil
  }
}
