/// The first manifest of a plugin: commented, and one that builds with what was found.
package struct StarterManifest: Sendable {
  private let survey: TreeSurvey

  package init(_ survey: TreeSurvey) { self.survey = survey }

  package var text: String {
    var blocks = [head, config]
    if let steps { blocks.append(steps) }
    blocks.append(deliverables)
    blocks.append(
      """
      # Levels of rules: off, note, warning or error. `npi-pack recipes rule ID` tells what a rule says.
      # rules:
      #   bundle-executable: error
      """)
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private var head: String {
    """
    # How npi-pack builds this plugin; `npi-pack` makes the deliverables in dist/.
    name: \(quoted(survey.name))
    version: \(quoted(survey.version ?? "1.0.0"))

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
    if !hasIOS || survey.usesGradle || survey.fragment != nil {
      lines.append("  FragmentClassName: \(survey.fragment ?? "com.example.\(className.lowercased()).MainFragment")")
    }
    return lines.joined(separator: "\n")
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

  private var steps: String? {
    guard let library = builtLibrary else { return nil }
    if let project = survey.xcodeProject { return xcodeSteps(project, library) }
    return clangSteps(library)
  }

  private func xcodeSteps(_ project: String, _ library: String) -> String {
    let target = project.split(separator: "/").last.map { $0.dropLast(".xcodeproj".count) } ?? ""
    let folder = project.split(separator: "/").dropLast().map { $0 + "/" }.joined()
    // A pattern that matches nothing is a mistake.
    let hasSources = (survey.sourceFolders + survey.headerFolders).contains { ($0 + "/").hasPrefix(folder) }
    let inputs = (["\(project)/project.pbxproj"] + (hasSources ? ["\(folder)**/*.{h,m,mm,c,swift}"] : []))
      .map(quoted).joined(separator: ", ")
    return """
      # How the plugin's own code is compiled: commands are words, never a shell's line.
      steps:
        device:
          run: [xcodebuild, -project, \(quoted(project)), -target, \(quoted(String(target))), -configuration, Release,
                -sdk, iphoneos, "CONFIGURATION_BUILD_DIR=$(SRCROOT)/build/device"]
          inputs: [\(inputs)]
          outputs: [\(quoted("\(folder)build/device/lib\(target).a"))]
        library:
          kind: universal-library
          inputs: [\(quoted("\(folder)build/device/lib\(target).a"))]
          output: \(quoted(library))
      """
  }

  private func clangSteps(_ library: String) -> String {
    func inside(_ folder: String, _ pattern: String) -> String { folder.isEmpty ? pattern : "\(folder)/\(pattern)" }
    let sources = survey.sourceFolders.map { inside($0, "*.{m,mm,c}") }
    let headers = survey.headerFolders.map { inside($0, "*.h") }
    let inputs = (sources + headers).map(quoted).joined(separator: ", ")
    let files = survey.sourceFolders.flatMap { folder in
      ["*.m", "*.mm", "*.c"].map { folder.isEmpty ? $0 : "\(shellQuoted(folder))/\($0)" }
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
          output: \(quoted(library))
      """
  }

  private var deliverables: String {
    var lines = ["deliverables:"]
    if hasIOS {
      lines.append("  # A zip with these items at its root.")
      lines.append("  ios:")
      lines.append("    kind: ios-zip")
      lines.append("    items:")
      lines += items.map { "      - \(quoted($0))" }
    }
    lines.append("  # The configuration above, as one JSON object.")
    lines.append("  config:")
    lines.append("    kind: config")
    return lines.joined(separator: "\n")
  }

  private func shellQuoted(_ text: String) -> String {
    let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._".contains($0)) }
    return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
  }

  /// Plain where that is safe, in double quotes where YAML would read something else.
  private func quoted(_ text: String) -> String {
    let safe = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-".contains($0)) }
    let isPlain = safe && text.first.map { $0.isLetter || $0.isNumber } ?? false && text.lowercased() != "null"
    if isPlain { return text }
    return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
