import Documents
import Findings
import Packaging
import Rules
import SystemPackage
import Testing

/// Files in memory, for manifests that extend others.
func manifest(_ files: [String: String], _ change: (inout Project.Options) -> Void = { _ in }) throws -> Manifest {
  var options = Project.Options()
  change(&options)
  return try Manifest(
    try Layers(options) { path throws(Mistakes) in
      guard let text = files[path.lexicallyNormalized().string] else { throw Mistakes("there is no \(path)") }
      return Array(text.utf8)
    })
}

/// The texts of all mistakes, a line each: `npi.yml:3:1: message`.
func mistakes(_ files: [String: String], _ change: (inout Project.Options) -> Void = { _ in }) -> [String] {
  do {
    _ = try manifest(files, change)
    return []
  } catch let error as Mistakes {
    return error.all.map { ($0.place.map { "\($0): " } ?? "") + $0.message + ($0.hint.map { " | \($0)" } ?? "") }
  } catch {
    return ["\(error)"]
  }
}

private let head = "name: A\nversion: 1.0\n"

@Suite struct ManifestTests {
  @Test func valuesStayWhatWasWritten() throws {
    let manifest = try manifest([
      "npi.yml": """
      name: A
      version: 1.10
      config:
        version: 1.10
        yes: yes
        octal: 0777
        exponent: 1e3
        date: 2020-01-01
        quoted: "null"
        tilde: '~'
        long: |
          two
          lines
        empty: ""
        hash: "#1"
      """
    ])
    #expect(manifest.version == "1.10")
    let values = Dictionary(uniqueKeysWithValues: manifest.config.map { ($0.key, $0.text) })
    #expect(
      values == [
        "version": "1.10", "yes": "yes", "octal": "0777", "exponent": "1e3", "date": "2020-01-01", "quoted": "null",
        "tilde": "~", "long": "two\nlines\n", "empty": "", "hash": "#1",
      ])
  }

  @Test func jsonIsAManifestToo() throws {
    let manifest = try manifest([
      "npi.yml": #"{"name": "A", "version": 2.50, "config": {"a": 1.10, "b": "\u00e9", "c": true}}"#
    ])
    #expect(manifest.version == "2.50")
    #expect(manifest.config.map(\.text) == ["1.10", "é", "true"])
  }

  @Test func layersOverlayInOrderAndRememberWhereFrom() throws {
    let manifest = try manifest([
      "npi.yml": head + "extends: [recipes/b.yml]\nconfig:\n  one: manifest\n  gone: null\n",
      "recipes/b.yml": "extends: a.yml\nconfig:\n  one: b\n  two: b\n  gone: b\nrules:\n  swizzling: note\n",
      "recipes/a.yml": "config: {one: a, two: a, three: a}\nrules:\n  swizzling: error\n  parent-folder: off\n",
      "extra.yml": "three: extra\nfour: extra\n",
    ]) { options in
      options.configFiles = ["extra.yml"]
      options.settings = ["four=set=twice", "five="]
    }
    let rows = manifest.config.map { "\($0.key)=\($0.text) \($0.place)" }
    #expect(
      Set(rows) == [
        "one=manifest npi.yml:5:8", "two=b recipes/b.yml:4:8", "three=extra extra.yml:1:8", "four=set=twice --set",
        "five= --set",
      ])
    #expect(manifest.rules["swizzling"]?.level == .note)
    #expect(manifest.rules["parent-folder"]?.level == .off)
  }

  @Test func listsAndScalarsReplaceMapsMerge() throws {
    let manifest = try manifest([
      "npi.yml": head + "extends: ./r.yml\nrules:\n  missing-architecture: {architectures: [x86_64]}\n",
      "r.yml": "rules:\n  missing-architecture: {level: warning, architectures: [arm64, armv7]}\n",
    ])
    #expect(manifest.rules["missing-architecture"]?.level == .warning)
    #expect(manifest.rules["missing-architecture"]?.lists["architectures"] == ["x86_64"])
  }

  @Test func builtInRecipeIsExtendedByName() throws {
    let manifest = try manifest(["npi.yml": head + "extends: mobilesmith\n"])
    #expect(manifest.rules["missing-architecture"]?.lists["architectures"] == ["arm64", "armv7", "armv7s"])
  }

  @Test func severalMistakesAreReportedTogether() {
    let found = mistakes([
      "npi.yml": """
      nmae: A
      version: [1]
      config:
        list: [a]
        map: {a: b}
      deliverables:
        ios: { kind: ios-zip, itmes: [a.a] }
        x: { kind: ios-zp }
        y: { items: [] }
      steps:
        s: { run: make, outputs: [../x] }
      rules:
        parent-foldr: error
        swizzling: loud
      """
    ])
    #expect(
      found == [
        "npi.yml:1:1: unknown key 'nmae' in the manifest | did you mean 'name'?",
        "npi.yml:2:10: version must be text, not a list",
        "npi.yml:4:9: config.list must be text, not a list",
        "npi.yml:5:8: config.map must be text, not a map",
        "npi.yml:7:25: unknown key 'itmes' in deliverables.ios | did you mean 'items'?",
        "npi.yml:7:8: deliverables.ios has no 'items' | "
          + "'items': libraries, bundles and frameworks: paths, globs, or from and to",
        "npi.yml:8:14: deliverables.x has an unknown kind 'ios-zp' | did you mean 'ios-zip'?",
        "npi.yml:9:6: deliverables.y has no 'kind' | "
          + "one of: ios-zip, framework, xcframework, aar, app-extension, config, policy, plugins-config, web-templates, "
          + "swiftpm, maven, cocoapods, file",
        "npi.yml:11:13: steps.s.run must be a list, not text",
        "npi.yml:11:29: steps.s.outputs is outside the plugin's folder: '../x' | "
          + "paths are relative to the manifest's folder, and cannot leave it",
        "npi.yml:13:3: unknown key 'parent-foldr' in rules | did you mean 'parent-folder'?",
        "npi.yml:14:14: rules.swizzling cannot be 'loud' | one of: off, note, warning, error",
        "npi.yml:1:1: the manifest has no 'name' | 'name': what the plugin is called; the first part of every "
          + "deliverable's name",
      ])
  }

  @Test(arguments: [
    ("a: [", "npi.yml:2:1: not YAML"), ("name: A\nname: B\n", "npi.yml:2:1: the key 'name' is there twice"),
    ("base: &b {a: x}\nconfig: {<<: *b}\n", "npi.yml:2:10: merge keys ('<<') are not supported"),
    ("- a\n- b\n", "npi.yml:1:1: a manifest must be a map, not a list"),
    ("\tname: A\n", "npi.yml:1:1: a tab cannot indent"),
    ("? [a]\n: b\n", "npi.yml:1:3: a key must be text"),
    (String(repeating: "[", count: 100), "npi.yml:1:65: nested too deeply"),
  ])
  func textThatIsNoManifest(_ text: String, _ message: String) {
    #expect(mistakes(["npi.yml": text]).first?.hasPrefix(message) == true, "\(mistakes(["npi.yml": text]))")
  }

  @Test func aliasesThatMultiplyAreRefused() {
    var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for i in 1...9 {
      let names = Array(repeating: "*a\(i - 1)", count: 10).joined(separator: ", ")
      text += "a\(i): &a\(i) [\(names)]\n"
    }
    #expect(mistakes(["npi.yml": text]).first?.contains("too many values") == true)
  }

  @Test func bytesThatAreNoText() {
    #expect(throws: Mistakes.self) { try YAMLText.parse([0x6E, 0xFF, 0xFE], name: "npi.yml") }
    #expect(throws: Mistakes.self) { try YAMLText.parse([UInt8](repeating: 0x20, count: 5 << 20), name: "npi.yml") }
  }

  @Test func recipesThatCannotBeExtended() {
    #expect(
      mistakes(["npi.yml": head + "extends: mobilesmit\n"])
        == ["npi.yml:3:10: there is no recipe 'mobilesmit' | did you mean 'mobilesmith'?"])
    let circle = mistakes([
      "npi.yml": head + "extends: a.yml\n", "a.yml": "extends: b.yml\n", "b.yml": "extends: a.yml\n",
    ])
    #expect(circle == ["b.yml:1:10: recipes extend each other in a circle"])
    #expect(
      mistakes(["npi.yml": head + "extends: none.yml\n"]) == ["npi.yml:3:10: there is no none.yml"])
  }

  /// A recipe that two others extend lies below both; a tower of such is linear work.
  @Test func aRecipeIsLaidOnce() throws {
    let diamond = try manifest([
      "npi.yml": head + "extends: [b.yml, c.yml]\n", "b.yml": "extends: a.yml\nconfig: {x: b}\n",
      "c.yml": "extends: a.yml\nconfig: {y: c}\n", "a.yml": "config: {x: a, y: a, z: a}\n",
    ])
    #expect(Set(diamond.config.map { "\($0.key)=\($0.text)" }) == ["x=b", "y=c", "z=a"])
    var tower = ["npi.yml": head + "extends: [./r0.yml, ././r0.yml]\n", "r40.yml": "config: {top: x}\n"]
    for i in 0..<40 { tower["r\(i).yml"] = "extends: [r\(i + 1).yml, ./r\(i + 1).yml]\n" }
    #expect(try manifest(tower).config.map(\.key) == ["top"])
    var chain = ["npi.yml": head + "extends: r0.yml\n"]
    for i in 0..<5000 { chain["r\(i).yml"] = "extends: r\(i + 1).yml\n" }
    #expect(mistakes(chain) == ["r62.yml:1:10: more than 64 recipes extend one another"])
  }

  @Test func aStepAndADeliverableOfOneName() {
    let found = mistakes([
      "npi.yml": head + "steps:\n  x: {run: [a], outputs: [b]}\ndeliverables:\n  x: {kind: config}\n"
    ])
    #expect(found == ["npi.yml:6:3: 'x' names a step and a deliverable"])
  }

  /// Seeded noise over a good manifest: a value or mistakes, never a crash.
  @Test func damagedManifestsNeverCrash() throws {
    let good = Array((head + "extends: mobilesmith\nconfig: {a: &x 'b', c: *x}\nrules:\n  swizzling: off\n").utf8)
    var random = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: 0...UInt64.max, using: &random)
    var state = seed
    for _ in 0..<3000 {
      var bytes = good
      for _ in 0..<3 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 20)
      }
      do { _ = try YAMLText.parse(bytes, name: "npi.yml") } catch { #expect(!error.all.isEmpty, "seed \(seed)") }
    }
  }

  /// Each value knows its line; a copy of a line of half a megabyte for each would take minutes and the memory.
  @Test(.timeLimit(.minutes(20))) func oneLongLineIsRead() throws {
    let config = (0..<20_000).map { "\"key\($0)\": \"value\"" }.joined(separator: ", ")
    let json = "{\"name\": \"A\", \"version\": \"1\", \"config\": {\(config)}}"
    #expect(try manifest(["npi.yml": json]).config.count == 20_000)
    // The same as YAML that is no JSON.
    let yaml = json.replacing("\"name\"", with: "name")
    #expect(try manifest(["npi.yml": yaml]).config.count == 20_000)
    #expect(mistakes(["npi.yml": yaml.replacing("{name", with: "{nam")]).count == 2)
  }

  @Test func aLevelByItselfKeepsTheParametersBelow() throws {
    let layers = [
      "base.yml": "rules: {missing-architecture: {level: error, architectures: [arm64, armv7]}}",
      "npi.yml": "name: A\nversion: 1\nextends: base.yml\nrules: {missing-architecture: note}",
    ]
    let settings = try #require(try manifest(layers).rules["missing-architecture"])
    #expect(settings.level == .note)
    #expect(settings.lists["architectures"] == ["arm64", "armv7"])
  }
}
