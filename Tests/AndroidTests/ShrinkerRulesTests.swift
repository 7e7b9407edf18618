import Android
import Testing

@Suite("rules for shrinkers") struct ShrinkerRulesTests {
  private func rules(_ text: String) throws -> ShrinkerRules { try ShrinkerRules(Array(text.utf8)) }

  @Test func options() throws {
    let rules = try rules(
      """
      # a comment { -dontobfuscate
      -keep,allowobfuscation public class com.x.A,!com.x.B extends com.x.C { # more
        public <init>(android.content.Context, int);
        private *** get*();
      }
      -dontwarn com.a.**, com.b.C
      -include 'more {rules}.pro'
      -if class **$Companion
      -keep class <1>
      """)
    #expect(rules.options.map(\.name) == ["keep", "dontwarn", "include", "if", "keep"])
    #expect(rules.options.map(\.line) == [2, 6, 7, 8, 9])
    #expect(rules.options[0].modifiers == ["allowobfuscation"])
    #expect(rules.options[0].classes?.names == ["com.x.A", "!com.x.B"] && rules.options[0].classes?.isLimited == true)
    #expect(rules.options[0].members?.contains("get*") == true)
    #expect(rules.options[0].text == "-keep,allowobfuscation public class com.x.A , !com.x.B extends com.x.C")
    #expect(rules.includes.map(\.words) == [["more {rules}.pro"]])
    #expect(rules.options[4].isConditional && rules.wide.isEmpty)
  }

  @Test(arguments: [
    "-keep class *", "-keep class ** { *; }", "-keepnames class **", "-keep public class * { public *; }",
    "-keepclassmembers class * { *; }", "-keepclassmembers class ** { <fields>; <methods>; }", "-dontoptimize",
    "-ignorewarnings", "-repackageclasses ''", "-keep interface **",
  ])
  func wide(_ text: String) throws { #expect(try rules(text).wide.count == 1) }

  @Test(arguments: [
    "-keep class com.**", "-keep class * extends a.B", "-keep @a.B class *",
    "-keepclasseswithmembers class * { native <methods>; }",
    "-keepclassmembers class * { @a.B *; }", "-keepclassmembers enum * { public static **[] values(); }",
    "-keep class *, !a.b",
    "-keepattributes *", "-dontwarn **", "-if class *\n-keep class *", "-assumenosideeffects class * { int f(); }",
    "-keep class !a.**",
    "-keepclassmembers class *",
  ])
  func narrow(_ text: String) throws { #expect(try rules(text).wide.isEmpty) }

  @Test(arguments: [
    ("-keep class a.B {\n *;\n-keep class b.C {", 1), ("-keep class a.B\n}", 2), ("keep class a.B", 1),
    ("-verbose\n\n}", 3), ("-keep class a.B { { } }", 1),
  ])
  func damaged(_ text: String, line: Int) {
    #expect { try rules(text) } throws: { ($0 as? ShrinkerRules.Problem)?.line == line }
  }

  @Test(arguments: [
    ("com.x.A", "com.x.A", true), ("com.x.*", "com.x.A", true), ("com.x.*", "com.x.y.A", false),
    ("com.**", "com.x.y.A", true),
    ("com.x.**", "com.xy.A", false), ("**.A", "com.x.A", true), ("**.A", "A", false), ("*A*", "A", true),
    ("com.?.A", "com.x.A", true),
    ("com.?.A", "com.xx.A", false), ("com.x.A$*", "com.x.A$B", true),
    ("**Builder", "a.b.CBuilder", true),
    ("com.x.A", "com.x.AB", false), ("***", "a.b", true),
  ])
  func patterns(_ pattern: String, _ name: String, _ isMatched: Bool) throws {
    // A fixed beginning makes it a rule for a package.
    let idle = try rules("-keep class q.\(pattern)").idle(among: ["a.A", "q.\(name)", "z.Z"])
    #expect(idle.isEmpty == isMatched)
  }

  @Test func idle() throws {
    let text = [
      "-keep class com.x.A", "-keep class com.y.** { *; }", "-keepclassmembers class * extends com.z.Q { *; }",
      "-dontwarn com.q.**", "-keepclassmembers class **.R$* { *; }", "-keep class !com.x.A,com.x.*",
      "-keepnames class com.y.A, com.x.B",
    ]
    #expect(try rules(text.joined(separator: "\n")).idle(among: ["com.x.A", "com.x.B"]).map(\.line) == [2])
  }

  /// What a file claims costs no more than its size.
  @Test func large() throws {
    let names = (0..<5000).map { "com.x.\(String(repeating: "ab", count: 500))\($0)c" }
    let stars = String(repeating: "*a", count: 3000)
    #expect(try rules("-keep class com.x.\(stars)*c").idle(among: names).isEmpty)
    #expect(throws: ShrinkerRules.Problem.self) { try rules(String(repeating: "-a\n", count: 100_001)) }
    #expect(throws: ShrinkerRules.Problem.self) { try rules(String(repeating: "# a\n", count: 2 << 20)) }
  }
}
