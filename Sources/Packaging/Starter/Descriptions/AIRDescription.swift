import Documents
import Findings

extension ProjectDescription {
  /// The extension.xml of a native extension of Adobe AIR.
  static func air(_ path: String, _ files: NamedFiles) throws(UnreadDescription) -> ProjectDescription? {
    let root = try files.tree.xml(path)
    guard root.name == "extension", root.namespace.hasPrefix("http://ns.adobe.com/air/extension/") else { return nil }
    var plugin = ProjectDescription(.air, path)
    func text(_ name: String) -> String? { root.children.first { $0.name == name }?.text }
    plugin.setName(text("id"))
    plugin.setVersion(text("versionNumber"))
    return plugin
  }
}
