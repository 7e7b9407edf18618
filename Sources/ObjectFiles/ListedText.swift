/// The lines of a listing, of which those of one object may all begin with the same words (`-A`). Those are kept once: there
/// may be kilobytes of them before each of a million names, and only blocks of them are in memory when they are written.
package struct ListedText: Sendable {
  /// Without those words.
  package var bytes: [UInt8] = []
  /// The words before lines, and the number in `starts` of the first line that has them.
  private var prefixes: [(words: [UInt8], first: Int)] = []
  /// Where in `bytes` lines begin that have such words before them.
  private var starts: [Int] = []
  private var hasPrefix = false

  /// Large enough that writing costs little more than the bytes.
  private static let block = 1 << 20

  package init() {}

  /// Puts these words before every line from now on; none if they are empty.
  package mutating func begin(_ prefix: [UInt8]) {
    hasPrefix = !prefix.isEmpty
    if hasPrefix, prefixes.last?.words != prefix { prefixes.append((prefix, starts.count)) }
  }

  /// Makes room for so many bytes more at once, which costs half of what growing by and by does.
  mutating func reserve(_ count: Int) {
    guard count > bytes.capacity - bytes.count else { return }
    bytes.reserveCapacity(max(bytes.count + count, 2 * bytes.capacity))
  }

  @inline(__always)
  package mutating func beginLine() { if hasPrefix { starts.append(bytes.count) } }

  package mutating func add(line: String) {
    beginLine()
    bytes += line.utf8
    bytes.append(UInt8(ascii: "\n"))
  }

  /// All of the text, in pieces that end with a line.
  package func forEachBlock(_ body: ([UInt8]) -> Void) {
    var block: [UInt8] = []
    var end = 0
    for (number, prefix) in prefixes.enumerated() {
      let last = number + 1 < prefixes.count ? prefixes[number + 1].first : starts.count
      for start in starts[prefix.first..<last] {
        block += bytes[end..<start]
        end = start
        if block.count >= ListedText.block {
          body(block)
          block.removeAll(keepingCapacity: true)
        }
        block += prefix.words
      }
    }
    // Without any such words it is one block, and nothing is copied.
    if end == 0, block.isEmpty { block = bytes } else { block += bytes[end...] }
    if !block.isEmpty { body(block) }
  }
}
