/// The shortest lists of names and patterns that select some of a plugin's names.
enum NameSelection {
  /// Matches all of `chosen`, and nothing else of `all`: a pattern `ssl_*` for each beginning that only chosen names have.
  static func patterns(of chosen: Set<[UInt8]>, among all: Set<[UInt8]>) -> [String] {
    let sorted = all.union(chosen).sorted { $0.lexicographicallyPrecedes($1) }
    var found: [String] = []
    add(sorted[...], chosen, to: &found)
    return found
  }

  private static func add(_ names: ArraySlice<[UInt8]>, _ chosen: Set<[UInt8]>, to found: inout [String]) {
    guard let first = names.first, let last = names.last else { return }
    let count = names.count(where: chosen.contains)
    if count == 0 { return }
    if names.count == 1 { return found.append(literal(first[...])) }
    // What the first and the last one have in common, all have.
    let common = zip(first, last).prefix { $0 == $1 }.count
    if count == names.count { return found.append(literal(first[..<common]) + "*") }
    var rest = names
    while let name = rest.first {
      let end = rest.dropFirst().firstIndex { name.count == common || $0[common] != name[common] } ?? rest.endIndex
      add(rest[rest.startIndex..<end], chosen, to: &found)
      rest = rest[end...]
    }
  }

  /// A name has no characters of patterns, unless an assembler wrote it.
  private static func literal(_ name: ArraySlice<UInt8>) -> String {
    String(decoding: name.map { "*?[".utf8.contains($0) ? UInt8(ascii: "?") : $0 }, as: UTF8.self)
  }
}
