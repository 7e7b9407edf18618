import Documents
/// Plain values in Gradle's files that give a name and a version.
enum GradleHints {
  /// The hints of the module that is packed; none without a module.
  static func read(_ module: GradleModule?, _ files: [SourceTree.File], _ tree: SourceTree) -> Identity.Hints {
    var hints = Identity.Hints()
    guard let module else { return hints }
    let folders = module.folder == module.build ? [module.folder] : [module.folder, module.build]
    func statements(
      _ names: [String], _ keys: [String], of receiver: PlainValues.Receiver = .none, isQuoted: Bool
    ) -> [PackageDescription.Statement] {
      for folder in folders {
        for name in names {
          let path = PathText.join(folder, name)
          guard tree.isFile(path),
            let found = PlainValues(tree.bytes(path)).first(keys, of: receiver, isQuoted: isQuoted, atTop: true)
          else {
            continue
          }
          switch found.value {
          case .text(let text): return [PackageDescription.Statement(text: text, place: "\(path):\(found.line)")]
          case .computed: hints.computedVersion = hints.computedVersion ?? "\(path):\(found.line)"
          }
        }
      }
      return []
    }
    let properties = ["gradle.properties"]
    let scripts = ["build.gradle", "build.gradle.kts"]
    hints.versions = statements(properties, ["VERSION_NAME"], isQuoted: false)
    // `versionName` is not used: it is for apps, and libraries keep outdated ones.
    if hints.versions.isEmpty { hints.versions = statements(scripts, ["version"], isQuoted: true) }
    if hints.versions.isEmpty { hints.versions = statements(properties, ["version"], isQuoted: false) }
    let computed = hints.versions.isEmpty ? hints.computedVersion : nil
    hints.names = statements(properties, ["POM_ARTIFACT_ID"], isQuoted: false)
    // A build in an inner folder is often a template's.
    if module.build.isEmpty {
      hints.names += statements(
        ["settings.gradle", "settings.gradle.kts"], ["name"], of: .named("rootProject"), isQuoted: true)
    }
    hints.computedVersion = computed
    return hints
  }
}
