import Artifacts
package import Findings
import Store
import SystemPackage

/// A file of words for a link line, which is named there as `@FILE`. Words stand between white space; quotes and
/// backslashes keep it in a word, as in a shell.
package enum ResponseFile {
  /// In bytes. Those of the largest apps have some hundred thousand.
  private static let limit = 64 << 20
  /// A response file may name others, and each of them more.
  private static let maxFiles = 1000

  /// The words with those of the files in their places. A name that leads to no file stays, for the linker to report.
  package static func expanded(_ words: [String]) throws(Mistakes) -> [String] {
    var count = 0
    return try expanded(words, &count)
  }

  private static func expanded(_ words: [String], _ count: inout Int) throws(Mistakes) -> [String] {
    var all: [String] = []
    for word in words {
      let path = FilePath(String(word.dropFirst()))
      guard word.hasPrefix("@"), (try? FileSystem.status(of: path, followingLinks: true))??.kind == .regular else {
        all.append(word)
        continue
      }
      count += 1
      guard count <= maxFiles else { throw Mistakes("the response file \(path) names itself, or too many others") }
      let bytes: [UInt8]
      do throws(FileError) { bytes = try FileSystem.read(path, limit: limit) } catch { throw Mistakes(error) }
      all += try expanded(self.words(bytes), &count)
    }
    return all
  }

  /// The words of a file.
  package static func words(_ bytes: [UInt8]) -> [String] {
    var words: [String] = []
    var word: [UInt8]?
    var quote: UInt8?
    var isEscaped = false
    for byte in bytes {
      if isEscaped {
        word = (word ?? []) + [byte]
        isEscaped = false
      } else if byte == UInt8(ascii: "\\"), quote != UInt8(ascii: "'") {
        isEscaped = true
      } else if byte == quote {
        quote = nil
      } else if quote == nil, byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        (quote, word) = (byte, word ?? [])
      } else if quote == nil, byte == 0x20 || (0x09...0x0D).contains(byte) {
        if let word { words.append(String(decoding: word, as: UTF8.self)) }
        word = nil
      } else {
        word = (word ?? []) + [byte]
      }
    }
    if let word { words.append(String(decoding: word, as: UTF8.self)) }
    return words
  }
}
