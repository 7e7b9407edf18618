package import Findings
import ObjectFiles

extension LinkLine {
  /// The words of a command line for a linker that runs in `folder`, or in the working folder of this process if it
  /// is empty.
  package init(_ words: [String], in folder: String) throws(Mistakes) {
    try self.init(words)
    guard !folder.isEmpty else { return }
    self.folder = folder
    for index in inputs.indices {
      switch inputs[index].source {
      case .path(let path): inputs[index].source = .path(resolved(path))
      case .list(let path, let folder): inputs[index].source = .list(resolved(path), folder: folder.map(resolved))
      case .library, .framework: break
      }
    }
    libraryPaths = libraryPaths.map(resolved)
    frameworkPaths = frameworkPaths.map(resolved)
    exportLists = exportLists.map(resolved)
    unexportLists = unexportLists.map(resolved)
    aliasLists = aliasLists.map(resolved)
    root = root.map(resolved)
  }

  /// The path relative to the working folder of this process.
  func resolved(_ path: String) -> String {
    folder.isEmpty || path.hasPrefix("/") ? path : folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
  }

  /// The elements that `body` finds in the first of the line's files that has any.
  package func first<Element>(in folder: any LinkFolder, _ body: (String) -> [Element]) -> [Element] {
    let set = LinkSet(architecture ?? .arm64, folder, .lld)
    var finder = InputFinder(set, self)
    for input in inputs {
      for file in finder.files(input) {
        let found = body(set.files[file].path)
        if !found.isEmpty { return found }
      }
    }
    return []
  }
}
