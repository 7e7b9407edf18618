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
    let placeholders = PlaceholderValues(library)
    notes = additions.notes(missingIn: file) + placeholders.texts
    let isNamed = file.content?.package?.isEmpty == false
    if let problem = file.problem {
      source = .none(reason: "\(path) can be read: \(problem)")
    } else if isNamed, placeholders.edits.isEmpty {
      source = .file
    } else {
      let edit = ("<manifest", "<manifest package=\"\(library.package ?? "")\"")
      if !isNamed, library.package.map({ file.takes(package: $0, by: edit) }) != true {
        source = .none(reason: "\(path) says package=\"com.example.plugin\" in <manifest>")
        return
      }
      let own = isNamed ? [] : ["s/\(edit.0)/\(edit.1)/"] + LibraryManifest.uses(library, file, minimum)
      let comment =
        isNamed
        ? "Values of Gradle's manifestPlaceholders are put into \(path)."
        : "\(path) names no package: \(origin) is put in."
      let edits = (own + placeholders.edits).joined(separator: "; ")
      source = .step(["sed '\(edits)' \(ShellText.quoted(path: path)) > \(made)"], comment: comment)
    }
  }

  /// Gradle says it of a module; of what is no module only the embedded libraries do, and all of them.
  private static func uses(_ library: AndroidLibrary, _ file: AndroidManifestFile, _ minimum: String?) -> [String] {
    guard library.module == nil, file.content?.minSDK == nil, let minimum else { return [] }
    let tag = "<uses-sdk xmlns:android=\"\(AndroidManifest.android)\" android:minSdkVersion=\"\(minimum)\"/>"
    return ["s,</manifest>,\(tag)</manifest>,"]
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

/// What stands as `${name}` in a library's manifest, and what the module's script says of it.
private struct PlaceholderValues {
  private let path: String
  private let all: [(name: String, value: ManifestPlaceholders.Value?)]

  init(_ library: AndroidLibrary) {
    path = library.manifestPath
    all = (library.manifest?.placeholders ?? []).map { ($0, library.module?.placeholders.values[$0]) }
  }

  /// Commands of sed's.
  var edits: [String] {
    all.compactMap { name, value in
      guard case .literal(let text) = value else { return nil }
      return "s,[$]{\(name.replacing(".", with: "[.]"))},\(text),g"
    }
  }

  /// What is said of those that stay, for the user.
  var texts: [String] {
    func names(_ value: ManifestPlaceholders.Value?) -> String? {
      let names = all.filter { $0.value == value }.map { "${\($0.name)}" }
      return names.isEmpty ? nil : "\(path) holds \(names.joined(separator: ", "))"
    }
    return [
      names(.computed).map { "\($0), whose value only Gradle knows: write it there" },
      names(nil).map { "\($0): the app's build has to say what that is" },
    ].compactMap(\.self)
  }
}
