/// What ndk-build reads of the tree, as the inputs of a step: the folder of its Android.mk, and those of files that this names.
struct NDKInputs: Sendable {
  /// Sorted; none lies in another one's folder, and each has something that it matches.
  let patterns: [String]
  private let folders: Set<String>
  private let files: Set<String>
  /// Folders that have all the rest of the tree, too: of these the headers alone.
  private let headerFolders: Set<String>

  /// `folder`: of the script.
  init(_ script: MakeScript, in folder: String, _ application: String?, _ survey: TreeSurvey) {
    let tree = survey.tree
    var (folders, files, headerFolders) = (Set<String>(), Set<String>(), Set<String>())
    func add(_ path: String) {
      guard path.split(separator: "/").allSatisfy({ StarterTree.isPlain($0) }) else { return }
      let isFolder = tree.isFolder(path)
      guard isFolder || tree.isFile(path) else { return }
      let whole = isFolder ? path : StarterTree.folder(of: path)
      if !whole.isEmpty, whole == folder || !(folder + "/").hasPrefix(whole + "/") {
        folders.insert(whole)
      } else {
        if !isFolder { files.insert(path) }
        headerFolders.insert(whole)
      }
    }
    for path in [folder] + script.scripts + [application].compactMap(\.self) + script.named { add(path) }
    // Of a script at the root who knows what it finds by itself.
    if folder.isEmpty {
      for file in survey.files where file.isNativeSource && PathSystem(file.path) != .apple && !file.folder.isEmpty {
        folders.insert(file.folder)
      }
    }
    let all = folders
    folders = folders.filter { !all.hasFolder(above: $0) }
    (self.folders, self.headerFolders, self.files) = (folders, headerFolders, files)
    let headers = headerFolders.flatMap { folder in
      NDKInputs.endings.filter { ending in tree.names(folder).contains { $0.hasSuffix("." + ending) } }
        .map { StarterTree.join(folder, "*.\($0)") }
    }
    patterns = (folders.map { $0 + "/**" } + files + headers).sorted()
  }

  private static let endings = ["h", "hh", "hpp", "hxx", "inc"]

  func contains(_ path: String) -> Bool {
    let isHeader = NDKInputs.endings.contains(NamedFiles.ending(path))
    return files.contains(path) || folders.hasFolder(above: path)
      || isHeader && headerFolders.contains(StarterTree.folder(of: path))
  }
}
