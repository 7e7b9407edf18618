import Findings

/// The first manifest of a plugin: commented, and one that builds with what was found. What is not in it is named.
struct StarterManifest: Sendable {
  private let survey: TreeSurvey
  private let ios: StarterIOS
  private let android: StarterAndroid?
  private let leftOut: NotPacked

  /// Throws if nothing of a plugin would be packed.
  init(_ survey: TreeSurvey) throws(Mistakes) {
    self.survey = survey
    ios = StarterIOS(survey)
    android = StarterAndroid(survey)
    leftOut = StarterManifest.leftOut(survey, ios, android)
    guard hasIOS || hasAndroid else { throw nothing }
  }

  var text: String {
    var blocks = [head, config]
    if !steps.isEmpty { blocks.append(steps) }
    blocks.append(deliverables)
    if !notPacked.isEmpty { blocks.append(notPacked.map { "# \($0)" }.joined(separator: "\n")) }
    blocks.append(rules)
    return blocks.joined(separator: "\n\n") + "\n"
  }

  /// What the user is told besides: what was taken, and what was not.
  var notes: [String] { choices + notPacked }

  private var choices: [String] { survey.choices + ios.choices + manifestNotes }
  private var manifestNotes: [String] {
    hasAndroid ? android?.notes ?? [] : ManifestAdditions(survey).notes(reason: "no AAR is made")
  }
  private var notPacked: [String] { leftOut.lines.map { "not packed: \($0)" } }
  private var hasIOS: Bool { !ios.items.isEmpty }
  private var hasAndroid: Bool { android?.hasContent ?? false }

  // MARK: - Blocks

  private var head: String {
    let unsaid = survey.hasUnread ? "nothing that could be read says one" : "nothing in the tree says one"
    var lines = [
      "# How npi-pack builds this plugin; `npi-pack` makes the deliverables in dist/.",
      "name: \(survey.name.inYAML)",
      "version: \((survey.version ?? "1.0.0").inYAML)\(survey.version == nil ? " # \(unsaid)" : "")",
      "",
      "# The host platform: what it wants and accepts. `npi-pack recipes` lists them.",
    ]
    if let host = survey.host {
      lines.append("extends: \(host.recipe.inYAML)")
    } else {
      lines.append("# Nothing in the sources tells which one it is for.")
      lines.append("# extends: \(StarterHost.all.map(\.recipe).joined(separator: ", "))")
    }
    if !choices.isEmpty { lines += [""] + choices.map { "# \($0)" } }
    return lines.joined(separator: "\n")
  }

  /// A class that was not seen stays null: the host's rule stops the build until somebody names it.
  private var config: String {
    var lines = ["# Reaches the plugin as JSON; every value is a string, verbatim.", "config:"]
    let hosts = survey.host.map { [$0] } ?? StarterHost.all
    func add(_ key: String?, _ found: String?, _ what: String) {
      guard let key else { return }
      lines.append(
        "  # The \(what) that the host makes first\(found == nil ? ": none was seen, and a host's rule stops the build" : ".")"
      )
      if found == nil { lines.append("  # until it is named here.") }
      lines.append("  \(key): \(found?.inYAML ?? "null")")
    }
    for host in hosts {
      if hasIOS { add(host.appleKey, survey.viewController, "class") }
      if hasAndroid { add(host.androidKey, survey.fragment, "class of Android") }
    }
    if lines.count == 2 { lines[1] = "config: {}" }
    return lines.joined(separator: "\n")
  }

  private var steps: String {
    let lines = ios.steps + (hasAndroid ? android?.steps ?? [] : [])
    guard !lines.isEmpty else { return "" }
    return (["# How what is packed is made, where it is not there already.", "steps:"] + lines).joined(separator: "\n")
  }

  private var deliverables: String {
    var lines = ["deliverables:"]
    if hasIOS {
      lines += ["  # A zip with these items at its root.", "  ios:", "    kind: ios-zip", "    items:"]
      lines += ios.items.map { "      - \($0)" }
      let frameworks = survey.descriptions.lazy.map(\.frameworks).first { !$0.isEmpty } ?? []
      if !frameworks.isEmpty { lines.append("    # The app links besides: \(frameworks.joined(separator: ", ")).") }
    }
    if let android, android.hasContent || !android.isReady { lines += android.deliverable }
    if case .application(let folder) = survey.android, android == nil {
      let name = folder.isEmpty ? "what is here" : folder
      lines.append("  # No Android library: \(name) is an application, and an AAR is made of a library.")
    }
    lines += ["  # The configuration above, as one JSON object.", "  config:", "    kind: config"]
    return lines.joined(separator: "\n")
  }

  private var rules: String {
    let prefix = "unprefixed-class: { prefix: XYZ } # what the names of its classes begin with"
    let head = "# Levels of rules: off, note, warning or error. `npi-pack recipes rule ID` tells what a rule says."
    guard hasIOS, !ios.hasLibrary, survey.host == nil else { return "\(head)\n# rules:\n#   \(prefix)" }
    return """
      \(head)
      rules:
        # The code is in frameworks: for hosts that link them, and not only static libraries at the zip's root.
        missing-library: off
        # \(prefix)
      """
  }

  // MARK: - What is left out

  private static func leftOut(_ survey: TreeSurvey, _ ios: StarterIOS, _ android: StarterAndroid?) -> NotPacked {
    var all = NotPacked()
    let isPacked = android?.hasContent ?? false
    var seen = ios.taken
    // What Android's half takes is missing on iOS all the same, if it is for both.
    var named = ios.leftOut.filter { $0.reason != StarterIOS.forNDK }
    for (path, reason) in named where seen.insert(path).inserted { all.add(path, reason) }
    named = ios.leftOut
    if let android, isPacked {
      seen.formUnion(android.taken)
      named += android.leftOut
    }
    let obstacle = android?.obstacle.map { "in no AAR until \($0)" }
    for (path, reason) in named where seen.insert(path).inserted { all.add(path, reason) }
    let folders = seen
    let others = if case .library(_, let others) = survey.android { Set(others) } else { Set<String>() }
    for file in survey.files where !seen.contains(file.path) {
      var folder = file.folder
      while !folder.isEmpty, !folders.contains(folder) {
        folder = folder.split(separator: "/").dropLast().joined(separator: "/")
      }
      if !folder.isEmpty { continue }
      let isAnothers = others.hasFolder(above: file.path)
      all.add(file.path, isAnothers ? "of another library: it takes an aar of its own" : reason(file, survey, obstacle))
    }
    all.add(survey.leftOut, outsideOf: folders)
    return all
  }

  private static func reason(_ file: StarterFile, _ survey: TreeSurvey, _ obstacle: String?) -> String {
    let isAndroids = survey.isAndroids(file.path)
    if let kind = survey.application(file.path) {
      return kind == .test ? FolderStanding.test.reason : StarterIOS.ofApplication
    }
    if case .other(let advice) = file.kind { return advice }
    if case .other(let system) = PathSystem(file.path) { return "for \(system), which no deliverable is for" }
    switch file.kind {
    case .header: return "headers: add their folder to items if others are to compile against them"
    case .source(.java), .source(.kotlin), .jar, .aar, .sharedLibrary:
      return obstacle ?? "for Android: add an aar with it"
    case .source: return isAndroids ? StarterIOS.forNDK : "add a step that compiles it"
    case .staticLibrary: return "a static library for Android: link it into a .so with the NDK, and add that as jni"
    case .bundle, .appleResource: return "for iOS, and no code for iOS is here: add it to items"
    case .framework, .xcframework, .other: return "add it to items"
    }
  }

  /// Why there is no manifest: what was found, and what to write.
  private var nothing: Mistakes {
    var notes = choices + notPacked
    if let obstacle = android?.obstacle { notes.append("an Android library could be packed once \(obstacle)") }
    if case .application(let folder) = survey.android {
      notes.append("\(folder.isEmpty ? "what is here" : folder) is an application, and an AAR is made of a library")
    }
    if android?.isReady == true {
      notes.append("an AndroidManifest.xml is here, and nothing beside it that an AAR holds")
    }
    if notes.isEmpty {
      notes =
        ["there are no libraries, frameworks, jars or AARs, and no sources"]
        + survey.descriptions.prefix(3).map { "\($0.path) is here, and no code that it names" }
    }
    return Mistakes(
      "no manifest is written: it would pack nothing of the plugin", notes: notes,
      hint:
        "put the plugin's code there, or write npi.yml yourself: 'npi-pack schema' describes it; kinds such as policy and "
        + "web-templates need no code")
  }
}

extension String {
  /// Plain where that is safe, in double quotes where YAML would read something else.
  var inYAML: String {
    let isSafe = allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-".contains($0)) }
    let isPlain = isSafe && first.map { $0.isLetter || $0.isNumber } ?? false && lowercased() != "null"
    return isPlain ? self : "\"" + replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
