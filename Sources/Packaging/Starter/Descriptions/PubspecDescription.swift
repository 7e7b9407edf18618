import Documents

extension ProjectDescription {
  /// Dart's pubspec.yaml: https://dart.dev/tools/pub/pubspec
  static func pubspec(_ path: String, _ files: NamedFiles) throws(UnreadDescription) -> ProjectDescription? {
    guard let root = try files.tree.yaml(path) else { return nil }
    var package = ProjectDescription(.pubspec, path)
    package.setName(root["name"]?.text)
    package.setVersion(root["version"]?.text)
    return package
  }
}
