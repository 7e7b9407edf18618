import Findings
import Testing

@Suite struct FindingIdentityTests {
  @Test(arguments: [
    ("out/RallyConnector-1.4.0-ios.zip", "RallyConnector"), ("RallyConnector-1.4.0-rc.2.aar", "RallyConnector"),
    ("RallyConnector-ios.zip", "RallyConnector"), ("RallyConnector.aar", "RallyConnector"), ("libRally.a", "libRally"),
    ("/a/b/Scanner_v2.0.xcframework.zip", "Scanner"), ("Scanner-2.0.0.release.json", "Scanner"),
    ("Scanner/", "Scanner"),
    ("plugins/Scanner/dist", "Scanner"), ("dist", "dist"), ("./Maps", "Maps"), ("maps-3", "maps"),
    ("base64.a", "base64"), ("x86-64.a", "x86-64"), ("cocos-2d.a", "cocos-2d"), ("Maps-1.0b3.zip", "Maps"),
    ("Maps-1.4.0-SNAPSHOT.aar", "Maps"), (".a", ".a"), ("", ""), ("Mapbox-10-Core.zip", "Mapbox-Core"),
    ("Mapbox-10.2-Nav.zip", "Mapbox-Nav"), ("libmaps_1.a", "libmaps"), ("Maps-1.1.0-1-g76c5373-ios.zip", "Maps"),
    ("Maps-1.1.0-12-g76c5373.aar", "Maps"), ("Maps-2-ios.zip", "Maps"), ("-1.0", "-1.0"), ("a-1.0-2.0.zip", "a"),
  ])
  func plugins(_ path: String, _ name: String) { #expect(StableName.plugin(path) == name) }

  @Test(arguments: [
    ("Maps-2.1/libmaps_arm64.a", "Maps/libmaps.a"), ("libmaps-armv7s.a", "libmaps.a"),
    ("arm64/libmaps.a", "/libmaps.a"),
    ("RCMain.o", "RCMain.o"), ("RCMain_x86_64.o", "RCMain.o"), ("charm64.o", "charm64.o"),
    ("libA.a(arm64)", "libA.a()"),
    ("jni/arm64-v8a/librc.so", "jni//librc.so"), ("okhttp-3.12.1.jar", "okhttp.jar"), ("armv7.o", ".o"),
    ("a-1-2.o", "a-1-2.o"), ("libcodec_1.a", "libcodec_1.a"), ("libcodec_1.2.a", "libcodec.a"),
    ("Maps-2/a_v2.1.o", "Maps-2/a.o"),
  ])
  func places(_ path: String, _ name: String) { #expect(StableName.place(path) == name) }

  @Test func aFindingIsKnownAgainInTheNextVersion() throws {
    func finding(_ version: String, _ folder: String, _ message: String, _ names: [String], line: Int) -> Finding {
      let position = TextPosition(line: line, column: 1, text: "")
      let place = Place("\(folder)Rally-\(version)-ios.zip", "Rally-\(version)/libRally.a(arm64)", position: position)
      return Finding("unprefixed-class", .warning, message, about: names, at: [place])
    }
    let old = finding("1.4.0", "", "2 classes do not begin with RC", ["A", "B"], line: 3)
    let baseline = try Baseline(text: Baseline(Report([old])).text, name: "known")
    #expect(baseline.accepts(finding("1.4.1", "/somewhere/else/", "worded anew", ["B", "A"], line: 9)))
    #expect(baseline.accepts(finding("1.4.1", "", "1 class", ["B"], line: 9)))
    #expect(!baseline.accepts(finding("1.4.1", "", "3 classes", ["A", "B", "C"], line: 3)))
    var other = old
    other.rule = "swizzling"
    #expect(!baseline.accepts(other))
    other = old
    other.sites = [Place("Scanner-1.0-ios.zip", "Rally/libRally.a(arm64)")]
    #expect(!baseline.accepts(other))
  }

  @Test(arguments: [
    (["/w/a/P-1.0-ios.zip", "/w/a/P-1.0.aar"], ["P", "P"]), (["/w/a/P.zip", "/w/b/P.zip"], ["a/P", "b/P"]),
    (["/w/a/dist/P.zip", "/w/b/dist/P.zip"], ["a/P", "b/P"]), (["/w/a/x/P.zip", "/w/b/x/P.zip"], ["a/x/P", "b/x/P"]),
    (["/w/Base-1.zip", "/w/Base-2.zip"], ["Base-1.zip", "Base-2.zip"]), (["/w/P.zip", "/w/P.zip"], ["P", "P"]),
    (["/w/o-1.4/P.zip", "/w/o-1.5/P.zip"], ["o-1.4/P.zip", "o-1.5/P.zip"]),
    (["/w/a/P.zip", "/w/P.zip", "/w/Q.zip"], ["a/P", "w/P", "Q"]), (["/P.zip", "/P/P.zip"], ["P", "P/P"]), ([], []),
    (["/w/libm_1.a", "/w/libm_2.a"], ["libm_1.a", "libm_2.a"]),
    (["/w/M-1-Core.zip", "/w/M-1-Nav.zip"], ["M-Core", "M-Nav"]),
    (["."], ["here"]), (["", "/"], ["here", "here"]),
  ])
  func pluginsOfOneNameAreToldApart(_ paths: [String], _ names: [String]) {
    let found = PluginNames.toldApart(paths.map { ($0, nil) }) { ["", ".", "/"].contains($0) ? "/w/here" : $0 }
    #expect(found == names)
    let reversed = PluginNames.toldApart(paths.reversed().map { ($0, nil) }) { $0 == "." ? "/w/here" : $0 }
    if names != ["here", "here"] { #expect(reversed == names.reversed()) }
  }

  @Test func theOrderOfSitesIsNothing() {
    func finding(_ sites: [Place]) -> Finding { Finding("duplicate-class", .error, "m", about: ["A"], at: sites) }
    let (a, b) = (Place("A-1.0.aar", "classes.jar"), Place("B-2.0.aar", "libs/c.jar"))
    #expect(Baseline(Report([finding([a, b])])).accepts(finding([b, a])))
  }

  @Test func anOldBaselineIsTold() {
    #expect(throws: Mistakes.self) { try Baseline(text: "# npi-pack baseline 1\n", name: "known") }
    #expect(throws: Mistakes.self) { try Baseline(text: "# npi-pack baseline 2\na\tb\tc\n", name: "known") }
  }
}
