import Android
import Artifacts
import Findings

/// Where the manifest of an Android library comes from: the tree has it as an AAR wants it, or a command makes it.
struct AndroidManifestSource: Sendable {
  enum Source {
    case file(String)
    /// Made by a command.
    case step(String, comment: String)
    case none(reason: String)
  }

  private let library: AndroidLibrary
  private let survey: TreeSurvey

  init(_ library: AndroidLibrary, _ survey: TreeSurvey) { (self.library, self.survey) = (library, survey) }

  /// Of the manifest that is packed.
  var path: String { if case .step = source { made } else { library.manifestPath } }

  private var made: String { "\(survey.tree.made)/AndroidManifest.xml" }

  /// Gradle's `namespace` is the manifest's `package` since its Android plugin 7.3; from 8 on that should be absent.
  var source: Source {
    let path = library.manifestPath
    guard let file = library.manifest else {
      guard let package = library.package else {
        return .none(reason: "there is \(path) with package=\"com.example.plugin\" in <manifest>")
      }
      let uses = "><uses-sdk android:minSdkVersion=\"\(minimum ?? "")\"/></manifest>"
      let space = minimum == nil ? "" : " xmlns:android=\"\(AndroidManifest.android)\""
      return .step(
        "echo '<manifest\(space) package=\"\(package)\"\(minimum == nil ? "/>" : uses)' > \(made)",
        comment: "There is no \(library.base.isEmpty ? "AndroidManifest.xml of a library" : path): one with \(origin).")
    }
    if let problem = file.problem { return .none(reason: "\(path) can be read: \(problem)") }
    let isNamed = file.content?.package?.isEmpty == false
    if isNamed, values.isEmpty { return .file(path) }
    let edit = ("<manifest", "<manifest package=\"\(library.package ?? "")\"")
    if !isNamed {
      guard let package = library.package, file.takes(package: package, by: edit) else {
        return .none(reason: "\(path) says package=\"com.example.plugin\" in <manifest>")
      }
    }
    let edits = (isNamed ? [] : ["s/\(edit.0)/\(edit.1)/"] + uses(file)) + values
    let comment =
      isNamed
      ? "Values of Gradle's manifestPlaceholders are put into \(path)."
      : "\(path) names no package: \(origin) is put in."
    return .step(
      "sed '\(edits.joined(separator: "; "))' \(ShellText.quoted(path: path)) > \(made)", comment: comment)
  }

  /// Gradle says it of a module; of what is no module only the embedded libraries do, and all of them.
  private func uses(_ file: AndroidManifestFile) -> [String] {
    guard library.module == nil, file.content?.minSDK == nil, let minimum else { return [] }
    let tag = "<uses-sdk xmlns:android=\"\(AndroidManifest.android)\" android:minSdkVersion=\"\(minimum)\"/>"
    return ["s,</manifest>,\(tag)</manifest>,"]
  }

  /// An API level, of the module or of what else describes the plugin, and no lower than those of what is embedded.
  private var minimum: String? {
    let embedded = (library.paths["embed"] ?? []).compactMap { survey.tree.manifest(ofAAR: $0)?.minSDK }
    let said = library.module?.minSDK ?? survey.descriptions.lazy.compactMap(\.minimumAndroidSDK).first
    return (embedded + (said.map { [$0] } ?? [])).compactMap { Int($0) }.max().map(String.init)
  }

  private var origin: String { library.packageOrigin ?? "Gradle's namespace" }

  // MARK: - Placeholders

  /// What stands as `${name}` in the manifest, each with what the module's script says of it.
  private var placeholders: [(name: String, value: ManifestPlaceholders.Value?)] {
    (library.manifest?.placeholders ?? []).map { ($0, library.module?.placeholders.values[$0]) }
  }

  /// Commands of sed's.
  private var values: [String] {
    placeholders.compactMap { name, value in
      guard case .literal(let text) = value else { return nil }
      return "s,[$]{\(name.replacing(".", with: "[.]"))},\(text),g"
    }
  }

  /// What is said of those that stay, for the user.
  var texts: [String] {
    func names(_ value: ManifestPlaceholders.Value?) -> String? {
      let names = placeholders.filter { $0.value == value }.map { "${\($0.name)}" }
      return names.isEmpty ? nil : "\(library.manifestPath) holds \(names.joined(separator: ", "))"
    }
    return [
      names(.computed).map { "\($0), whose value only Gradle knows: write it there" },
      names(nil).map { "\($0): the app's build has to say what that is" },
    ].compactMap(\.self)
  }
}
