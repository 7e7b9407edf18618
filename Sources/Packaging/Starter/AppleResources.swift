import Findings

/// Which of a tree's resources for iOS are packed, and as what. A description that lists resources knows them all; without one
/// they are told by their kinds and folders.
struct AppleResources: Sendable {
  /// `name`: in the zip.
  private(set) var items: [(file: StarterFile, name: String)] = []
  private(set) var leftOut: [(path: String, reason: String)] = []
  /// What Xcode packs.
  private(set) var inFrameworks: Set<String> = []

  private let survey: TreeSurvey
  private let step: XcodeStep?

  /// `known`: what is packed or left out already.
  init(_ candidates: [StarterFile], _ survey: TreeSurvey, _ step: XcodeStep?, known: Set<String>) {
    self.survey = survey
    self.step = step
    let files = candidates.filter { $0.kind == .bundle || $0.kind == .appleResource }
    let authority = survey.descriptions.first { description in
      [description.sources, description.headers, description.libraries, description.resources].contains { !$0.isEmpty }
    }.flatMap { $0.resources.isEmpty ? nil : $0 }
    var seen = known
    addNamed(authority.map { [$0] } ?? survey.descriptions, files, &seen)
    for file in files where seen.insert(file.path).inserted { add(file, authority) }
    // Of whatever kind: Xcode compiles or copies it.
    for file in candidates {
      guard case .other = file.kind, let home = step?.home(of: file), seen.insert(file.path).inserted else { continue }
      switch home {
      case .framework: inFrameworks.insert(file.path)
      case .otherTarget(let reason): leftOut.append((file.path, reason))
      }
    }
    for description in survey.descriptions { nameForgotten(by: description, seen) }
  }

  /// What descriptions name is the plugin's, wherever it lies.
  private mutating func addNamed(
    _ descriptions: [ProjectDescription], _ files: [StarterFile], _ seen: inout Set<String>
  ) {
    let byPath = Dictionary(files.map { ($0.path, $0) }) { one, _ in one }
    for description in descriptions {
      for path in description.resources {
        let parts = path.split(separator: "/")
        let above = parts.indices.map { parts[..<$0].joined(separator: "/") }
        guard !above.contains(where: seen.contains) else { continue }
        // A folder of one language is one thing, whatever of it is named.
        let own =
          (above + [path]).lazy.compactMap { byPath[$0] }.first
          ?? StarterFile(path: path, kind: .appleResource, standing: .own)
        guard seen.insert(own.path).inserted, survey.tree.kind(path) != nil else { continue }
        if let place = description.bundles[path] {
          pack(own, as: AppleResources.path(of: own, with: path, at: place))
        } else {
          pack(own, as: own.name)
        }
      }
    }
  }

  /// Where a thing is of which the folder of one file is known: `A.bundle/en.lproj`, of `en.lproj/a.strings` there.
  private static func path(of own: StarterFile, with path: String, at place: String) -> String {
    let (parts, folder) = (place.split(separator: "/"), StarterTree.folder(of: path).split(separator: "/"))
    let depth = path.split(separator: "/").count - own.path.split(separator: "/").count
    let isInside = depth > 0 && parts.suffix(depth) == folder.suffix(depth)
    return (parts.dropLast(isInside ? depth : 0) + [own.name[...]]).joined(separator: "/")
  }

  private mutating func add(_ file: StarterFile, _ authority: ProjectDescription?) {
    if let reason = notOfTheLibrary(file) {
      leftOut.append((file.path, reason))
    } else if let authority {
      leftOut.append((file.path, "\(authority.path) does not name it"))
    } else {
      pack(file, as: file.name)
    }
  }

  private mutating func pack(_ file: StarterFile, as name: String) {
    switch step?.home(of: file) {
    case .framework?: inFrameworks.insert(file.path)
    case .otherTarget(let reason)?: leftOut.append((file.path, reason))
    case nil:
      if let tool = AppleResources.tool(file.ending, inBundle: name != file.name) {
        let bundle = name.split(separator: "/").first.map { name == file.name ? "a bundle" : String($0) } ?? ""
        leftOut.append((file.path, "compile it with Xcode's \(tool) into \(bundle), and add that to items"))
      } else {
        items.append((file, name))
      }
    }
  }

  /// What compiles it. An app's own build compiles screens that lie outside of bundles.
  private static func tool(_ ending: String, inBundle: Bool) -> String? {
    switch ending {
    case ".xcassets": "actool"
    case ".xcdatamodeld", ".xcdatamodel": "momc"
    case ".xib", ".storyboard": inBundle ? "ibtool" : nil
    default: nil
    }
  }

  // MARK: - What is another's

  private func notOfTheLibrary(_ file: StarterFile) -> String? {
    if isOfAnApp(file) || isForeign(file) { return StarterIOS.ofApplication }
    return survey.projects.otherFolders.first { file.path.hasPrefix($0.path + "/") }?.reason
  }

  /// The screens that an application begins with, and the names that it has in several languages.
  private func isOfAnApp(_ file: StarterFile) -> Bool {
    let apps = ["LaunchScreen.", "Main.", "MainWindow.", "MainMenu."]
    if apps.contains(where: file.name.hasPrefix) { return true }
    guard file.name.hasSuffix(".lproj") else { return false }
    return survey.tree.names(file.path).allSatisfy { name in
      name == "InfoPlist.strings" || apps.contains(where: name.hasPrefix)
    }
  }

  /// A screen or text that the project which makes the library does not name.
  private func isForeign(_ file: StarterFile) -> Bool {
    guard let project = survey.projects.taken, file.kind == .appleResource, !file.name.hasSuffix(".xcprivacy") else {
      return false
    }
    return !project.names(file.name)
  }

  /// What lies beside the resources that a description names, and ends as they do.
  private mutating func nameForgotten(by description: ProjectDescription, _ seen: Set<String>) {
    let named = Set(description.resources)
    let endings = Dictionary(grouping: named, by: StarterTree.folder(of:)).mapValues {
      Set($0.map(NamedFiles.ending(_:)))
    }
    for (folder, endings) in endings.sorted(by: { $0.key < $1.key }) where !folder.isEmpty {
      for name in survey.tree.names(folder) {
        let (path, ending) = ("\(folder)/\(name)", NamedFiles.ending(name))
        guard !ending.isEmpty, endings.contains(ending), !named.contains(path), !seen.contains(path) else { continue }
        leftOut.append((path, "\(description.path) does not name it"))
      }
    }
  }
}
