// A module map (Clang's language of `module.modulemap`):
//
//   [explicit] [framework] module NAME [attribute]… { … }      `framework module * { … }` stands for many frameworks
//   extern module NAME "path"
//
// A name is an identifier or a quoted text; `A.B` is a part of A. Comments are those of C++.

package import Findings

/// The names of the modules that a module map defines at its top, and the files that it names.
package struct ModuleMap: Sendable {
  package private(set) var modules: [String] = []
  /// In the order of the map.
  package private(set) var headers: [Header] = []
  /// The offsets of the modules at the top that are no framework's. A part of another module (`A.B`) is none of them.
  private var plainModules: [Int] = []

  /// A header, or the folder of an umbrella.
  package struct Header: Equatable, Sendable {
    package let path: String
    package let isFolder: Bool
    /// A header that `exclude` names may be missing.
    package let isExcluded: Bool
    /// The quoted path, in the file.
    let range: Range<Int>
  }

  package struct Damage: Error, Equatable {
    package let reason: String
    /// In the file, in bytes.
    package let offset: Int

    package func position(in bytes: [UInt8]) -> TextPosition { ModuleMap.position(of: offset, in: bytes) }
  }

  package func position(of header: Header, in bytes: [UInt8]) -> TextPosition {
    ModuleMap.position(of: header.range.lowerBound, in: bytes)
  }

  /// In the bytes of the file. A long line is cut.
  private static func position(of offset: Int, in bytes: [UInt8]) -> TextPosition {
    let newline = UInt8(ascii: "\n")
    let before = bytes[..<min(offset, bytes.count)]
    let start = before.lastIndex(of: newline).map { $0 + 1 } ?? 0
    let line = bytes[start...].prefix(250).prefix { $0 != newline && $0 != UInt8(ascii: "\r") }
    return TextPosition(
      line: before.count { $0 == newline } + 1, column: String(decoding: before[start...], as: UTF8.self).count + 1,
      text: String(decoding: line, as: UTF8.self))
  }

  /// The map of `bytes`, as it is written when its headers lie elsewhere.
  ///
  /// - Parameters:
  ///   - isOfFramework: whether its modules are made a framework's.
  ///   - moved: the new path of each header, or of an umbrella's folder.
  package func rewritten(_ bytes: [UInt8], isOfFramework: Bool, moved: (Header) -> String) -> [UInt8] {
    var edits = headers.map { ($0.range, ModuleMap.quoted(moved($0))) }
    if isOfFramework { edits += plainModules.map { ($0..<$0, Array("framework ".utf8)) } }
    var (result, end): ([UInt8], Int) = ([], 0)
    for (range, text) in edits.sorted(by: { $0.0.lowerBound < $1.0.lowerBound }) {
      result += bytes[end..<range.lowerBound] + text
      end = range.upperBound
    }
    return result + bytes[end...]
  }

  package static func quoted(_ path: String) -> [UInt8] {
    let quote = UInt8(ascii: "\"")
    return [quote] + path.utf8.flatMap { $0 == quote || $0 == UInt8(ascii: "\\") ? [UInt8(ascii: "\\"), $0] : [$0] } + [
      quote
    ]
  }

  package init(_ bytes: [UInt8]) throws(Damage) {
    var tokens = ModuleMapTokens(bytes)
    var (isBegun, isOfFramework) = (false, false)
    while let token = try tokens.next() {
      isBegun = token == .name("explicit") || token == .name("framework")
      if token == .name("framework") { isOfFramework = true }
      switch token {
      case _ where isBegun: continue
      case .name("module"):
        let (start, count) = (tokens.start, modules.count)
        try addModule(&tokens)
        if !isOfFramework, modules.count > count { plainModules.append(start) }
        isOfFramework = false
      case .name("extern"):
        guard try tokens.next() == .name("module") else {
          throw Damage(reason: "'extern' is not followed by 'module'", offset: tokens.start)
        }
        let name = try ModuleMap.name(&tokens)
        guard case .text? = try tokens.next() else {
          throw Damage(reason: "the module's file is missing", offset: tokens.start)
        }
        modules += name.map { [$0] } ?? []
      default: throw Damage(reason: "a module is expected", offset: tokens.start)
      }
    }
    if isBegun { throw Damage(reason: "a module is expected", offset: tokens.start) }
  }

  private mutating func addModule(_ tokens: inout ModuleMapTokens) throws(Damage) {
    let start = tokens.start
    if let name = try ModuleMap.name(&tokens) { modules.append(name) }
    // Attributes are in brackets.
    var token = try tokens.next()
    while token == .symbol(UInt8(ascii: "[")) {
      while token != .symbol(UInt8(ascii: "]")), token != nil { token = try tokens.next() }
      token = try tokens.next()
    }
    guard token == .symbol(UInt8(ascii: "{")) else {
      throw Damage(reason: "the module has no '{'", offset: tokens.start)
    }
    var depth = 1
    var words: [String] = []
    while depth > 0 {
      let token = try tokens.next()
      if case .name(let word) = token {
        words.append(word)
        continue
      }
      switch token {
      case .symbol(UInt8(ascii: "{")): depth += 1
      case .symbol(UInt8(ascii: "}")): depth -= 1
      case .text(let path)? where words.last == "header" || words.last == "umbrella":
        headers.append(
          Header(
            path: path, isFolder: words.last == "umbrella", isExcluded: words.dropLast().last == "exclude",
            range: tokens.start..<tokens.position))
      case nil: throw Damage(reason: "the module is not closed by '}'", offset: start)
      default: break
      }
      words = []
    }
  }

  /// Nil for `*`, and for a part of another module.
  private static func name(_ tokens: inout ModuleMapTokens) throws(Damage) -> String? {
    var isPart = false
    while true {
      let name: String?
      switch try tokens.next() {
      case .name(let text), .text(let text): name = text
      case .symbol(UInt8(ascii: "*")): name = nil
      default: throw Damage(reason: "the module has no name", offset: tokens.start)
      }
      guard tokens.skip(UInt8(ascii: ".")) else { return isPart ? nil : name }
      isPart = true
    }
  }
}

enum ModuleMapToken: Equatable {
  case name(String), text(String), symbol(UInt8)
}

/// The tokens of a module map. Each byte is looked at once.
struct ModuleMapTokens {
  private let bytes: [UInt8]
  private(set) var position = 0
  /// The offset of the last token.
  private(set) var start = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// Nil at the end.
  mutating func next() throws(ModuleMap.Damage) -> ModuleMapToken? {
    try skipBlanks()
    start = position
    guard position < bytes.count else { return nil }
    let byte = bytes[position]
    if byte == UInt8(ascii: "\"") { return .text(try quoted()) }
    let end = bytes[position...].firstIndex { !ModuleMapTokens.isOfName($0) } ?? bytes.count
    guard end > position else {
      position += 1
      return .symbol(byte)
    }
    defer { position = end }
    return .name(String(decoding: bytes[position..<end], as: UTF8.self))
  }

  /// Whether this is the next byte, which is then skipped.
  mutating func skip(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func quoted() throws(ModuleMap.Damage) -> String {
    var text: [UInt8] = []
    position += 1
    while position < bytes.count, bytes[position] != UInt8(ascii: "\n") {
      if bytes[position] == UInt8(ascii: "\"") {
        position += 1
        return String(decoding: text, as: UTF8.self)
      }
      if bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count { position += 1 }
      text.append(bytes[position])
      position += 1
    }
    throw ModuleMap.Damage(reason: "the quoted text does not end", offset: start)
  }

  private mutating func skipBlanks() throws(ModuleMap.Damage) {
    while position < bytes.count {
      let rest = bytes[position...]
      if rest.starts(with: "//".utf8) {
        position = rest.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      } else if rest.starts(with: "/*".utf8) {
        start = position
        position += 2
        while !bytes[position...].starts(with: "*/".utf8) {
          guard position < bytes.count else {
            throw ModuleMap.Damage(reason: "the comment does not end", offset: start)
          }
          position += 1
        }
        position += 2
      } else if rest.first.map({ $0 <= 0x20 }) == true {
        position += 1
      } else {
        return
      }
    }
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }
}
