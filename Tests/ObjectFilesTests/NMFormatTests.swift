import Lanes
import Foundation
import ObjectFiles
import Testing

/// Symbols as `llvm-nm` prints them, byte for byte.
@Suite(.tools) struct NMFormatTests {
  static let options: [(words: [String], format: NMFormat)] = [
    ([], NMFormat(SymbolSelection())),
    (["-g"], NMFormat(SymbolSelection(externalOnly: true))),
    (["-U"], NMFormat(SymbolSelection(definedOnly: true))),
    (["-u"], NMFormat(SymbolSelection(undefinedOnly: true))),
    (["-g", "-U"], NMFormat(SymbolSelection(externalOnly: true, definedOnly: true))),
    (["-A"], NMFormat(SymbolSelection(), namesFiles: true)),
    (["-A", "-u"], NMFormat(SymbolSelection(undefinedOnly: true), namesFiles: true)),
  ]

  @Test func everyFixture() async throws {
    let fixtures = try SymbolFixtures.shared.get()
    #expect(fixtures.names.count > 60)
    for name in fixtures.names {
      for (words, format) in NMFormatTests.options {
        // It can be told to pass bitcode over only everywhere.
        let common =
          name.hasSuffix(".bc") ? [fixtures.newest, "-p"] : ["llvm-nm-19", "-p", "--no-llvm-bc", "--arch=all"]
        let expected = try Tool.attempt(common + words + [name], in: fixtures.folder)
        let bytes = try fixtures.bytes(name)
        let (text, errors) = nmText(bytes, name, format)
        #expect(errors.isEmpty, "\(name)")
        #expect(text == expected.output, "\(name) \(words): \(firstDifference(text, expected.output))")
      }
    }
  }

  @Test func tablesOfContents() async throws {
    let fixtures = try SymbolFixtures.shared.get()
    let names = fixtures.names.filter { $0.hasSuffix(".a") }
    #expect(names.count > 20)
    for name in names {
      let expected = try Tool.attempt(
        ["llvm-nm-19", "-p", "--no-llvm-bc", "--arch=all", "--print-armap", name], in: fixtures.folder)
      let bytes = try fixtures.bytes(name)
      let (text, _) = nmText(bytes, name, NMFormat(SymbolSelection()), map: true)
      #expect(text == expected.output, "\(name): \(firstDifference(text, expected.output))")
    }
  }
}

/// The words before lines are written with them, not kept.
@Suite struct ListedTextTests {
  @Test func longPrefixes() {
    var text = ListedText()
    var expected: [UInt8] = []
    for object in 0..<3 {
      let prefix = object == 1 ? [] : [UInt8](repeating: UInt8(ascii: "a") + UInt8(object), count: 5000) + [0x20]
      text.begin(prefix)
      for line in 0..<400 {
        text.beginLine()
        text.bytes += Array("\(line)\n".utf8)
        expected += prefix + Array("\(line)\n".utf8)
      }
    }
    var blocks: [[UInt8]] = []
    text.forEachBlock { blocks.append($0) }
    #expect(blocks.count == 4 && blocks.allSatisfy { $0.count < 1 << 20 + 10_000 && $0.last == UInt8(ascii: "\n") })
    #expect(Array(blocks.joined()) == expected)
    #expect(text.bytes.count < 10_000)
  }

  @Test func nothingAndNoPrefixes() {
    var text = ListedText()
    text.forEachBlock { _ in Issue.record("nothing is no block") }
    text.begin([])
    text.beginLine()
    text.bytes += Array("a\n".utf8)
    var blocks: [String] = []
    text.forEachBlock { blocks.append(String(decoding: $0, as: UTF8.self)) }
    #expect(blocks == ["a\n"])
  }
}

/// What the module makes of a whole file.
func nmText(
  _ bytes: [UInt8], _ name: String, _ format: NMFormat, map: Bool = false
) -> (text: String, errors: [FormatError]) {
  let reader = ByteReader(bytes.span)
  let units = ObjectUnits(reader)
  var errors = units.errors
  var output = ListedText()
  do throws(FormatError) {
    if map { try format.appendMap(of: units, reader, to: &output.bytes) }
  } catch { errors.append(error) }
  for unit in units.units {
    do throws(FormatError) { try format.append(unit, of: units, named: name, reader, to: &output) } catch {
      errors.append(error)
    }
  }
  var text: [UInt8] = []
  output.forEachBlock { text += $0 }
  return (String(decoding: text, as: UTF8.self), errors)
}

private func firstDifference(_ ours: String, _ theirs: String) -> String {
  let (a, b) = (ours.split(separator: "\n"), theirs.split(separator: "\n"))
  for (x, y) in zip(a, b) where x != y { return "'\(x)' is not '\(y)'" }
  return "\(a.count) lines, not \(b.count)"
}

/// What the toolchain makes of sources that use every kind of symbol, once for all tests.
struct SymbolFixtures: Sendable {
  static let shared = Result { try SymbolFixtures() }
  let folder: URL
  var names: [String]
  /// The toolchain's own `llvm-nm`: it reads the bitcode of the toolchain's clang.
  let newest: String

  static let apple: KeyValuePairs = [
    "arm64": "arm64-apple-ios13.0", "arm64e": "arm64e-apple-ios14.0", "armv7": "armv7-apple-ios7.0",
    "armv7s": "armv7s-apple-ios7.0", "armv7k": "armv7k-apple-watchos3.0", "arm64_32": "arm64_32-apple-watchos5.0",
    "i386": "i386-apple-ios7.0-simulator", "x86_64": "x86_64-apple-ios13.0-simulator",
  ]
  static let elf: KeyValuePairs = [
    "android-arm64": "aarch64-linux-android21", "android-arm": "armv7a-linux-androideabi21",
    "android-x86": "i686-linux-android21", "android-x86_64": "x86_64-linux-android21",
    "mips": "mips-linux-gnu", "mips64el": "mips64el-linux-gnuabi64", "riscv64": "riscv64-linux-gnu",
    "ppc64": "powerpc64-linux-gnu",
  ]

  static let c = """
    int common; static int zero; int value = 1; const int constant = 2; extern int outside;
    extern int weak_outside __attribute__((WEAK));
    __attribute__((weak)) int weak_value = 3;
    __attribute__((weak)) void weak(void) {}
    __attribute__((visibility("hidden"))) int hidden(void) { return outside + (int)(long)&weak_outside + zero; }
    __attribute__((visibility("hidden"), weak)) int weak_hidden(void) { return 1; }
    static int local(void) { static int kept; return kept++; }
    int function(void) { return local(); }
    const char *text = "x";
    __attribute__((used, section(SECTION))) int placed = 4;
    asm(".globl ABSOLUTE\\n.set ABSOLUTE, 0x1234");
    asm(".set LOCAL_ABSOLUTE, 0x99");
    THREAD
    ALIAS
    """
  static let cpp = """
    struct Base { virtual ~Base(); virtual int f() { return 1; } };
    template <class T> T twice(T x) { return x + x; }
    inline int shared() { static int n; return n++; }
    namespace { int hidden_here() { return 3; } }
    struct Derived : Base { int f() override; };
    int Derived::f() { return twice(2) + shared() + hidden_here(); }
    """
  static let objc = """
    __attribute__((objc_root_class)) @interface Root { @public int ivar; } + (void)load; - (int)value; @end
    @implementation Root + (void)load {} - (int)value { return ivar; } @end
    @interface Sub : Root @end @implementation Sub @end
    @interface Root (Extra) - (void)extra; @end @implementation Root (Extra) - (void)extra {} @end
    @protocol P - (void)p; @end
    @interface User : Root <P> @end @implementation User - (void)p { [self p]; } @end
    """
  static let swift = """
    public protocol Runs { func run() }
    public class Thing: Runs {
      public init() {}
      public func go() {}
      public func run() {}
    }
    public final class Other: Thing { public override func go() {} }
    public struct Pair<T> { var a: T }
    public func make() -> Runs { return Thing() }
    """

  private init() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("symbol-fixtures-\(getpid())")
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    atexit {
      if case .success(let fixtures) = SymbolFixtures.shared {
        try? FileManager.default.removeItem(at: fixtures.folder)
      }
    }
    func run(_ words: [String]) throws { try Tool.run(words, in: folder) }
    newest = try Tool.run(["sh", "-c", "printf %s \"$(dirname \"$(command -v swiftc)\")/llvm-nm\""], in: folder)
    func write(_ name: String, _ text: String) throws {
      try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }
    try write("a.cpp", Self.cpp)
    try write("a.m", Self.objc)
    try write("a.swift", Self.swift)
    for (name, target) in Self.apple {
      let wide = !["armv7", "armv7s", "armv7k", "i386"].contains(name)
      try write(
        "a.c",
        Self.c.replacingOccurrences(of: "WEAK", with: "weak_import")
          .replacingOccurrences(of: "SECTION", with: "\"__DATA,__mine\"")
          .replacingOccurrences(of: "THREAD", with: wide ? "__thread int thread_local_value = 5;" : "")
          .replacingOccurrences(of: "ALIAS", with: "asm(\".globl _other_name\\n.set _other_name, _function\");"))
      let clang = ["clang", "-target", target, "-ffreestanding", "-c"]
      try run(clang + ["-fcommon", "a.c", "-o", "\(name)-c.o"])
      try run(clang + ["-fno-rtti", "-fno-exceptions", "a.cpp", "-o", "\(name)-cpp.o"])
      try run(clang + ["-fobjc-runtime=ios-13.0", "a.m", "-o", "\(name)-objc.o"])
      try run(clang + ["-g", "-fcommon", "a.c", "-o", "\(name)-debug.o"])
      try run(clang + ["-fcommon", "-flto", "a.c", "-o", "\(name)-c.bc"])
      try run(clang + ["-flto=thin", "-O2", "-fno-rtti", "-fno-exceptions", "a.cpp", "-o", "\(name)-cpp.bc"])
      try run(clang + ["-flto", "-fobjc-runtime=ios-13.0", "a.m", "-o", "\(name)-objc.bc"])
      let objects = ["\(name)-c.o", "\(name)-cpp.o", "\(name)-objc.o"]
      try run(["llvm-libtool-darwin-19", "-static", "-D", "-o", "\(name)-libtool.a"] + objects)
      try run(["llvm-ar-19", "--format=darwin", "rcsD", "\(name)-darwin.a"] + objects)
      try run(["llvm-ar-19", "--format=gnu", "rcsD", "\(name)-gnu.a"] + objects)
    }
    for (name, target) in Self.elf {
      try write(
        "a.c",
        Self.c.replacingOccurrences(of: "WEAK", with: "weak").replacingOccurrences(of: "SECTION", with: "\".mine\"")
          .replacingOccurrences(of: "THREAD", with: "__thread int thread_local_value = 5;")
          .replacingOccurrences(
            of: "ALIAS",
            with: """
              int function_alias(void) __attribute__((alias("function")));
              __attribute__((visibility("protected"))) int guarded;
              """))
      let clang = ["clang", "-target", target, "-ffreestanding", "-c", "-fPIC"]
      try run(clang + ["-fcommon", "a.c", "-o", "\(name)-c.o"])
      try run(clang + ["-fno-rtti", "-fno-exceptions", "a.cpp", "-o", "\(name)-cpp.o"])
      try run(clang + ["-g", "-ffunction-sections", "a.c", "-o", "\(name)-debug.o"])
      try run(clang + ["-fcommon", "-flto", "a.c", "-o", "\(name)-c.bc"])
      try run(["llvm-ar-19", "--format=gnu", "rcsD", "\(name)-gnu.a", "\(name)-c.o", "\(name)-cpp.o", "\(name)-c.bc"])
    }
    for (name, target) in [
      "arm64-swift": "arm64-apple-ios13.0", "arm64e-swift": "arm64e-apple-ios14.0",
      "x86_64-swift": "x86_64-apple-ios13.0-simulator",
    ] {
      try run([
        "swiftc", "-frontend", "-c", "-parse-stdlib", "-parse-as-library", "-enable-objc-interop", "-module-name", "M",
        "-target", target, "a.swift", "-o", "\(name).o",
      ])
    }
    for (name, platform) in ["arm64": "ios", "x86_64": "ios-simulator"] {
      let link = [
        "ld64.lld-19", "-arch", name, "-platform_version", platform, "14.0", "14.0", "-undefined", "dynamic_lookup",
      ]
      try run(link + ["-dylib", "-o", "\(name).dylib", "\(name)-c.o", "\(name)-cpp.o"])
      try run(link + ["-bundle", "-o", "\(name).bundle", "\(name)-objc.o"])
    }
    for (name, emulation) in [
      "android-arm64": "aarch64linux", "android-x86_64": "elf_x86_64", "android-arm": "armelf_linux_eabi",
    ] {
      try run([
        "ld.lld-19", "-m", emulation, "-shared", "--unresolved-symbols=ignore-all", "-o", "\(name).so", "\(name)-c.o",
        "\(name)-cpp.o",
      ])
      try run(["llvm-strip-19", "-o", "\(name)-stripped.so", "\(name).so"])
    }
    try run(["llvm-ar-19", "--format=darwin", "rcsD", "mixed.a", "arm64-c.bc", "arm64-c.o", "arm64-objc.bc"])
    let lipo = ["llvm-lipo-19", "-create"]
    try run(lipo + ["armv7-c.o", "armv7s-c.o", "arm64-c.o", "-output", "fat-c.o"])
    try run(lipo + ["armv7-libtool.a", "arm64-libtool.a", "arm64e-libtool.a", "-output", "fat.a"])
    try run(lipo + ["-fat64", "i386-darwin.a", "x86_64-darwin.a", "-output", "fat64.a"])
    try run(lipo + ["arm64-libtool.a", "-output", "fat-single.a"])
    try run(lipo + ["arm64-c.o", "-output", "fat-single.o"])
    try run(lipo + ["arm64.dylib", "x86_64.dylib", "-output", "fat.dylib"])
    names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { !["a.c", "a.m", "a.cpp", "a.swift"].contains($0) }.sorted()
  }

  func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: folder.appendingPathComponent(name))) }
}
