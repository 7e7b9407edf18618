import Lanes
import Android
import Artifacts
import SystemPackage
import Testing
import TestSupport

@Suite("R classes that forward")
struct RClassesTests {
  private func table(_ text: String) throws -> SymbolTable { try SymbolTable(rText: Array(text.utf8)) }

  private static let names = """
    int id a 0x0
    int layout row 0x0
    int layout other 0x0
    int string title 0x0
    int[] styleable View { 0x0, 0x0 }
    int styleable View_android_text 0
    int styleable View_color 1
    """

  /// The plugin's R as an app's build makes it: ids that nobody knows before.
  private static let target = """
    package com.plugin;
    public final class R {
      static int id(String name) { return Integer.getInteger("base") + name.length(); }
      public static final class layout { public static int row = id("row"); public static int other = id("other"); }
      public static final class string { public static int title = id("title"); }
      public static final class id { public static int a = id("a"); static int id(String s) { return R.id(s); } }
      public static final class styleable {
        public static int[] View = { id("x"), id("color") };
        public static int View_android_text = 0, View_color = 1;
      }
    }
    """

  /// Puts the classes into `classes/` of the folder.
  private func write(_ files: [(path: String, bytes: [UInt8])], _ scratch: Scratch) throws {
    for (path, bytes) in files { try scratch.write("classes/\(path)", bytes) }
  }

  /// Compiles the sources against our classes, and runs `Main` with every class verified.
  private func run(_ sources: [String: String], _ scratch: Scratch) async throws -> String {
    for (name, text) in sources { try scratch.write("src/\(name).java", text) }
    let files = sources.keys.sorted().map { scratch("src/\($0).java").string }
    try await Tool.check(
      ["javac", "-Xlint:all", "-Werror", "-cp", "classes", "-d", "classes"] + files, in: scratch.path)
    return try await java(scratch)
  }

  private func java(_ scratch: Scratch) async throws -> String {
    try await Tool.check(["java", "-Xverify:all", "-Dbase=1000", "-cp", "classes", "Main"], in: scratch.path)
  }

  private func main(_ expressions: String...) -> String {
    let lines = expressions.map { "System.out.println(\($0));" }.joined(separator: "\n")
    return "public class Main { public static void main(String[] words) { \(lines) } }"
  }

  @Test("values are forwarded, and javac compiles what uses them", .tools)
  func forwarded() async throws {
    let scratch = Scratch()
    let all = try table(Self.names)
    let files = try RClasses.make(package: "com.third", forwardingTo: "com.plugin", symbols: all, certain: all)
    #expect(
      files.map(\.path) == [
        "com/third/R.class", "com/third/R$id.class", "com/third/R$layout.class", "com/third/R$string.class",
        "com/third/R$styleable.class",
      ])
    try write(files, scratch)
    let uses = main(
      "com.third.R.layout.row", "com.third.R.layout.other", "com.third.R.string.title", "com.third.R.id.a",
      "com.third.R.styleable.View == com.plugin.R.styleable.View", "com.third.R.styleable.View_android_text",
      "com.third.R.styleable.View_color", "com.third.R.layout.class.getDeclaringClass()",
      "java.util.Arrays.toString(com.third.R.class.getDeclaredClasses())",
      "java.lang.reflect.Modifier.toString(com.third.R.layout.class.getModifiers())")
    let out = try await run(["Main": uses, "R": Self.target], scratch)
    #expect(
      out.split(separator: "\n") == [
        "1003", "1005", "1005", "1001", "true", "0", "1", "class com.third.R",
        "[class com.third.R$id, class com.third.R$layout, class com.third.R$string, class com.third.R$styleable]",
        "public static final",
      ])
  }

  @Test("javap reads every class, and finds no guard where all is certain", .tools)
  func disassembled() async throws {
    let scratch = Scratch()
    let all = try table(Self.names)
    var certain = SymbolTable()
    certain.insert(.layout, ResourceName("row"))
    try write(
      RClasses.make(package: "com.third", forwardingTo: "com.plugin", symbols: all, certain: certain), scratch)
    func javap(_ name: String) async throws -> String {
      try await Tool.check(["javap", "-v", "-p", "classes/com/third/\(name).class"], in: scratch.path)
    }
    let outer = try await javap("R")
    #expect(outer.contains("flags: (0x0031) ACC_PUBLIC, ACC_FINAL, ACC_SUPER") && outer.contains("major version: 49"))
    #expect(
      outer.contains("public static final #") && outer.contains("layout=class com/third/R$layout of class com/third/R"))
    let layout = try await javap("R$layout")
    #expect(layout.contains("com/plugin/R$layout.row:I") && layout.contains("Class java/lang/LinkageError"))
    #expect(layout.components("Exception table") == 1 && layout.components("java/lang/LinkageError\n") >= 1)
    #expect(layout.contains("layout=class com/plugin/R$layout of class com/plugin/R"))
    let styleable = try await javap("R$styleable")
    #expect(styleable.contains("public static int[] View;") && styleable.contains("descriptor: [I"))
    for text in [outer, layout, styleable] { #expect(!text.lowercased().contains("error:"), "\(text)") }

    let sure = Scratch()
    try write(RClasses.make(package: "com.third", forwardingTo: "com.plugin", symbols: all, certain: all), sure)
    let text = try await Tool.check(["javap", "-v", "classes/com/third/R$layout.class"], in: sure.path)
    #expect(!text.contains("LinkageError") && !text.contains("Exception table"))
  }

  @Test("a field or a class that the target has not leaves 0, and the others are right", .tools)
  func missing() async throws {
    let scratch = Scratch()
    let symbols = try table(
      Self.names + """

        int layout absent 0x0
        int layout zebra 0x0
        int menu absent 0x0
        int menu absent2 0x0
        int[] styleable Absent { 0x0 }
        int styleable Absent_x 0
        """)
    let certain = try table(Self.names)
    try write(
      RClasses.make(package: "com.third", forwardingTo: "com.plugin", symbols: symbols, certain: certain), scratch)
    let uses = main(
      "com.third.R.layout.absent", "com.third.R.layout.zebra", "com.third.R.layout.row", "com.third.R.menu.absent",
      "com.third.R.menu.absent2", "com.third.R.styleable.Absent == null", "com.third.R.styleable.Absent_x",
      "com.third.R.styleable.View.length", "com.third.R.styleable.View_color", "com.third.R.layout.other")
    let out = try await run(["Main": uses, "R": Self.target], scratch)
    #expect(out.split(separator: "\n") == ["0", "0", "1003", "0", "0", "true", "0", "2", "1", "1005"])
    // What the target has is forwarded even if it was not certain.
    let unsure = Scratch()
    try write(
      RClasses.make(package: "com.third", forwardingTo: "com.plugin", symbols: symbols, certain: SymbolTable()), unsure)
    #expect(try await run(["Main": uses, "R": Self.target], unsure) == out)
  }

  @Test("a certain name that is missing is Java's own error", .tools)
  func broken() async throws {
    let scratch = Scratch()
    let symbols = try table("int layout absent 0x0\n")
    try write(
      RClasses.make(package: "com.third", forwardingTo: "com.plugin", symbols: symbols, certain: symbols), scratch)
    let error = await #expect(throws: ToolError.self) {
      try await run(["Main": main("com.third.R.layout.absent"), "R": Self.target], scratch)
    }
    #expect(error?.description.contains("java.lang.NoSuchFieldError") == true)
  }

  @Test("12,000 names of one type, certain or not", .tools, arguments: [true, false])
  func many(_ areCertain: Bool) async throws {
    let scratch = Scratch()
    var symbols = SymbolTable()
    for index in 0..<12_000 { symbols.insert(.string, ResourceName("name_\(index)")) }
    let files = try RClasses.make(
      package: "com.third", forwardingTo: "com.plugin", symbols: symbols,
      certain: areCertain ? symbols : SymbolTable())
    try write(files, scratch)
    // javac has the limits of one method, too: a class with all fields, and their values by reflection.
    let fields = (0..<12_000).map { "name_\($0)" }.joined(separator: ", ")
    let target = """
      package com.plugin;
      public final class R {
        public static final class string {
          public static int \(fields);
          static {
            try {
              for (java.lang.reflect.Field f : string.class.getFields())
                f.setInt(null, Integer.getInteger("base") + Integer.parseInt(f.getName().substring(5)));
            } catch (IllegalAccessException e) { throw new Error(e); }
          }
        }
      }
      """
    let uses = """
      public class Main {
        public static void main(String[] words) throws Exception {
          int right = 0;
          for (java.lang.reflect.Field f : com.third.R.string.class.getFields())
            if (f.getInt(null) == 1000 + Integer.parseInt(f.getName().substring(5))) right++;
          System.out.println(right + " " + com.third.R.string.name_11999);
        }
      }
      """
    #expect(try await run(["Main": uses, "R": target], scratch) == "12000 12999\n")
  }

  @Test("the most names that fit, and one more", .tools)
  func limit() async throws {
    let scratch = Scratch()
    var symbols = SymbolTable()
    for index in 0..<RClasses.maxNames { symbols.insert(.id, ResourceName("n\(index)")) }
    try write(
      RClasses.make(package: "a.b", forwardingTo: "com.plugin", symbols: symbols, certain: SymbolTable()), scratch)
    // No target at all: every field stays 0, and nothing ends in an error.
    let uses = main("a.b.R.id.n0 + a.b.R.id.n\(RClasses.maxNames - 1)", "a.b.R.id.class.getFields().length")
    #expect(try await run(["Main": uses], scratch) == "0\n\(RClasses.maxNames)\n")
    symbols.insert(.id, ResourceName("more"))
    let error = #expect(throws: RClassError.self) {
      try RClasses.make(package: "a.b", forwardingTo: "c", symbols: symbols, certain: symbols)
    }
    #expect(
      error?.description == "a.b.R.id would have 16351 fields, and a Java class has room for 16350: "
        + "do not embed the library, or leave resources out of it")
  }

  @Test("packages of one part and of none", .tools)
  func shortPackages() async throws {
    let scratch = Scratch()
    let symbols = try table("int layout row 0x0\n")
    for package in ["third", ""] {
      let files = try RClasses.make(
        package: package, forwardingTo: "com.plugin", symbols: symbols, certain: symbols)
      #expect(
        files.map(\.path)
          == (package.isEmpty ? ["R.class", "R$layout.class"] : ["third/R.class", "third/R$layout.class"]))
      try write(files, scratch)
    }
    #expect(try await run(["Main": main("R.layout.row + third.R.layout.row"), "R": Self.target], scratch) == "2006\n")
    // The other way: a target in the unnamed package.
    let back = Scratch()
    try write(RClasses.make(package: "com.third", forwardingTo: "", symbols: symbols, certain: symbols), back)
    let target =
      "public class R { public static class layout { public static int row = Integer.getInteger(\"base\"); } }"
    #expect(try await run(["Main": main("com.third.R.layout.row"), "R": target], back) == "1000\n")
  }

  @Test("letters beyond ASCII, and beyond 16 bits, are spelled as Java's class files do", .tools)
  func letters() async throws {
    let scratch = Scratch()
    let symbols = try table("int id ünï_漢 0x0\nint id 𝒳y 0x0\n")
    try write(
      RClasses.make(package: "com.dritte.ä", forwardingTo: "com.plugin", symbols: symbols, certain: symbols), scratch)
    let target = """
      package com.plugin;
      public class R { public static class id { public static int ünï_漢 = 5, 𝒳y = Integer.getInteger("base"); } }
      """
    for (name, text) in ["Main": main("com.dritte.ä.R.id.ünï_漢 + com.dritte.ä.R.id.𝒳y"), "R": target] {
      try scratch.write("src/\(name).java", text)
    }
    // In the C locale Java cannot name the class's file, which a jar can: UTF-8 in both.
    try await Tool.check(
      ["javac", "-encoding", "UTF-8", "-cp", "classes", "-d", "classes", "src/Main.java", "src/R.java"],
      in: scratch.path, environment: ["LC_ALL": "C.UTF-8"])
    let out = try await Tool.check(
      ["java", "-Xverify:all", "-Dbase=1000", "-cp", "classes", "Main"], in: scratch.path,
      environment: ["LC_ALL": "C.UTF-8"])
    #expect(out == "1005\n")
  }

  @Test("the same bytes every time; a name that two styleables make is there once", .tools)
  func bytes() async throws {
    let text = Self.names + "\nint[] styleable View_android { 0x0 }\nint styleable View_android_text 0\n"
    func make() throws -> [(path: String, bytes: [UInt8])] {
      // New tables each time: sets have another order in each.
      try RClasses.make(package: "com.third", forwardingTo: "com.plugin", symbols: table(text), certain: table(text))
    }
    let first = try make()
    for _ in 0..<5 {
      let again = try make()
      #expect(again.map(\.path) == first.map(\.path) && again.map(\.bytes) == first.map(\.bytes))
    }
    let scratch = Scratch()
    try write(first, scratch)
    let shown = try await Tool.check(["javap", "classes/com/third/R$styleable.class"], in: scratch.path)
    #expect(shown.components("View_android_text;") == 1 && shown.components("int[] View_android;") == 1)
    let none = try RClasses.make(
      package: "com.third", forwardingTo: "com.plugin", symbols: SymbolTable(), certain: SymbolTable())
    #expect(none.map(\.path) == ["com/third/R.class"])
  }

  @Test("what cannot be is refused", arguments: ["a..b", ".", "a/b", "a.b;", "../x", "a b", "1a", "a.", "a-b", "a\0"])
  func refused(_ package: String) throws {
    let symbols = try table("int id a 0x0\n")
    for (own, target) in [(package, "com.plugin"), ("com.third", package)] {
      let error = #expect(throws: RClassError.self) {
        try RClasses.make(package: own, forwardingTo: target, symbols: symbols, certain: symbols)
      }
      #expect(error?.description.hasSuffix("' is no package of Java's: correct the package in the manifest") == true)
    }
  }

  @Test("names that cannot be, and the plugin's own package")
  func refusedNames() throws {
    let long = String(repeating: "n", count: 70_000)
    for name in ["", "a;b", "[I", "a/b", long] {
      var symbols = SymbolTable()
      symbols.insert(.id, ResourceName(name))
      let error = #expect(throws: RClassError.self) {
        try RClasses.make(package: "com.third", forwardingTo: "com.plugin", symbols: symbols, certain: symbols)
      }
      #expect(
        error?.description == "com.third.R.id cannot have a field '\(name.prefix(60))' (\(name.utf8.count) bytes): "
          + "rename the resource")
    }
    let error = #expect(throws: RClassError.self) {
      try RClasses.make(
        package: "com.plugin", forwardingTo: "com.plugin", symbols: SymbolTable(), certain: SymbolTable())
    }
    #expect(error?.description.hasPrefix("the embedded library's package is the plugin's own, com.plugin: ") == true)
  }
}

extension String {
  /// How often a text is in it.
  fileprivate func components(_ text: String) -> Int { ranges(of: text).count }
}
