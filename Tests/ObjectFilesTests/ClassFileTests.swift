import Lanes
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

  @Test(.tools) func references() throws {
    let scratch = try compiled()
    let bytes = try scratch.bytes("out/a/Main.class")
    let reader = ByteReader(bytes.span)
    let found = try ClassFile(reader).references.map { reader.javaText($0) }
    // jdeps lists what a class depends on besides itself, annotations and the like included, of which there are none.
    let listed = try scratch.run("jdeps", "-verbose:class", "-filter:none", "out/a/Main.class")
    let theirs = listed.split(separator: "\n").compactMap { line -> String? in
      let words = line.split(separator: " ").map(String.init)
      return words.count > 2 && words[0] == "a.Main" && words[1] == "->" ? words[2].replacing(".", with: "/") : nil
    }
    #expect(Set(found).subtracting(["a/Main"]).sorted() == Set(theirs).sorted())
    #expect(found.contains("java/util/BitSet") && found.contains("java/io/File"))
  }

  /// Every range that is read lies in the file.
  private func isSound(_ bytes: [UInt8]) -> Bool {
    let reader = ByteReader(bytes.span)
    guard let file = try? ClassFile(reader) else { return true }
    var names = file.interfaces + file.references + [file.name]
    if let superclass = file.superclass { names.append(superclass) }
    for member in file.fields + file.methods {
      names += [member.name, member.descriptor]
      names += (try? file.annotations(of: member, reader)) ?? []
    }
    names += (try? file.annotations(reader)) ?? []
    for member in (try? file.memberReferences(reader)) ?? [] {
      names += [member.className, member.name, member.descriptor]
    }
    for name in names where name.upperBound > bytes.count { return false }
    return true
  }

  @Test(.tools) func damage() throws {
    let none = Array("class".utf8)
    #expect(throws: FormatError.self) { try ClassFile(ByteReader(none.span)) }
    let scratch = try Scratch()
    let source =
      "@interface A { A2[] value(); } @interface A2 {} @A({@A2}) class B { @Deprecated void f(@A2 int a) { g(); } "
    try scratch.write("B.java", Array("\(source) void g() {} }".utf8))
    try scratch.run("javac", "-g:none", "B.java")
    let bytes = try scratch.bytes("B.class")
    for index in bytes.indices {
      let cut = Array(bytes[..<index])
      #expect(throws: FormatError.self) { try ClassFile(ByteReader(cut.span)) }
      for value in UInt8.min...UInt8.max {
        var changed = bytes
        changed[index] = value
        if !isSound(changed) { Issue.record("\(index) changed to \(value)") }
      }
    }
  }

  @Test func modifiedUTF8() {
    func text(_ bytes: [UInt8]) -> String { ByteReader(bytes.span).javaText(0..<bytes.count) }
    #expect(text(Array("plain/Text".utf8)) == "plain/Text")
    #expect(text([0x61, 0xC0, 0x80, 0xC3, 0x84, 0xE2, 0x82, 0xAC]) == "a\0Ä€")
    #expect(text([0xED, 0xA0, 0xB5, 0xED, 0xB2, 0x9C]) == "𝒜")
    // Half of a pair; UTF-8's own form of the pair; what is cut off.
    #expect(text([0x61, 0xED, 0xA0, 0xB5, 0x62]) == "a\u{FFFD}b")
    #expect(text([0xF0, 0x9D, 0x92, 0x9C]) == "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}")
    #expect(text([0xC3]) == "\u{FFFD}" && text([0xE2, 0x82]) == "\u{FFFD}\u{FFFD}")
  }
}
