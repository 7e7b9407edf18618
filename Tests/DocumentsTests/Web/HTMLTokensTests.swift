import Lanes
import TestSupport
import Testing

@testable import Documents

/// What a file of that name names: `asset images/a.png`, with `…` behind what is known only in part.
func references(_ name: String, _ text: String) -> [String] {
  guard var document = WebDocument(named: Array(name.utf8)) else { return ["no document"] }
  document.read(Array(text.utf8))
  return document.references.map { "\($0.use) \(String(decoding: $0.text, as: UTF8.self))\($0.isCut ? "…" : "")" }
}

@Suite("pages") struct HTMLTokensTests {
  @Test(
    "what the standard takes for tags and values",
    arguments: [
      ("<img src=a.png><IMG SRC='b.png'><img src = \"c.png\" >", ["asset a.png", "asset b.png", "asset c.png"]),
      ("<!-- <img src=a> --!><img src=b><!--><img src=c><!---><img src=d>", ["asset b", "asset c", "asset d"]),
      ("<!doctype html><?xml <img src=a> ?><img src=b></ x><img src=c>", ["asset b", "asset c"]),
      ("<title><img src=a></title><textarea><img src=b></textarea ><img src=c>", ["asset c"]),
      ("<img alt='<img src=a>' src=b/><img/src=c>", ["asset b/", "asset c"]),
      ("<img src=a src=b><img =src=c src=d>", ["asset a", "asset d"]),
      (
        "<img src='a&amp;b.png'><img src=&#x61;&#98;><img src='a?x=1&lt=2'>",
        ["asset a&b.png", "asset ab", "asset a?x=1&lt=2"]
      ),
      ("<img src='caf&eacute;.png'><img src='a&b.png'>", ["asset caf…", "asset a&b.png"]),
      ("a < b <3 <img src=a", []),
      ("<script>'<img src=a>'; <!-- <script> </script> --></script><img src=b>", ["asset b"]),
      (
        "<img srcset=' a.png 1x, b.png?x=1,2 2x,,c.png,d.png'>",
        ["asset a.png", "asset b.png?x=1,2", "asset c.png,d.png"]
      ),
      ("<link rel='Stylesheet alternate' href=a><link rel=canonical href=b><link href=c>", ["asset a"]),
      (
        "<p style='background: url(&quot;a.png&quot;)'><p onclick=\"location = 'app://a/b'\">",
        ["asset a.png", "link app://a/b"]
      ),
      ("<style>p { background: url(a.png) } /* url(b.png) */</style>", ["asset a.png"]),
      ("<script>x.src = 'a.js'</script><script type=text/plain>x.src = 'b.js'</script>", ["request a.js"]),
      ("<script type=text/template><img src=a></script>", ["asset a"]),
      ("<meta http-equiv=refresh content=\"1; URL='a.html'\"><form action=b></form>", ["link a.html", "link b"]),
      ("<a href=#top><a href=HTTPS://x.y/><a href=//x.y/z><img src=data:image/png,x><a href='javascript:f()'>", []),
      ("<p data-to='app://a/b' title='Note: this'>", ["mention app://a/b"]),
      ("<svg><image href=a.png /><use xlink:href='b.svg#c'/></svg>", ["asset a.png", "asset b.svg#c"]),
      ("<img src='[[avatar]]'><img src='{{url}}'><img src='a/${x}.png'>", ["asset a/…"]),
    ])
  func tags(_ page: String, _ expected: [String]) {
    #expect(references("a.html", page) == expected)
  }

  @Test(
    "sections are code, wherever they stand",
    arguments: [
      ("<img src='<%= a > b ? '\"' : \"'\" %>.png'><img src=b.png>", ["asset b.png"]),
      ("<% if (a < b) { %><img src=a><% } // '%>", ["asset a"]),
      ("<img <%= more %>src=a><img src=<%= b %>><img src=c<%= d %>.png>", ["asset a", "asset c…"]),
      ("<%% <img src=a> %%><%# <img src=b> %><img src=c>", ["asset a", "asset c"]),
      ("<img src=a.png?<%= version %>><% <img src=b>", ["asset a.png?…"]),
      ("<%- include('rows/a', {b: 1}) -%><%= x.include('c') %>", ["template rows/a"]),
      ("<a href='app://shows/view?id=<%= id %>'>", ["link app://shows/view?id=…"]),
    ])
  func sections(_ page: String, _ expected: [String]) {
    #expect(references("a.ejs", page) == expected)
  }

  @Test func placesAndBase() throws {
    var document = try #require(WebDocument(named: Array("a.html".utf8)))
    document.read(Array("<base href='x/'><base href='y/'>\n\té <img\n src=\"a\">".utf8))
    #expect(document.references.map(\.line) == [3])
    #expect(document.references.map(\.column) == [7])
    #expect(document.base.map { String(decoding: $0.text, as: UTF8.self) } == "x/")
  }

  @Test("as Python's reader sees them, of pages by chance", .tools)
  func oracle() async throws {
    let pages = Seeded.seeds(300).map { seed in Self.page(seed) }
    let expected = try await WebOracle.attributes(of: pages.map { Array($0.utf8) })
    var count = 0
    for (page, expected) in zip(pages, expected) {
      var tokens = HTMLTokens(Array(page.utf8))
      var found: [String] = []
      while let tag = tokens.next() {
        let name = tokens.bytes[tag.name].knownName
        var seen: Set<String> = []
        for attribute in tag.attributes {
          let key = tokens.bytes[attribute.name].knownName
          guard seen.insert(key).inserted, ["img src", "a href", "script src"].contains("\(name) \(key)") else {
            continue
          }
          let value = tokens.value(attribute.value)[...].trimmingWebSpace()
          if !value.isEmpty { found.append(String(decoding: value, as: UTF8.self)) }
        }
      }
      #expect(found == expected, "\(page)")
      count += found.count
    }
    #expect(count > pages.count)
  }

  /// Of parts that both readers take for the same.
  private static func page(_ seed: Int) -> String {
    var random = Seeded(seed: seed)
    let values = [
      "a.png", "b/c.css?x=1&amp;y=2", "é &#233;", "&#x41;.js", "a b", "x'y", "&lt;p&gt;", "a/", "<p>", "a=b",
    ]
    func value() -> String {
      let value = random.one(of: values) ?? ""
      switch random.number(3) {
      case 0 where !value.contains { " '<=&;/".contains($0) }: return value
      case 1 where !value.contains("'"): return "'\(value)'"
      default: return "\"\(value)\""
      }
    }
    func tag() -> String {
      let name = random.one(of: ["img", "IMG", "a", "A", "p", "br"]) ?? ""
      var text = "<\(name)"
      for _ in 0..<random.number(4) {
        let space = random.one(of: [" ", "\n", "  ", "\t"]) ?? " "
        text += "\(space)\(random.one(of: ["src", "href", "HREF", "alt", "data-x"]) ?? "")"
        if !random.once(in: 6) { text += (random.one(of: ["=", " = ", "=\n"]) ?? "=") + value() }
      }
      return text + (random.one(of: [">", " >", " />", "\n>"]) ?? ">")
    }
    return (0..<12).map { _ -> String in
      switch random.number(9) {
      case 0: "<!-- \(tag()) -- \(tag()) -->"
      case 1: "<script>var a = '\(tag())' < 3;</script>"
      case 2: "<style>\(tag()) p { color: red }</style>"
      case 3: "<!DOCTYPE html>\n"
      case 4: "</\(random.one(of: ["p", "a", "div"]) ?? "")>"
      case 5: "text a < b & c &amp; d\n"
      case 6: "<script src=\(value())></script>"
      default: tag()
      }
    }.joined()
  }
}
