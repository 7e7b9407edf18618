import Testing

@testable import Documents

@Suite("style sheets") struct CSSTokensTests {
  @Test(
    "what CSS Syntax takes for addresses",
    arguments: [
      ("p { background: url(a.png) } q { background: URL( 'b c.png' ) }", ["asset a.png", "asset b c.png"]),
      (
        "@import 'a.css'; @import url(b.css) screen; @IMPORT \"c.css\" supports(font-tech('x'));",
        ["asset a.css", "asset b.css", "asset c.css"]
      ),
      ("/* url(a) */ p::before { content: 'url(b)' } a[href='c.png'] {}", []),
      ("@namespace 'urn:x'; @namespace svg url(urn:y); p { cursor: url(z.cur) }", ["asset z.cur"]),
      (
        "p { background: url(a\\ b.png); q: url(\\61 .png); r: u\\72l(c.png) }",
        ["asset a b.png", "asset a.png", "asset c.png"]
      ),
      ("p { background: url(a b.png) url(c'd.png) url(e.png) }", ["asset e.png"]),
      ("p { background: url('a\n.png) } q { background: url(b.png) }", ["asset b.png"]),
      ("p { background: image-set('a.png' 1x, url(b.png) type('image/png')) }", ["asset a.png", "asset b.png"]),
      ("@font-face { src: url(a.woff) format('woff'), local('b') }", ["asset a.woff"]),
      ("p { width: 10url(a.png); color: #url(b.png) } <!-- q { background: url(c.png) } -->", ["asset c.png"]),
      ("p { background: url(#a) url(data:x,y) url(//h/i) url(?q) }", ["asset ?q"]),
      ("p { content: 'a\\\nb'; background: url(a.png", ["asset a.png"]),
      ("@import /* one */ 'a.css'; @media print { q { src: src('b') } }", ["asset a.css", "asset b"]),
    ])
  func addresses(_ sheet: String, _ expected: [String]) {
    #expect(references("a.css", sheet) == expected)
  }

  @Test func sectionsOfTemplates() {
    #expect(references("a.css", "p { background: url(<%= x %>.png) }") == [])
    #expect(references("a.css.erb", "p { background: url(<%= asset 'x)' %>.png) url(b/<%= c %>) }") == ["asset b/…"])
  }
}
