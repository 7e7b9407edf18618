import Foundation
import SystemPackage
import TestSupport
import Testing

/// A device that syncs its templates as apps do, written in another language, over buckets that the executable makes.
@Suite struct WebTemplatesTests {
  /// `device.py BUCKET FOLDER`: fetches the manifest, then each file whose number it has not seen, removes what is gone, and says
  /// what it has fetched. It keeps the numbers in `FOLDER.seen`.
  private static let device = """
    import hashlib, json, os, sys, urllib.parse
    store, folder = sys.argv[1:]
    memory = folder + ".seen"
    seen = json.load(open(memory)) if os.path.exists(memory) else {}
    numbers, fetched = {}, []
    text = open(os.path.join(store, "manifest.mf"), encoding="ascii").read()
    assert text.endswith("\\n") or not text
    for line in text.split("\\n"):
        line = line.strip()
        if not line: continue
        address = urllib.parse.urlsplit("https://store.example.com/bucket/" + line)
        path = urllib.parse.unquote(address.path.removeprefix("/bucket/"))
        assert address.query.isdigit() and path not in numbers and not address.fragment, line
        numbers[path] = address.query
        content = open(os.path.join(store, path), "rb").read()
        assert int(address.query) == int.from_bytes(hashlib.sha256(content).digest(), "big") >> 193, line
        if seen.get(path) == address.query: continue
        os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
        open(os.path.join(folder, path), "wb").write(content)
        fetched.append(path)
    for path in set(seen) - set(numbers): os.remove(os.path.join(folder, path))
    json.dump(numbers, open(memory, "w"))
    paths = [urllib.parse.unquote_to_bytes(line.split("?")[0]) for line in text.split("\\n") if line]
    assert paths == sorted(paths)
    print(json.dumps({"fetched": sorted(fetched), "gone": sorted(set(seen) - set(numbers))}))
    """

  private struct Sync: Decodable, Equatable {
    var fetched: [String]
    var gone: [String]
  }

  private static let names = [
    "home.ejs", "shows/view.ejs", "shows/über uns.ejs", "a b/c+d.css", "images/logo@2x.png", "x~1.js",
    "deep/er/and/deeper.txt",
    "images/a&b=c.png", "manifest.json", "sub/manifest.mf", "日本.html", "z,(1);.png", ".hidden",
  ]

  @Test func aDeviceFetchesWhatHasChanged() async throws {
    let scratch = Scratch()
    try scratch.write("device.py", Self.device)
    try scratch.write(
      "npi.yml",
      """
      name: App
      version: "3"
      extends: web-templates
      deliverables: { web: { kind: web-templates, templates: web, last: last } }
      rules: { missing-asset: off, unknown-route: off }
      """)
    try scratch.write("last/manifest.mf", "")
    var random = Seeded(seed: 86)
    var tree: [String: [UInt8]] = ["home.ejs": Array("<p>".utf8)]
    try scratch.write("web/home.ejs", tree["home.ejs"] ?? [])
    for edit in 0...100 {
      var expected = Sync(fetched: edit == 0 ? ["home.ejs"] : [], gone: [])
      if edit > 0 { expected = try Self.edit(&tree, &random, in: scratch) }
      let built = try await Tool.run([Scenario.binary.string], in: scratch.path)
      #expect(built.status == 0, "\(built.all)")
      if !built.out.contains("nothing to do") {
        #expect(built.err.contains(": " + Self.note(expected.fetched, of: tree) + "\n"), "\(built.err)")
      }
      try await Tool.check(
        ["sh", "-c", "rm -rf store && mkdir store && cd store && unzip -q ../dist/App-3-web.zip"], in: scratch.path)
      let said = try await Tool.check(["python3", "device.py", "store/3", "device"], in: scratch.path)
      let sync = try JSONDecoder().decode(Sync.self, from: Data(said.utf8))
      #expect(sync == expected, "edit \(edit)")
      let device = try Self.files(scratch("device"))
      #expect(device == tree, "edit \(edit)")
      // The bucket is the last one of the next edit: what was said of it then is what the device does.
      try await Tool.check(["sh", "-c", "rm -rf last && cp -R store/3 last"], in: scratch.path)
    }
  }

  /// What the build says of it, before any device has asked.
  private static func note(_ fetched: [String], of tree: [String: [UInt8]]) -> String {
    let beginning = "an app that has the last bucket fetches "
    if fetched.isEmpty { return beginning + "no file" }
    let sizes = fetched.map { tree[$0]?.count ?? 0 }
    let bytes = sizes.reduce(0, +)
    return beginning + "\(fetched.count) file\(fetched.count == 1 ? "" : "s"), \(bytes) byte\(bytes == 1 ? "" : "s"): "
      + zip(fetched, sizes).map { "\($0) (\($1))" }.joined(separator: ", ")
  }

  /// Changes, adds, removes or renames a file, or does nothing; what a device has to do then.
  private static func edit(_ tree: inout [String: [UInt8]], _ random: inout Seeded, in scratch: Scratch) throws -> Sync
  {
    let before = tree
    let file = random.one(of: tree.keys.sorted())
    let free = random.one(of: names.filter { tree[$0] == nil })
    let content = (0..<random.number(40)).map { _ in UInt8(truncatingIfNeeded: random.number(256)) }
    switch random.number(6) {
    case 0: break
    case 1, 2: if let file { tree[file] = content }
    case 3: if let free { tree[free] = content }
    case 4: if let file, tree.count > 1 { tree[file] = nil }
    default:
      if let file, let free {
        tree[free] = tree[file]
        tree[file] = nil
      }
    }
    try FileManager.default.removeItem(atPath: scratch("web").string)
    for (name, content) in tree { try scratch.write("web/\(name)", content) }
    return Sync(
      fetched: tree.filter { before[$0.key] != $0.value }.keys.sorted {
        Array($0.unicodeScalars).lexicographicallyPrecedes(Array($1.unicodeScalars))
      },
      gone: before.keys.filter { tree[$0] == nil }.sorted())
  }

  private static func files(_ folder: FilePath) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for case let path as String in FileManager.default.enumerator(atPath: folder.string) ?? .init() {
      let whole = folder.pushing(FilePath(path)).string
      let type = try FileManager.default.attributesOfItem(atPath: whole)[.type] as? FileAttributeType
      guard type == .typeRegular else { continue }
      files[path] = Array(try Data(contentsOf: URL(fileURLWithPath: whole)))
    }
    return files
  }
}
