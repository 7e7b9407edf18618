import TestSupport
import Testing

@testable import Documents

/// Whatever bytes there are, a file is read to its end, once.
@Suite("hostile web files") struct HostileWebTests {
  private static let names = ["a.html", "a.ejs", "a.css", "a.css.erb", "a.js", "a.js.ejs"]

  private static let sample = """
    <%= a %><!-- b --><base href="x/"><img src='a&amp;b' srcset="a 1x, b 2x"><style>@import url("a"); p { b: url(c\\ d) }</style>
    <script type=module>import a from "./b"; `x${ {y: /[/]'/} }z`; i.src = "c" + d // e
    <!-- <script></script> --></script><p style="a: url(b)" onclick="location = 'app://x'"><% include('y') %>
    """

  private func read(_ bytes: [UInt8]) {
    for name in Self.names {
      guard var document = WebDocument(named: Array(name.utf8)) else { continue }
      document.read(bytes)
      for reference in document.references {
        #expect(!reference.text.isEmpty && reference.line >= 1 && reference.offset <= bytes.count)
      }
    }
  }

  @Test func everyCut() {
    let bytes = Array(Self.sample.utf8)
    for end in 0...bytes.count { read(Array(bytes[..<end])) }
    for start in 0..<bytes.count { read(Array(bytes[start...])) }
  }

  @Test func bytesByChance() {
    let signs =
      Array("<>%=\"'`/\\*-!&#;:(){}[]@$ \nurlimportscestyle?+.,".utf8) + [0, 0x1A, 0x7F, 0x80, 0xC3, 0xE2, 0xFF]
    for seed in Seeded.seeds(400) {
      var random = Seeded(seed: seed)
      var bytes = random.once(in: 2) ? Array(Self.sample.utf8) : []
      for _ in 0..<random.number(60) {
        let byte = random.one(of: signs) ?? 0
        bytes.insert(byte, at: random.number(bytes.count + 1))
        if !bytes.isEmpty, random.once(in: 3) { bytes.remove(at: random.number(bytes.count)) }
      }
      read(bytes)
    }
  }

  /// Four times the bytes take about four times as long: sixteen times would be the work of a reader that turns back.
  @Test(arguments: [
    "<", "<a ", "<!--", "<!-", "<script>", "<script><!--<script>", "<style>", "</", "<a b='", "<a b=&", "&#", "<%",
    "<%%",
    "<script type=text/template>", "<img srcset='a(,", "url(", "url( ", "@import ", "/*", "\"", "'\\", "(", "{",
    "image-set('a' ",
    "`${", "`", "a/[", "a=/[", "import(", "i.src='a'+", "<a x>", "fetch('a://b'", "{{", "<base href=>", "\u{1A}",
    "-->", "<textarea></textare", "<img style='", "<p onclick=\"`${", "\\", "<!--><script>-->",
  ])
  func takesTimeInProportion(_ part: String) {
    func time(_ count: Int) -> Duration {
      let bytes = Array(String(repeating: part, count: count / part.utf8.count).utf8)
      // What else the machine does is no work of ours.
      return (0..<3).map { _ in ContinuousClock().measure { read(bytes) } }.min() ?? .zero
    }
    let (one, four) = (time(8_000), time(32_000))
    #expect(four < max(one * 10, .milliseconds(200)), "\(one), \(four)")
  }
}
