import Findings

/// How clang makes a library for iOS of the plugin's own sources: a step for each language, indented as they stand.
struct AppleSources: Sendable {
  let files: [StarterFile]
  let architectures: [String]
  let minimumIOS: String
  /// The library that is made.
  let output: String
  private let includes: Includes
  private let survey: TreeSurvey
  /// What names the sources, if anything does.
  private let description: ProjectDescription?
  private let isMinimumKnown: Bool

  init(_ files: [StarterFile], _ survey: TreeSurvey, _ description: ProjectDescription?, output: String) {
    self.files = files
    self.survey = survey
    self.description = description ?? survey.descriptions.first { !$0.settings.isEmpty }
    self.output = output
    let minimumIOS = survey.descriptions.lazy.compactMap(\.minimumIOS).first ?? survey.host?.minimumIOS
    isMinimumKnown = minimumIOS != nil
    architectures = survey.host?.architectures.isEmpty == false ? survey.host?.architectures ?? [] : ["arm64"]
    self.minimumIOS = minimumIOS ?? "12.0"
    includes = Includes(of: files, survey)
  }

  private var languages: [SourceLanguage] {
    let found = Set(files.compactMap { file in if case .source(let language) = file.kind { language } else { nil } })
    return SourceLanguage.allCases.filter(found.contains)
  }

  private func files(of language: SourceLanguage) -> [StarterFile] { files.filter { $0.kind == .source(language) } }

  /// Headers of the tree that are read.
  var headers: [String] { includes.found }

  var steps: [String] {
    var lines: [String] = []
    if !includes.missing.isEmpty {
      let some = includes.missing.prefix(8).joined(separator: ", ")
      let rest = includes.missing.count - 8
      lines += [
        "  # These sources include headers that are not in the tree: \(some)\(rest > 0 ? " and \(rest) more" : "").",
        "  # Those of Apple's SDK are found on a Mac; elsewhere, name its folder: env: { SDK: /path/to/iPhoneOS.sdk }.",
        "  # For those of others add -I or -F with their folder to the commands.",
      ]
    }
    if !isMinimumKnown { lines.append("  # For iOS \(minimumIOS) and later: nothing in the tree says one.") }
    lines += unused
    for language in languages { lines += step(language) }
    return lines + archive
  }

  /// What a description wants and no step does.
  private var unused: [String] {
    guard let description, !description.settings.unused.isEmpty else { return [] }
    let texts = description.settings.unused
    let rest = texts.count - 8
    return ["  # \(description.path) says besides, and the steps do not:"]
      + texts.prefix(8).map { "  #   \($0)" } + (rest > 0 ? ["  #   and \(rest) more"] : [])
  }

  private var made: String { survey.tree.made }

  /// Those of the description, as words of a shell.
  private func flags(of language: SourceLanguage) -> String {
    guard let settings = description?.settings else { return "" }
    let folders = settings.headerFolders.map { "-I \(ShellText.quoted(path: $0.isEmpty ? "." : $0))" }
    let words =
      settings.flags(of: language).map { ShellText.quoted($0) } + folders.filter { !includes.flags.contains($0) }
    return words.map { " " + $0 }.joined()
  }

  private func step(_ language: SourceLanguage) -> [String] {
    guard let name = language.step else { return [] }
    let patterns = patterns(of: language)
    let words = patterns.map { pattern in pattern.isGlob ? glob(pattern.path) : ShellText.quoted(path: pattern.path) }
    let sdk = includes.missing.isEmpty ? "" : " -isysroot \"$sdk\""
    let freestanding = includes.missing.isEmpty && includes.isFreestanding ? " -ffreestanding" : ""
    let hasObjects = language == .objc || language == .objcxx
    let flags =
      sdk + freestanding + (hasObjects && !usesReferenceCounts ? " -fobjc-arc" : "")
      + (hasObjects && includes.usesModules ? " -fmodules" : "") + includes.flags.map { " " + $0 }.joined()
      + flags(of: language)
    let folder = "\(made)/\(name)"
    return [
      "  # \(language.rawValue)", "  \(name):", "    shell: |",
      "      set -e; rm -rf \(folder)",
    ] + (sdk.isEmpty ? [] : AppleSources.sdk) + [
      "      for a in \(architectures.joined(separator: " ")); do",
      "        mkdir -p \(folder)/$a",
      "        for f in \(words.joined(separator: " ")); do",
      "          o=\(folder)/$a/$(printf %s \"${f#./}\" | sed 's/%/%%/g; s,/,%,g').o",
      "          clang -target $a-apple-ios\(minimumIOS) -O2\(flags) -MMD -MF \"$o.d\" -c \"$f\" -o \"$o\"",
      "        done",
      "      done",
      "      cat \(folder)/*/*.d > \(folder)/depfile",
      "    inputs: [\(patterns.map(\.path.inYAML).joined(separator: ", "))]",
      "    outputs: [\(folder)]",
      "    depfile: \(folder)/depfile",
    ]
  }

  private static let sdk = [
    "      sdk=${SDK:-$(xcrun --sdk iphoneos --show-sdk-path 2> /dev/null || true)}",
    "      [ -d \"$sdk\" ] || { echo 'no SDK of iOS is found: name one in the env of this step, SDK' >&2; exit 1; }",
  ]

  /// Whether the code counts references itself, as it did before ARC.
  private var usesReferenceCounts: Bool {
    files.contains { file in
      let text = survey.tree.text(file.path, limit: 1 << 17)
      return text.contains("[super dealloc]") || text.contains(" autorelease]")
    }
  }

  private var archive: [String] {
    let folders = languages.compactMap(\.step).map { "\(made)/\($0)" }
    func command(_ library: String, _ architecture: String) -> String {
      let objects = folders.map { "\($0)/\(architecture)/*.o" }.joined(separator: " ")
      return "rm -f \(library); llvm-ar --format=darwin rcsD \(library) \(objects)"
    }
    let inputs = "    inputs: [\(folders.joined(separator: ", "))]"
    if architectures.count == 1 {
      return [
        "  library:", "    shell: \(command(ShellText.quoted(path: output), architectures[0]).inYAML)", inputs,
        "    outputs: [\(output.inYAML)]",
      ]
    }
    let slices = architectures.map { "\(made)/\($0).a" }.joined(separator: ", ")
    return [
      "  slices:",
      "    shell: \"for a in \(architectures.joined(separator: " ")); do \(command("\(made)/$a.a", "$a")) || exit; done\"",
      inputs, "    outputs: [\(slices)]",
      "  library:", "    kind: universal-library", "    inputs: [\(slices)]", "    output: \(output.inYAML)",
    ]
  }

  // MARK: - Patterns

  /// A folder's files of one ending by a pattern, where all of them are meant; else one by one.
  private func patterns(of language: SourceLanguage) -> [(path: String, isGlob: Bool)] {
    let paths = Set(files.map(\.path))
    var patterns: [(path: String, isGlob: Bool)] = []
    // By folder and ending, each looked at once.
    var areWhole: [String: Bool] = [:]
    for file in files(of: language) {
      let pattern = StarterTree.join(file.folder, "*\(file.ending)")
      if let isWhole = areWhole[pattern] {
        if !isWhole { patterns.append((file.path, false)) }
        continue
      }
      let others = survey.tree.names(file.folder).filter { $0.hasSuffix(file.ending) }
      let isWhole = others.allSatisfy { paths.contains(StarterTree.join(file.folder, $0)) }
      areWhole[pattern] = isWhole
      patterns.append(isWhole ? (pattern, true) : (file.path, false))
    }
    return patterns
  }

  private func glob(_ pattern: String) -> String {
    let parts = pattern.split(separator: "/")
    let folder = parts.dropLast().joined(separator: "/")
    // clang reads a file of options where a source is called so.
    return "\(folder.isEmpty ? "." : ShellText.quoted(path: folder))/[!@]\(parts.last ?? "")"
  }
}
