/// What a step of Xcode's reads: what compilers read of the project's folder, and what the project names besides. Of what lies
/// elsewhere, all that is beside a source: it may include that.
struct XcodeInputs: Sendable {
  private(set) var patterns: [String] = []

  private static let endings = [
    "h", "hh", "hpp", "hxx", "inc", "pch", "m", "mm", "c", "cc", "cpp", "cxx", "s", "S", "swift", "xcconfig",
  ]
  private static let code = "*.{\(endings.joined(separator: ","))}"
  /// More of a folder are one pattern.
  private static let mostNamed = 3

  /// `files`: what is compiled, and its headers, of the tree. `folder`: empty, or with a slash at its end.
  init(_ project: XcodeProject, in folder: String, _ files: [String], _ survey: TreeSurvey) {
    let tree = survey.tree
    // What was built before is none.
    let built = ["\(folder)build/", "\(tree.made)/", "dist/"]
    func isInput(_ path: String) -> Bool {
      let isPlain = path.split(separator: "/").allSatisfy { StarterTree.isPlain($0) }
      guard isPlain, !built.contains(where: path.hasPrefix), !folder.hasPrefix(path + "/") else { return false }
      return tree.isFile(path) || tree.isFolder(path)
    }
    let named = project.paths.filter(isInput)
    var hasCode = false
    var byFolder: [String: [String]] = [:]
    for path in named.union(files).sorted() {
      let isCode = XcodeInputs.endings.contains(NamedFiles.ending(path)) && tree.isFile(path)
      if isCode, path.hasPrefix(folder) {
        hasCode = true
      } else {
        let name = StarterTree.name(of: path)
        let pattern = isCode ? XcodeInputs.code : name.contains(".") ? "*.\(NamedFiles.ending(path))" : name
        byFolder[StarterTree.join(StarterTree.folder(of: path), pattern), default: []].append(path)
      }
    }
    // A pattern that matches nothing is a mistake.
    if hasCode { patterns.append("\(folder)**/\(XcodeInputs.code)") }
    for (pattern, paths) in byFolder.sorted(by: { $0.key < $1.key }) {
      let isPattern = pattern.hasSuffix(XcodeInputs.code) || paths.count > XcodeInputs.mostNamed
      patterns += isPattern ? [pattern] : paths
    }
  }
}
