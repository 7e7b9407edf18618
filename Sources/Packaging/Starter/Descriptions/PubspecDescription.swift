import Documents

extension ProjectDescription {
  /// Dart's pubspec.yaml: https://dart.dev/tools/pub/pubspec
  static func pubspec(_ path: String, _ files: NamedFiles) -> ProjectDescription? {
    let documents = try? YAMLDocuments.read(files.tree.bytes(path), deepest: 64, mostNodes: 20_000)
    guard let root = documents?.first else { return nil }
    var package = ProjectDescription(.pubspec, path)
    package.setName(root["name"]?.text)
    package.setVersion(root["version"]?.text)
    return package
  }
}
