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
  private let dependencies: [(configuration: Substring, line: String)]

  init(_ text: String, folder: String) {
    self.folder = folder
    let text = GradleModule.withoutComments(text)
    let lines = text.split(whereSeparator: \.isNewline).map(String.init)
    let tokens = ScriptTokens.read(Array(text.utf8), .gradle)
    placeholders = ManifestPlaceholders(tokens)
    kind = GradleModule.kind(lines)
    namespace =
      text.firstMatch(of: #/(?:^|[\s{.;])namespace\s*[=(]?\s*["']([\w.]+)["']/#).map { String($0.1) }
      ?? GradleModule.namespace(tokens)
    minSDK = text.firstMatch(of: #/\bminSdk(?:Version)?\s*[=(]?\s*(\d+)/#).map { String($0.1) }
    version = GradleModule.version(text)
    consumerRules = text.matches(
      of: #/consumerProguardFiles?\b((?:["'][^"'\n]*["']|[\s,(+=]|file|files|listOf|arrayOf)+)/#
    )
    .flatMap { $0.1.matches(of: #/["']([^"']+)["']/#).map { String($0.1) } }
    dependencies = lines.compactMap { line in
      let pattern = #/(?:^|[{;])\s*(\w*(?:mplementation|pi|ompile|ompileOnly|rovided|untimeOnly|Processor|kapt|ksp))\b/#
      return line.firstMatch(of: pattern).map { ($0.1, line) }
    }
    needs = dependencies.compactMap { _, line in
      line.firstMatch(of: #/project\b[^"']{0,99}["'][^"']{0,99}?([^"':]{1,99})["']/#).map { String($0.1) }
    }
  }

  /// `namespace = id`, where that is a variable of this script and all that stands there.
  private static func namespace(_ tokens: [ScriptTokens.Token]) -> String? {
    guard let index = tokens.firstIndex(of: .word("namespace")) else { return nil }
    let place = tokens[at: index + 1]?.isSign("=(") ?? false ? index + 2 : index + 1
    guard let name = tokens[at: place]?.word, tokens[at: place + 1].map({ $0 == .newLine || $0.isSign(")};") }) ?? true,
      let value = tokens.literal(of: name), value.utf8.contains(UInt8(ascii: "."))
    else { return nil }
    return value
  }

  /// What is computed, or cannot be part of a file's name, is the user's to write.
  static func version(_ text: String) -> String? {
    text.firstMatch(of: #/versionName\s*=?\s*["'](\d[\w.+\-]*)["']/#).map { String($0.1) }
  }

  /// Strings are kept: `"**/*.jar"` begins no comment.
  private static func withoutComments(_ text: String) -> String {
    var kept: [UInt8] = []
    var quote: UInt8?
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if let open = quote {
        if byte == open || byte == UInt8(ascii: "\n") { quote = nil }
      } else if byte == UInt8(ascii: "/"), rest.first == byte {
        rest = rest.drop { $0 != UInt8(ascii: "\n") }
        continue
      } else if byte == UInt8(ascii: "/"), rest.first == UInt8(ascii: "*") {
        rest.removeFirst()
        while let byte = rest.popFirst(), byte != UInt8(ascii: "*") || rest.first != UInt8(ascii: "/") {}
        rest = rest.dropFirst()
        continue
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      }
      kept.append(byte)
    }
    return String(decoding: kept, as: UTF8.self)
  }

  /// By the plugin that is applied here: `id("com.android.library")`, `alias(libs.plugins.android.library)`,
  /// `apply plugin: 'com.android.library'`, or one of the project's own that ends like these.
  private static func kind(_ lines: [String]) -> Kind {
    for line in lines
    where line.contains(#/\b(?:id|alias|apply|plugin)\b/#) && !line.contains(#/apply\s*\(?\s*false/#) {
      // By plain boundaries: for Unicode `application.get` is one word.
      if line.contains(#/(?i)android[._\-]?library\b/#.wordBoundaryKind(.simple)) { return .library }
      if line.contains(#/(?i)android[._\-]?application\b/#.wordBoundaryKind(.simple)) { return .application }
      if line.contains(#/(?i)com\.android\.test\b|android[._\-]test\b/#.wordBoundaryKind(.simple)) { return .test }
    }
    return .other
  }

  /// Why Gradle would not pack a file of `libs/`, nil if it would: only tests, or the compiler, are to see it.
  func reasonToLeaveOut(_ file: String) -> String? {
    let named = dependencies.filter { $0.line.contains("/\(file)") || $0.line.contains("'\(file)'") }
    let relevant = named.isEmpty ? dependencies.filter { $0.line.contains("fileTree") } : named
    let packing: Set<Substring> = [
      "implementation", "api", "compile", "runtimeOnly", "releaseImplementation", "releaseApi",
    ]
    guard let first = relevant.first, !relevant.contains(where: { packing.contains($0.configuration) }) else {
      return nil
    }
    return "\(first.configuration) in Gradle"
  }
}
