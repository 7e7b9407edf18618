package import ObjectFiles

/// What mangled names stand for, each asked for once.
package struct DemangledNames: Sendable {
  /// By the mangled name, without Mach-O's first underscore. Empty: it has no other text, or is not asked for yet.
  private var texts: [[UInt8]: [UInt8]] = [:]
  /// Names whose meaning is not known yet, each once. It takes other programs to know it.
  package private(set) var unknownCPlusPlus: [[UInt8]] = []
  package private(set) var unknownSwift: [[UInt8]] = []
  /// How many bytes of texts may still come: those of real names are twice as long as the names.
  private var room = 16 << 20

  package init() {}

  /// Looks at every symbol of a file that is wanted.
  package mutating func add(_ file: CodeFile, _ selection: SymbolSelection) {
    file.withReader { reader in
      for unit in file.units.units {
        // What cannot be read is told by whoever prints it.
        guard let content = try? reader.slice(unit.range, "object file"), let symbols = try? ObjectSymbols(content)
        else { continue }
        try? symbols.forEach(content, selection) { (symbol: Symbol) throws(FormatError) in
          guard let range = symbol.name else { return }
          var name: [UInt8] = []
          content.append(range, to: &name)
          if let name = symbols.mangledName(name) { add(name) }
        }
        for symbol in (try? symbols.loaderSymbols(content, selection)) ?? [] {
          if let name = symbols.mangledName(symbol.name) { add(name) }
        }
      }
    }
  }

  /// A symbol of a Mach-O file by itself.
  package mutating func add(_ name: String) {
    // Most names need no second look.
    guard let second = name.utf8.dropFirst().first, second == UInt8(ascii: "_") || second == UInt8(ascii: "$") else {
      return
    }
    add(Array(name.utf8.dropFirst()))
  }

  private mutating func add(_ name: [UInt8]) {
    let isSwift = DemangledNames.isSwift(name)
    guard isSwift || DemangledCPlusPlus.isMangled(name), texts[name] == nil else { return }
    texts[name] = []
    if isSwift { unknownSwift.append(name) } else { unknownCPlusPlus.append(name) }
  }

  /// What others say to `unknownCPlusPlus`, in its order; empty texts for names that are nobody's.
  package mutating func answerCPlusPlus(_ texts: [[UInt8]]) {
    answer(unknownCPlusPlus, texts)
    unknownCPlusPlus = []
  }

  /// What Swift's program answered to `unknownSwift`, in its order; nil if there was no answer.
  package mutating func answerSwift(_ texts: [[UInt8]]?) {
    if let texts { answer(unknownSwift, texts) }
    unknownSwift = []
  }

  private mutating func answer(_ names: [[UInt8]], _ texts: [[UInt8]]) {
    guard names.count == texts.count else { return }
    for (name, text) in zip(names, texts) where name != text {
      room += 16 * name.count
      guard text.count <= room else { continue }
      room -= text.count
      self.texts[name] = text
    }
  }

  /// Nil for a name that stands for itself.
  func text(_ name: [UInt8], _ symbols: ObjectSymbols) -> [UInt8]? {
    guard let text = symbols.mangledName(name).flatMap({ texts[$0] }), !text.isEmpty else { return nil }
    return text
  }

  /// The text of a symbol of a Mach-O file; nil for a name that stands for itself.
  package func text(_ name: String) -> String? {
    if texts.isEmpty { return nil }
    return texts[Array(name.utf8.dropFirst())].flatMap { $0.isEmpty ? nil : String(decoding: $0, as: UTF8.self) }
  }

  /// Swift's manglings of all times. Its program reads a name a line, so a name has no other bytes than names have.
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
  fileprivate func mangledName(_ name: [UInt8]) -> [UInt8]? {
    let hasUnderscore =
      switch self {
      case .machO: name.first == UInt8(ascii: "_")
      // Bitcode has the names that its target will have.
      case .bitcode: name.starts(with: "__Z".utf8) || name.starts(with: "____Z".utf8)
      case .elf: false
      }
    let name = hasUnderscore ? Array(name.dropFirst()) : name
    return name.first == UInt8(ascii: "_") || name.first == UInt8(ascii: "$") ? name : nil
  }
}
