import SystemPackage
import TestSupport
import Testing

@testable import Documents

@Suite("scripts") struct JavaScriptTokensTests {
  @Test(
    "what scripts name",
    arguments: [
      (
        "import a from './a.js'; import './b.js'; export * from \"../c.js\"; import('./d.js').then(e)",
        ["module ./a.js", "module ./b.js", "module ../c.js", "module ./d.js"]
      ),
      ("x.import('./a.js'); obj.from = './b.js'; require('./c')", []),
      (
        "new Worker('a.js'); Worker('b.js'); fetch('c.json'); api.fetch('d'); window.fetch(`e.json`)",
        ["request a.js", "request c.json", "request e.json"]
      ),
      (
        "i.src = 'a.png'; src = 'b.png'; i.src == 'c.png'; i.src = 'd/' + e; i.src = 'f'.trim(); i.src = `g/${h}.png`",
        ["request a.png", "request d/…", "request g/…"]
      ),
      (
        "location.href = 'app://a/b'; location = 'app://c'; location.replace('app://d?e=' + f)",
        ["link app://a/b", "link app://c", "link app://d?e=…"]
      ),
      ("go('app://a/b', 1); url.indexOf('app://c') == 0; var d = 'app://e'; log('note: f')", ["mention app://a/b"]),
      ("// i.src = 'a'\n/* i.src = 'b' */ i.src = 'c' // 'd'", ["request c"]),
      ("var a = b / c; i.src = 'd'; e = f / g", ["request d"]),
      ("var a = /['\"]/; i.src = 'd'; b = x.replace(/\"[/\"]/g, '')", ["request d"]),
      ("if (a) /'/.test(b); i.src = 'c'; f(a) / '2'", ["request c"]),
      ("a++ / 2; i.src = 'b'; c / 1", ["request b"]),
      ("function f() {} /'/.test(x); i.src = 'a'; y = {a: 1} / 2; i.src = 'b' / 1", ["request a"]),
      ("a = `x${ {b: `'${c}'`} }y'`; i.src = 'd'", ["request d"]),
      ("i.src = '\\x61\\u0062\\u{63}\\\n\\/d'", ["request abc/d"]),
      ("i.src = 'a\nb.src = 'c'", ["request c"]),
      ("<!-- i.src = 'a'\ni.src = 'b'\n--> i.src = 'c'", ["request b"]),
      ("#!/usr/bin/x '\ni.src = 'b'", ["request b"]),
      ("x.return / 2; i.src = 'a'; y.if(b) / 3", ["request a"]),
      ("a ? .5 : b?.c / d; i.src = 'e'", ["request e"]),
    ])
  func names(_ script: String, _ expected: [String]) {
    #expect(references("a.js", script) == expected)
  }

  /// Statements that are put together by chance: what they name is known beforehand, and that they are a script says another
  /// reader of the language, where there is one.
  @Test func statementsByChance() async throws {
    let scratch = Scratch()
    let hasNode = try await Tool.run(["sh", "-c", "command -v node"]).status == 0
    var all = ""
    for seed in Seeded.seeds(200) {
      var random = Seeded(seed: seed)
      var (text, expected) = ("", [String]())
      for number in 0..<20 {
        let name = "n\(number).png"
        let noise = [
          "var a\(number) = 8 / 2 / 1;", "var b\(number) = /[/'\"`]+\\/'/g;", "/* i.src = 'no' */", "// it's \"no`",
          "var c\(number) = `'${ [1, {d: '}'}].length / 2 }\"`;", "if (1) /'/.test('x');", "x = {y: 1}; x.y++ / 2;",
          "var e\(number) = (1 + 2) / 3, f\(number) = [4][0] / 5;", "function g\(number)() { return /`/; }",
          "for (var h in {}) /\"/.exec(h);", "x.z = 'it\\'s'; x.w = \"\\\"\";", "do /'/.test('a'); while (0)",
          "var j\(number) = x ? /'/ : 1 / 2;", "switch (1) { case /'/.lastIndex: break; default: /\"/; }",
        ]
        text += (random.one(of: noise) ?? "") + (random.one(of: ["\n", " \n", "\n\n\t"]) ?? "\n")
        switch random.number(4) {
        case 0:
          text += "i.src = '\(name)';"
          expected.append("request \(name)")
        case 1:
          text += "i.src = `\(name)`;"
          expected.append("request \(name)")
        case 2:
          text += "i.src = \"a/\" + \(number) / 2;"
          expected.append("request a/…")
        default: break
        }
        text += "\n"
      }
      #expect(references("a.js", text) == expected, "\(text)")
      all += "(function () { var x = {}, i = {};\n\(text)\n})();\n"
    }
    guard hasNode else { return }
    let file = try scratch.write("all.js", all)
    try await Tool.check(["node", "--check", file.string])
  }
}
