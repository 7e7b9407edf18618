// A property list as OpenStep wrote it, in which Xcode keeps its projects (NSPropertyListOpenStepFormat):
//
//   // !$*UTF8*$!
//   { name = value; "a name" = ( one, two, ); data = <0fbd77>; /* a comment */ }
//
// A word without quotes has letters, digits and `_$/:.-`; here it ends at a sign or white space. In quotes a backslash
// stands before a sign, `n`, `t`, three octal digits, or `U` and four hexadecimal ones.

extension PropertyList {
  /// Reads OpenStep's form. The cost is linear in the bytes.
  package static func read(openStep bytes: [UInt8]) throws(Damage) -> PropertyList {
    var reader = OpenStepReader(bytes: bytes)
    let value = try reader.value(depth: 0)
    try reader.skipSpace()
    guard reader.position == bytes.count else { throw reader.damage("there is more behind its end") }
    return value
  }
}

private struct OpenStepReader {
  let bytes: [UInt8]
  var position = 0
  var values = 0

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  func damage(_ reason: String) -> PropertyList.Damage { PropertyList.Damage(reason: "\(reason) (byte \(position))") }

  mutating func value(depth: Int) throws(PropertyList.Damage) -> PropertyList {
    guard depth < PropertyList.deepest else { throw damage("it is nested too deeply") }
    values += 1
    guard values <= PropertyList.maxValues else { throw damage("it has too many values") }
    try skipSpace()
    switch next {
    case UInt8(ascii: "{"): return .map(try map(depth: depth))
    case UInt8(ascii: "("): return .list(try list(depth: depth))
    case UInt8(ascii: "<"): return .data(try data())
    default: return .text(try text())
    }
  }

  private mutating func map(depth: Int) throws(PropertyList.Damage) -> [String: PropertyList] {
    position += 1
    var map: [String: PropertyList] = [:]
    while true {
      try skipSpace()
      if take("}") { return map }
      let key = try text()
      try skipSpace()
      guard take("=") else { throw damage("a '=' is missing") }
      map[key] = try value(depth: depth + 1)
      try skipSpace()
      guard take(";") else { throw damage("a ';' is missing") }
    }
  }

  private mutating func list(depth: Int) throws(PropertyList.Damage) -> [PropertyList] {
    position += 1
    var list: [PropertyList] = []
    while true {
      try skipSpace()
      if take(")") { return list }
      list.append(try value(depth: depth + 1))
      try skipSpace()
      if take(")") { return list }
      guard take(",") else { throw damage("a ',' is missing") }
    }
  }

  private mutating func data() throws(PropertyList.Damage) -> [UInt8] {
    position += 1
    var digits: [UInt8] = []
    while let byte = next, byte != UInt8(ascii: ">") {
      position += 1
      if byte <= 0x20 { continue }
      guard let digit = byte.hexValue else { throw damage("a digit of data is wrong") }
      digits.append(UInt8(digit))
    }
    guard take(">"), digits.count.isMultiple(of: 2) else { throw damage("data has no end") }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  private mutating func text() throws(PropertyList.Damage) -> String {
    if let quote = next, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") { return try quoted(quote) }
    let start = position
    while let byte = next, byte > 0x20, !"{}()<>=;,\"'".utf8.contains(byte) { position += 1 }
    guard position > start else { throw damage(position < bytes.count ? "a value is missing" : "it has no end") }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func quoted(_ quote: UInt8) throws(PropertyList.Damage) -> String {
    position += 1
    var text: [UInt8] = []
    while let byte = next {
      position += 1
      if byte == quote { return String(decoding: text, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") { text += escaped() } else { text.append(byte) }
    }
    throw damage("a quote has no end")
  }

  private mutating func escaped() -> [UInt8] {
    guard let byte = next else { return [] }
    position += 1
    switch byte {
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "U"):
      let code = number(of: 4, radix: 16) ?? 0xFFFD
      return Array(String(Unicode.Scalar(code) ?? "\u{FFFD}").utf8)
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      position -= 1
      return Array(String(Unicode.Scalar(number(of: 3, radix: 8) ?? 0xFFFD) ?? "\u{FFFD}").utf8)
    default: return [byte]
    }
  }

  /// The number in the next `most` digits or fewer; nil if there is none.
  private mutating func number(of most: Int, radix: UInt32) -> UInt32? {
    var number: UInt32?
    for _ in 0..<most {
      guard let byte = next, let digit = byte.hexValue, digit < radix else { break }
      number = (number ?? 0) * radix + digit
      position += 1
    }
    return number
  }

  private mutating func take(_ sign: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: sign) else { return false }
    position += 1
    return true
  }

  mutating func skipSpace() throws(PropertyList.Damage) {
    while let byte = next {
      if byte <= 0x20 {
        position += 1
      } else if byte == UInt8(ascii: "/"), second(is: "/") {
        while let byte = next, byte != 0x0A { position += 1 }
      } else if byte == UInt8(ascii: "/"), second(is: "*") {
        position += 2
        while let byte = next, !(byte == UInt8(ascii: "*") && second(is: "/")) { position += 1 }
        guard next != nil else { throw damage("a comment has no end") }
        position += 2
      } else {
        return
      }
    }
  }

  private func second(is sign: Unicode.Scalar) -> Bool {
    position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: sign)
  }
}
