import Foundation
import ObjectFiles
import Testing

/// Objective-C and Swift classes as the toolchain compiles and links them, once for all tests.
struct ObjCFixtures: Sendable {
  static let shared = Result { try ObjCFixtures() }
  static let targets: KeyValuePairs = [
    "arm64": "arm64-apple-ios13.0", "arm64e": "arm64e-apple-ios14.0", "x86_64": "x86_64-apple-ios13.0-simulator",
    "macos": "arm64-apple-macos14.0", "arm64_32": "arm64_32-apple-watchos5.0", "armv7": "armv7-apple-ios7.0",
    "i386": "i386-apple-ios7.0-simulator",
  ]
  static let source = """
    #define ROOT __attribute__((objc_root_class))
    ROOT @interface Root { Class isa; int count; }
    + (void)load; - (int)first:(int)a second:(int)b; + (id)make; - (void)hello:(int)a there:(int)b; @property int count;
    @end
    @implementation Root
    @synthesize count=count; + (void)load {} - (int)first:(int)a second:(int)b { return a + b; } + (id)make { return 0; }
    @end
    @protocol Base - (void)base; @end
    @protocol Needs <Base> - (void)must; + (void)mustOfClass; @optional - (void)may; + (void)mayOfClass; @end
    @interface Child : Root <Needs> @end
    @implementation Child
    - (void)base {} - (void)must {} + (void)mustOfClass {} - (void)go:(id)x { [x hello:3 there:4]; [Root make]; }
    @end
    ROOT @interface Outside @end
    @interface Outside (Extra) - (void)extra; + (void)load; @end
    @implementation Outside (Extra) - (void)extra {} + (void)load {} @end
    @interface Child (Own) - (void)own; @end
    @implementation Child (Own) - (void)own {} @end
    @interface FromOutside : Outside @end
    @implementation FromOutside @end
    """
  /// What it declares.
  static let declared = [
    "class Root +load: -first:second: -count -setCount: +load +make",
    "class Child : Root: -base -must -go: +mustOfClass",
    "class FromOutside : Outside:",
    "category Extra on Outside +load: -extra +load",
    "category Own on Child: -own",
    "protocol Base: -base",
    "protocol Needs: -must +mustOfClass -may? +mayOfClass?",
    "selector hello:there:", "selector make",
  ]
  static let swift = """
    open class Top { @objc init() {} ; func go() {} }
    class Below: Top { @objc func hello() {} ; class Inner {} }
    @objc protocol Asks { @objc func must() ; @objc optional func may() }
    extension Top { @objc func added() {} ; @objc class func addedToClass() {} }
    """
  static let declaredInSwift = [
    "class _TtC1M3Top : _TtCs12_SwiftObject Swift: -init",
    "class _TtC1M5Below : _TtC1M3Top Swift: -hello -init",
    "class _TtCC1M5Below5Inner : _TtCs12_SwiftObject Swift:",
    "category M on _TtC1M3Top Swift: -added +addedToClass",
    "protocol _TtP1M4Asks_ Swift: -must -may?",
  ]

  /// Relative method lists, which compilers leave to the linker: one by way of selector references, one without.
  static let assembly = #"""
    .section __TEXT,__text
    _imp: ret
    .section __TEXT,__objc_methname,cstring_literals
    l_sel: .asciz "relative:"
    l_other: .asciz "direct"
    .section __TEXT,__objc_classname,cstring_literals
    l_name: .asciz "Hand"
    .section __TEXT,__objc_methtype,cstring_literals
    l_types: .asciz "v16@0:8"
    .section __DATA,__objc_selrefs,literal_pointers
    .p2align 3
    l_ref: .quad l_sel
    .section __TEXT,__objc_methlist
    .p2align 3
    l_methods: .long 0x8000000c, 1
    .long l_ref-., l_types-., _imp-.
    l_class_methods: .long 0xc000000c, 1
    .long l_other-., l_types-., _imp-.
    .section __DATA,__objc_const
    .p2align 3
    l_ro: .long 2, 8, 8, 0
    .quad 0, l_name, l_methods, 0, 0, 0, 0
    l_meta_ro: .long 3, 40, 40, 0
    .quad 0, l_name, l_class_methods, 0, 0, 0, 0
    .section __DATA,__objc_data
    .p2align 3
    .globl _OBJC_CLASS_$_Hand
    _OBJC_CLASS_$_Hand: .quad _OBJC_METACLASS_$_Hand, 0, 0, 0, l_ro
    .globl _OBJC_METACLASS_$_Hand
    _OBJC_METACLASS_$_Hand: .quad _OBJC_METACLASS_$_Hand, _OBJC_CLASS_$_Hand, 0, 0, l_meta_ro
    .section __DATA,__objc_classlist,regular,no_dead_strip
    .p2align 3
    .quad _OBJC_CLASS_$_Hand
    .subsections_via_symbols
    """#
  static let declaredByHand = ["class Hand: -relative: +direct", "selector relative:"]

  let folder: URL

  private init() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("objc-fixtures-\(getpid())")
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    atexit {
      if case .success(let fixtures) = ObjCFixtures.shared { try? FileManager.default.removeItem(at: fixtures.folder) }
    }
    func run(_ words: [String]) throws { try Tool.run(words, in: folder) }
    try Data(Self.source.utf8).write(to: folder.appendingPathComponent("a.m"))
    try Data(Self.swift.utf8).write(to: folder.appendingPathComponent("a.swift"))
    for (name, target) in Self.targets {
      let clang = ["clang", "-target", target, "-ffreestanding", "-w", "-c", "a.m", "-o"]
      try run(clang + ["\(name).o"])
      if name != "i386" { try run(clang + ["\(name)-arc.o", "-fobjc-arc", "-O2"]) }
    }
    try run(["clang", "-target", "i386-apple-macos10.9", "-ffreestanding", "-w", "-c", "a.m", "-o", "old.o"])
    try Data((Self.assembly + "\n").utf8).write(to: folder.appendingPathComponent("hand.s"))
    for name in ["arm64", "x86_64"] {
      try run(["clang", "-target", "\(name)-apple-macos14.0", "-c", "hand.s", "-o", "\(name)-hand.o"])
    }
    for (name, target) in Self.targets where ["arm64", "arm64e", "x86_64"].contains(name) {
      try run([
        "swiftc", "-frontend", "-c", "-parse-stdlib", "-parse-as-library", "-enable-objc-interop",
        "-disable-objc-attr-requires-foundation-module", "-module-name", "M", "-target", target, "a.swift", "-o",
        "\(name)-swift.o",
      ])
    }
    for (name, platform, version, more) in [
      ("arm64", "ios", "13.0", []), ("x86_64", "ios-simulator", "13.0", []),
      ("arm64", "ios", "13.0", ["-objc_relative_method_lists"]), ("arm64", "ios", "16.0", []),
      ("arm64", "ios", "16.0", ["-objc_relative_method_lists"]),
    ] {
      let output = "\(name)-\(version)\(more.isEmpty ? "" : "-relative").dylib"
      try run(
        ["ld64.lld-19", "-arch", name, "-platform_version", platform, version, version, "-undefined", "dynamic_lookup"]
          + more + ["-dylib", "-o", output, "\(name).o"])
    }
    try run(
      ["ld64.lld-19", "-arch", "arm64", "-platform_version", "ios", "16.0", "16.0", "-undefined", "dynamic_lookup"]
        + ["-dylib", "-o", "arm64-swift.dylib", "arm64-swift.o"])
    try run(["llvm-strip-19", "-x", "-o", "stripped.dylib", "arm64-16.0.dylib"])
  }

  func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: folder.appendingPathComponent(name))) }
}

/// A line for each thing, in the file's order.
func lines(_ data: ObjCMetadata, of bytes: [UInt8]) -> [String] {
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
  func title(_ words: String, _ isSwift: Bool, _ hasLoadMethod: Bool, _ methods: [ObjCMethod]) -> String {
    let names = methods.map { " \($0.isClassMethod ? "+" : "-")\(text($0.selector))\($0.isOptional ? "?" : "")" }
    return words + (isSwift ? " Swift" : "") + (hasLoadMethod ? " +load" : "") + ":" + names.joined()
  }
  return data.classes.map { item in
    let superclass = item.superclass.map { " : " + text($0.range) + ($0.isSwiftSymbol ? " (symbol)" : "") } ?? ""
    return title("class \(text(item.name))\(superclass)", item.isSwift, item.hasLoadMethod, item.methods)
  }
    + data.categories.map {
      title(
        "category \(text($0.name)) on \(text($0.className.range))", $0.isSwift, $0.hasLoadMethod, $0.methods)
    } + data.protocols.map { title("protocol \(text($0.name))", $0.isSwift, $0.hasLoadMethod, $0.methods) }
    + data.selectors.map { "selector \(text($0.name))" }
}
