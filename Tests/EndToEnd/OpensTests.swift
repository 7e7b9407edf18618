#if os(Linux)
  import Foundation
  import SystemPackage
  import Testing
  import TestSupport

  /// An artifact is opened once by a command, whatever is asked of it.
  @Suite struct OpensTests {
    /// A zip with two static libraries, an AAR with classes, a native library and a nested jar, and a folder with both.
    private static func artifacts() async throws -> (scratch: Scratch, names: [String]) {
      let scratch = Scratch()
      for number in 1...2 {
        // One is large enough to be mapped.
        try scratch.write(
          "a\(number).c", "int own\(number)(void) { return 1; }\nchar fill[\(number * 50_000)] = {1};\n")
        let object = ["-target", "arm64-apple-ios13.0", "-ffreestanding", "-c", "a\(number).c", "-o", "a\(number).o"]
        try await Tool.check(["clang"] + object, in: scratch.path)
        let library = ["-static", "-D", "-o", "lib\(number).a", "a\(number).o"]
        try await Tool.check(["llvm-libtool-darwin-19"] + library, in: scratch.path)
      }
      try await Tool.check(["zip", "-q", "libraries.zip", "lib1.a", "lib2.a"], in: scratch.path)
      try scratch.write("src/a/A.java", "package a; public class A { public int f() { return 1; } }")
      try await Tool.check(["javac", "-d", "classes", "src/a/A.java"], in: scratch.path)
      try await Tool.check(["mkdir", "-p", "aar/libs"], in: scratch.path)
      try await Tool.check(["jar", "cf", "aar/classes.jar", "-C", "classes", "."], in: scratch.path)
      try await Tool.check(["jar", "cf", "aar/libs/more.jar", "-C", "classes", "."], in: scratch.path)
      try scratch.write("aar/AndroidManifest.xml", #"<manifest package="a.b"/>"#)
      let native = ["-target", "aarch64-linux-android21", "-ffreestanding", "-fPIC", "-c", "a1.c", "-o", "native.o"]
      try await Tool.check(["clang"] + native, in: scratch.path)
      try await Tool.check(["ld.lld", "-shared", "-o", "aar/libnative.so", "native.o"], in: scratch.path)
      try await Tool.check(["zip", "-qr", "../plugin.aar", "."], in: scratch("aar"))
      try await Tool.check(
        ["sh", "-c", "mkdir folder; cp lib1.a lib2.a libraries.zip plugin.aar folder"], in: scratch.path)
      return (scratch, ["libraries.zip", "plugin.aar", "lib2.a"])
    }

    @Test(.timeLimit(.minutes(20))) func eachArtifactIsOpenedOnce() async throws {
      let (scratch, names) = try await Self.artifacts()
      func opens(_ words: [String], _ files: [String]) async throws -> [Int] {
        let (result, counts) = try await OpenCounter.run(
          [Scenario.binary.string] + words, counting: files.map { scratch($0) }, in: scratch.path)
        #expect([0, 1].contains(result.status), "\(words): \(result.all)")
        return counts
      }
      for name in names {
        for command in [["symbols"], ["symbols", "--java"], ["lint"], ["lint", "--recipe", "mobilesmith"]] {
          #expect(try await opens(command + [name], [name]) == [1], "\(command) \(name)")
        }
      }
      let inside = (["lib1.a"] + names).map { "folder/\($0)" }
      #expect(try await opens(["symbols", "folder"], inside) == [1, 1, 1, 1])
      #expect(try await opens(["lint", "folder"], inside) == [1, 1, 1, 1])
    }

    /// Fifty plugins, of which each has something to do with others: a check opens each artifact once, also for the links,
    /// and another check opens none as long as nothing has changed.
    @Test(.timeLimit(.minutes(20))) func aCheckOpensEachPluginOnce() async throws {
      let (scratch, names) = try await Self.artifacts()
      let store = Scratch()
      let plugins = (0..<50).map { "p\($0)-\(names[$0 % names.count])" }
      for (number, plugin) in plugins.enumerated() {
        try await Tool.check(["cp", names[number % names.count], plugin], in: scratch.path)
      }
      // A framework as a folder: what counts is the file in it.
      try await Tool.check(["sh", "-c", "mkdir F.framework && cp lib1.a F.framework/F"], in: scratch.path)
      let files = (plugins + ["F.framework/F"]).map { scratch($0) }
      func opens() async throws -> (text: String, counts: [Int]) {
        let (result, counts) = try await OpenCounter.run(
          [Scenario.binary.string, "check"] + plugins + ["F.framework"], counting: files, in: scratch.path,
          environment: ["NPI_PACK_STORE": store("store").string])
        #expect(result.status == 1, "\(result.err)")
        return (result.out, counts)
      }
      // A stamp is believed once it can no longer stay the same under a change.
      try await Task.sleep(for: .milliseconds(2500))
      let cold = try await opens()
      #expect(cold.counts == files.map { _ in 1 })
      let warm = try await opens()
      #expect(warm.counts == files.map { _ in 0 })
      #expect(warm.text == cold.text)
    }

    /// Apps that are checked side by side do not read what they have in common once each.
    @Test(.timeLimit(.minutes(20))) func appsReadWhatTheyShareOnce() async throws {
      let (scratch, _) = try await Self.artifacts()
      let store = Scratch()
      let plugins = (0..<12).map { "p\($0).aar" }
      // They differ, or one would be found by the content of another.
      for plugin in plugins {
        try scratch.write("own", plugin)
        try await Tool.check(["sh", "-c", "cp plugin.aar \(plugin) && zip -q \(plugin) own"], in: scratch.path)
      }
      let apps = (0..<10).map { "app\($0): { plugins: [p\($0).aar, p10.aar, p11.aar] }\n" }
      try scratch.write("apps.yml", apps.joined())
      try await Task.sleep(for: .milliseconds(2500))
      let (result, counts) = try await OpenCounter.run(
        [Scenario.binary.string, "check", "--apps", "apps.yml"], counting: plugins.map { scratch($0) },
        in: scratch.path, environment: ["NPI_PACK_STORE": store("store").string])
      #expect(result.status == 1, "\(result.err)")
      #expect(counts == plugins.map { _ in 1 })
    }

    /// The counter itself: it sees every time that something is opened, also one right behind another.
    @Test func opensAreCounted() async throws {
      let scratch = Scratch()
      try scratch.write("a", "a")
      try scratch.write("b", "b")
      let (result, counts) = try await OpenCounter.run(
        ["python3", "-c", "for _ in range(300): open('a')\nopen('b')"], counting: [scratch("a"), scratch("b")],
        in: scratch.path)
      #expect(result.status == 0)
      #expect(counts == [300, 1])
    }
  }
#endif
