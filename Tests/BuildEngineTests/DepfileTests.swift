import BuildEngine
import Testing
import TestSupport

@Suite struct DepfileTests {
  private func names(_ text: String) throws -> [String] {
    try Depfile(parsing: Array(text.utf8)).prerequisites.map { String(decoding: $0, as: UTF8.self) }
  }

  private func error(_ text: String) -> String? {
    do {
      _ = try names(text)
      return nil
    } catch { return "\(error)" }
  }

  static let readable: [(String, [String])] = [
    ("a.o: a.c", ["a.c"]), ("a.o: a.c a.h\n", ["a.c", "a.h"]), ("a.o : a.c\n", ["a.c"]), ("a.o:\n", []),
    ("a.o: \\\n  a.c \\\n\ta.h\n", ["a.c", "a.h"]), ("a.o:\\\n a.c\\\n a.h", ["a.c", "a.h"]),
    ("a.o: \\\r\n  a.c \\\r\n a.h\r\n\r\nb.o: b.c\r\n", ["a.c", "a.h", "b.c"]),
    ("a.o b.o: a.c\nc.o: a.c c.c\n", ["a.c", "c.c"]), ("\n\n  \na.o: a.c\n\n", ["a.c"]),
    // Rules of `-MP`.
    ("a.o: a.c a.h\na.h:\n", ["a.c", "a.h"]),
    // Colons.
    ("x:y.o: c:\\a.h d:/b\n", ["c:\\a.h", "d:/b"]), ("a\\:b.o: c\\:d.h\n", ["c:d.h"]), ("a.o:: b\n", ["b"]),
    // Backslashes.
    (#"a.o: a\ b.h c\\ d\\\ e \f\g"#, ["a b.h", #"c\\"#, #"d\ e"#, #"\f\g"#]),
    ("a.o: a\\#b c\\\\#d e#f", ["a#b", "c\\#d", "e#f"]), ("a.o: a\\\tb\tc\n", ["a\tb", "c"]),
    ("a.o: a\\\\\nb.o: b\\\\\\\n c\n", ["a\\\\", "b\\\\", "c"]), ("a.o: a\\", ["a\\"]),
    // Dollars.
    ("a.o: a$$b c$d $(E) $$$$ $", ["a$b", "c$d", "$(E)", "$$", "$"]),
    // Comments, as rustc has them.
    ("a: a.rs # b.rs \\\n\n# env-dep:A=B: C\na.rs:\n#", ["a.rs"]),
    ("a.o: é.h 日本.h 'q'.h a&b;c*|d.h (x)[y]{z}.h\n", ["é.h", "日本.h", "'q'.h", "a&b;c*|d.h", "(x)[y]{z}.h"]),
    ("a.o: é.h e\u{301}.h é.h", ["é.h", "e\u{301}.h"]), ("a.o: a\rb\n", ["a\rb"]),
  ]

  @Test(arguments: readable)
  func whatIsRead(text: String, expected: [String]) throws {
    #expect(try names(text).map { Array($0.utf8) } == expected.map { Array($0.utf8) })
  }

  @Test(arguments: [
    ("", "line 1: it holds no rule, 'made: what it was made of'"),
    ("# only this\n", "line 1: it holds no rule, 'made: what it was made of'"),
    ("a.o: b\n\n\\\nrubbish\n", "line 3: there is no ':' after the name that it begins with"),
    ("a.o:b.c\n", "line 1: there is no ':' after the name that it begins with"),
    ("CXX_IMPORTS += x\n", "line 1: there is no ':' after the name that it begins with"),
    ("a: b \\\n c\0d", "line 2: there is a zero byte, which no name can have"),
  ])
  func whatIsRefused(text: String, expected: String) { #expect(error(text) == expected) }

  /// Whatever the bytes are: a value or an error, and each name is found once.
  @Test func anyBytes() {
    var random = Seeded(seed: 4)
    let alphabet = Array("ab:\\ \t\r\n#$|".utf8) + [0, 0xFF]
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        alphabet[Int.random(in: alphabet.indices, using: &random)]
      }
      guard let names = try? Depfile(parsing: bytes).prerequisites else { continue }
      #expect(Set(names).count == names.count && !names.contains([]))
    }
  }

  /// As make quotes it: any list of names comes back.
  @Test func whatIsQuotedComesBack() throws {
    var random = Seeded(seed: 5)
    let alphabet = Array("ab: \\#$é".utf8)
    for _ in 0..<5_000 {
      let names = (0..<3).map { number in
        // A name that ends with a backslash cannot be written.
        Array("\(number)".utf8)
          + (0..<Int.random(in: 0...8, using: &random)).map { _ in
            alphabet[Int.random(in: alphabet.indices, using: &random)]
          }
          + [0x2E]
      }
      var text = Array("out:".utf8)
      for name in names {
        text.append(0x20)
        var backslashes = 0
        for byte in name {
          switch byte {
          case UInt8(ascii: " "): text += repeatElement(UInt8(ascii: "\\"), count: backslashes + 1)
          case UInt8(ascii: "#"): text.append(UInt8(ascii: "\\"))
          case UInt8(ascii: ":") where backslashes > 0: text.append(UInt8(ascii: "\\"))
          case UInt8(ascii: "$"): text.append(byte)
          default: break
          }
          text.append(byte)
          backslashes = byte == UInt8(ascii: "\\") ? backslashes + 1 : 0
        }
      }
      #expect(try Depfile(parsing: text).prerequisites == names, "\(String(decoding: text, as: UTF8.self))")
    }
  }

  /// Many backslashes, many continuations, many names: each byte is looked at a few times only.
  @Test(.timeLimit(.minutes(20))) func largeFiles() throws {
    let count = 1 << 20
    let backslashes = Array("a: ".utf8) + Array(repeating: UInt8(ascii: "\\"), count: count) + Array(" b".utf8)
    #expect(try Depfile(parsing: backslashes).prerequisites.map(\.count) == [count, 1])
    let lines = Array("a: ".utf8) + Array(repeatElement(Array("\\\n".utf8), count: count).joined())
    #expect(try Depfile(parsing: lines).prerequisites == [])
    let colons = Array("a: ".utf8) + Array(repeating: UInt8(ascii: ":"), count: count)
    #expect(try Depfile(parsing: colons).prerequisites.map(\.count) == [count])
  }
}
