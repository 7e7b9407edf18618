import Lanes
import Android
import Artifacts
import Documents
import SystemPackage
import Testing
import TestSupport

@Suite("writing XML")
struct XMLWriterTests {
  private func read(_ text: String) throws -> XMLTag { try XMLEvents.read(Array(text.utf8)) }
  private func written(_ text: String) throws -> String {
    String(decoding: XMLWriter.write(try read(text)), as: UTF8.self)
  }

  static let samples = [
    "<a/>",
    "<a b='1'/>",
    "<a b=' x&#9;y&#10;z&#13;&lt;&gt;&amp;&quot;&apos; '>t&lt;]]&gt;&amp;&#13;\n\"'</a>",
    "<a xmlns='urn:d' b='1'><c/><d xmlns=''><e xmlns='urn:e' f='2'/></d></a>",
    "<a xmlns:x='urn:1' xmlns:y='urn:1' x:b='1'><y:c y:d='2'/></a>",
    "<a xmlns:x='urn:1'><x:b x:c='1' xmlns:x='urn:2'><d xmlns:x='urn:3' x:e=''/></x:b><x:f/></a>",
    "<a><ns1:b xmlns:ns1='urn:1'/><ns1:b xmlns:ns1='urn:2'/><b xmlns='urn:3'/></a>",
    "<a xml:lang='de' xmlns:unused='urn:u'>mixed <b>text</b> and <c><d/></c> more</a>",
    "<tools:a xmlns:tools='urn:other' xmlns:t='http://schemas.android.com/tools' t:b='1' tools:c='2'/>",
    "<a xmlns:android='urn:x'><b xmlns:q='http://schemas.android.com/apk/res/android' q:name='1' android:name='2'/></a>",
    "<a> \n <b>\u{1F600}é\u{2028}</b> \n</a>",
  ]

  /// Canonical, from Python's parser: names with addresses, attributes sorted, text that is not only white space.
  private static let script = """
    import json, sys, xml.etree.ElementTree as E
    def form(e):
        text = ''.join([e.text or ''] + [c.tail or '' for c in e])
        return [e.tag, sorted(e.attrib.items()), text if text.strip(' \\t\\r\\n') else '', [form(c) for c in e]]
    print(json.dumps([form(E.parse(p).getroot()) for p in sys.argv[1:]]))
    """

  @Test("Python reads the same tree before and after", .tools)
  func readByPython() async throws {
    let scratch = Scratch()
    var before: [String] = []
    var after: [String] = []
    for (number, sample) in Self.samples.enumerated() {
      before.append(try scratch.write("\(number).a.xml", sample).string)
      after.append(try scratch.write("\(number).b.xml", XMLWriter.write(try read(sample))).string)
    }
    let wanted = try await Tool.check(["python3", "-c", Self.script] + before)
    #expect(try await Tool.check(["python3", "-c", Self.script] + after) == wanted)
  }

  @Test("what is written is read as the same, and written as the same", arguments: samples)
  func again(_ sample: String) throws {
    let first = XMLWriter.write(try read(sample))
    let tree = try XMLEvents.read(first)
    #expect(XMLWriter.write(tree) == first)
    #expect(full(tree) == full(try read(sample)))
  }

  private func full(_ tag: XMLTag) -> [String] {
    let attributes = tag.attributes.map { "{\($0.namespace)}\($0.name)=\($0.value)" }.sorted()
    let text = tag.text.contains { !$0.isWhitespace } ? tag.text : ""
    return ["{\(tag.namespace)}\(tag.name) \(attributes) \(text)"] + tag.children.flatMap(full).map { " \($0)" }
  }

  @Test("the layout")
  func layout() throws {
    let text = try written(
      """
      <manifest xmlns:z='urn:z' xmlns:tools='http://schemas.android.com/tools'
        xmlns:android='http://schemas.android.com/apk/res/android' package='a.b'><application><activity
        android:name='.A' tools:ignore='x' android:label='"&#10;"'/><!-- x --><p/></application><q android:name='1'></q></manifest>
      """)
    #expect(
      text == """
        <?xml version="1.0" encoding="utf-8"?>
        <manifest
            xmlns:android="http://schemas.android.com/apk/res/android"
            xmlns:tools="http://schemas.android.com/tools"
            xmlns:z="urn:z"
            package="a.b">
            <application>
                <activity
                    android:label="&quot;&#10;&quot;"
                    android:name=".A"
                    tools:ignore="x" />
                <p />
            </application>
            <q android:name="1" />
        </manifest>

        """)
  }

  @Test("attributes that are one by their address are written once")
  func double() throws {
    #expect(try written("<a xmlns:x='u' xmlns:y='u' x:b='1' y:b='2'/>").contains("x:b=\"1\""))
    #expect(try read(try written("<a xmlns:x='u' xmlns:y='u' x:b='1' y:b='2'/>")).attributes.count == 1)
  }
}
