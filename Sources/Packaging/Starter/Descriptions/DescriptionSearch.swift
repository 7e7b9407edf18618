import Findings

extension ProjectDescription {
  /// The description files of a tree, nearest its root first; of one folder, the one that says most first.
  ///
  /// Not looked into: what was fetched or made, and what shows or tests the plugin.
  static func all(in tree: StarterTree) -> [ProjectDescription] { search(tree).found }

  /// Besides, those that are no such files though their names say so.
  static func search(_ tree: StarterTree) -> (found: [ProjectDescription], unread: [UnreadDescription]) {
    let files = NamedFiles(tree)
    var found: [ProjectDescription] = []
    var unread: [UnreadDescription] = []
    var folders = [""]
    var namesLeft = StarterTree.mostFiles
    var depth = 0
    while !folders.isEmpty, depth < deepest, found.count < most {
      var next: [String] = []
      for folder in folders {
        var inFolder: [ProjectDescription] = []
        func take(_ path: String, _ read: Reader) {
          guard tree.isFile(path), found.count + unread.count < most else { return }
          do throws(UnreadDescription) {
            guard var description = try read(path, files), !description.isEmpty else { return }
            description.removeRepetitions()
            inFolder.append(description)
          } catch {
            unread.append(error)
          }
        }
        for name in tree.names(folder) where namesLeft > 0 {
          namesLeft -= 1
          let path = StarterTree.join(folder, name)
          if let read = reader(of: name) {
            take(path, read)
          } else if tree.isFolder(path) {
            if !isLeftAlone(name) { next.append(path) }
            // Its script writes the parts of an extension to where its descriptor is.
            if made.contains(name.lowercased()) { take(StarterTree.join(path, "extension.xml"), air) }
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
    return (withNeeded(Array(found.prefix(most))), unread)
  }

  /// The first pod, which is the plugin's, with what it needs of the tree's other ones: an app gets them together.
  private static func withNeeded(_ found: [ProjectDescription]) -> [ProjectDescription] {
    guard let first = found.firstIndex(where: { $0.kind == .podspec }) else { return found }
    let pods = found.filter { $0.kind == .podspec }
    let byName = Dictionary(pods.compactMap { pod in pod.name.map { ($0, pod) } }) { first, _ in first }
    var found = found
    var seen = Set([found[first].name].compactMap(\.self))
    var open = found[first].needs
    while let name = open.popLast() {
      guard seen.insert(name).inserted, let other = byName[name] else { continue }
      found[first].take(other)
      open += other.needs
    }
    found[first].removeRepetitions()
    return found
  }

  private static let deepest = 12
  /// More is no one plugin's.
  private static let most = 64

  private typealias Reader = (String, NamedFiles) throws(UnreadDescription) -> ProjectDescription?

  private static func reader(of name: String) -> Reader? {
    switch name {
    case "plugin.xml": cordova
    case "manifest": titanium
    case "extension.xml": air
    case "pubspec.yaml": pubspec
    case "Package.swift": swiftPackage
    case "build.gradle", "build.gradle.kts": gradle
    case "package.json": npm
    case _ where name.hasSuffix(".gdip") || name.hasSuffix(".gdap"): godot
    case _ where name.hasSuffix(".podspec") || name.hasSuffix(".podspec.json"): podspec
    default: nil
    }
  }

  private static let made: Set<String> = ["build", "dist", "out", "bin"]
  private static let others = made.union([
    "node_modules", "pods", "carthage", "deriveddata", "vendor", "third_party", "thirdparty", "docs", "apidoc",
    "documentation",
  ])

  private static let purposes: Set<String> = ["example", "sample", "demo", "test", "tests", "spec"]

  /// `Examples`, `MyDemo`, `example-ios`, `TestApp`, and the folders that are one thing to an app.
  static func isLeftAlone(_ name: String) -> Bool {
    if NamedFiles.isBundle(name) || [".xcodeproj", ".xcworkspace"].contains(where: name.hasSuffix) { return true }
    guard !others.contains(name.lowercased()) else { return true }
    let words = FolderStanding.words(name)
    func isPurpose(_ word: String?) -> Bool {
      guard let word else { return false }
      return purposes.contains(word) || word.hasSuffix("s") && purposes.contains(String(word.dropLast()))
    }
    let isSeparated = name.utf8.contains { "-_ ".utf8.contains($0) }
    let isApp = ["app", "apps", "project", "projects"].contains(words.last)
    return isPurpose(words.last) || isSeparated && isPurpose(words.first) || isApp && isPurpose(words.dropLast().last)
      || ["androidtest", "unittest", "instrumenttest"].contains(words.last)
  }
}
