/// A pattern of JSON Schema in a subset of ECMAScript's syntax: `^`, `$`, characters, `\` before a sign, `.`, `[a-z_]`,
/// `[^.]`, each optionally followed by `?`, `*` or `+`. There are no groups, so one pass over a text is enough.
struct SimplePattern: Sendable {
  private struct Atom: Sendable {
    var ranges: [ClosedRange<UInt32>]
    var isNegated = false
    var isOptional = false
    var isRepeated = false

    func matches(_ scalar: Unicode.Scalar) -> Bool {
      ranges.contains { $0.contains(scalar.value) } != isNegated
    }
  }

  private var atoms: [Atom] = []
  private var isAtStart = false
  private var isAtEnd = false

  private static let maxAtoms = 100
  /// ECMAScript's `.` matches everything but these.
  private static let lineEnds: [ClosedRange<UInt32>] = [0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029]

  /// Nil if the pattern is not in this subset.
  init?(_ text: String) {
    var rest = text.unicodeScalars[...]
    if rest.first == "^" {
      isAtStart = true
      rest.removeFirst()
    }
    while let scalar = rest.popFirst() {
      if scalar == "$", rest.isEmpty {
        isAtEnd = true
        break
      }
      guard var atom = SimplePattern.atom(scalar, &rest), atoms.count < SimplePattern.maxAtoms else { return nil }
      if let sign = rest.first, "?*+".unicodeScalars.contains(sign) {
        rest.removeFirst()
        atom.isOptional = sign != "+"
        atom.isRepeated = sign != "?"
      }
      atoms.append(atom)
    }
  }

  private static func atom(_ scalar: Unicode.Scalar, _ rest: inout Substring.UnicodeScalarView) -> Atom? {
    switch scalar {
    case ".": return Atom(ranges: lineEnds, isNegated: true)
    case "\\": return escaped(&rest).map { Atom(ranges: [$0...$0]) }
    case "[": return set(&rest)
    case "(", ")", "{", "}", "|", "?", "*", "+", "^", "$", "]": return nil
    default: return Atom(ranges: [scalar.value...scalar.value])
    }
  }

  /// A sign of the syntax. A letter behind `\` is refused, because it would stand for a class of characters.
  private static func escaped(_ rest: inout Substring.UnicodeScalarView) -> UInt32? {
    guard let sign = rest.popFirst(), "^$\\.*+?()[]{}|/-".unicodeScalars.contains(sign) else { return nil }
    return sign.value
  }

  private static func set(_ rest: inout Substring.UnicodeScalarView) -> Atom? {
    var atom = Atom(ranges: [])
    if rest.first == "^" {
      atom.isNegated = true
      rest.removeFirst()
    }
    while let scalar = rest.popFirst() {
      if scalar == "]" { return atom.ranges.isEmpty ? nil : atom }
      guard let low = scalar == "\\" ? escaped(&rest) : scalar.value, scalar != "[" else { return nil }
      var high = low
      if rest.first == "-", rest.dropFirst().first != "]" {
        rest.removeFirst()
        guard let next = rest.popFirst(), next != "[", let end = next == "\\" ? escaped(&rest) : next.value else {
          return nil
        }
        high = end
      }
      guard low <= high else { return nil }
      atom.ranges.append(low...high)
    }
    return nil
  }

  /// Whether the pattern occurs in a text. The cost grows with the product of both lengths, and never exponentially.
  func matches(_ text: String) -> Bool {
    // Whether all atoms before an index have matched; the last index is that of the end.
    var reached = [Bool](repeating: false, count: atoms.count + 1)
    func enter(_ start: Int, _ states: inout [Bool]) {
      var index = start
      while !states[index] {
        states[index] = true
        guard index < atoms.count, atoms[index].isOptional else { return }
        index += 1
      }
    }
    enter(0, &reached)
    if !isAtEnd, reached[atoms.count] { return true }
    for scalar in text.unicodeScalars {
      var next = [Bool](repeating: false, count: atoms.count + 1)
      for (index, atom) in atoms.enumerated() where reached[index] && atom.matches(scalar) {
        if atom.isRepeated { enter(index, &next) }
        enter(index + 1, &next)
      }
      if !isAtStart { enter(0, &next) }
      reached = next
      if !isAtEnd, reached[atoms.count] { return true }
    }
    return reached[atoms.count]
  }
}
