/// The lines of a listing. All lines of one object may begin with the same words (`-A`), which are stored once: there
/// may be kilobytes of them before each of a million names. They are only put together in blocks, when the text is
/// written.
package struct ListedText: Sendable {
  /// The lines without those words.
  package var bytes: [UInt8] = []
  /// The words before lines, and the index in `starts` of the first line that has them.
  private var prefixes: [(words: [UInt8], first: Int)] = []
  /// The offsets in `bytes` of the lines that have such words.
  private var starts: [Int] = []
  private var hasPrefix = false

  /// The size makes the cost of a write call negligible.
  private static let block = 1 << 20

  package init() {}

  /// Puts these words before every line from now on; none if they are empty.
  package mutating func begin(_ prefix: [UInt8]) {
    hasPrefix = !prefix.isEmpty
    if hasPrefix, prefixes.last?.words != prefix { prefixes.append((prefix, starts.count)) }
  }

  /// Makes room for `count` more bytes at once, at half the cost of growing step by step.
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

  /// Calls `body` with all of the text, in blocks of whole lines.
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
