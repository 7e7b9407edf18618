/// A dependency file: what a compiler says that it has read, as rules for make.
///
///     build/a.o: ios/a.m ios/a\ b.h \
///      /usr/include/string.h
///     ios/a\ b.h:
///
/// gcc, clang, swiftc and rustc write it, make and ninja read it. This is what compilers write, read as ninja reads it:
///
/// - a `:` ends the targets if a blank, the end of the line or of the file follows; else it is part of a name;
/// - a backslash at the end of a line goes on with the next one;
/// - before a blank 2N + 1 backslashes stand for N and the blank, 2N for themselves, and the name ends;
/// - `\#` is `#` and `\:` inside a name is `:`; every other backslash is itself; `$$` is `$`;
/// - `#` at the beginning of a name begins a comment, which ends with its line.
///
/// Where ninja differs from the compilers we follow those: a tab can be escaped as a space can (gcc), and quotes, `&`,
/// `;` and `*` are parts of names.
package struct Depfile: Sendable, Equatable {
  /// The prerequisites of all rules, each once, in the order of their first occurrence. Targets are left out.
  package let prerequisites: [[UInt8]]

  /// In bytes; a larger file is no dependency file.
  package static let limit: Int64 = 64 << 20

  package init(parsing bytes: [UInt8]) throws(DepfileError) {
    var parser = DepfileParser(bytes)
    prerequisites = try parser.parse()
  }
}

package struct DepfileError: Error, Equatable, CustomStringConvertible {
  /// Counted from 1.
  package let line: Int
  /// Lower case, no full stop.
  package let reason: String

  package var description: String { "line \(line): \(reason)" }
}

/// It makes one pass, and looks at every byte a bounded number of times.
private struct DepfileParser {
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var word: [UInt8] = []

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func parse() throws(DepfileError) -> [[UInt8]] {
    var found: [[UInt8]] = []
    var seen: Set<[UInt8]> = []
    var hasRule = false
    while position < bytes.count {
      var inTargets = true
      var hasTarget = false
      let begin = line
      while skipBlanks() {
        let endsTargets = try readWord(inTargets: inTargets)
        if inTargets {
          hasTarget = hasTarget || !word.isEmpty
          inTargets = !endsTargets
        } else if seen.insert(word).inserted {
          found.append(word)
        }
      }
      if inTargets, hasTarget {
        throw DepfileError(line: begin, reason: "there is no ':' after the name that it begins with")
      }
      hasRule = hasRule || !inTargets
    }
    guard hasRule else { throw DepfileError(line: 1, reason: "it holds no rule, 'made: what it was made of'") }
    return found
  }

  /// Skips to the next name of this logical line; false at its end, which is skipped, too.
  private mutating func skipBlanks() -> Bool {
    while let byte = peek() {
      if let length = newline(at: position) {
        position += length
        line += 1
        return false
      }
      if byte == .space || byte == .tab {
        position += 1
      } else if byte == .backslash, let length = newline(at: position + 1) {
        position += 1 + length
        line += 1
      } else if byte == .hash {
        while position < bytes.count, newline(at: position) == nil { position += 1 }
      } else {
        return true
      }
    }
    return false
  }

  /// Puts the name into `word`. True if it ended with the colon that ends the targets, which is skipped.
  private mutating func readWord(inTargets: Bool) throws(DepfileError) -> Bool {
    word.removeAll(keepingCapacity: true)
    while let byte = peek(), byte != .space, byte != .tab, newline(at: position) == nil {
      switch byte {
      case .backslash:
        if readBackslashes() { return false }
      case .dollar:
        word.append(byte)
        position += peek(1) == .dollar ? 2 : 1
      case .colon where inTargets && isEnd(position + 1):
        position += 1
        return true
      case 0: throw DepfileError(line: line, reason: "there is a zero byte, which no name can have")
      default:
        word.append(byte)
        position += 1
      }
    }
    return false
  }

  /// True if the name ends here.
  private mutating func readBackslashes() -> Bool {
    var count = 0
    while peek(count) == .backslash { count += 1 }
    let isOdd = !count.isMultiple(of: 2)
    let next = position + count
    let byte = peek(count)
    if byte == .hash || byte == .colon && !isEnd(next + 1) {
      keep(count - 1)
      word.append(bytes[next])
      position = next + 1
      return false
    }
    if isOdd, byte == .space || byte == .tab {
      keep(count / 2)
      word.append(bytes[next])
      position = next + 1
      return false
    }
    if isOdd, newline(at: next) != nil {
      // The last one goes on with the next line; `skipBlanks` takes it.
      keep(count - 1)
      position = next - 1
      return true
    }
    keep(count)
    position = next
    return false
  }

  private mutating func keep(_ count: Int) { word.append(contentsOf: repeatElement(.backslash, count: count)) }

  /// Whether a colon before this index ends the targets.
  private func isEnd(_ index: Int) -> Bool {
    guard index < bytes.count else { return true }
    if bytes[index] == .space || bytes[index] == .tab || newline(at: index) != nil { return true }
    return bytes[index] == .backslash && newline(at: index + 1) != nil
  }

  private func peek(_ ahead: Int = 0) -> UInt8? {
    position + ahead < bytes.count ? bytes[position + ahead] : nil
  }

  /// The length of the line ending here: LF, or CR and LF; nil if there is none.
  private func newline(at index: Int) -> Int? {
    guard index < bytes.count else { return nil }
    if bytes[index] == .lineFeed { return 1 }
    return bytes[index] == .carriageReturn && index + 1 < bytes.count && bytes[index + 1] == .lineFeed ? 2 : nil
  }
}

extension UInt8 {
  fileprivate static let tab = UInt8(ascii: "\t")
  fileprivate static let lineFeed = UInt8(ascii: "\n")
  fileprivate static let carriageReturn = UInt8(ascii: "\r")
  fileprivate static let space = UInt8(ascii: " ")
  fileprivate static let hash = UInt8(ascii: "#")
  fileprivate static let dollar = UInt8(ascii: "$")
  fileprivate static let colon = UInt8(ascii: ":")
  fileprivate static let backslash = UInt8(ascii: "\\")
}
