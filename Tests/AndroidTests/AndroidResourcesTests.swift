import Lanes
import Android
import Documents
import Testing
import TestSupport

@Suite("Android resources")
struct AndroidResourcesTests {
  private func resources(_ files: [(path: String, bytes: [UInt8])]) -> AndroidResources {
    AndroidResources(files.map { ResourceFile(path: Array($0.path.utf8), bytes: $0.bytes) })
  }

  private func values(_ text: String) -> AndroidResources {
    resources([("values/v.xml", Array(ResourceSamples.values(text).utf8))])
  }

  private func names(_ found: AndroidResources) -> Set<String> {
    AAPT.parse(String(decoding: found.symbols.rText, as: UTF8.self))
  }

  @Test("the names are those that aapt2 finds, but for flags", .tools)
  func oracle() async throws {
    let files = ResourceSamples.all
    #expect(files.count >= 60)
    let ours = resources(files)
    #expect(ours.problems.map(\.description) == [])
    let theirs = try await AAPT.symbols(files).subtracting(["id f_one", "id f_two", "id ks_one"])
    let found = names(ours)
    #expect(found.subtracting(theirs).sorted() == [])
    #expect(theirs.subtracting(found).sorted() == [])
    #expect(found.count > 150)
  }

  @Test(
    "a file alone gives the names that aapt2 finds in it", .tools, arguments: ["ids", "arrays", "plurals", "attrs"])
  func alone(_ name: String) async throws {
    let files = ResourceSamples.all.filter { $0.path == "values/\(name).xml" }
    #expect(try await AAPT.symbols(files).subtracting(["id f_one", "id f_two"]) == names(resources(files)))
  }

  @Test(
    "what aapt2 refuses, we refuse",
    arguments: [
      "<foo name='x'/>", "<string name='a'>1</string><string name='a'>1</string>", "<string>1</string>",
      "<string name=''/>", "<string name='1a'/>", "<string name='a:b'/>", "<string name='a b'/>",
      "<string name='a$b'/>", "text", "<string name='class'>1</string>", "<item name='a'>1</item>",
      "<item type='foo' name='a'/>",
      "<attr name='a' format='string'/><attr name='a' format='color'/>",
      "<attr name='a' format='string'/><attr name='a' format='reference'/>",
      "<attr name='a' format='integer|enum'/><attr name='a' format='integer'/>",
      "<attr name='a'><enum name='x' value='1'/></attr><attr name='a'><enum name='x' value='2'/></attr>",
      "<attr name='a'><flag name='x' value='1'/></attr><attr name='a'><flag name='y' value='1'/></attr>",
      "<array name='a'/><string-array name='a'/>",
      "<attr name='a'><enum name='x' value='1'/><enum name='x' value='1'/></attr>", "<declare-styleable/>",
      "<attr name='a'><foo name='x'/></attr>", "<declare-styleable name='S'><foo/></declare-styleable>",
      "<public type='string' name='no'/>", "<attr name='t.t:d'/>", "<string name='a'>&nbsp;</string>",
      "<declare-styleable name='S'/><declare-styleable name='S'/>", "<string name='a'>",
    ])
  func refused(_ text: String) async throws {
    let ours = values(text)
    #expect(ours.problems.count == 1, "\(ours.problems)")
    #expect(ours.problems.allSatisfy { ($0.site.position?.line ?? 0) >= 2 })
    let file = (path: "values/v.xml", bytes: Array(ResourceSamples.values(text).utf8))
    await #expect(throws: ToolError.self) { try await AAPT.symbols([file]) }
  }

  @Test(
    "what aapt2 takes, we take", .tools,
    arguments: [
      "<attr name='a'><enum name='x' value='16'/></attr><attr name='a'><enum name='x' value='0x10'/></attr>",
      "<attr name='a' format='string'/><attr name='a' format='string|reference'/>",
    ])
  func taken(_ text: String) async throws {
    let ours = values(text)
    #expect(ours.problems.isEmpty, "\(ours.problems)")
    let file = (path: "values/v.xml", bytes: Array(ResourceSamples.values(text).utf8))
    #expect(try await AAPT.symbols([file]) == names(ours))
  }

  /// Newer tools know it; there is nothing of it in `R`.
  @Test func macrosDefineNothing() {
    let ours = values("<macro name='primary'>?attr/colorPrimary</macro>")
    #expect(ours.problems.isEmpty && ours.symbols == SymbolTable())
  }

  @Test("problems say where, what and what to do")
  func problems() {
    let found = resources([
      ("values/a.xml", Array("<resources>\n  <string name='t'/>\n</resources>".utf8)),
      ("values/b.xml", Array("<resources><string name='t'/>\n <strnig name='t'/></resources>".utf8)),
      ("drawable/Photo.png", []), ("drawable/a.b.png", []), ("drawable/new.png", []), ("picture/a.png", []),
      ("layout/sub/a.xml", []), ("values/a.txt", []), ("drawable-hdpi/a.png", []), ("drawable-hdpi/a.webp", []),
      ("menu/m.xml", Array("<m i='@+id/1'\n j='@+foo:id/x'/>".utf8)), ("top.xml", []),
    ])
    let fileName = "cannot be a resource's name: use lower-case letters, digits and underscores, a letter first"
    let twice = "is defined twice for the same configuration, first at"
    #expect(
      found.problems.map(\.description) == [
        "values/b.xml:1:12: string 't' \(twice) values/a.xml:2:3: remove or rename one",
        "values/b.xml:2:2: <strnig> is not known here: correct the spelling or remove the element",
        "drawable/Photo.png: 'Photo.png' \(fileName)", "drawable/a.b.png: 'a.b.png' \(fileName)",
        "drawable/new.png: 'new' is a word of the Java language: choose another name",
        "picture/a.png: 'picture' is no kind of resource folder: "
          + "rename the folder to one such as drawable, layout or values-es",
        "layout/sub/a.xml: a resource stands directly in a folder such as res/layout: move the file there",
        "values/a.txt: only XML files can be in a values folder: move it to res/raw or to assets",
        "drawable-hdpi/a.webp: drawable 'a' \(twice) drawable-hdpi/a.png: remove or rename one",
        "menu/m.xml:1:1: '1' cannot be a resource's name: use letters, digits, underscores and dots, a letter first",
        "menu/m.xml:1:1: '@+foo:id/x' would define a name in another package: "
          + "write @+id/name, or @id/name to refer to it",
        "top.xml: a resource stands directly in a folder such as res/layout: move the file there",
      ])
    #expect(names(found) == ["string t", "drawable a", "menu m"])
  }

  @Test("R.txt and public.txt, byte for byte")
  func texts() {
    let found = values(
      """
      <style name="S.T"/><string name="b"/><string name="a.b"/><declare-styleable name="V">
      <attr name="z" format="string"/><attr name="android:text"/><attr name="elsewhere"/></declare-styleable>
      <attr name="e"><enum name="on" value="1"/></attr><attr name="f"><flag name="off" value="1"/></attr>
      <declare-styleable name="Empty"/><public type="string" name="b"/>
      """)
    let expected = """
      int attr e 0x0
      int attr f 0x0
      int attr z 0x0
      int id on 0x0
      int string a_b 0x0
      int string b 0x0
      int style S_T 0x0
      int[] styleable Empty {  }
      int[] styleable V { 0x0, 0x0, 0x0 }
      int styleable V_z 0
      int styleable V_android_text 1
      int styleable V_elsewhere 2

      """
    #expect(String(decoding: found.symbols.rText, as: UTF8.self) == expected)
    #expect(found.symbols.publicText == Array("string b\n".utf8))
    #expect(values("").symbols.publicText == nil && values("<public/>").symbols.publicText == [])
    #expect(values("").symbols.rText == [])
  }

  @Test("the order of the files does not matter to the names")
  func order() {
    let files = ResourceSamples.all
    #expect(resources(files).symbols.rText == resources(files.reversed()).symbols.rText)
  }

  @Test("damage gives names or problems, never a crash", arguments: 1...8 as ClosedRange<UInt64>)
  func damage(_ seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(max(1, bound)))
    }
    let pieces = [
      "<", ">", "\"", "&", "/", "]]>", "<!--", "<!DOCTYPE a>", "@+", ":", "\0", "name=\"\"", "é", "<a>", "xmlns:",
    ]
    for file in ResourceSamples.all where ResourceFile.isRead(Array(file.path.utf8)) {
      for _ in 0..<8 {
        var bytes = file.bytes
        let at = next(bytes.count)
        switch next(4) {
        case 0: bytes[at] = UInt8(next(256))
        case 1: bytes.removeSubrange(at..<min(bytes.count, at + 1 + next(20)))
        case 2: bytes.insert(contentsOf: pieces[next(pieces.count)].utf8, at: at)
        default: bytes.removeLast(bytes.count - at)
        }
        let found = resources([(file.path, bytes)])
        #expect(found.problems.allSatisfy { !$0.description.isEmpty })
      }
    }
  }

  @Test("a thousand problems are told, the rest is counted")
  func manyProblems() {
    let found = values(String(repeating: "<b/>", count: 1500)).problems
    #expect(found.count == 1001)
    #expect(found.last?.reason.hasPrefix("and 500 more") == true)
  }
}
