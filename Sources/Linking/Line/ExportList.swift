import Findings
import ObjectFiles

/// The visible names that an image exports (`-exported_symbol` and similar options).
struct ExportList {
  private struct Names {
    var literals: Set<[UInt8]> = []
    var patterns: [Pattern] = []

    init(_ words: [String]) {
      for word in words {
        if Pattern.isPattern(word) { patterns.append(Pattern(word)) } else { literals.insert(Array(word.utf8)) }
      }
    }

    var isEmpty: Bool { literals.isEmpty && patterns.isEmpty }

    func contains(_ name: [UInt8]) -> Bool { literals.contains(name) || patterns.contains { $0.matches(name) } }
  }

  /// Nil: all names are exported.
  private var exported: Names?
  private var unexported: Names
  /// The exported names without wildcards. They count as references, so members are loaded for them.
  private(set) var literals: [String] = []

  init(_ line: LinkLine, _ set: LinkSet) {
    func words(_ lists: [String]) -> [String] { lists.flatMap { set.lines(ofList: $0) ?? [] } }
    if line.has(.noExportedSymbols) {
      exported = Names([])
    } else if line.exported != nil || !line.exportLists.isEmpty {
      let all = (line.exported ?? []) + words(line.exportLists)
      exported = Names(all)
      literals = all.filter { !Pattern.isPattern($0) }
    }
    unexported = Names(line.unexported + words(line.unexportLists))
  }

  var isRestricted: Bool { exported != nil || !unexported.isEmpty }
  var isContradictory: Bool { exported != nil && !unexported.isEmpty }

  /// Whether visible names are live. Apple's linker keeps only the listed names if a list has no patterns.
  func keepsVisible(_ line: LinkLine, _ profile: LinkerProfile) -> Bool {
    if profile.exportLists == .asDefined, let exported { return !exported.patterns.isEmpty }
    return line.output != .executable || line.has(.exportDynamic)
  }

  func isExported(_ name: NameID, _ names: NameTable) -> Bool {
    if let exported { return exported.contains(names.bytes(of: name)) }
    return unexported.isEmpty || !unexported.contains(names.bytes(of: name))
  }

  /// Whether the line names it as one to export.
  func isNamed(_ name: NameID, _ names: NameTable) -> Bool {
    exported?.contains(names.bytes(of: name)) ?? false
  }
}
