import TestSupport

/// The resources of a library by chance: names that others have, too, and that not every configuration has.
struct RandomLibrary {
  /// By their paths inside of `res/`.
  private(set) var files: [String: String] = [:]
  private var random: Seeded
  /// Where each is one of Gradle's, which spells out the version that a qualifier implies, or not.
  private let configurations: [String]

  private static let simple = [
    ("string", "text"), ("dimen", "1dp"), ("bool", "true"), ("integer", "7"), ("color", "#fff"),
  ]

  init(seed: Int) {
    random = Seeded(seed: seed)
    let isSpelled = random.once(in: 2)
    configurations =
      ["", "", "-es", "-en-rUS", "-v21", "-land", "-es-v21"]
      + (isSpelled ? ["-hdpi-v4", "-night-v8"] : ["-hdpi", "-night"])
    for _ in 0..<2 + random.number(4) { addValues() }
    for _ in 0..<random.number(5) { addFile() }
  }

  private mutating func addValues() {
    let configuration = random.one(of: configurations) ?? ""
    var body = ""
    var known: Set<String> = []
    for _ in 0..<1 + random.number(6) {
      let (type, value) = random.one(of: Self.simple) ?? ("string", "")
      let name = "\(type.prefix(1))\(random.number(6))"
      guard known.insert(type + name).inserted else { continue }
      body += "<\(type) name=\"\(name)\">\(value)</\(type)>"
    }
    if random.once(in: 2) {
      let text = random.once(in: 2) ? "x" : "y"
      body += "<plurals name=\"p\(random.number(3))\"><item quantity=\"other\">\(text)</item></plurals>"
    }
    if random.once(in: 2) { body += "<item type=\"id\" name=\"i\(random.number(4))\"/>" }
    if random.once(in: 2) { body += "<style name=\"Theme.S\(random.number(3))\" parent=\"\"/>" }
    if random.once(in: 2) { body += "<array name=\"arr\(random.number(3))\"><item>1</item></array>" }
    if random.once(in: 3) { body += "<attr name=\"a\(random.number(3))\" format=\"string\"/>" }
    for name in ["View", "Dotted.View"] where random.once(in: 2) { body += styleable(name) }
    files["values\(configuration)/values.xml"] = "<resources>\(body)</resources>"
  }

  private mutating func styleable(_ name: String) -> String {
    let all = [
      "<attr name=\"android:text\"/>", "<attr name=\"android:color\" format=\"color\"/>",
      "<attr name=\"mode\"><enum name=\"m_one\" value=\"1\"/><enum name=\"m_two\" value=\"0x2\"/></attr>",
      "<attr name=\"bits\"><flag name=\"f_one\" value=\"1\"/></attr>", "<attr name=\"a3\" format=\"string\"/>",
      "<attr name=\"a4\" format=\"string\"/>",
    ]
    let children = all.filter { _ in random.once(in: 2) }.joined()
    return "<declare-styleable name=\"\(name)\">\(children)</declare-styleable>"
  }

  private mutating func addFile() {
    let type = random.one(of: ["layout", "drawable", "mipmap", "menu"]) ?? "layout"
    let configuration = random.one(of: configurations) ?? ""
    files["\(type)\(configuration)/f\(random.number(4)).xml"] =
      "<a xmlns:android=\"http://schemas.android.com/apk/res/android\" android:id=\"@+id/i\(random.number(9))\"/>"
  }
}
