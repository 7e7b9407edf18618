import Lanes
import Android
import Collisions
import Findings
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("resources of several AARs", .tools)
struct AndroidResourceTests {
  private let scratch = Scratch()

  /// An AAR with these files in `res/`.
  private func contents(_ name: String, _ files: [String: String]) async throws -> AndroidContents {
    try scratch.write("\(name)/AndroidManifest.xml", "<manifest package='com.x.\(name)'/>")
    for (path, text) in files { try scratch.write("\(name)/res/\(path)", text) }
    try await Tool.check(["zip", "-qr", "../\(name).aar", "."], in: scratch(name))
    return AndroidContents(scratch("\(name).aar"), temporary: scratch.path)
  }

  private func judge(_ plugins: [AndroidContents], appCount: Int = 0) -> [Collision] {
    let facts = plugins.enumerated().map { number, contents in
      PluginFacts(name: PluginName(path: "", shown: "", stable: ""), isApp: number < appCount, android: contents)
    }
    return DuplicateResource.judge(CheckContext(plugins: facts)).found
  }

  private func values(_ elements: String) -> String { "<resources>\(elements)</resources>" }

  /// Linked in the order of priority, the app has the value that is named as the winner.
  @Test func winnersAreThoseOfAAPT() async throws {
    var plugins: [AndroidContents] = []
    let all = ["one", "two", "three"]
    for (number, name) in all.enumerated() {
      var elements = "<string name='title'>\(name)</string><dimen name='gap'>\(number)dp</dimen>"
      if name != "one" { elements += "<string name='late'>\(name)</string>" }
      var files = ["raw/note.txt": name, "values-es/s.xml": values("<string name='title'>\(name) (es)</string>")]
      files["values/\(name).xml"] = values(elements)
      // This is one configuration: a screen's density came with Android 1.6.
      files["values-\(name == "one" ? "hdpi" : "hdpi-v4")/v.xml"] = values("<integer name='count'>\(number)</integer>")
      files["raw/own_\(name).txt"] = name
      plugins.append(try await contents(name, files))
      try await Tool.check(["aapt2", "compile", "--dir", "\(name)/res", "-o", "\(name).zip"], in: scratch.path)
    }
    let found = judge(plugins)
    #expect(
      found.map(\.name.text) == [
        "dimen/gap", "integer/count (hdpi-v4)", "raw/note", "string/late", "string/title", "string/title (es)",
      ])
    #expect(found.allSatisfy { $0.verdict == .silent && $0.identical == false })
    try scratch.write("AndroidManifest.xml", "<manifest package='com.x.app'/>")
    // What comes later overlays what was there before.
    try await Tool.check(
      [
        "aapt2", "link", "-I", AAPT.framework, "--manifest", "AndroidManifest.xml", "-o", "app.apk",
        "--auto-add-overlay", "-R", "three.zip", "-R", "two.zip", "-R", "one.zip",
      ], in: scratch.path)
    let dump = try await Tool.check(["aapt2", "dump", "resources", "app.apk"], in: scratch.path)
    let note = try await Tool.check(["unzip", "-p", "app.apk", "res/raw/note.txt"], in: scratch.path)
    for collision in found {
      let winner = try #require(collision.winner)
      let number = try #require(all.firstIndex { winner.hasPrefix(scratch("\($0).aar").string) })
      let name = all[number]
      let taken =
        switch collision.name.text {
        case "dimen/gap": dump.contains("\(number).000000dp")
        case "integer/count (hdpi-v4)": dump.contains("(hdpi-v4) \(number)")
        case "raw/note": note == name
        case "string/late": dump.contains("string/late\n      () \"\(name)\"")
        case "string/title": dump.contains("() \"\(name)\"\n      (es)")
        default: dump.contains("(es) \"\(name) (es)\"")
        }
      #expect(taken, "\(collision.name.text): \(name)\n\(dump)")
    }
    let own = judge(plugins.reversed(), appCount: 1)
    #expect(own.count == found.count && own.allSatisfy { $0.winner?.hasPrefix(scratch("three.aar").string) == true })
  }

  /// Texts that are drawn: two that aapt2 makes one string of, and only these, are the same. The quotes themselves are
  /// compared, so of texts with quotes some are told that aapt2 has as one.
  @Test func sameTextsAreThoseOfAAPT() async throws {
    var random = Seeded(seed: 20)
    let parts = [" ", "  ", "\u{A0}", "a", "b", "\"", "\\\"", "\n\t"]
    let texts = (0..<240).map { _ in (0..<1 + random.number(5)).map { _ in random.one(of: parts) ?? "" }.joined() }
    var strings: [[String: String]] = []
    for (number, name) in ["one", "two"].enumerated() {
      let elements = (0..<120).map { "<string name='s\($0)'>\(texts[$0 + 120 * number])</string>" }.joined(
        separator: "\n")
      try scratch.write("\(name)/res/values/v.xml", values(elements))
      try scratch.write("AndroidManifest.xml", "<manifest package='com.x.app'/>")
      try await Tool.check(["aapt2", "compile", "--dir", "\(name)/res", "-o", "\(name).zip"], in: scratch.path)
      let link = ["-I", AAPT.framework, "--manifest", "AndroidManifest.xml", "-o", "\(name).apk", "\(name).zip"]
      try await Tool.check(["aapt2", "link"] + link, in: scratch.path)
      let dump = try await Tool.check(["aapt2", "dump", "resources", "\(name).apk"], in: scratch.path)
      var own: [String: String] = [:]
      for part in dump.components(separatedBy: " string/").dropFirst() {
        let halves = part.components(separatedBy: "() ")
        own[String(halves[0].prefix { $0 != "\n" })] = halves[1].components(separatedBy: "\n    resource")[0]
      }
      strings.append(own)
    }
    let one = try await contents("first", ["values/v.xml": try scratch.text("one/res/values/v.xml")])
    let two = try await contents("second", ["values/v.xml": try scratch.text("two/res/values/v.xml")])
    let told = Set(judge([one, two]).map(\.name.text))
    var (same, other) = (0, 0)
    for index in 0..<120 {
      let isSame = strings[0]["s\(index)"] == strings[1]["s\(index)"]
      let isTold = told.contains("string/s\(index)")
      let hasQuotes = (texts[index] + texts[index + 120]).contains("\"")
      #expect(isTold || isSame, "\(texts[index].debugDescription) \(texts[index + 120].debugDescription)")
      if !hasQuotes {
        #expect(isTold == !isSame, "\(texts[index].debugDescription) \(texts[index + 120].debugDescription)")
      }
      if isSame { same += 1 } else { other += 1 }
    }
    #expect(same > 3 && other > 50)
  }

  /// Values that mean the same, names that the build unites, and ids are no collisions.
  @Test func quiet() async throws {
    let same = [
      ("<string name='a'>Hello  you</string>", "<string name='a' translatable='false'>\n Hello you</string>"),
      ("<dimen name='b'>1dp</dimen>", "<item name='b' type='dimen'>1dp</item>"),
      (
        "<style name='c' parent='p'><item name='x'>1</item></style>",
        "<style parent='p' name='c'><item name='x'>1</item></style>"
      ),
      ("<item type='id' name='d'/>", "<id name='d'>1</id>"),
      (
        "<declare-styleable name='e'><attr name='x' format='color'/></declare-styleable>",
        "<declare-styleable name='e'><attr name='x' format='reference|color'/><attr name='y'/></declare-styleable>"
      ),
      ("<string name='f'>a <b>c</b> d</string>", "<string name='f'>a <b>c</b> d</string>"),
      ("<bool name='n'>true</bool>", "<bool\n name='n' xmlns:t='u'>\n  true\n</bool>"),
      ("<string name='o'>a b</string>", "<string name='o' formatted='false'>a&#32; b</string>"),
      ("<string name='p' product='tablet'>1</string>", "<string product='tablet' name='p'>1</string>"),
      ("<string name='q'/>", "<string name='q'> </string>"),
      ("<string name='r'>a b</string>", "<item type='string' name='r'>a\tb</item>"),
      ("<string name='s'>1</string><string name='s'>2</string>", "<string name='s'>1</string>"),
      (
        "<string name='v' product='phone'>1</string><string name='v' product='tablet'>2</string>"
          + "<string name='v' product='tablet'>3</string>",
        "<string name='v' product='tablet'>2</string>"
      ),
      ("<public type='string' name='a'/>", "<public type='string' name='g'/><string name='g'/>"),
    ]
    let different = [
      ("<string name='i'>\"a  b\"</string>", "<string name='i'>\"a b\"</string>"),
      ("<array name='j'><item>1</item><item>2</item></array>", "<array name='j'><item>2</item><item>1</item></array>"),
      ("<attr name='k' format='color'/>", "<attr name='k' format='string'/>"),
      ("<string name='l'>a <b>c</b> d</string>", "<string name='l'>a d <b>c</b></string>"),
      ("<string name='t'>ab</string>", "<string name='t'>a b</string>"),
      ("<string name='u'>1 </string>", "<string name='u'>\"1 \"</string>"),
      ("<string name='w'>a\\  b</string>", "<string name='w'>a\\ b</string>"),
      ("<string name='x'> <b>a</b> <i>b</i></string>", "<string name='x'><b>a</b><i>b</i></string>"),
      ("<string name='y'><b translatable='1'>c</b></string>", "<string name='y'><b>c</b></string>"),
      ("<string name='z' product='default'>9</string><string name='z'>1</string>", "<string name='z'>1</string>"),
      ("<style name='m'><item name='x'>1</item></style>", "<style name='m'><item name='x'>2</item></style>"),
    ]
    let files = ["layout/row.xml": "<L/>", "drawable/dot.xml": "<shape/>", "values/.hidden.xml": "<broken"]
    let pairs = same + different
    let found = judge([
      try await contents("one", files.merging(["values/a.xml": values(pairs.map(\.0).joined())]) { $1 }),
      try await contents("two", files.merging(["values/b.xml": values(pairs.map(\.1).joined())]) { $1 }),
    ])
    #expect(
      found.map(\.name.text) == [
        "array/j", "attr/k", "string/i", "string/l", "string/t", "string/u", "string/w", "string/x", "string/y",
        "string/z", "style/m",
      ])
    #expect(found.first?.sites.map(\.member) == ["res/values/a.xml", "res/values/b.xml"])
  }

  @Test func damaged() async throws {
    let contents = try await contents(
      "one", ["values/a.xml": "<resources><string name='a'>", "values-es/b.xml": values("<string name='b'>1</string>")])
    #expect(contents.resources.count == 1)
    let mistake = try #require(contents.mistakes.first)
    #expect(contents.mistakes.count == 1 && mistake.place?.description.hasSuffix("one.aar › res/values/a.xml") == true)
    #expect(mistake.message.contains("line 1"), "\(mistake)")
  }
}
