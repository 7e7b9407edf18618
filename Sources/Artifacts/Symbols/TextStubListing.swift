package import Findings
package import ObjectFiles

/// The symbols of a text stub's library for each architecture, in the format of `llvm-nm`: a label, then the symbols
/// with addresses of zero, because a stub has none. The order is the stub's, unlike that of `llvm-nm`.
package struct TextStubListing: Sendable {
  package let place: Place
  package let stub: TextStub
  package let selection: SymbolSelection
  /// Nil: all.
  package let architectures: [Architecture]?

  package init(_ stub: TextStub, at place: Place, _ selection: SymbolSelection, architectures: [Architecture]?) {
    self.place = place
    self.stub = stub
    self.selection = selection
    self.architectures = architectures
  }

  package func nm(namesFiles: Bool) -> [UInt8] {
    var text: [UInt8] = []
    for (name, symbols) in architectureSymbols {
      text += "\n\(stub.installName) (for architecture \(name)):\n".utf8
      let file = Array((namesFiles ? "(for architecture \(name)):\(place): " : "").utf8)
      let width = name == "arm64_32" || !name.contains("64") ? 8 : 16
      for (letter, symbol) in named(symbols) {
        text += file
        text += repeatElement(UInt8(ascii: letter == "U" ? " " : "0"), count: width)
        text += " \(letter) ".utf8
        text += symbol.name.utf8
        text.append(UInt8(ascii: "\n"))
      }
    }
    return text
  }

  package var json: [UInt8] {
    var text: [UInt8] = []
    for (name, symbols) in architectureSymbols {
      let list = named(symbols).map { letter, symbol -> JSONValue in
        var flags = ["external"]
        if letter == "U" { flags.append("undefined") }
        if symbol.isWeak { flags.append("weak") }
        if symbol.isThreadLocal { flags.append("thread-local") }
        return [
          "name": .string(symbol.name), "type": .string(letter), "address": .null, "size": .int(0),
          "flags": .array(flags.map { .string($0) }),
        ]
      }
      let object: JSONValue = [
        "file": .string(place.description), "slice": .string(name), "member": .null, "format": "tbd",
        "symbols": .array(list),
      ]
      text += Array((object.shownInOneLine + "\n").utf8)
    }
    return text
  }

  package var count: Int { architectureSymbols.reduce(0) { $0 + named($1.symbols).count } }

  /// The architectures that it has and that are wanted, older ones first.
  private var names: [String] {
    let all = Set(stub.targets.map { String($0.text.prefix { $0 != "-" }) })
    let known = TextStubListing.order.filter(all.contains)
    let unknown = all.subtracting(known).sorted()
    return (known + unknown).filter { name in
      architectures.map { wanted in Architecture(name: name).map(wanted.contains) ?? false } ?? true
    }
  }

  private static let order = [
    "i386", "x86_64", "x86_64h", "armv4t", "armv6", "armv5", "armv7", "armv7s", "armv7k", "armv6m", "armv7m", "armv7em",
    "arm64", "arm64e", "arm64_32",
  ]

  private typealias Listed = (letter: String, symbol: TextStub.Symbol)

  /// The symbols of each architecture, from one pass over all symbols.
  private var architectureSymbols: [(name: String, symbols: [Listed])] {
    var lists = names.map { (name: $0, symbols: [Listed]()) }
    let places = Dictionary(uniqueKeysWithValues: lists.indices.map { (lists[$0].name, $0) })
    let defined = (stub.exports + stub.reexports).map { symbol in
      (symbol.isWeak ? "W" : symbol.content == .data ? "D" : symbol.content == .text ? "T" : "S", symbol)
    }
    // Symbols of one list have the same targets, so the last result is reused.
    var last: (targets: [TextStub.Target], places: [Int]) = ([], [])
    for listed in defined + stub.undefined.map({ ("U", $0) }) {
      let isUndefined = listed.0 == "U"
      if selection.definedOnly && isUndefined || selection.undefinedOnly && !isUndefined { continue }
      if last.targets != listed.1.targets {
        let names = Set(listed.1.targets.map { String($0.text.prefix { $0 != "-" }) })
        last = (listed.1.targets, names.compactMap { places[$0] })
      }
      for place in last.places { lists[place].symbols.append(listed) }
    }
    return lists
  }

  /// Each name once: the platforms of an architecture are listed together.
  private func named(_ symbols: [Listed]) -> [Listed] {
    var seen: Set<Row> = []
    seen.reserveCapacity(symbols.count)
    return symbols.filter { seen.insert(Row(letter: $0.letter, name: $0.symbol.name)).inserted }
  }

  /// Names are compared by their bytes: strings are equal if they are canonically equivalent.
  private struct Row: Hashable {
    let letter: String
    let name: String

    static func == (a: Row, b: Row) -> Bool { a.letter == b.letter && a.name.utf8.elementsEqual(b.name.utf8) }

    func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }
}
