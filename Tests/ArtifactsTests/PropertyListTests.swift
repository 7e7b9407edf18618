import Artifacts
import SystemPackage
import TestSupport
import Testing

/// Property lists, with Python's `plistlib` for an oracle, and ones that lie.
@Suite struct PropertyListTests {
  private func values(_ file: FilePath) throws -> [String: String]? {
    guard case .propertyList(let values) = try Item.Content(ofFile: file) else { return nil }
    return values
  }

  @Test(arguments: ["FMT_XML", "FMT_BINARY"]) func isWhatPythonWrote(_ format: String) async throws {
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
    #expect([values["list"], values["map"], values["data"]] == ["<value>", "<value>", "<value>"])
    #expect(values["long"] == String(repeating: "x", count: 300))
    #expect(values.count == 15)
  }

  /// Any byte may be any other: the file is a property list or data, and the process goes on.
  @Test func damagedOnesEndNothing() async throws {
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
      """
    try await Tool.check(["python3", "-c", program], in: scratch.path)
    for number in 0..<1000 { _ = try values(scratch("\(number).plist")) }
    for name in ["map", "text", "wide", "list", "deep", "hidden"] {
      #expect(try values(scratch("\(name).plist")) == nil, "\(name)")
    }
  }
}
