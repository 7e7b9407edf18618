import Findings

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

/// A name in which `*` stands for any text, `?` for a character and `[abc]` for one of several.
package struct Pattern {
  private enum Part: Equatable {
    case oneOf([ClosedRange<UInt8>])
    case anyText
  }

  private var parts: [Part] = []

  static func isPattern(_ text: String) -> Bool { text.utf8.contains { "*?[".utf8.contains($0) } }

  package init(_ text: String) {
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "*"): if parts.last != .anyText { parts.append(.anyText) }
      case UInt8(ascii: "?"): parts.append(.oneOf([0 ... .max]))
      case UInt8(ascii: "["):
        guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else {
          parts.append(.oneOf([byte...byte]))
          continue
        }
        var ranges: [ClosedRange<UInt8>] = []
        var members = rest[..<end]
        while let first = members.popFirst() {
          var last = first
          if members.count > 1, members.first == UInt8(ascii: "-"), let end = members.dropFirst().first, first <= end {
            members = members.dropFirst(2)
            last = end
          }
          ranges.append(first...last)
        }
        rest = rest[(end + 1)...]
        parts.append(.oneOf(ranges))
      default: parts.append(.oneOf([byte...byte]))
      }
    }
  }

  /// A text that does not match is tried again from the last `*` on, one byte later: the time is at most the product
  /// of the lengths.
  package func matches(_ text: [UInt8]) -> Bool {
    var (part, position) = (0, 0)
    var retry: (part: Int, position: Int)?
    while position < text.count {
      if part < parts.count, parts[part] == .anyText {
        retry = (part, position)
        part += 1
      } else if part < parts.count, case .oneOf(let ranges) = parts[part],
        ranges.contains(where: { $0.contains(text[position]) })
      {
        part += 1
        position += 1
      } else if let last = retry {
        retry = (last.part, last.position + 1)
        (part, position) = (last.part + 1, last.position + 1)
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { $0 == .anyText }
  }
}
