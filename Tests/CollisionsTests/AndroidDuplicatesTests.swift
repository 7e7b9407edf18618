import Lanes
import Android
import Artifacts
import Collisions
import Findings
import Foundation
import SystemPackage
import Testing
import TestSupport

@Suite("duplicates of Android", .tools)
struct AndroidDuplicatesTests {
  private func contents(_ scratch: Scratch, _ names: String...) -> [AndroidContents] {
    names.map { AndroidContents(scratch($0), temporary: scratch.path) }
  }

  private func judge(
    _ family: any CollisionFamily.Type, _ plugins: [AndroidContents], appCount: Int = 0,
    agp: AndroidGradlePlugin? = nil
  ) -> [Collision] {
    let facts = plugins.enumerated().map { number, contents in
      PluginFacts(
        name: PluginName(path: "", shown: "", stable: ""), isApp: number < appCount, android: contents)
    }
    var app = AndroidApp()
    app.agp = agp
    return family.judge(CheckContext(plugins: facts, android: app)).found
  }

  private func aar(_ name: String, classes: [String: String], _ more: [String: String] = [:], in scratch: Scratch)
    async throws
  {
    for (path, text) in classes { try scratch.write("\(name).d/c/\(path)", text) }
    try await Tool.check(["zip", "-qr", "../classes.jar", "."], in: scratch("\(name).d/c"))
    try scratch.write("\(name).d/AndroidManifest.xml", "<manifest package='com.x.\(name)'/>")
    for (path, text) in more { try scratch.write("\(name).d/\(path)", text) }
    try await Tool.check(
      ["sh", "-c", "zip -qr ../\(name).aar classes.jar $(ls | grep -v '^c$' | grep -v classes.jar)"],
      in: scratch("\(name).d"))
  }

  @Test func classes() async throws {
    let scratch = Scratch()
    try await aar(
      "one", classes: ["com/x/A.class": "a", "com/x/B.class": "b", "com/x/Own.class": "o", "META-INF/A.class": "m"],
      in: scratch)
    try await aar(
      "two",
      classes: ["com/x/A.class": "a", "com/x/B.class": "different", "module-info.class": "m", "META-INF/A.class": "m"],
      in: scratch)
    try await aar("three", classes: ["com/x/A.class": "a", "module-info.class": "m"], in: scratch)
    let plugins = contents(scratch, "one.aar", "two.aar", "three.aar")
    #expect(plugins.map(\.classes.count) == [3, 2, 1])
    let found = judge(DuplicateJavaClass.self, plugins)
    #expect(found.map(\.name.text) == ["com.x.A", "com.x.B"])
    #expect(found.map(\.identical) == [true, false] && found.allSatisfy { $0.verdict == .error })
    #expect(
      found[0].sites.map(\.artifact) == ["one", "two", "three"].map { Place("\(scratch("\($0).aar"))", "classes.jar") })
    #expect(found[1].sites[1].place.description == "\(scratch("two.aar")) › classes.jar › com/x/B.class")
  }

  /// Python writes what `zip` refuses: one name twice in one jar.
  @Test func twiceInOneJar() async throws {
    let scratch = Scratch()
    try await Tool.check(
      [
        "python3", "-W", "ignore", "-c",
        "import zipfile; z = zipfile.ZipFile('a.jar', 'w'); z.writestr('p/A.class', 'x'); z.writestr('p/A.class', 'x'); z.writestr('p/B.class', 'x'); z.close()",
      ], in: scratch.path)
    let found = judge(DuplicateJavaClass.self, contents(scratch, "a.jar"))
    #expect(found.map(\.name.text) == ["p.A"] && found[0].sites.count == 2)
  }

  @Test func nativeLibraries() async throws {
    let scratch = Scratch()
    let shared = "jni/arm64-v8a/libc++_shared.so"
    try await aar(
      "one", classes: ["a/A.class": ""],
      [shared: "version 1", "jni/x86/libc++_shared.so": "same", "jni/x86/libone.so": "1"], in: scratch)
    try await aar(
      "two", classes: ["b/B.class": ""], [shared: "version 2", "jni/x86/libc++_shared.so": "same"], in: scratch)
    try scratch.write("j/lib/x86/libc++_shared.so", "same")
    try await Tool.check(["jar", "cf", "../j.jar", "lib"], in: scratch("j"))
    let plugins = contents(scratch, "one.aar", "two.aar", "j.jar")
    #expect(plugins.map(\.files.count) == [3, 2, 1])
    let found = judge(DuplicateNativeLibrary.self, plugins)
    #expect(found.map(\.name.text) == ["lib/arm64-v8a/libc++_shared.so", "lib/x86/libc++_shared.so"])
    #expect(found.map(\.identical) == [false, true] && found.map(\.verdict) == [.error, .silent])
    #expect(found.map(\.sites.count) == [2, 3] && found[0].winner == nil)
    // What the app has itself is taken.
    let own = judge(DuplicateNativeLibrary.self, plugins, appCount: 1)
    #expect(own.map(\.verdict) == [.warning, .silent] && own[0].winner == own[0].sites[0].place.description)
  }

  @Test func assetsAndJavaResources() async throws {
    let scratch = Scratch()
    for (name, text) in [("one", "1"), ("two", "2")] {
      try await aar(
        name,
        classes: [
          "a/\(name).class": "", "same.txt": "same", "other.txt": text, "META-INF/LICENSE": text,
          "META-INF/LICENSE.md": text, "META-INF/services/a.B": text, "META-INF/\(name).kotlin_module": "",
        ], ["assets/same.txt": "same", "assets/deep/other.txt": text, "assets/\(name).txt": ""], in: scratch)
    }
    let plugins = contents(scratch, "one.aar", "two.aar")
    let assets = judge(DuplicateAsset.self, plugins)
    #expect(assets.map(\.name.text) == ["assets/deep/other.txt", "assets/same.txt"])
    #expect(assets.map(\.identical) == [false, true] && assets.allSatisfy { $0.verdict == .silent })
    #expect(assets.allSatisfy { $0.winner == $0.sites[0].place.description })
    let resources = judge(DuplicateJavaResource.self, plugins)
    #expect(resources.map(\.name.text) == ["META-INF/LICENSE.md", "other.txt", "same.txt"])
    #expect(resources.map(\.identical) == [false, false, true] && resources.allSatisfy { $0.verdict == .error })
    let own = judge(DuplicateJavaResource.self, plugins.reversed(), appCount: 1)
    #expect(own.allSatisfy { $0.verdict == .silent && $0.winner == $0.sites[0].place.description })
  }

  @Test func namespaces() async throws {
    let scratch = Scratch()
    for (name, package) in [("one", "com.x"), ("two", "com.x"), ("three", "com.y")] {
      try await aar(
        name, classes: ["\(name).class": ""], ["AndroidManifest.xml": "<manifest package='\(package)'/>"], in: scratch)
    }
    let plugins = contents(scratch, "one.aar", "two.aar", "three.aar")
    let verdicts: [(AndroidGradlePlugin?, Collision.Verdict)] = [(nil, .possible), (.eight, .warning), (.nine, .error)]
    for (agp, verdict) in verdicts {
      let found = judge(DuplicateNamespace.self, plugins, agp: agp)
      #expect(found.map(\.name.text) == ["com.x"] && found.map(\.verdict) == [verdict])
      #expect(found[0].sites.map(\.artifact.description) == ["one", "two"].map { scratch("\($0).aar").string })
    }
  }

  /// Against Python's own count over many plugins.
  @Test func many() async throws {
    let scratch = Scratch()
    try scratch.write(
      "make.py",
      """
      import collections, random, zipfile
      r = random.Random(7)
      names = collections.Counter()
      for p in range(60):
          with zipfile.ZipFile('p%02d.jar' % p, 'w') as z:
              for n in sorted({'com/v%d/C%d.class' % (r.randrange(90), r.randrange(400)) for _ in range(r.randrange(300))}):
                  z.writestr(n, str(r.randrange(2)))
                  names[n] += 1
      for n in sorted(names):
          if names[n] > 1: print(n[:-6].replace('/', '.'), names[n])
      print(sum(names.values()))
      """)
    let theirs = try await Tool.check(["python3", "make.py"], in: scratch.path).split(separator: "\n").map(String.init)
    let plugins = (0..<60).map { number in
      AndroidContents(scratch("p\(number < 10 ? "0" : "")\(number).jar"), temporary: scratch.path)
    }
    let found = judge(DuplicateJavaClass.self, plugins)
    let count = plugins.reduce(0) { $0 + $1.classes.count }
    #expect(found.map { "\($0.name.text) \($0.sites.count)" } + ["\(count)"] == theirs)
    #expect(found.count > 500)
  }
}
