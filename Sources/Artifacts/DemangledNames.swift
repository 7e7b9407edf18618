package import ObjectFiles

/// What mangled names stand for, each asked for once.
package struct DemangledNames: Sendable {
  /// By the mangled name, without the underscore that Mach-O puts before every name.
  private var texts: [[UInt8]: [UInt8]] = [:]
  /// Names that are nobody's, so that they are not asked for again.
  private var plain: Set<[UInt8]> = []
  /// Swift's names whose meaning is not known yet: only Swift's own program knows it.
  package private(set) var unknownSwift: [[UInt8]] = []

  package init() {}

  /// Looks at every symbol of a file that is wanted.
  package mutating func add(_ file: CodeFile, _ selection: SymbolSelection) {
    file.withReader { reader in
      for unit in file.units.units {
        // What cannot be read is told by whoever prints it.
        guard let content = try? reader.slice(unit.range, "object file"), let symbols = try? ObjectSymbols(content)
        else {
          continue
        }
        try? symbols.forEach(content, selection) { (symbol: Symbol) throws(FormatError) in
          guard let range = symbol.name, let name = symbols.mangledName(range, content) else { return }
          add(name)
        }
      }
    }
  }

  private mutating func add(_ name: [UInt8]) {
    if texts[name] != nil || plain.contains(name) { return }
    if DemangledNames.isSwift(name) {
      unknownSwift.append(name)
      plain.insert(name)
    } else if let text = DemangledCPlusPlus.text(name[...]) {
      texts[name] = text
    } else {
      plain.insert(name)
    }
  }

  /// What Swift's program answered to `unknownSwift`, in its order; nil if there was no answer.
  package mutating func answer(_ texts: [[UInt8]]?) {
    if let texts, texts.count == unknownSwift.count {
      for (name, text) in zip(unknownSwift, texts) where name != text { self.texts[name] = text }
    }
    unknownSwift = []
  }

  /// Nil for a name that says nothing else than it is.
  func text(_ name: Range<Int>, _ symbols: ObjectSymbols, _ reader: borrowing ByteReader) -> [UInt8]? {
    symbols.mangledName(name, reader).flatMap { texts[$0] }
  }

  /// Swift's manglings of all times. One name is one line of what its program reads, so it must be made of what names are
  /// made of.
  private static func isSwift(_ name: [UInt8]) -> Bool {
    guard swiftPrefixes.contains(where: { name.starts(with: $0) }) else { return false }
    return name.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "."):
        true
      default: false
      }
    }
  }

  private static let swiftPrefixes = ["$s", "$S", "_$s", "_$S", "$e", "_$e", "_T"].map { Array($0.utf8) }
}

extension ObjectSymbols {
  /// A symbol's name if it may be mangled, without the underscore that Mach-O puts before every name.
  fileprivate func mangledName(_ range: Range<Int>, _ reader: borrowing ByteReader) -> [UInt8]? {
    var start = range.lowerBound
    let hasUnderscore =
      switch self {
      case .machO: reader.starts(with: "_", at: start)
      // Bitcode has the names that its target will have.
      case .bitcode: reader.starts(with: "__Z", at: start) || reader.starts(with: "____Z", at: start)
      case .elf: false
      }
    if hasUnderscore { start += 1 }
    guard start < range.upperBound, reader.starts(with: "_", at: start) || reader.starts(with: "$", at: start) else {
      return nil
    }
    var name: [UInt8] = []
    reader.append(start..<range.upperBound, to: &name)
    return name
  }
}
