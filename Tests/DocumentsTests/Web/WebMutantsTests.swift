import Foundation
import TestSupport
import Testing

@testable import Documents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Web files as people write them, changed by chance: each is read to its end, and none takes a second. What they take of
/// memory at most is measured with the other worst cases.
@Suite("mutants of web files") struct WebMutantsTests {
  private static let samples = [
    "html": """
    <%= a %><!doctype html><!-- b --><base href="x/"><meta http-equiv=refresh content="5; url=n.html"><link rel=icon href=i>
    <style>@import url("a"); @media x { p { b: url(c\\ d); c: image-set('a' 1x, "b" 2x) } }</style><body onload="i.src='x'">
    <img src='a&amp;b&#65;&#x41;&notin;' srcset="a 1x, b(,) 2x,c"><svg><image xlink:href="a.png"/></svg>
    <script type="text/template"><a href="b"></script><script type=module>import a from "./b"; `x${ {y: /[/]'/} }z`
    <!-- <script></script> --></script><p onclick="location = 'app://x'"><% include('y') %><textarea></textare></textarea>
    """,
    "css": """
    @charset "utf-8"; @import url('a') screen; @import "b" layer(x); /* c */ @font-face { src: local("x"), url(c\\ d), 'e' }
    @namespace 'f'; p::before { x: '\\61\\0000e9 \\\n y'; content: "\\"" } a:not(.b) > c[d="e"] { w: calc(1px + -2.5e3em) }
    .g { background: #fff url( "f.png" ) no-repeat, image-set('e' 1x) } @supports (a: b) { q { r: url(s) } } <!-- -->
    """,
    "js": """
    #!/usr/bin/env node
    import a, {b as c} from './b.js'; export * from "d"; const e = await import(`./f/${g}.js`); `x${ {y: `n${1}`} }z`
    if (a) /b/.test(c); i.src = 'd\\u{65}\\x41\\\n'; f({g: 1}) / 2 // h
    /* k */ x = a++ / b; new Worker("w.js"); fetch('app://x' + y); location.href = "app://z"; const t = a ? b : /c[\\]/]/u
    <!-- old
    --> end
    """,
  ].mapValues { Array($0.utf8) }

  private static let signs = [
    "<", ">", "\"", "'", "`", "/", "\\", "*", "-", "(", ")", "{", "}", "[", "]", "${", "<%", "%>", "<!--", "-->", "&#x",
    "<script>", "</script>", "<style>", "<a ", "</", "url(", "@import ", "\0", "\u{1A}", "\r", "\u{2028}", "/*", "*/",
    "//",
    " srcset=", " style=", " onx=", "{{", "<base href=", "image-set(", "'+", "i.src=", "import(",
  ].map { Array($0.utf8) }

  @Test(arguments: [
    ("html", ["a.html", "a.ejs"]), ("css", ["a.css", "a.css.erb"]), ("js", ["a.js", "a.js.ejs"]),
  ])
  func mutants(_ language: String, _ names: [String]) throws {
    for seed in Seeded.seeds(300) {
      var random = Seeded(seed: seed)
      let bytes = Self.mutant(of: try #require(Self.samples[language]), &random)
      for name in names {
        var document = try #require(WebDocument(named: Array(name.utf8)))
        let start = Self.time
        document.read(bytes)
        #expect(Self.time - start < 1, "\(name), seed \(seed), \(bytes.count) bytes")
        for reference in document.references {
          #expect(!reference.text.isEmpty && reference.line >= 1 && reference.offset <= bytes.count, "seed \(seed)")
        }
      }
    }
  }

  private static func mutant(of sample: [UInt8], _ random: inout Seeded) -> [UInt8] {
    var bytes = sample
    func piece(_ random: inout Seeded, of bytes: [UInt8]) -> [UInt8] {
      Array(bytes.dropFirst(random.number(bytes.count + 1)).prefix(1 + random.number(200)))
    }
    for _ in 0...random.number(20) {
      let place = random.number(bytes.count + 1)
      switch random.number(6) {
      case 0: if place < bytes.count { bytes[place] ^= 1 << UInt8(random.number(8)) }
      case 1: bytes.removeSubrange(place..<min(bytes.count, place + random.number(200)))
      case 2:
        let sign = random.one(of: signs) ?? []
        for _ in 0...random.number(30) { bytes.insert(contentsOf: sign, at: place) }
      case 3: bytes.insert(contentsOf: piece(&random, of: bytes), at: place)
      case 4:
        bytes.insert(
          contentsOf: piece(&random, of: samples[random.one(of: samples.keys.sorted()) ?? ""] ?? []), at: place)
      default: for _ in 0..<random.number(20) { bytes.insert(UInt8(random.number(256)), at: place) }
      }
    }
    // One in five is long, of one piece over and over.
    if random.once(in: 5), case let part = random.once(in: 2) ? piece(&random, of: bytes) : random.one(of: signs) ?? [],
      !part.isEmpty
    {
      let place = random.number(bytes.count + 1)
      bytes.insert(contentsOf: (0..<(100_000 / part.count)).flatMap { _ in part }, at: place)
    }
    return bytes
  }

  /// Of the processor, for this thread, in seconds: what else the machine does is no work of ours.
  private static var time: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
