import Findings

extension ProjectDescription {
  /// The description files of a tree, nearest its root first; of one folder, the one that says most first.
  ///
  /// Not looked into: what was fetched or made, and what shows or tests the plugin.
  static func all(in tree: StarterTree) -> [ProjectDescription] {
    let files = NamedFiles(tree)
    var found: [ProjectDescription] = []
    var folders = [""]
    var namesLeft = StarterTree.mostFiles
    var depth = 0
    while !folders.isEmpty, depth < deepest, found.count < most {
      var next: [String] = []
      for folder in folders {
        var inFolder: [ProjectDescription] = []
        for name in tree.names(folder) where namesLeft > 0 {
          namesLeft -= 1
          let path = StarterTree.join(folder, name)
          if let read = reader(of: name) {
            if tree.isFile(path), var description = read(path, files), !description.isEmpty {
              description.removeRepetitions()
              inFolder.append(description)
            }
          } else if tree.isFolder(path), !isLeftAlone(name) {
            next.append(path)
          }
        }
        found += inFolder.enumerated().sorted {
          ($0.element.kind.rawValue, $0.offset) < ($1.element.kind.rawValue, $1.offset)
        }
        .map(\.element)
      }
      folders = next
      depth += 1
    }
    // Of several of Godot's plugins none is the tree's.
    if Set(found.filter { $0.kind == .godot }.map(\.name)).count > 1 { found.removeAll { $0.kind == .godot } }
    return Array(found.prefix(most))
  }

  private static let deepest = 12
  /// More is no one plugin's.
  private static let most = 64

  private static func reader(of name: String) -> ((String, NamedFiles) -> ProjectDescription?)? {
    switch name {
    case "plugin.xml": cordova
    case "manifest": titanium
    case "pubspec.yaml": pubspec
    case "Package.swift": swiftPackage
    case "build.gradle", "build.gradle.kts": gradle
    case "package.json": npm
    case _ where name.hasSuffix(".gdip") || name.hasSuffix(".gdap"): godot
    case _ where name.hasSuffix(".podspec") || name.hasSuffix(".podspec.json"): podspec
    default: nil
    }
  }

  private static let others: Set<String> = [
    "node_modules", "pods", "carthage", "build", "dist", "deriveddata", "vendor", "third_party", "thirdparty", "out",
    "bin", "docs", "apidoc", "documentation",
  ]

  private static let purposes: Set<String> = ["example", "sample", "demo", "test", "tests", "spec"]

  /// `Examples`, `MyDemo`, `example-ios`, `TestApp`, and the folders that are one thing to an app.
  static func isLeftAlone(_ name: String) -> Bool {
    if NamedFiles.isBundle(name) || [".xcodeproj", ".xcworkspace"].contains(where: name.hasSuffix) { return true }
    guard !others.contains(name.lowercased()) else { return true }
    let words = words(name)
    func isPurpose(_ word: String?) -> Bool {
      guard let word else { return false }
      return purposes.contains(word) || word.hasSuffix("s") && purposes.contains(String(word.dropLast()))
    }
    let isSeparated = name.utf8.contains { "-_ ".utf8.contains($0) }
    let isApp = ["app", "apps", "project", "projects"].contains(words.last)
    return isPurpose(words.last) || isSeparated && isPurpose(words.first) || isApp && isPurpose(words.dropLast().last)
      || ["androidtest", "unittest", "instrumenttest"].contains(words.last)
  }

  /// `my`, `demo` and `app` of `MyDemo-app`.
  private static func words(_ name: String) -> [String] {
    var words: [String] = [""]
    var isAfterSmall = false
    for character in name {
      let isWord = character.isLetter || character.isNumber
      if !isWord || isAfterSmall && character.isUppercase { words.append("") }
      if isWord { words[words.count - 1] += character.lowercased() }
      isAfterSmall = character.isLowercase
    }
    return words.filter { !$0.isEmpty }
  }
}
