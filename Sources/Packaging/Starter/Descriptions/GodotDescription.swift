extension ProjectDescription {
  /// A plugin's file for Godot, .gdip (iOS) or .gdap (Android):
  /// https://docs.godotengine.org/en/stable/tutorials/platform/ios/ios_plugin.html
  static func godot(_ path: String, _ files: NamedFiles) -> ProjectDescription? {
    // Sections with `key="text"` and `key=["text"]`.
    let tokens = ScriptTokens.read(files.tree.bytes(path), .swift)
    var plugin = ProjectDescription(.godot, path)
    for index in tokens.indices where tokens[at: index + 1] == .sign("=") {
      switch tokens[index] {
      case .word("name"): plugin.setName(tokens[at: index + 2]?.text)
      case .word("system") where tokens[at: index + 2] == .sign("["):
        for token in tokens[(index + 3)...].prefix(while: { $0 != .sign("]") }) {
          token.text.map { plugin.addFramework($0) }
        }
      default: break
      }
    }
    return plugin
  }
}
