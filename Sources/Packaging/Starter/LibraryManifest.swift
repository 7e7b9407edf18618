import Android
import Documents
import Findings

/// The AndroidManifest.xml that an AAR is packed with: the tree's own, or one that a step makes.
struct LibraryManifest: Sendable {
  private enum Source {
    case file
    /// Made by a command.
    case step([String], comment: String)
    case none(reason: String)
  }

  private let library: AndroidLibrary
  private let made: String
  private let source: Source
  /// What a description puts into the app's manifest and is not in this one: for the user.
  let notes: [String]

  /// Gradle's `namespace` is the manifest's `package` since its Android plugin 7.3; from 8 on that should be absent.
  init(_ library: AndroidLibrary, minimum: String?, _ survey: TreeSurvey) {
    let path = library.manifestPath
    let made = "\(survey.tree.made)/AndroidManifest.xml"
    let origin = library.packageOrigin ?? "Gradle's namespace"
    let additions = ManifestAdditions(survey)
    (self.library, self.made) = (library, made)
    guard let file = library.manifest else {
      guard let package = library.package else {
        source = .none(reason: "there is \(path) with package=\"com.example.plugin\" in <manifest>")
        notes = additions.notes(reason: "no AAR is made")
        return
      }
      let text = additions.manifest(package, minimum: minimum)
      let with = additions.possible.isEmpty ? "" : " and what \(additions.path) puts into an app's"
      source = .step(
        LibraryManifest.command(text, made),
        comment:
          "There is no \(library.base.isEmpty ? "AndroidManifest.xml of a library" : path): one with \(origin)\(with).")
      notes = additions.obstacles
      return
    }
    notes = additions.notes(missingIn: file)
    if let problem = file.problem {
      source = .none(reason: "\(path) can be read: \(problem)")
    } else if file.content?.package?.isEmpty == false {
      source = .file
    } else {
      let edit = ("<manifest", "<manifest package=\"\(library.package ?? "")\"")
      guard let package = library.package, file.takes(package: package, by: edit) else {
        source = .none(reason: "\(path) says package=\"com.example.plugin\" in <manifest>")
        return
      }
      source = .step(
        ["sed 's/\(edit.0)/\(edit.1)/' \(ShellText.quoted(path: path)) > \(made)"],
        comment: "\(path) names no package: \(origin) is put in.")
    }
  }

  /// A text that has neither quotes nor anything but ASCII, as lines of a shell.
  private static func command(_ text: [String], _ made: String) -> [String] {
    guard text.count > 1 else { return text.map { "echo '\($0)' > \(made)" } }
    return ["printf '%s\\n' \\"] + text.dropLast().map { "  '\($0)' \\" } + text.suffix(1).map { "  '\($0)' > \(made)" }
  }

  /// What the deliverable names.
  var path: String { if case .step = source { made } else { library.manifestPath } }

  /// Whether the deliverable is one that builds.
  var isReady: Bool { obstacle == nil }

  /// Why it is none, for whoever has to mend it.
  var obstacle: String? { if case .none(let reason) = source { reason } else { nil } }

  /// Indented as it stands.
  var step: [String] {
    guard case .step(let command, let comment) = source else { return [] }
    let inputs = library.manifest.map { ["    inputs: [\($0.path.inYAML)]"] } ?? []
    return ["  # \(comment)", "  android-manifest:", "    shell: |"] + command.map { "      \($0)" } + inputs
      + ["    outputs: [\(made)]"]
  }
}
