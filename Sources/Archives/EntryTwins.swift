extension EntryPath {
  /// The first differing parts, with their parents, of two different paths with one `collisionKey`: every entry in
  /// `Res` collides with every entry in `res` because of the folders.
  package func outermostTwins(_ other: EntryPath) -> (EntryPath, EntryPath) {
    let (own, others) = (components, other.components)
    let slash = [UInt8(ascii: "/")]
    guard let index = zip(own, others).enumerated().first(where: { $1.0 != $1.1 })?.offset else { return (self, other) }
    return (
      EntryPath(unchecked: own[...index].joined(separator: slash)),
      EntryPath(unchecked: others[...index].joined(separator: slash))
    )
  }

  /// Both in quotes, for a message.
  package func toldApart(from other: EntryPath) -> (String, String) { toldApartNames(bytes, other.bytes) }
}

/// Two names in quotes, for a message. If they look the same but have different code points, these are added:
/// `'é.png' (U+00E9)` and `'é.png' (U+0065 U+0301)`.
package func toldApartNames(_ first: [UInt8], _ second: [UInt8]) -> (String, String) {
  let names = (String(decoding: first, as: UTF8.self), String(decoding: second, as: UTF8.self))
  // Names that differ only in normalization are equal as a `String`.
  let differing =
    names.0 == names.1
    ? zip(names.0, names.1).first { !$0.unicodeScalars.elementsEqual($1.unicodeScalars) } : nil
  guard let differing else { return ("'\(shortened(first))'", "'\(shortened(second))'") }
  return (
    "'\(shortened(first))' (\(codePoints(differing.0)))", "'\(shortened(second))' (\(codePoints(differing.1)))"
  )
}

/// `U+0065 U+0301`.
private func codePoints(_ character: Character) -> String {
  character.unicodeScalars.map { scalar in
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }.joined(separator: " ")
}
