import Documents
import Findings

extension ProjectDescription {
  /// npm's package.json, of React Native, Cordova, Unity and others.
  static func npm(_ path: String, _ files: NamedFiles) throws(UnreadDescription) -> ProjectDescription? {
    let root = try files.tree.json(path)
    var package = ProjectDescription(.npm, path)
    // What npm may not publish is a workspace or a list of tools: its name and version are nobody's.
    if root["private"]?.text != "true" {
      package.setName(root["name"]?.text)
      package.setVersion(root["version"]?.text)
    }
    // What is packed for npm: folders and patterns, which may begin with the slash of the package.
    let named = (root["files"]?.list ?? []).compactMap(\.text).filter { !$0.hasPrefix("!") }
    let folder = package.folder
    let all = files.paths(named.map { String($0.drop { $0 == "/" }) }, in: folder, .wholly)
    // A wrapper is Gradle itself.
    package.libraries = all.filter { NamedFiles.isLibrary($0) && !$0.hasSuffix("gradle-wrapper.jar") }
    return package
  }
}
