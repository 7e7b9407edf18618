import ObjectFiles
import Testing

/// Class files as javac makes them, against what the JDK's own tools read in them.
@Suite struct ClassFileTests {
  private static let source = """
    package a;
    import java.util.function.Supplier;
    public abstract class Main<T extends Comparable<T>> extends Thread implements Supplier<String> {
      static final long BIG = 1234567890123L;
      static final double WIDE = 1.5;
      Exception[][] held;
      protected abstract StringBuilder made(java.io.File file, int[] numbers) throws java.io.IOException;
      public String get() {
        Supplier<String> inner = () -> new java.util.Scanner("x").next() + BIG + WIDE;
        Object array = new java.util.BitSet[2][2];
        return inner.get() + (array instanceof java.util.Map);
      }
      enum Kind { ONE, TWO }
    }
    """

  private func compiled() throws -> Scratch {
    let scratch = try Scratch()
    try scratch.write("Main.java", Array(Self.source.utf8))
    try scratch.run("javac", "-d", "out", "Main.java")
    return scratch
  }

  @Test func references() throws {
    let scratch = try compiled()
    let bytes = try scratch.bytes("out/a/Main.class")
    let found = try ClassFile(ByteReader(bytes.span)).references.map { String(decoding: $0, as: UTF8.self) }
    // jdeps lists what a class depends on besides itself, annotations and the like included, of which there are none.
    let listed = try scratch.run("jdeps", "-verbose:class", "-filter:none", "out/a/Main.class")
    let theirs = listed.split(separator: "\n").compactMap { line -> String? in
      let words = line.split(separator: " ").map(String.init)
      return words.count > 2 && words[0] == "a.Main" && words[1] == "->" ? words[2].replacing(".", with: "/") : nil
    }
    #expect(Set(found).subtracting(["a/Main"]).sorted() == Set(theirs).sorted())
    #expect(found.contains("java/util/BitSet") && found.contains("java/io/File"))
  }

  @Test func damage() throws {
    let scratch = try compiled()
    let bytes = try scratch.bytes("out/a/Main$Kind.class")
    let none = Array("class".utf8)
    #expect(throws: FormatError.self) { try ClassFile(ByteReader(none.span)) }
    for index in bytes.indices {
      let cut = Array(bytes[..<index])
      _ = try? ClassFile(ByteReader(cut.span))
      for value: UInt8 in [0, 1, 5, 7, 0x80, 0xFF] {
        var changed = bytes
        changed[index] = value
        _ = try? ClassFile(ByteReader(changed.span))
      }
    }
  }
}
