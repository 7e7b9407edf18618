@testable import Documents
import Testing

@Suite("XML")
struct XMLEventsTests {
  private func read(_ text: String, limits: XMLEvents.Limits = .init()) throws(XMLProblem) -> XMLTag {
    try XMLEvents.read(Array(text.utf8), limits: limits)
  }

  private func reason(_ text: String, limits: XMLEvents.Limits = .init()) -> XMLProblem.Reason? {
    do throws(XMLProblem) {
      _ = try read(text, limits: limits)
      return nil
    } catch {
      return error.reason
    }
  }

  @Test("elements, attributes, namespaces, text")
  func tree() throws {
    let root = try read(
      """
      <?xml version="1.0" encoding="utf-8"?>
      <!-- <no/> -->
      <a xmlns="urn:d" xmlns:t="urn:t" b="1" t:b="2&lt;&#x41;">x<t:c/><![CDATA[<y>]]>é&amp;<d xmlns=""/></a>
      """)
    #expect(root.name == "a" && root.namespace == "urn:d")
    #expect(root["b"] == "1" && root["b", namespace: "urn:t"] == "2<A" && root["c"] == nil)
    #expect(root.attributes.count == 2)
    #expect(root.text == "x<y>é&")
    #expect(root.children.map(\.name) == ["c", "d"] && root.children.map(\.namespace) == ["urn:t", ""])
    #expect(root.prefixes["t"] == "urn:t")
  }

  @Test("a tag's place is where it begins, whatever stands before it")
  func positions() throws {
    let root = try read("<!-- < <x> -->\n<?p <q> ?>\n<a\n  b='>'>é<b/><![CDATA[<z>]]>\r\n <!--<c/>--><c\n/></a>")
    #expect(root.position == .init(line: 3, column: 1))
    #expect(root.children.map(\.position) == [.init(line: 4, column: 10), .init(line: 5, column: 13)])
  }

  @Test(
    "what is refused",
    arguments: [
      ("<!DOCTYPE a [<!ENTITY e 'x'>]><a/>", .documentType),
      ("\u{FEFF}<?xml version='1.0'?><!-- x -->\n<!DOCTYPE a [ %e; ]><a/>", .documentType),
      ("<!DOCTYPE a [<!ATTLIST a b CDATA 'x'>]><a/>", .documentType), ("<!DOCTYPE><a/>", .broken),
      ("<!DOCTYPE a [<!ELEMENT a (%e;)>]><a/>", .documentType), ("<!DOCTYPE a [x]><a/>", .broken),
      ("<!DOCTYPE a [<!ENTITY % e 'x'>]><a/>", .documentType),
      ("<!DOCTYPE a [<!ENTITY e SYSTEM 'x'>]><a/>", .documentType),
      ("<!DOCTYPE a [<!-- ]><a/>", .broken), ("<!DOCTYPE a 'x><a/>", .broken),
      ("<!DOCTYPE a [<!ELEMENT a", .broken), ("<!DOCTYPE a ><!DOCTYPE b><a/>", .broken), ("<!x><a/>", .broken),
      ("<!DOCTYPE a SYSTEM 'a.dtd'><a>&e;</a>", .broken), ("<!DOCTYPE a>", .broken),
      ("<!DOCTYPE a SYSTEM 'a.dtd'><a b='x&e;'/>", .broken), ("<a b='&e;'/>", .broken),
      ("<a><t:b/></a>", .unknownPrefix("t")), ("<: xmlns=''/>", .notQualified(":")),
      ("<a xml:=''/>", .notQualified("xml:")), ("<a xmlns:='u'/>", .notQualified("xmlns:")),
      ("<xml:a:b/>", .notQualified("xml:a:b")),
      ("<a t:b=''/>", .unknownPrefix("t")), ("<?xml version='1.0' encoding='UTF-7'?><a/>", .encoding("UTF-7")),
      ("<a>\0</a>", .broken), ("", .broken), ("<a", .broken), ("<a>", .broken), ("<a></b>", .broken),
      ("<a b=c/>", .broken), ("<a>&x;</a>", .broken), ("<a/><a/>", .broken), ("<a/>x", .broken), ("x", .broken),
      ("<a b='1' b='2'/>", .broken), ("<a>&#0;</a>", .broken), ("<a/><!-- x -->x", .broken),
      ("<a b='>'></a><![CDATA[x]]>", .broken), ("<a b='\u{1}'/>", .broken), ("<a><!DOCTYPE x></a>", .broken),
    ] as [(String, XMLProblem.Reason)])
  func refused(_ text: String, _ expected: XMLProblem.Reason) {
    #expect(reason(text) == expected)
  }

  @Test(
    "a DOCTYPE that adds nothing is passed over, and nothing that it names is read",
    arguments: [
      "<!DOCTYPE a>", "<!DOCTYPE a []>", "<!DOCTYPE a SYSTEM 'file:///etc/passwd'>",
      "<!DOCTYPE a PUBLIC \"-//x\" \"http://x.invalid/[\" [ ] >",
      "<!DOCTYPE a [<!-- <!ENTITY e '%'> ]> --><!ELEMENT a (b|c)*><!ATTLIST a é CDATA #IMPLIED>]>",
    ])
  func documentType(_ text: String) throws {
    let root = try read("<?xml version='1.0'?>\(text)<a b='1'>x</a>")
    #expect(root["b"] == "1" && root.text == "x" && root.attributes.count == 1)
    #expect(root.position == .init(line: 1, column: 22 + text.count))
  }

  @Test("bytes that are no UTF-8 are refused; UTF-16, ISO-8859-1 and ASCII are read")
  func encodings() throws {
    for byte in [0xFF, 0xC3, 0x80] as [UInt8] {
      let bytes = Array("<a\n xmlns:t='".utf8) + [byte] + Array("'/>".utf8)
      #expect(throws: XMLProblem(position: .init(line: 2, column: 11), reason: .broken)) { try XMLEvents.read(bytes) }
    }
    let latin = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a b='".utf8) + [0xE9] + Array("'>x</a> \n".utf8)
    #expect(try XMLEvents.read(latin)["b"] == "é")
    let ordinal = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a ".utf8) + [0xAA] + Array("=''/>".utf8)
    #expect(throws: XMLProblem.self) { try XMLEvents.read(ordinal) }
    for (declared, isBig, hasMark) in [
      ("", true, true), ("", false, true), ("", true, false), ("", false, false),
      ("<?xml version='1.0' encoding='UTF-16'?>", false, true),
      ("<?xml version='1.0' encoding='UTF-16BE'?>", true, false),
    ] {
      let units = Array("\(hasMark ? "\u{FEFF}" : "")\(declared)<a b='é😀'>\n <c/></a>".utf16)
      let bytes = units.flatMap { isBig ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      let root = try XMLEvents.read(bytes)
      #expect(root["b"] == "é😀" && root.position == .init(line: 1, column: 1 + declared.count))
      #expect(root.children[0].position == .init(line: 2, column: 2))
    }
    #expect(try XMLEvents.read(Array("<?xml version='1.0' encoding='utf8'?><a b='é'/>".utf8))["b"] == "é")
    #expect(reason("<?xml version='1.0' encoding='ascii'?><a b='é'/>") == .broken)
    #expect(reason("<?xml version='1.0' encoding='UTF-16'?><a/>") == .encoding("UTF-16"))
    #expect(reason("<?xml version='1.0' encoding='Shift_JIS'?><a/>") == .encoding("Shift_JIS"))
  }

  @Test("a lenient reader keeps prefixes that are not declared, and replaces bytes that are not UTF-8")
  func leniency() throws {
    for declaration in ["", "<?xml version='1.0' encoding='UTF-8'?>", "<?xml version='1.0' encoding='GBK'?>"] {
      let bytes = Array("\(declaration)<a t:b='x".utf8) + [0xB6, 0xA8] + Array("'><u:c xmlns:t='y' t:d=''/></a>".utf8)
      let root = try XMLEvents.readLeniently(bytes)
      #expect(root["t:b"] == "x\u{FFFD}\u{FFFD}" && root.children[0].name == "u:c")
      #expect(root.children[0]["d", namespace: "y"] == "")
    }
    #expect(throws: XMLProblem(position: .init(line: 1, column: 7), reason: .broken)) {
      try XMLEvents.readLeniently(Array("<a>é</b>".utf8))
    }
    #expect(throws: XMLProblem.self) { try XMLEvents.readLeniently([]) }
  }

  @Test("a billion laughs are one clear error")
  func billionLaughs() {
    var text = "<?xml version=\"1.0\"?>\n<!DOCTYPE lolz [\n <!ENTITY lol \"lol\">\n"
    for level in 1...9 {
      let last = level == 1 ? "lol" : "lol\(level - 1)"
      text += " <!ENTITY lol\(level) \"\(String(repeating: "&\(last);", count: 10))\">\n"
    }
    text += "]>\n<lolz>&lol9;</lolz>"
    do throws(XMLProblem) {
      _ = try read(text)
      Issue.record("taken")
    } catch {
      #expect(error.position.line == 3)
      #expect(error.description.contains("DOCTYPE"))
    }
  }

  @Test("too large, too deep, too many: an error, soon")
  func limits() {
    let large = [UInt8](repeating: 0x20, count: 200 << 20)
    let tooLarge = XMLProblem.Reason.tooLarge(size: 200 << 20, limit: 16 << 20)
    #expect(throws: XMLProblem(position: .init(line: 1, column: 1), reason: tooLarge)) { try XMLEvents.read(large) }
    let deep = { (depth: Int) in
      String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    }
    #expect(reason(deep(256)) == nil)
    #expect(reason(deep(257)) == .tooDeep(limit: 256))
    #expect(reason(deep(1_000_000)) == .tooDeep(limit: 256))
    var limits = XMLEvents.Limits()
    limits.elements = 100
    let wide = { (count: Int) in "<a>" + String(repeating: "<b/>", count: count) + "</a>" }
    #expect(reason(wide(99), limits: limits) == nil)
    #expect(reason(wide(100), limits: limits) == .tooMany(.elements, limit: 100))
    limits.attributes = 10
    #expect(
      reason("<a>" + String(repeating: "<b c=''/>", count: 11) + "</a>", limits: limits)
        == .tooMany(.attributes, limit: 10))
    let many = { (count: Int) in "<a " + (0..<count).map { "a\($0)=''" }.joined(separator: " ") + "/>" }
    #expect(reason(many(10_000)) == nil)
    #expect(reason(many(10_001)) == .tooMany(.attributesOfElement, limit: 10_000))
  }

  @Test("what the parser holds whole has a limit, texts have none", arguments: ["UTF-8", "UTF-16"])
  func tagLength(_ encoding: String) throws {
    func parts(_ count: Int) -> [String] {
      let long = String(repeating: "x", count: count)
      return ["<a b='\(long)'/>", "<a><!--\(long)--></a>", "<a><?b \(long)?></a>"]
    }
    let size = encoding == "UTF-8" ? 1 : 2
    func bytes(_ text: String) -> [UInt8] {
      size == 1 ? Array(text.utf8) : [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }
    for part in parts((1 << 20) / size - 20) {
      #expect(throws: Never.self) { try XMLEvents.read(bytes(part)) }
    }
    for (part, column) in zip(parts((1 << 20) / size), [1, 4, 4]) {
      let expected = XMLProblem(
        position: .init(line: 1, column: column), reason: .tagTooLong(limit: 1 << 20))
      #expect(throws: expected) { try XMLEvents.read(bytes(part)) }
    }
    let open = "<a b='" + String(repeating: "x", count: 4 << 20)
    #expect(throws: XMLProblem(position: .init(line: 1, column: 1), reason: .tagTooLong(limit: 1 << 20))) {
      try XMLEvents.read(bytes(open))
    }
    let text = String(repeating: "é&lt;", count: 400_000)
    let data = String(repeating: "y", count: 2 << 20)
    let root = try XMLEvents.read(bytes("<a>\n\(text)<![CDATA[\(data)]]>\n<b/></a>"))
    #expect(root.text == "\n" + String(repeating: "é<", count: 400_000) + data + "\n")
    #expect(root.children.map(\.position) == [.init(line: 3, column: 1)])
  }

  /// Every change of the prefixes is a copy of those in force: both have a limit.
  @Test("prefixes are counted, and what says the same again is none")
  func prefixes() throws {
    let declare = { (names: Range<Int>) in names.map { "xmlns:a\($0)='\($0)'" }.joined(separator: " ") }
    #expect(reason("<a \(declare(0..<255))/>") == nil)
    #expect(reason("<a \(declare(0..<256))/>") == .tooMany(.prefixes, limit: 256))
    let changes = { (count: Int) in "<a>" + (0..<count).map { "<b xmlns='\($0)'/>" }.joined() + "</a>" }
    #expect(reason(changes(4096)) == nil)
    #expect(reason(changes(4097)) == .tooMany(.prefixes, limit: 4096))
    let same = "<a xmlns:t='u'>" + String(repeating: "<t:b xmlns:t='u'/>", count: 10_000) + "</a>"
    #expect(try read(same).children.allSatisfy { $0.namespace == "u" })
  }
}
