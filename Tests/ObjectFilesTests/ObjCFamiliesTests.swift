import Lanes
import Foundation
import ObjectFiles
import TestSupport
import Testing

/// Objective-C by chance: what the generator wrote is what is found, whatever was made of the source.
@Suite struct ObjCFamiliesTests {
  func read(_ bytes: [UInt8]) throws -> [String] {
    details(of: try ObjCMetadata(ByteReader(bytes.span), .all), bytes).sorted()
  }

  /// Says the first lines that one has and the other has not: names begin with F and the seed of their family.
  func expectEqual(
    _ found: [String], _ expected: [String], _ name: String = "", at location: SourceLocation = #_sourceLocation
  ) {
    let (mine, theirs) = (Set(found), Set(expected))
    let extra = mine.subtracting(theirs).sorted().prefix(3).map { "found:    \($0)" }
    let missing = theirs.subtracting(mine).sorted().prefix(3).map { "expected: \($0)" }
    let isEqual = found == expected
    let text = ["\(name): \(found.count) of \(expected.count), NPI_SEED=number of the F"] + extra + missing
    #expect(isEqual, "\(text.joined(separator: "\n"))", sourceLocation: location)
  }

  @Test(.tools) func thereAreMany() throws {
    let families = try ObjCFamilies.shared.get()
    for kind in ["class ", "category ", "protocol ", "class reference ", "super reference ", "selector "] {
      let count = families.details.reduce(0) { $0 + $1.count { line in line.hasPrefix(kind) } }
      #expect(count > 50 || Seeded.seeds(200).count < 200, "\(count) times \(kind)")
    }
  }

  @Test(.tools, arguments: ObjCFamilies.objects)
  func objectFiles(_ name: String) throws {
    let families = try ObjCFamilies.shared.get()
    let file = try #require(name.split(separator: "/").last?.split(separator: ".").first.flatMap { Int($0) })
    expectEqual(try read(families.bytes(name)), families.details[file])
    if file == 0 {
      expectEqual(
        try read(families.bytes(name.replacingOccurrences(of: "/0.o", with: "/S-0.o"))), families.details[file])
    }
  }

  /// Chained fixups or binds, relative lists or not, stripped or not: the same.
  @Test(.tools, arguments: ObjCFamilies.images)
  func images(_ image: ObjCFamilies.Image) throws {
    let families = try ObjCFamilies.shared.get()
    let expected = families.details.joined().sorted()
    for name in [image.name, "x-\(image.name)"] {
      var found = try read(families.bytes(name))
      if image.isRelative {
        let selectors = Set(expected.filter { $0.hasPrefix("selector ") })
        #expect(selectors.isSubset(of: found))
        found = (found.filter { !$0.hasPrefix("selector ") } + selectors).sorted()
      }
      expectEqual(found, expected, name)
    }
  }

  /// No linker here makes images for 32-bit iOS or arm64e, nor threaded binds.
  @Test(
    .tools,
    arguments: [
      ("armv7", .binds), ("armv7", .chains(pointers: 3, imports: 1)), ("armv7s", .binds), ("i386", .binds),
      ("i386", .chains(pointers: 3, imports: 2)), ("arm64_32", .chains(pointers: 3, imports: 1)), ("arm64", .binds),
      ("arm64", .chains(pointers: 2, imports: 1)), ("arm64", .chains(pointers: 6, imports: 3)), ("arm64e", .threaded),
      ("arm64e", .chains(pointers: 1, imports: 1)), ("arm64e", .chains(pointers: 9, imports: 2)),
      ("arm64e", .chains(pointers: 12, imports: 3)),
    ] as [(String, MadeImage.Fixups)])
  func madeImages(_ name: String, _ fixups: MadeImage.Fixups) throws {
    let families = try ObjCFamilies.shared.get()
    for file in ObjCFamilies.files {
      let image = try MadeImage(families.bytes("\(name)/\(file).o"), fixups)
      expectEqual(try read(image.bytes), families.details[file], "\(file).o")
    }
  }

  /// Names of symbols that a file defines say nothing that the data does not say.
  @Test(.tools, arguments: ObjCFamilies.targets.map { "\($0.key)/0.o" } + ["arm64-13.0.dylib", "x86_64-16.0.dylib"])
  func withoutNames(_ name: String) throws {
    let families = try ObjCFamilies.shared.get()
    let bytes = try families.bytes(name)
    var nameless = bytes
    let reader = ByteReader(bytes.span)
    let table = try #require(try MachOSymbolTable(try MachOFile(reader), reader))
    // A name may be the end of another one.
    var kept = Set<Int>()
    try table.forEach(reader) { symbol in
      if symbol.isUndefined { kept.formUnion(table.name(at: symbol.nameOffset, reader) ?? 0..<0) }
    }
    var count = 0
    try table.forEach(reader) { symbol in
      for place in table.name(at: symbol.nameOffset, reader) ?? 0..<0 where !kept.contains(place) {
        nameless[place] = UInt8(ascii: "x")
        count += 1
      }
    }
    #expect(count > 100)
    expectEqual(try read(nameless), try read(bytes))
  }

  /// Each byte of a small file, one after the other, is something else: a value or an error, and never long.
  @Test(.timeLimit(.minutes(20)), arguments: ["arm64", "armv7"])
  func everyByteChanged(_ name: String) throws {
    let scratch = try Scratch()
    let target = try #require(ObjCFamilies.targets.first { $0.key == name }?.value)
    try scratch.write("a.m", Array(ObjCFamily(seed: 3, withForward: true).source.utf8))
    try scratch.run("clang", "-target", target, "-ffreestanding", "-fno-objc-arc", "-w", "-c", "a.m", "-o", "a.o")
    var bytes = try scratch.bytes("a.o")
    var random = Seeded(seed: 11)
    for place in bytes.indices {
      let old = bytes[place]
      bytes[place] = old ^ UInt8(1 + random.number(255))
      let ranges = (try? ObjCMetadata(ByteReader(bytes.span), .all))?.ranges ?? []
      #expect(ranges.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= bytes.count }, "byte \(place)")
      bytes[place] = old
    }
  }

  // MARK: Second opinions

  @Test(
    .tools,
    arguments: [
      "arm64/1.o", "arm64/3.o", "x86_64/5.o", "x86_64/7.o", "arm64-small.dylib", "x86_64-small.dylib",
      "arm64-small-relative.dylib",
    ])
  func asObjdumpHasThem(_ name: String) throws {
    let families = try ObjCFamilies.shared.get()
    let text = try Tool.run(["llvm-objdump-19", "--macho", "--objc-meta-data", name], in: families.folder)
    let theirs = ObjdumpDetails.lines(text).sorted()
    let bytes = try families.bytes(name)
    let ours = ObjdumpDetails.lines(of: try ObjCMetadata(ByteReader(bytes.span), .all), bytes).sorted()
    expectEqual(ours, theirs)
  }

  /// What `k2l` does not read: properties of classes themselves, protocols of categories and of protocols, references; the
  /// class of a category if the image defines it. It calls the superclass of a root class NSObject.
  @Test(.tools, arguments: ["arm64-plain.dylib", "x86_64-plain.dylib"])
  func asK2LHasThem(_ name: String) throws {
    let families = try ObjCFamilies.shared.get()
    let script = """
      import sys, ktool
      data = ktool.load_objc_metadata(ktool.load_image(open(sys.argv[1], "rb")))
      def properties(item): return ["%s=%s" % (p.name, p.attr_string) for p in item.properties]
      def methods(list, end=""): return [("+" if m.meta else "-") + m.sel + end for m in list]
      def show(*words): print("\\t".join(" ".join(sorted(w)) if isinstance(w, list) else w for w in words))
      for c in data.classlist:
          if c is None: continue
          ivars = ["%s=%s" % (i.name, i.typestr) for i in c.ivars]
          show("class", c.name, c.superclass, [p.name for p in c.protocols], ivars, properties(c), methods(c.methods))
      for c in data.catlist: show("category", c.name, c.classname, properties(c), methods(c.methods))
      for p in data.protolist: show("protocol", p.name, properties(p), methods(p.methods) + methods(p.opt_methods, "?"))
      """
    try Data(script.utf8).write(to: families.folder.appendingPathComponent("\(name).py"))
    let text = try Tool.run(["python3", "\(name).py", name], in: families.folder)
    let theirs = text.split(separator: "\n").map { String($0) }.sorted()
    let bytes = try families.bytes(name)
    let ours = k2lLines(try ObjCMetadata(ByteReader(bytes.span), .all), bytes).sorted()
    expectEqual(ours, theirs)
  }

  private func k2lLines(_ data: ObjCMetadata, _ bytes: [UInt8]) -> [String] {
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    func list(_ names: [String]) -> String { names.sorted().joined(separator: " ") }
    func properties(_ all: [ObjCProperty]) -> String {
      list(all.filter { !$0.isClassProperty }.map { "\(text($0.name))=\(text($0.attributes))" })
    }
    func methods(_ all: [ObjCMethod]) -> String {
      list(all.map { "\($0.isClassMethod ? "+" : "-")\(text($0.selector))\($0.isOptional ? "?" : "")" })
    }
    let own = Set(data.classes.map { text($0.name) })
    let classes = data.classes.map { item in
      [
        "class", text(item.name), item.superclass.map { text($0.range) } ?? "NSObject", list(item.protocols.map(text)),
        list(item.ivars.map { "\(text($0.name))=\(text($0.type))" }), properties(item.properties),
        methods(item.methods),
      ]
    }
    let categories = data.categories.map { item in
      let extended = text(item.className.range)
      return [
        "category", text(item.name), own.contains(extended) ? "" : extended, properties(item.properties),
        methods(item.methods),
      ]
    }
    let protocols = data.protocols.map {
      ["protocol", text($0.name), properties($0.properties), methods($0.methods)]
    }
    return (classes + categories + protocols).map { $0.joined(separator: "\t") }
  }
}
