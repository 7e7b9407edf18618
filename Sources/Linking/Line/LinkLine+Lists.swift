import Findings

// Lists of names in files, and options that exclude each other.

extension LinkSet {
  /// The lines of a list without comments and empty ones; nil if there is no such file.
  func lines(ofList path: String) -> [String]? {
    text(at: path)?.lines.map { line in
      let end = line.unicodeScalars.firstIndex(of: "#")
      return String(line[..<(end ?? line.endIndex)].trimmed)
    }.filter { !$0.isEmpty }
  }
}

extension LinkLine {
  /// The same line with the aliases of its lists (`-alias_list`). Linkers pass over a line with a single name.
  func withAliasLists(_ set: LinkSet) -> LinkLine {
    if aliasLists.isEmpty { return self }
    var line = self
    for words in aliasLists.flatMap({ set.lines(ofList: $0) ?? [] }).map(\.words) where words.count > 1 {
      line.aliases.append((String(words[0]), String(words[1])))
    }
    return line
  }

  /// The same line without the options that the linker passes over.
  package func heeded(by profile: LinkerProfile) -> LinkLine {
    guard profile.passesOverOptions else { return self }
    var line = self
    line.inputs.removeAll { $0.kind == "upward" || $0.kind == "lazy" }
    (line.initializer, line.aliasLists) = (nil, [])
    if takesAllLoadBack { line.flags.remove(.allLoad) }
    return line
  }

  var restrictsExports: Bool {
    has(.noExportedSymbols) || exported != nil || !exportLists.isEmpty || !unexported.isEmpty || !unexportLists.isEmpty
  }

  /// Reasons why a linker does not even read the files.
  func contradictions(_ profile: LinkerProfile) -> [String] {
    var line = self
    line.flags.remove(.noExportedSymbols)
    let isTwofold = has(.noExportedSymbols) && line.restrictsExports
    var found = isTwofold ? ["-no_exported_symbols excludes other lists of exports"] : []
    if profile.joinsOptions { found += excludedMerging }
    return found
  }

  /// Rule 1.21: a library that is merged has no load command, which these kinds need.
  private var excludedMerging: [String] {
    let merged = inputs.filter { $0.kind == "merge" }
    return inputs.filter { ["reexport", "weak", "upward", "lazy"].contains($0.kind) }.compactMap { other in
      merged.first { $0.source == other.source }
        .map { "\($0.spelling) and \(other.spelling) exclude each other" }
    }
  }
}
