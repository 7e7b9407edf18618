import Lanes
@testable import Documents
import TestSupport
import Testing

/// Property lists of every kind of value, beside Python's `plistlib` and `plutil`.
@Suite(.tools) struct PropertyListAgreementTests {
  private static let program = """
    import datetime, plistlib, random
    random.seed(18)
    letters = ["a", "Z", " ", "é", "\\U0001F600", "<", "&", ">", "\\"", "\\n", "\\t", "0", "名"]
    def text(): return "".join(random.choice(letters) for _ in range(random.choice([0, 1, 3, 14, 15, 16, 300])))
    def simple():
      kind = random.randrange(7)
      if kind == 0: return text()
      if kind == 1: return random.choice([True, False])
      if kind == 2: return random.choice([0, 1, -1, 255, 256, 65535, 65536, 2**31, 2**32, -2**31, 2**53, 2**63 - 1, -2**63, 2**64 - 1, 2**63])
      if kind == 3: return random.choice([0.5, -1.25, 1e300, 1e-7, 1e16, 3.141592653589793, 1.0, -0.0001, 123456.75])
      if kind == 4: return datetime.datetime(random.choice([1, 1900, 1970, 2000, 2001, 2024, 9999]), random.choice([2, 2, 3, 12]),
        random.randrange(1, 29), random.randrange(24), random.randrange(60), random.randrange(60))
      if kind == 5: return random.randbytes(random.choice([0, 1, 2, 3, 14, 15, 60, 300]))
      return random.choice(["com.apple.widget-extension", "YES", "1.0"])
    def value(depth):
      if depth == 0 or random.random() < 0.4: return simple()
      if random.random() < 0.4: return [value(depth - 1) for _ in range(random.choice([0, 1, 3, 15]))]
      return {text(): value(depth - 1) for _ in range(random.choice([0, 1, 3, 16]))}
    for n in range(200):
      whole = {text(): value(3) for _ in range(random.randrange(12))}
      if n % 20 == 19: whole["long"] = [str(i) for i in range(random.choice([300, 5000]))]
      for form, name in ((plistlib.FMT_XML, "xml"), (plistlib.FMT_BINARY, "bin")):
        with open(f"{n}.{name}", "wb") as file: plistlib.dump(whole, file, fmt=form, sort_keys=True)
    """

  @Test func `200 lists are read and written as plistlib does it, and plutil reads the same`() async throws {
    let scratch = Scratch()
    try await Tool.check(["python3", "-c", Self.program], in: scratch.path)
    var names: [String] = []
    for number in 0..<200 {
      let (xml, binary) = (try scratch.read("\(number).xml"), try scratch.read("\(number).bin"))
      let list = try #require(try PropertyList.read(xml))
      #expect(try PropertyList.read(binary) == list, "\(number)")
      #expect(try list.xml() == xml, "\(number)")
      #expect(list.binary == binary, "\(number)")
      try scratch.write("\(number).ours.xml", try list.xml())
      try scratch.write("\(number).ours.bin", list.binary)
      names += ["\(number).xml", "\(number).ours.xml", "\(number).ours.bin"]
    }
    try await Tool.check(["plutil", "-lint", "-s"] + names, in: scratch.path)
    try await Tool.check(["plutil", "-convert", "binary1", "-e", "theirs"] + names, in: scratch.path)
    for number in 0..<200 {
      // Its own bytes are others: what counts is what it has read.
      let theirs = try PropertyList.read(try scratch.read("\(number).theirs"))
      #expect(try theirs == PropertyList.read(try scratch.read("\(number).xml")), "\(number)")
      #expect(try theirs == PropertyList.read(try scratch.read("\(number).ours.theirs")), "\(number)")
    }
  }

  /// Flipped bytes and cut ends, in either form. What we read and plistlib reads is the same.
  private static let hostile = """
    import plistlib, random
    random.seed(81)
    whole = {"a": "é", "b": [1, 2**40, -3, 1.5], "c": {"d": True, "e": b"xyz" * 9}, "f": "long" * 9, "g": [[], {}, ""]}
    for n in range(400):
      form = plistlib.FMT_BINARY if n % 2 else plistlib.FMT_XML
      bytes_ = bytearray(plistlib.dumps(whole, fmt=form, sort_keys=True))
      start = 8 if n % 2 else 160
      if n % 5 == 0: del bytes_[random.randrange(start, len(bytes_)):]
      for _ in range(random.choice([1, 1, 2, 4])):
        if len(bytes_) > start: bytes_[random.randrange(start, len(bytes_))] = random.choice([0, 1, 8, 9, 16, 60, 62, 47, 97, 200, 255])
      open(f"{n}.plist", "wb").write(bytes_)
      try: again = plistlib.dumps(plistlib.loads(bytes_), fmt=plistlib.FMT_XML, sort_keys=True)
      except Exception as error: again = b"refused"
      open(f"{n}.python", "wb").write(again)
    """

  @Test func `damaged ones are refused, or are what plistlib reads`() async throws {
    let scratch = Scratch()
    try await Tool.check(["python3", "-c", Self.hostile], in: scratch.path)
    var both = 0
    var (ours, theirs): ([String], [String]) = ([], [])
    for number in 0..<400 {
      let name = "\(number).plist"
      let python = try scratch.read("\(number).python")
      let isRefused = python == Array("refused".utf8)
      guard let list = try? PropertyList.read(try scratch.read(name)) else {
        if !isRefused { theirs.append(name) }
        continue
      }
      if isRefused { ours.append(name) }
      if !isRefused { both += 1 }
      guard !isRefused, let xml = try? list.xml() else { continue }
      #expect(xml == python, "\(number)")
    }
    #expect(both > 50)
    // Where the two differ, plutil decides.
    for name in ours {
      #expect(try await Tool.run(["plutil", "-lint", "-s", name], in: scratch.path).status == 0, "\(name)")
    }
    for name in theirs {
      #expect(try await Tool.run(["plutil", "-lint", "-s", name], in: scratch.path).status != 0, "\(name)")
    }
  }

  private static func read(_ element: String) throws -> PropertyList? {
    try PropertyList.read(Array("<plist>\(element)</plist>".utf8))
  }

  @Test(
    arguments: [
      ("", []), ("\n\t", []), ("QUI=", [65, 66]), ("\n\tQU I=\r\n", [65, 66]), ("QU*Ié=", [65, 66]),
      ("QUJD", [65, 66, 67]),
    ] as [(String, [UInt8])])
  func `data is read through what stands between its letters`(_ text: String, _ bytes: [UInt8]) throws {
    #expect(try Self.read("<data>\(text)</data>") == .data(bytes))
  }

  @Test(arguments: ["Q", "QUI", "QUJDR", "QUJDRA", "Q=UI"])
  func `data that ends within a group is refused`(_ text: String) {
    #expect(throws: PropertyList.Damage.self) { try Self.read("<data>\(text)</data>") }
  }

  @Test func `a date is written in one way, and is a day of the Gregorian calendar however long ago`() throws {
    #expect(try Self.read("<date> 2001-01-01T00:00:01Z\n</date>") == .date(1))
    #expect(try Self.read("<date>1500-02-28T00:00:00Z</date>") == .date(-15_805_065_600))
    for text in [
      "1500-02-29T00:00:00Z", "2015-02-31T00:00:00Z", "0000-01-01T00:00:00Z", "2015-3-1T12:30:00Z", "",
      "2015-03-01T24:00:00Z", "2015-03-01T23:59:60Z", "2015-03-01 12:30:00Z", "2015-03-01T12:30:00+00:00",
      "2015-03-01T12:30:00Zx", "2015-03-01T12:30:00.5Z", "２015-03-01T12:30:00Z",
    ] {
      #expect(throws: PropertyList.Damage.self, "\(text)") { try Self.read("<date>\(text)</date>") }
    }
  }
}
