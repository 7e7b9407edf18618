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
    output += Array((JSONValue.object(head).shownInOneLine.dropLast() + ",\"symbols\":[").utf8)
    // A value takes ten times the room of its text, so there is one at a time; its text may be many times its name.
    var budget = NameBudget(content)
    var isFirst = true
    func add(_ symbol: JSONValue, _ name: Range<Int>?) throws(FormatError) {
      let text = symbol.shownInOneLine.utf8
      try budget.spend(max(0, text.count - SymbolJSON.usualLength), at: name?.lowerBound ?? content.range.lowerBound)
      if !isFirst { output.append(UInt8(ascii: ",")) }
      isFirst = false
      output += text
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
      // Half of a line is no JSON.
      output.removeLast(output.count - start)
      throw error
    }
    output.append(UInt8(ascii: "]"))
    if let objc {
      output += Array(",\"objc\":".utf8)
      ObjCJSON.append(objc, reader, to: &output)
    }
    output += Array("}\n".utf8)
  }

  /// Of a symbol with a name that is not long, in bytes.
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
      ("address", symbol.flags.contains(.undefined) ? .null : .string(hexadecimal(symbol.address))),
      ("size", .int(Int(clamping: symbol.size))), ("flags", .array(flags)),
    ]
    return .object(members)
  }

  private static func hexadecimal(_ address: UInt64) -> String { "0x" + String(address, radix: 16) }
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
