import Findings

/// The first manifest of a plugin: commented, and one that builds with what was found.
struct StarterManifest: Sendable {
  private let survey: TreeSurvey
  private let android: StarterAndroid?

  init(_ survey: TreeSurvey) {
    self.survey = survey
    android =
      if case .library(let library, let others) = survey.android {
        StarterAndroid(library: library, others: others, tree: survey.tree)
      } else {
        nil
      }
  }

  var text: String {
    var blocks = [head, config]
    if !steps.isEmpty { blocks.append(steps.joined(separator: "\n")) }
    blocks.append(deliverables)
    blocks.append(rules)
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private var head: String {
    """
    # How npi-pack builds this plugin; `npi-pack` makes the deliverables in dist/.
    name: \(survey.name.inYAML)
    version: \((survey.version ?? "1.0.0").inYAML)

    # The host platform: what it wants and accepts. `npi-pack recipes` lists them.
    extends: mobilesmith
    """
  }

  private var config: String {
    var lines = ["# Reaches the plugin as JSON; every value is a string, verbatim.", "config:"]
    if hasIOS || survey.viewController != nil {
      lines.append("  # The class that the host makes first.")
      lines.append("  ViewControllerClassName: \(survey.viewController ?? "\(className)ViewController")")
    }
    if !hasIOS || survey.usesGradle || android != nil || survey.fragment != nil {
      lines.append("  FragmentClassName: \(survey.fragment ?? "\(package).MainFragment")")
    }
    return lines.joined(separator: "\n")
  }

  private var rules: String {
    let prefix = "unprefixed-class: { prefix: XYZ } # what the names of its classes begin with"
    guard !isEntryFound else {
      return """
        # Levels of rules: off, note, warning or error. `npi-pack recipes rule ID` tells what a rule says.
        # rules:
        #   \(prefix)
        """
    }
    return """
      # Levels of rules: off, note, warning or error. `npi-pack recipes rule ID` tells what a rule says.
      rules:
        # Until the class that `config` names is there; then take this line away: the host refuses a plugin without it.
        entry-class: warning
        # \(prefix)
      """
  }

  /// Whether the classes that `config` names are in sources that the steps compile, or were looked for in vain in none.
  private var isEntryFound: Bool {
    let hasAndroid = android != nil
    let isCompiled = android?.exampleStep.lines.isEmpty ?? true
    return !(hasIOS && survey.viewController == nil) && !(hasAndroid && (survey.fragment == nil || !isCompiled))
  }

  /// For a class that was not found.
  private var package: String {
    if case .library(let library, _) = survey.android, let package = library.package { return package }
    return "com.example.\(className.lowercased())"
  }

  private var hasIOS: Bool { !items.isEmpty }

  /// The beginning of a class's name, in Objective-C as in Java.
  private var className: String {
    let name = survey.name.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return name.first.map { $0.isLetter } ?? false ? name : "Plugin" + name
  }

  /// What goes into the zip: libraries that are there already, or the one that a step makes.
  private var items: [String] {
    let code = survey.libraries.isEmpty ? builtLibrary.map { [$0] } ?? [] : survey.libraries
    return code.isEmpty ? [] : code + survey.frameworks + survey.bundles
  }

  private var builtLibrary: String? {
    let builds = survey.xcodeProject != nil || !survey.sourceFolders.isEmpty
    return survey.libraries.isEmpty && builds ? "build/lib\(survey.name).a" : nil
  }

  private var steps: [String] {
    var lines: [String] = []
    if let library = builtLibrary {
      lines.append(survey.xcodeProject.map { xcodeSteps($0, library) } ?? clangSteps(library))
    }
    guard let android else { return lines }
    if lines.isEmpty, !android.steps.isEmpty { lines.append("steps:") }
    lines += android.steps
    let (comment, example) = android.exampleStep
    guard !example.isEmpty else { return lines }
    // A key without a value is a mistake: it is a comment, too, if nothing else is below it.
    guard !lines.isEmpty else { return comment.map { "# \($0)" } + (["steps:"] + example).map { "# \($0)" } }
    return lines + comment.map { "  # \($0)" } + example.map { "  # \($0.dropFirst(2))" }
  }

  private func xcodeSteps(_ project: String, _ library: String) -> String {
    let target = project.split(separator: "/").last.map { $0.dropLast(".xcodeproj".count) } ?? ""
    let folder = project.split(separator: "/").dropLast().map { $0 + "/" }.joined()
    // A pattern that matches nothing is a mistake.
    let hasSources = (survey.sourceFolders + survey.headerFolders).contains { ($0 + "/").hasPrefix(folder) }
    let inputs = (["\(project)/project.pbxproj"] + (hasSources ? ["\(folder)**/*.{h,m,mm,c,swift}"] : []))
      .map(\.inYAML).joined(separator: ", ")
    let words = [project, String(target)].map(\.inYAML)
    let made = "\(folder)build/device/lib\(target).a".inYAML
    return """
      # How the plugin's own code is compiled: commands are words, never a shell's line.
      steps:
        device:
          run: [xcodebuild, -project, \(words[0]), -target, \(words[1]), -configuration, Release,
                -sdk, iphoneos, "CONFIGURATION_BUILD_DIR=$(SRCROOT)/build/device"]
          inputs: [\(inputs)]
          outputs: [\(made)]
        library:
          kind: universal-library
          inputs: [\(made)]
          output: \(library.inYAML)
      """
  }

  private func clangSteps(_ library: String) -> String {
    func inside(_ folder: String, _ pattern: String) -> String { folder.isEmpty ? pattern : "\(folder)/\(pattern)" }
    let sources = survey.sourceFolders.map { inside($0, "*.{m,mm,c}") }
    let headers = survey.headerFolders.map { inside($0, "*.h") }
    let inputs = (sources + headers).map(\.inYAML).joined(separator: ", ")
    let files = survey.sourceFolders.flatMap { folder in
      ["*.m", "*.mm", "*.c"].map { folder.isEmpty ? $0 : "\(ShellText.quoted(path: folder))/\($0)" }
    }.joined(separator: " ")
    func step(_ architecture: String) -> String {
      """
        \(architecture):
          shell: |
            set -e; rm -rf build/\(architecture); mkdir -p build/\(architecture)
            for f in \(files); do
              [ -f "$f" ] || continue
              clang -target \(architecture)-apple-ios7.0 -fobjc-arc -O2 -c "$f" -o "build/\(architecture)/$(echo "$f" | tr / %).o"
            done
            llvm-ar --format=darwin rcsD build/\(architecture).a build/\(architecture)/*.o
          inputs: [\(inputs)]
          outputs: [build/\(architecture).a]
      """
    }
    let architectures = ["arm64", "armv7", "armv7s"]
    return """
      # How the plugin's own code is compiled, for each architecture of the host.
      steps:
      \(architectures.map(step).joined(separator: "\n"))
        library:
          kind: universal-library
          inputs: [\(architectures.map { "build/\($0).a" }.joined(separator: ", "))]
          output: \(library.inYAML)
      """
  }

  private var deliverables: String {
    var lines = ["deliverables:"]
    if hasIOS {
      lines += ["  # A zip with these items at its root.", "  ios:", "    kind: ios-zip", "    items:"]
      lines += items.map { "      - \($0.inYAML)" }
    }
    if let android { lines += android.deliverable }
    if case .application(let folder) = survey.android {
      let name = folder.isEmpty ? "what is here" : folder
      lines.append("  # No Android library: \(name) is an application, and an AAR is made of a library.")
    }
    lines += ["  # The configuration above, as one JSON object.", "  config:", "    kind: config"]
    return lines.joined(separator: "\n")
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
