/// The shortest lists of names and patterns that select some of a plugin's names.
enum NameSelection {
  /// Matches all of `chosen`, and nothing else of `all`: a pattern `ssl_*` for each beginning that only chosen names have.
  static func patterns(of chosen: Set<[UInt8]>, among all: Set<[UInt8]>) -> [String] {
    let names = all.union(chosen).sorted { $0.lexicographicallyPrecedes($1) }
    // How many names before each one are chosen.
    var counts = [0]
    for name in names { counts.append(counts[counts.count - 1] + (chosen.contains(name) ? 1 : 0)) }
    var found: [String] = []
    var open = [names.indices]
    while let range = open.popLast() {
      let count = counts[range.upperBound] - counts[range.lowerBound]
      if count == 0 { continue }
      let first = names[range.lowerBound]
      // What the first and the last one have in common, all have.
      let common = zip(first, names[range.upperBound - 1]).prefix { $0 == $1 }.count
      // A pattern ends between characters, not within one.
      let isWhole = common == first.count || first[common] & 0xC0 != 0x80
      if count == range.count, range.count == 1 || isWhole {
        found.append(range.count == 1 ? literal(first[...]) : literal(first[..<common]) + "*")
        continue
      }
      // By the next byte. A name that ends here comes first.
      var parts: [Range<Int>] = []
      var start = range.lowerBound
      while start < range.upperBound {
        let name = names[start]
        var end = start + 1
        while end < range.upperBound, name.count > common, names[end][common] == name[common] { end += 1 }
        parts.append(start..<end)
        start = end
      }
      open += parts.reversed()
    }
    return found
  }

  /// The name as a pattern that matches nothing else.
  private static func literal(_ name: ArraySlice<UInt8>) -> String {
    var text: [UInt8] = []
    for byte in name { text += "*?[".utf8.contains(byte) ? [UInt8(ascii: "["), byte, UInt8(ascii: "]")] : [byte] }
    return String(decoding: text, as: UTF8.self)
  }
}
