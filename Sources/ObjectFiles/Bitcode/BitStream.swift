/// Walks over the blocks and records of a bitcode file. Callers leave blocks out with `skipBlock`.
struct BitStream: ~Escapable {
  private(set) var bits: BitReader
  private var scopes: [Scope] = [Scope(block: -1, width: 2, abbreviations: [], end: .max)]
  /// Abbreviations that BLOCKINFO gives to a block.
  private var given: [Int: [[BitOperand]]] = [:]
  /// The block that BLOCKINFO's next abbreviations are for.
  private var target: Int?

  private struct Scope {
    var block: Int
    var width: Int
    var abbreviations: [[BitOperand]]
    /// In bits.
    var end: Int
  }

  enum Item {
    case enters(block: Int)
    case leaves
    case record(BitRecord)
  }

  static let blockInfo = 0
  /// The longest real records have some dozens.
  private static let maxOperands: UInt64 = 1 << 20

  @_lifetime(copy bytes)
  init(_ bytes: borrowing ByteReader) throws(FormatError) { bits = try BitReader(bytes) }

  /// The next item at this level; nil at the end of the file.
  @_lifetime(self: copy self)
  mutating func next() throws(FormatError) -> Item? {
    while true {
      let scope = scopes[scopes.count - 1]
      let isInfo = scope.block == BitStream.blockInfo
      if scopes.count == 1, bits.isAtEnd { return nil }
      let id = Int(try bits.fixed(scope.width))
      switch id {
      case 0:
        guard scopes.count > 1 else { throw bits.error("bitcode", "a block ends that has not begun") }
        try bits.align()
        scopes.removeLast()
        if !isInfo { return .leaves }
      case 1 where isInfo: throw bits.error("BLOCKINFO of the bitcode", "it has a block in it")
      case 1:
        let block = Int(truncatingIfNeeded: try bits.variable(8))
        let width = Int(truncatingIfNeeded: try bits.variable(4))
        try bits.align()
        let words = try bits.fixed(32)
        guard (2...32).contains(width), Int(words) * 32 <= bits.end - bits.position else {
          throw bits.error("block \(block) of the bitcode", "it does not fit into the file")
        }
        scopes.append(
          Scope(
            block: block, width: width, abbreviations: given[block] ?? [], end: bits.position + Int(words) * 32))
        target = nil
        if block != BitStream.blockInfo { return .enters(block: block) }
      case 2 where isInfo:
        guard let target else { throw bits.error("BLOCKINFO of the bitcode", "an abbreviation for no block") }
        given[target, default: []].append(try abbreviation())
      case 2: scopes[scopes.count - 1].abbreviations.append(try abbreviation())
      default:
        let record = try record(id, scope)
        if !isInfo { return .record(record) }
        if record.code == 1, let block = record.operands.first { target = Int(truncatingIfNeeded: block) }
      }
    }
  }

  /// Leaves the block that was entered last, whatever is still in it.
  @_lifetime(self: copy self)
  mutating func skipBlock() throws(FormatError) {
    guard scopes.count > 1, let scope = scopes.popLast() else { return }
    _ = try bits.skip(bytes: UInt64(max(0, scope.end - bits.position) / 8))
  }

  @_lifetime(self: copy self)
  private mutating func abbreviation() throws(FormatError) -> [BitOperand] {
    let count = try bits.variable(5)
    guard count <= 64 else { throw bits.error("abbreviation of the bitcode", "it has \(count) operands") }
    var operands: [BitOperand] = []
    for _ in 0..<count {
      if try bits.fixed(1) == 1 {
        operands.append(.literal(try bits.variable(8)))
        continue
      }
      let encoding = try bits.fixed(3)
      switch encoding {
      case 1, 2:
        let width = Int(truncatingIfNeeded: try bits.variable(5))
        guard width <= 64, width >= 0 else {
          throw bits.error("abbreviation of the bitcode", "an operand of \(width) bits")
        }
        // An operand of no bits is a zero.
        operands.append(width == 0 ? .literal(0) : encoding == 1 ? .fixed(width) : .variable(width))
      case 3: operands.append(.array)
      case 4: operands.append(.character)
      case 5: operands.append(.blob)
      default: throw bits.error("abbreviation of the bitcode", "encoding \(encoding) is none")
      }
    }
    return operands
  }

  @_lifetime(self: copy self)
  private mutating func record(_ id: Int, _ scope: Scope) throws(FormatError) -> BitRecord {
    var record = BitRecord()
    if id == 3 {
      record.code = Int(truncatingIfNeeded: try bits.variable(6))
      let count = try bits.variable(6)
      guard count <= BitStream.maxOperands else { throw bits.error("bitcode record", "it has \(count) operands") }
      for _ in 0..<count { record.operands.append(try bits.variable(6)) }
      return record
    }
    guard id >= 4, id - 4 < scope.abbreviations.count else {
      throw bits.error("bitcode record", "there is no abbreviation \(id)")
    }
    let operands = scope.abbreviations[id - 4]
    var values: [UInt64] = []
    values.reserveCapacity(operands.count)
    var index = 0
    while index < operands.count {
      switch operands[index] {
      case .array:
        // Elements without bits would let a few bytes stand for a long array.
        guard index + 1 < operands.count, operands[index + 1].takesRoom else {
          throw bits.error("bitcode record", "an array of nothing")
        }
        let count = try bits.variable(6)
        guard count <= BitStream.maxOperands else { throw bits.error("bitcode record", "an array of \(count)") }
        for _ in 0..<count { values.append(try value(operands[index + 1])) }
        index += 1
      case .blob:
        let count = try bits.variable(6)
        try bits.align()
        record.blob = try bits.skip(bytes: count)
        try bits.align()
      default: values.append(try value(operands[index]))
      }
      index += 1
    }
    record.code = values.isEmpty ? 0 : Int(truncatingIfNeeded: values.removeFirst())
    record.operands = values
    return record
  }

  @_lifetime(self: copy self)
  private mutating func value(_ operand: BitOperand) throws(FormatError) -> UInt64 {
    switch operand {
    case .literal(let value): return value
    case .fixed(let width): return try bits.fixed(width)
    case .variable(let width): return try bits.variable(width)
    case .character:
      let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._".utf8
      return UInt64(letters[letters.index(letters.startIndex, offsetBy: Int(try bits.fixed(6)))])
    case .array, .blob: throw bits.error("bitcode record", "an array of arrays")
    }
  }
}
