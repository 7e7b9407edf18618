import ObjectFiles

extension LinkLine {
  /// The first that is not empty of what `body` says of the line's files, in their order.
  package func first<Element>(in folder: any LinkFolder, _ body: (String) -> [Element]) -> [Element] {
    let set = LinkSet(architecture ?? .arm64, folder)
    var run = LinkRun(set, self, .lld)
    for input in inputs {
      for file in run.files(input) {
        let found = body(set.files[file].path)
        if !found.isEmpty { return found }
      }
    }
    return []
  }
}
