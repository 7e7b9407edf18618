/// Libraries of third parties, recognized by the beginnings of their symbols. `Recipes/libraries.txt` lists them.
package struct ThirdParties: Sendable {
  package static let all = ThirdParties(String(decoding: LibraryList.text, as: UTF8.self))

  /// A text with a library's version: the one at a symbol, or, with a prefix, one of the literals of the object file
  /// that defines the symbol.
  package struct Probe: Sendable {
    package let library: String
    package let symbol: String
    package let prefix: String?
  }

  package let names: [String]
  package private(set) var probes: [Probe] = []
  /// Apple's names for those of which it wants a privacy manifest and a signature, by the indices of the libraries.
  package private(set) var listed: [Int: String] = [:]
  /// The beginnings of symbols as they are in a file, each with the index of its library, by their first four bytes.
  private let beginnings: [[UInt8]: [(bytes: [UInt8], library: Int)]]
  /// The libraries of packages, by the names that package managers have for them (`plain`).
  private let packages: [String: Int]

  init(_ text: String) {
    var names: [String] = []
    var beginnings: [[UInt8]: [(bytes: [UInt8], library: Int)]] = [:]
    var packages: [String: Int] = [:]
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      // A namespace has colons, too.
      guard let end = line.firstRange(of: ": ") else { continue }
      packages[Self.plain(String(line[..<end.lowerBound]))] = names.count
      for word in line[end.upperBound...].split(separator: " ") {
        if word.hasPrefix("@") {
          packages[Self.plain(String(word.dropFirst()))] = names.count
          continue
        }
        if word.hasPrefix("!") {
          listed[names.count] = String(word.dropFirst())
          continue
        }
        if word.hasPrefix("=") {
          let parts = word.dropFirst().split(separator: ":", maxSplits: 1)
          let prefix = parts.count > 1 ? Self.spaced(parts[1]) : nil
          probes.append(Probe(library: String(line[..<end.lowerBound]), symbol: String(parts[0]), prefix: prefix))
          continue
        }
        for bytes in Self.symbols(beginningWith: word).map({ Array($0.utf8) }) {
          beginnings[Array(bytes.prefix(4)), default: []].append((bytes, names.count))
        }
      }
      names.append(String(line[..<end.lowerBound]))
    }
    self.names = names
    self.beginnings = beginnings
    self.packages = packages
  }

  /// A name as package managers compare it: without case, hyphens and underscores.
  private static func plain(_ name: String) -> String {
    String(decoding: name.lowercased().utf8.filter { !" -_".utf8.contains($0) }, as: UTF8.self)
  }

  /// `_` stands for a space.
  private static func spaced(_ prefix: Substring) -> String {
    String(decoding: prefix.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
  }

  /// The name by which packages are compared: those of one library have the same, whatever their managers call them.
  package func library(packaged name: String) -> String {
    let plain = Self.plain(name)
    return packages[plain].map { names[$0] } ?? plain
  }

  /// `google::protobuf::` is `__ZN6google8protobuf` and the same with a `K` for methods that change nothing.
  private static func symbols(beginningWith word: Substring) -> [String] {
    if word.hasPrefix("+") {
      return ["CLASS", "METACLASS", "IVAR", "EHTYPE"].map { "_OBJC_\($0)_$_\(word.dropFirst())" }
    }
    if word.hasSuffix("::") {
      let path = word.split(separator: ":").map { "\($0.utf8.count)\($0)" }.joined()
      return ["__ZN\(path)", "__ZNK\(path)"]
    }
    if word.hasSuffix("."), !word.hasPrefix("_") { return ["_$s\(word.utf8.count - 1)\(word.dropLast())"] }
    return [String(word)]
  }

  /// The library that most of the symbols are of, if it is half of them.
  package func library(of symbols: some Collection<String>) -> String? {
    var counts = Array(repeating: 0, count: names.count)
    for symbol in symbols { if let index = index(of: symbol) { counts[index] += 1 } }
    guard let most = counts.max(), most > 0, most * 2 >= symbols.count else { return nil }
    return counts.firstIndex(of: most).map { names[$0] }
  }

  /// The index in `names` of the library that a symbol is of.
  package func index(of symbol: String) -> Int? {
    beginnings[Array(symbol.utf8.prefix(4))]?.first { symbol.utf8.starts(with: $0.bytes) }?.library
  }
}
