import Lanes
@testable import Artifacts
import Documents
import SystemPackage
import Testing
import TestSupport

/// Property lists, with Python's `plistlib` for an oracle, and ones that lie.
@Suite struct PropertyListTests {
  private func values(_ file: FilePath) throws -> [String: String]? {
    guard case .values(let values)? = try facts(file) else { return nil }
    return values.map?.mapValues(\.shown)
  }

  private func facts(_ file: FilePath) throws -> PropertyListFacts? {
    PropertyListFacts.read(EntryHeader(path: [], kind: .regular, size: 0), of: .tree, try EntryBytes(of: file))
  }

  @Test(.tools, arguments: ["FMT_XML", "FMT_BINARY"]) func isWhatPythonWrote(_ format: String) async throws {
    let scratch = Scratch()
    let program = """
      import plistlib
      values = {"text": "plain", "unicode": "Dé\\U0001F600mo", "empty": "", "yes": True, "no": False, "small": 7,
        "byte": 200, "word": 40000, "large": 2**40, "negative": -3, "list": ["a"] * 30, "map": {"a": "b"}, "real": 1.5,
        "data": b"x" * 300, "long": "x" * 300}
      plistlib.dump(values, open("a.plist", "wb"), fmt=plistlib.\(format))
      """
    try await Tool.check(["python3", "-c", program], in: scratch.path)
    let values = try #require(try values(scratch("a.plist")))
    #expect(values["text"] == "plain" && values["unicode"] == "Dé😀mo" && values["empty"] == "")
    #expect(values["yes"] == "true" && values["no"] == "false")
    #expect([values["small"], values["byte"], values["word"]] == ["7", "200", "40000"])
    #expect(values["large"] == "1099511627776" && values["negative"] == "-3")
    #expect([values["list"], values["map"], values["data"]] == ["a list", "a dictionary", "data"])
    #expect(values["long"] == String(repeating: "x", count: 300))
    #expect(values.count == 15)
  }

  /// Any byte may be any other: the file is a property list or data, and the process goes on.
  @Test(.tools) func damagedOnesEndNothing() async throws {
    let scratch = Scratch()
    let program = """
      import plistlib, random, struct
      random.seed(7)
      whole = plistlib.dumps({"a": "Dé", "b": [1, 2], "c": {"d": True}}, fmt=plistlib.FMT_BINARY)
      for n in range(1000):
        damaged = bytearray(whole)
        for _ in range(random.randint(1, 5)): damaged[random.randrange(8, len(whole))] = random.choice([0, 127, 255, n & 255])
        open(f"{n}.plist", "wb").write(damaged)
      for name, marker in (("map", 0xdf), ("text", 0x5f), ("wide", 0x6f), ("list", 0xaf)):
        body = b"bplist00" + bytes([marker, 0x13]) + struct.pack(">Q", 2**63 - 1)
        open(name + ".plist", "wb").write(body + b"\\x08" + b"\\0" * 6 + b"\\1\\1" + struct.pack(">QQQ", 1, 0, len(body)))
      open("deep.plist", "w").write('<?xml version="1.0"?><plist><dict><key>a</key>' + "<array>" * 200000)
      open("hidden.plist", "w").write('<?xml version="1.0"?><plist><dict><key>a</key>' + "<array><!--</array>-->" * 100000)
      # What is nested need not be an array.
      head = '<?xml version="1.0"?>{}<plist><dict><key>a</key>'
      for name, part in (("unknown", "<x>"), ("plists", "<plist>"), ("keys", "<key>"), ("instructions", "<array><?x </array>?>"),
        ("cdata", "<array><![CDATA[</array>]]>"), ("dicts", "<dict><key>a</key>")):
        open(name + ".plist", "w").write(head.format("") + part * 100000)
      for encoding in ("utf-16", "utf-16-be", "utf-16-le"):
        open(encoding + ".plist", "wb").write((head.format("<!-- <plist -->") + "<array>" * 100000).encode(encoding))
      """
    try await Tool.check(["python3", "-c", program], in: scratch.path)
    for number in 0..<1000 { _ = try values(scratch("\(number).plist")) }
    for name in [
      "map", "text", "wide", "list", "deep", "hidden", "unknown", "plists", "keys", "instructions", "cdata", "dicts",
      "utf-16", "utf-16-be", "utf-16-le",
    ] {
      #expect(try values(scratch("\(name).plist")) == nil, "\(name)")
    }
  }

  private enum Found { case values, broken, data }

  private func found(_ text: String) throws -> Found {
    let scratch = Scratch()
    try scratch.write("a.plist", text)
    return switch try facts(scratch("a.plist")) {
    case .values?: .values
    case .broken?: .broken
    case nil: .data
    }
  }

  /// What begins as a property list and is no whole one is broken.
  @Test(arguments: [
    "<plist/>", "<plist><dict/><dict/></plist>", "<plist><dict><key>a</key></dict></plist>",
    "<plist><dict><string>a</string><true/></dict></plist>", "<plist><dict>x<key>a</key><true/></dict></plist>",
    "<plist><dict><key>a</key><x/></dict></plist>", "<plist><dict><key>a</key><array>x</array></dict></plist>",
    "<plist><dict><key>a</key><string><b/></string></dict></plist>",
    "<!DOCTYPE plist [<!ENTITY e 'x'>]><plist><dict><key>a</key><string>&e;</string></dict></plist>",
    "\u{FEFF}\n<?xml version='1.0'?><!-- <x> --><!DOCTYPE plist SYSTEM 'a'><plist version='1.0'><dict>", "<plist\t",
    "<plist>", "bplist00", "bplist0",
  ])
  func isBroken(_ text: String) throws {
    #expect(try found(text) == .broken)
  }

  /// Other XML is data, however broken; so is a property list of something else than a dictionary.
  @Test(arguments: [
    "<dict><!-- <plist --></dict>", "<plist><string>x</string></plist>", "<plist><array><dict/></array></plist>",
    "<html><plist", "<plists><plist>", "<!-- <plist>", "<!DOCTYPE <plist", "<!DOCTYPE a [ <plist", "<?x <plist>",
    "<p>The <plist> tag<br>", "x<plist>",
  ])
  func isData(_ text: String) throws {
    #expect(try found(text) == .data)
  }
}
