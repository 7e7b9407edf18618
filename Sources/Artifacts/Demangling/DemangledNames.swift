package import ObjectFiles

/// The texts of mangled names. Each name is demangled once.
package struct DemangledNames: Sendable {
  /// By mangled name, without Mach-O's leading underscore. Empty: the name has no other text, or is not demangled yet.
  private var texts: [[UInt8]: [UInt8]] = [:]
  /// Names that other programs still have to demangle, each once.
  package private(set) var unknownCPlusPlus: [[UInt8]] = []
  package private(set) var unknownSwift: [[UInt8]] = []
  /// The number of bytes that texts may still take: real texts are twice as long as their names.
  private var room = 16 << 20

  package init() {}

  /// Adds the names of all selected symbols of a file.
  package mutating func add(_ file: CodeFile, _ selection: SymbolSelection) {
    file.withReader { reader in
      for unit in file.units.units {
        // The listing reports units that cannot be read.
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

  /// Adds one symbol of a Mach-O file, with its leading underscore.
  package mutating func add(_ name: String) {
    // The second byte rules most names out.
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

  /// Takes the texts for `unknownCPlusPlus`, in its order; a text is empty if the name has none.
  package mutating func answerCPlusPlus(_ texts: [[UInt8]]) {
    answer(unknownCPlusPlus, texts)
    unknownCPlusPlus = []
  }

  /// Takes the texts for `unknownSwift`, in its order; nil if there was no answer.
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

  /// Nil if the name has no other text.
  func text(_ name: [UInt8], _ symbols: ObjectSymbols) -> [UInt8]? {
    guard let text = symbols.mangledName(name).flatMap({ texts[$0] }), !text.isEmpty else { return nil }
    return text
  }

  /// The text of a Mach-O symbol; nil if the name has no other text.
  package func text(_ name: String) -> String? {
    if texts.isEmpty { return nil }
    return texts[Array(name.utf8.dropFirst())].flatMap { $0.isEmpty ? nil : String(decoding: $0, as: UTF8.self) }
  }

  /// Any version's mangling counts. swift-demangle reads one name per line, so only the bytes of identifiers are
  /// allowed.
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
