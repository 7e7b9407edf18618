import Lanes
import Android
import Testing
import TestSupport

@Suite("R.txt, read")
struct RTextTests {
  private func table(_ text: String) throws -> SymbolTable { try SymbolTable(rText: Array(text.utf8)) }

  private func names(_ text: String...) -> [ResourceName] { text.map { ResourceName($0) } }

  private func problem(_ bytes: [UInt8]) -> RTextProblem? {
    do throws(RTextProblem) {
      _ = try SymbolTable(rText: bytes)
      return nil
    } catch {
      return error
    }
  }

  @Test("what we write, we read")
  func roundTrip() throws {
    let found = AndroidResources(
      ResourceSamples.all.filter { !$0.path.hasPrefix("values/public") }
        .map { ResourceFile(path: Array($0.path.utf8), bytes: $0.bytes) }
    ).symbols
    #expect(found.publicNames == nil && found.styleables.count >= 5)
    #expect(try SymbolTable(rText: found.rText) == found)
    #expect(try SymbolTable(rText: []) == SymbolTable())

    var twisted = SymbolTable()
    for name in ["A", "A_B", "A_B_C", "A_", "_", "B"] {
      twisted.insert(
        styleable: ResourceName(name), children: names("B_c", "c", "B_C_d", "_c", "C_d", "android_B", "_"))
    }
    twisted.insert(styleable: ResourceName("A_B_c"), children: [])
    twisted.insert(.styleable, ResourceName("B_c"))
    #expect(try SymbolTable(rText: twisted.rText) == twisted)
  }

  @Test("names are in the order of their bytes, whatever they begin with")
  func order() throws {
    var names = ["", "a", "é", "𐐀", "z_", "_"].flatMap { end in
      ["", "abc", "abcdefg", "abcdefgh", "abcdefgi", "abcdefghijkl", "abcdéfgh", "\u{FF5E}bcdefg"].map { $0 + end }
    }.filter { !$0.isEmpty }
    names.sort { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    var symbols = SymbolTable()
    for name in names.shuffled() { symbols.insert(.id, ResourceName(name)) }
    #expect(String(decoding: symbols.rText, as: UTF8.self) == names.map { "int id \($0) 0x0\n" }.joined())
  }

  @Test("what aapt2 writes, we read as it is", .tools)
  func oracle() async throws {
    let text = try await AAPT.text(ResourceSamples.all)
    let found = try table(text)
    // The names of our own reader, tested in AndroidResourcesTests, less the flags.
    let ours = AAPT.parse(String(decoding: found.rText, as: UTF8.self))
    #expect(ours == AAPT.parse(text))
    #expect(found.names.count == 23 && found.styleables.count >= 5)
    #expect(found.styleables[ResourceName("Dotted_View")] == names("dot_attr", "zz_top"))
    #expect(found.styleables[ResourceName("View_Layout")] == names("android_gravity", "android_layout_width"))
  }

  @Test("every tool's way to write it")
  func dialects() throws {
    let found = try table(
      """
      int anim fade 0x7f010000\r
      \r
      \t
      int drawable $avd_hide__0 0x7F080000
      int id  dotted.name 2131296256
      int macro m 0x7f0d0000
      int[] overlayable o { 0x1 }
      int styleable Early_one 0
      int[] styleable Empty { }
      int[] styleable Empty2 {  }
      int[] styleable Empty3 {}
      int[] styleable Gradle { 0x0, 0x7f010000, 0x1010000 }\r
      int styleable Gradle_a 0\r
      int styleable Gradle_android_b 2\r
      int styleable Gradle_c 1\r
      int[] styleable Early {0x0}
      int xml x 0x0
      """)
    #expect(
      found.names == [
        .anim: Set(names("fade")), .drawable: Set(names("$avd_hide__0")), .id: Set(names("dotted_name")),
        .xml: Set(names("x")),
      ])
    #expect(
      found.styleables == [
        ResourceName("Empty"): [], ResourceName("Empty2"): [], ResourceName("Empty3"): [],
        ResourceName("Gradle"): names("a", "c", "android_b"), ResourceName("Early"): names("one"),
      ])
  }

  @Test("a child belongs to the array above it, or else to the one of the longest name that has room")
  func children() throws {
    let near = try table(
      """
      int[] styleable A { 0x0, 0x0 }
      int styleable A_B_c 0
      int styleable A_d 1
      int[] styleable A_B { 0x0 }
      int styleable A_B_c 0
      """)
    #expect(near.styleables == [ResourceName("A"): names("B_c", "d"), ResourceName("A_B"): names("c")])
    let far = try table(
      """
      int[] styleable A_B { 0x0 }
      int[] styleable A { 0x0, 0x0 }
      int[] styleable A_BB { 0x0 }
      int[] styleable Z { }
      int styleable A_BB_d 0
      int styleable A_B_c 0
      int styleable A_B_d 1
      int styleable A_a 0
      """)
    #expect(
      far.styleables == [
        ResourceName("A_B"): names("c"), ResourceName("A"): names("a", "B_d"), ResourceName("A_BB"): names("d"),
        ResourceName("Z"): [],
      ])
    // Two texts, one after the other, which agree.
    let joined = "int[] styleable A { 0x0, 0x0 }\nint styleable A_b 0\nint styleable A_c 1\n"
    #expect(try table(joined + joined) == table(joined))
  }

  @Test(
    "problems say in which line, what and what to do",
    arguments: [
      ("int id a 0x1\nfloat id b 0x2\n", "line 2: 'float' begins no line of R.txt, int and int[] do: "),
      ("int id a", "line 1: a line of R.txt is 'int TYPE NAME VALUE', and this one is not: "),
      ("\n\nint id a 0x1 0x2", "line 3: a line of R.txt is 'int TYPE NAME VALUE', and this one is not: "),
      ("int id 1a 0x1", "line 1: '1a' cannot be a resource's name in Java: "),
      ("int id a/b 0x1", "line 1: 'a/b' cannot be a resource's name in Java: "),
      ("int id a; 0x1", "line 1: 'a;' cannot be a resource's name in Java: "),
      ("int macro [I 0x1", "line 1: '[I' cannot be a resource's name in Java: "),
      ("int id a x1", "line 1: 'x1' is no number: "), ("int id a 0x", "line 1: '0x' is no number: "),
      ("int id a 0x123456789", "line 1: '0x123456789' is no number: "), ("int id a -1", "line 1: '-1' is no number: "),
      ("int[] id a { 0x1 }", "line 1: only a styleable is an array, and this is of the type id: "),
      ("int[] styleable A 0x1", "line 1: the ids of 'A' are not in the form { 0x1, 0x2 }: "),
      ("int[] styleable A {", "line 1: the ids of 'A' are not in the form { 0x1, 0x2 }: "),
      ("int[] styleable A { 0x1, }", "line 1: '' is no number: "),
      ("int[] styleable A { 0x1 0x2 }", "line 1: '0x10x2' is no number: "),
      ("int styleable A_b 0", "line 1: no styleable has room for 'A_b' at this index: "),
      (
        "int[] styleable A { 0x1 }\nint styleable A_b 0\nint styleable A_c 0",
        "line 3: no styleable has room for 'A_c' at this index: "
      ),
      ("int[] styleable A { 0x1 }\nint styleable A_b 1", "line 2: no styleable has room for 'A_b' at this index: "),
      ("int[] styleable A { 0x1 }\nint styleable Ab_c 0", "line 2: no styleable has room for 'Ab_c' at this index: "),
      ("int[] styleable A { 0x1 }\nint styleable A_ 0", "line 2: no styleable has room for 'A_' at this index: "),
      (
        "int[] styleable A { 0x1, 0x2 }\nint styleable A_b 0\n",
        "line 1: the styleable 'A' has 2 ids and no child with the index 1: "
      ),
    ])
  func problems(_ text: String, _ start: String) {
    let found = problem(Array(text.utf8))?.description ?? "no problem"
    #expect(found.hasPrefix(start) && found.count > start.count, "\(found)")
  }

  @Test("a styleable that is there twice has the children of both, each once")
  func united() throws {
    let text =
      "int[] styleable A { 0x1, 0x2 }\nint styleable A_b 0\nint styleable A_c 1\n"
      + "int[] styleable A { 0x1, 0x2 }\nint styleable A_d 0\nint styleable A_c 1\n"
    let table = try SymbolTable(rText: Array(text.utf8))
    #expect(table.styleables == [ResourceName("A"): ["b", "c", "d"].map { ResourceName($0) }])
  }

  @Test("what is not UTF-8 is a problem; damage never ends in more than one")
  func damage() {
    #expect(problem([0x69, 0x6E, 0x74, 0x20, 0xFF])?.description.hasPrefix("line 1: the text is not UTF-8: ") == true)
    let bytes = Array("int[] styleable A { 0x1, 0x2 }\nint styleable A_b 0\nint styleable A_c 1\nint id ü 0x1\n".utf8)
    for index in bytes.indices {
      for byte: UInt8 in [0x00, 0x0A, 0x20, 0x2C, 0x5F, 0x7B, 0x7D, 0x80, 0xFF] {
        var changed = bytes
        changed[index] = byte
        if let found = problem(changed) { #expect((1...5).contains(found.line) && !found.description.isEmpty) }
      }
      if let found = problem(Array(bytes[..<index])) { #expect((1...4).contains(found.line)) }
    }
  }
}
