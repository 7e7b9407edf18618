import Findings
import ObjectFiles

/// One line of JSON for each object: `{"file","slice","member","format","symbols":[…]}`.
enum SymbolJSON {
  static func append(
    _ unit: ObjectUnit, _ file: CodeFile, _ listing: SymbolListing, _ objc: ObjCMetadata?,
    _ reader: borrowing ByteReader, to output: inout [UInt8]
  ) throws(FormatError) {
    let content = try reader.slice(unit.range, "object file")
    guard let symbols = try ObjectSymbols(content) else { return }
    let head: [(key: String, value: JSONValue)] = [
      ("file", .string(file.place.description)),
      ("slice", file.slice(of: unit).map { .string($0.description) } ?? .null),
      ("member", unit.member.map { .string(reader.text($0)) } ?? .null), ("format", .string(symbols.formatName)),
    ]
    let start = output.count
    output += JSONValue.object(head).shownInOneLine.utf8.dropLast()
    output.beginList("symbols")
    // The text of a symbol may be many times as long as its name.
    var budget = NameBudget(content)
    func add(_ symbol: JSONValue, _ name: Range<Int>?) throws(FormatError) {
      let count = output.count
      output.addToList(symbol)
      let length = output.count - count
      try budget.spend(max(0, length - SymbolJSON.usualLength), at: name?.lowerBound ?? content.range.lowerBound)
    }
    do throws(FormatError) {
      try symbols.forEach(content, listing.selection) { (symbol: Symbol) throws(FormatError) in
        let name = try symbol.name.map { (range) throws(FormatError) in try content.copy(range, "name of a symbol") }
        try add(value(symbol, name, listing.names, symbols), symbol.name)
      }
      for symbol in try symbols.loaderSymbols(content, listing.selection) {
        try add(value(symbol.symbol, symbol.name, listing.names, symbols), nil)
      }
    } catch {
      // Half a line would not be JSON.
      output.removeLast(output.count - start)
      throw error
    }
    output.append(UInt8(ascii: "]"))
    if let objc {
      output += ",\"objc\":".utf8
      ObjCListing.append(objc, reader, to: &output)
    }
    output += "}\n".utf8
  }

  /// The bytes that a symbol with a short name takes.
  private static let usualLength = 200

  private static func value(
    _ symbol: Symbol, _ name: [UInt8]?, _ names: DemangledNames?, _ symbols: ObjectSymbols
  ) -> JSONValue {
    let flags = Symbol.Flags.names.filter { symbol.flags.contains($0.flag) }.map { JSONValue.string($0.name) }
    var members: [(key: String, value: JSONValue)] = [
      ("name", name.map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null)
    ]
    if let demangled = name.flatMap({ names?.text($0, symbols) }) {
      members.append(("demangled", .string(String(decoding: demangled, as: UTF8.self))))
    }
    members += [
      ("type", .string(String(UnicodeScalar(symbol.letter)))),
      ("address", symbol.flags.contains(.undefined) ? .null : .string("0x" + String(symbol.address, radix: 16))),
      ("size", .int(Int(clamping: symbol.size))), ("flags", .array(flags)),
    ]
    return .object(members)
  }
}

extension ObjectSymbols {
  fileprivate var formatName: String {
    switch self {
    case .machO: "mach-o"
    case .elf: "elf"
    case .bitcode: "bitcode"
    }
  }
}

// Lists of a JSON object that has been begun. Each value becomes text before the next one is made, because a value
// takes ten times the memory of its text.
extension [UInt8] {
  mutating func beginList(_ key: String) {
    if last != UInt8(ascii: "{") { append(UInt8(ascii: ",")) }
    self += "\"\(key)\":[".utf8
  }

  mutating func addToList(_ value: JSONValue) {
    if last != UInt8(ascii: "[") { append(UInt8(ascii: ",")) }
    self += value.shownInOneLine.utf8
  }

  mutating func append<Item, Failure>(
    _ key: String, _ items: some Sequence<Item>, _ value: (Item) throws(Failure) -> JSONValue
  ) throws(Failure) {
    beginList(key)
    for item in items { addToList(try value(item)) }
    append(UInt8(ascii: "]"))
  }
}
