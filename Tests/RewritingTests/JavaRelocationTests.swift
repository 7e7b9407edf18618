import Foundation
import Lanes
import ObjectFiles
import Rewriting
import SystemPackage
import Testing
import TestSupport

/// Classes under new names, as the JDK loads, verifies and prints them.
@Suite("new names for packages", .tools, .timeLimit(.minutes(20)))
struct JavaRelocationTests {
  static let map = PackageMap([("com.old", "own.kept"), ("com.old.util", "own.kept.util")])

  let scratch = Scratch()

  /// Relocates the classes of a folder into another one, as the jar's entries are.
  private func relocate(_ input: String, to output: String, strings: Bool = false) throws -> Set<[UInt8]> {
    let relocation = JavaFileRelocation(Self.map, strings: strings)
    var kept: Set<[UInt8]> = []
    let root = scratch(input).string
    for name in try FileManager.default.subpathsOfDirectory(atPath: root).sorted() {
      let type = try FileManager.default.attributesOfItem(atPath: "\(root)/\(name)")[.type] as? FileAttributeType
      guard type == .typeRegular else { continue }
      let bytes = try scratch.read("\(input)/\(name)")
      let new = try relocation.content(Array(name.utf8), ByteReader(bytes.span), kept: &kept) ?? bytes
      try scratch.write("\(output)/\(String(decoding: relocation.path(Array(name.utf8)), as: UTF8.self))", new)
    }
    return kept
  }

  @Test(
    "a program runs against them with verification on",
    arguments: [["-g"], ["-g", "--release", "17"], ["-g:none", "-parameters"]])
  func runs(_ flags: [String]) async throws {
    try await scratch.makeJar(flags)
    let kept = try relocate("classes", to: "new")
    #expect(kept == [Array("com.old.util.Text".utf8), Array("com/old/util/words.txt".utf8)])
    try scratch.write("Main.java", JavaSamples.program)
    try await Tool.check(["javac", "-nowarn", "-cp", "new", "-d", "main", "Main.java"], in: scratch.path)
    let printed = try await Tool.check(["java", "-Xverify:all", "-cp", "main:new", "Main"], in: scratch.path)
    #expect(printed.hasPrefix("com.old words\n"))
    let lines = printed.split(separator: "\n")
    // Old names are in texts, and nowhere else.
    #expect(lines.last == "com.old.util.Text com/old/util/words.txt com.older.Thing large")
    let others = lines.dropFirst().dropLast().map { $0.replacingOccurrences(of: "\"com.old.util.Text\"", with: "") }
    #expect(others.allSatisfy { !$0.contains("com.old.") }, "\(others)")
    #expect(
      others.contains(
        "own.kept.util.Base<java.util.Map<? super own.kept.util.Kind, ? extends java.util.List<own.kept.util.Text$Part[]>>>"
      ))

    // And with the texts.
    _ = try relocate("classes", to: "strings", strings: true)
    try await Tool.check(["javac", "-nowarn", "-cp", "strings", "-d", "main", "Main.java"], in: scratch.path)
    let all = try await Tool.check(["java", "-Xverify:all", "-cp", "main:strings", "Main"], in: scratch.path)
    #expect(all.contains("own.kept.util.Text own/kept/util/words.txt com.older.Thing large"))
  }

  @Test("javap shows the old names in texts alone")
  func javap() async throws {
    try await scratch.makeJar()
    _ = try relocate("classes", to: "new")
    let classes = try FileManager.default.subpathsOfDirectory(atPath: scratch("new").string).filter {
      $0.hasSuffix(".class")
    }
    #expect(classes.count > 10 && classes.contains("META-INF/versions/11/own/kept/util/Base.class"))
    let text = try await Tool.check(["javap", "-v", "-p"] + classes.sorted().map { "new/\($0)" }, in: scratch.path)
    let old = text.split(separator: "\n").filter {
      $0.contains("com/old/") || $0.contains("com.old.") || $0.contains("com.old;")
    }
    #expect(old.allSatisfy { $0.contains("com.old.util.Text") || $0.contains("com/old/util/words.txt") }, "\(old)")
    // The same structure: javap of the old classes with the names replaced. A class whose name is a text besides has one more
    // constant, so that numbers of constants are left out.
    let before = try await Tool.check(
      ["javap", "-p", "-c", "-l", "-s"]
        + classes.sorted().map { "classes/\($0.replacingOccurrences(of: "own/kept", with: "com/old"))" },
      in: scratch.path)
    let after = try await Tool.check(
      ["javap", "-p", "-c", "-l", "-s"] + classes.sorted().map { "new/\($0)" }, in: scratch.path)
    func plain(_ text: String) -> [String] {
      text.replacingOccurrences(of: "own/kept", with: "com/old").replacingOccurrences(of: "own.kept", with: "com.old")
        .split(separator: "\n").map { String($0.replacing(#/#\d+/#, with: "#").replacing(#/ +/#, with: " ")) }
    }
    #expect(plain(before) == plain(after))
  }

  @Test("services, the manifest and paths")
  func texts() async throws {
    try await scratch.makeJar()
    _ = try relocate("classes", to: "new")
    #expect(try scratch.text("new/META-INF/services/own.kept.Service") == "# own.kept's\nown.kept.Service$One\n")
    #expect(try scratch.text("new/own/kept/words.txt") == "com.old words")
    try await Tool.check(["sh", "-c", "unzip -p old.jar META-INF/MANIFEST.MF > MANIFEST.MF"], in: scratch.path)
    let old = try scratch.read("MANIFEST.MF")
    var kept: Set<[UInt8]> = []
    let new = try #require(
      try JavaFileRelocation(Self.map, strings: false).content(
        Array("META-INF/MANIFEST.MF".utf8), ByteReader(old.span), kept: &kept))
    try scratch.write("new/META-INF/MANIFEST.MF", new)
    try await Tool.check(["jar", "cfM", "new.jar", "-C", "new", "."], in: scratch.path)
    try scratch.write(
      "Show.java",
      """
      class Show { public static void main(String[] a) throws Exception { var m = new java.util.jar.JarFile(a[0]).getManifest().getMainAttributes();
        System.out.println(m.getValue("Main-Class") + " " + m.getValue("Export-Package")); } }
      """)
    #expect(
      try await Tool.check(["java", "Show.java", "new.jar"], in: scratch.path)
        == "own.kept.Main own.kept;version=\"1\",own.kept.util,com.older,a.very.long.name.of.a.package.that.wraps\n")
  }

  @Test("names in texts begin where nothing of a name stands before them")
  func boundaries() {
    let map = PackageMap([("com.old", "own")])
    func text(_ text: String) -> String? { map.text(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) } }
    #expect(
      text("-keep class com.old.** { *; } com.older.A xcom.old.B a.com.old.C com.old")
        == "-keep class own.** { *; } com.older.A xcom.old.B a.com.old.C own")
    #expect(text("<com.old.View/><view class='com.old.Other$In'/>") == "<own.View/><view class='own.Other$In'/>")
    #expect(text("com.oldest com.ol \u{E9}com.old.A") == nil)
    #expect(map.path(Array("com/old".utf8)) == nil && map.path(Array("com/old/A".utf8)) == Array("own/A".utf8))
    #expect(["", "a..b", "1a", "a-b", "a b", "a.*"].allSatisfy { PackageMap.fault(in: $0) != nil })
    #expect(["a", "a.b_1.$c", "\u{E9}t\u{E9}.x"].allSatisfy { PackageMap.fault(in: $0) == nil })
  }

  @Test("the manifest, rules and profile of an AAR")
  func android() {
    let map = PackageMap([("com.old.internal", "own"), ("com.old.ui", "own.ui")])
    func text(_ path: String, _ text: String) -> String? {
      let classes = Set(["com.old.ui.Main", "com.old.ui.View", "com.old.internal.X"].map { Array($0.utf8) })
      return AndroidTextRelocation(map, classes: classes).content(path, Array(text.utf8)).map {
        String(decoding: $0, as: UTF8.self)
      }
    }
    let manifest =
      #"<manifest package="com.old"><!-- don't --><application><activity android:name=".ui.Main"/><service android:name=".Kept" a='com.old.internal.X' b="com.old.ui.ACTION"/></application></manifest>"#
    #expect(
      text("AndroidManifest.xml", manifest)
        == #"<manifest package="com.old"><!-- don't --><application><activity android:name="own.ui.Main"/><service android:name=".Kept" a='own.X' b="com.old.ui.ACTION"/></application></manifest>"#
    )
    #expect(text("AndroidManifest.xml", "<manifest\n package='com.old.ui'/>") == "<manifest\n package='own.ui'/>")
    #expect(text("res/values/a.xml", #"<string name="com.old.ui.key">x</string>"#) == nil)
    #expect(text("proguard.txt", "-keep class com.old.ui.**") == "-keep class own.ui.**")
    #expect(text("res/layout/a.xml", "<com.old.ui.View/>") == "<own.ui.View/>")
    #expect(text("R.txt", "int id com_old_ui 0x1") == nil && text("assets/a.xml", "com.old.ui.A") == nil)
    #expect(
      text("baseline-prof.txt", "HSPLcom/old/ui/A;->b(Lcom/old/internal/C;I)Lcom/old/D;\nLcom/old/ui/A;\n[Lx/Y;\n")
        == "HSPLown/ui/A;->b(Lown/C;I)Lcom/old/D;\nLown/ui/A;\n[Lx/Y;\n")
  }

  @Test("Kotlin's metadata and modules")
  func kotlin() async throws {
    // Strings of `d2` as the compiler writes them: names with slashes, descriptors, names of members.
    try scratch.write(
      "src/kotlin/Metadata.java",
      "package kotlin; public @interface Metadata { String[] d2(); String pn(); String xs(); String[] d1(); }")
    try scratch.write(
      "src/com/old/K.java",
      """
      package com.old;
      @kotlin.Metadata(d1 = {"com/old/raw"}, d2 = {"Lcom/old/K;", "com/old/util/Text.Part", "(Lcom/old/K;I)V", "old", "com.old"}, pn = "com.old.more", xs = "com/old/Facade")
      public class K {}
      """)
    try await Tool.check(
      ["javac", "-nowarn", "-d", "classes", "src/kotlin/Metadata.java", "src/com/old/K.java"], in: scratch.path)
    _ = try relocate("classes", to: "new")
    let text = try await Tool.check(["javap", "-v", "new/own/kept/K.class"], in: scratch.path)
    #expect(text.contains(#"d2=["Lown/kept/K;","own/kept/util/Text.Part","(Lown/kept/K;I)V","old","com.old"]"#))
    #expect(
      text.contains(#"pn="own.kept.more""#) && text.contains(#"xs="own/kept/Facade""#)
        && text.contains(#"d1=["com/old/raw"]"#))

    // Version 1.9.0, no flags; package parts of com.old with a file facade, and a JVM package name.
    func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] { [number << 3 | 2, UInt8(content.count)] + content }
    func module(_ package: String) -> [UInt8] {
      [0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0]
        + field(1, field(1, Array(package.utf8)) + field(2, Array("TextKt".utf8)) + [0x28, 0x01])
        + field(3, Array("\(package).x".utf8))
    }
    var kept: Set<[UInt8]> = []
    let path = Array("META-INF/lib.kotlin_module".utf8)
    let relocation = JavaFileRelocation(Self.map, strings: false)
    let old = module("com.old")
    #expect(try relocation.content(path, ByteReader(old.span), kept: &kept) == module("own.kept"))
    let other = module("com.other")
    #expect(try relocation.content(path, ByteReader(other.span), kept: &kept) == nil)
  }

  @Test("damaged classes and modules end in an error, or in a class as it should be")
  func damage() async throws {
    try await scratch.makeJar()
    let relocation = JavaFileRelocation(Self.map, strings: true)
    var random = Seeded(seed: 36)
    var (changed, refused) = (0, 0)
    for name in ["Text", "Marks", "Text$Pair", "Kind$1"] {
      var bytes = try scratch.read("classes/com/old/util/\(name).class")
      let path = Array("com/old/util/\(name).class".utf8)
      for round in 0..<2500 {
        var changes: [(Int, UInt8)] = []
        for _ in 0..<(1 + random.number(3)) {
          let place = random.number(bytes.count)
          changes.append((place, bytes[place]))
          bytes[place] = random.once(in: 3) ? 0xFF : UInt8(random.number(256))
        }
        var kept: Set<[UInt8]> = []
        do throws(FormatError) {
          if let new = try relocation.content(path, ByteReader(bytes.span), kept: &kept) {
            #expect(new.count < 3 * bytes.count, "round \(round)")
            changed += 1
          }
        } catch { refused += 1 }
        let cut = try? relocation.content(
          path, ByteReader(bytes.span).slice(0..<random.number(bytes.count), "part"), kept: &kept)
        #expect(cut == nil)
        for (place, byte) in changes.reversed() { bytes[place] = byte }
        if round % 32 == 0 { await Task.yield() }
      }
    }
    #expect(changed > 500 && refused > 500)
  }
}
