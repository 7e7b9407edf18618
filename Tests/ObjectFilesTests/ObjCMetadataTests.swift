import Lanes
import Foundation
import ObjectFiles
import Testing

/// Objective-C metadata: what the source declares, and what `llvm-objdump` finds.
@Suite struct ObjCMetadataTests {
  func read(_ name: String) throws -> [String] {
    let bytes = try ObjCFixtures.shared.get().bytes(name)
    let data = try ObjCMetadata(ByteReader(bytes.span), [.entities, .selectors])
    return lines(data, of: bytes)
  }

  @Test(.tools, arguments: ObjCFixtures.targets.map(\.key))
  func objectFiles(_ name: String) throws {
    #expect(try read("\(name).o") == ObjCFixtures.declared)
    if name != "i386" { #expect(try Set(read("\(name)-arc.o")) == Set(ObjCFixtures.declared)) }
  }

  /// The linker orders things as it likes, and refers to the selector of every method in a relative list.
  @Test(
    .tools,
    arguments: [
      "arm64-13.0.dylib", "x86_64-13.0.dylib", "arm64-13.0-relative.dylib", "arm64-16.0.dylib",
      "arm64-16.0-relative.dylib", "stripped.dylib",
    ])
  func images(_ name: String) throws {
    let found = try read(name).sorted()
    if name.hasSuffix("-relative.dylib") {
      #expect(found.filter { !$0.hasPrefix("selector") } == ObjCFixtures.declared.sorted().dropLast(2))
      #expect(Set(found).isSuperset(of: ObjCFixtures.declared))
    } else {
      #expect(found == ObjCFixtures.declared.sorted())
    }
  }

  @Test(.tools, arguments: ["arm64-swift.o", "arm64e-swift.o", "x86_64-swift.o", "arm64-swift.dylib"])
  func swiftClasses(_ name: String) throws {
    let found = try read(name).filter { !$0.hasPrefix("selector") }
    #expect(found == ObjCFixtures.declaredInSwift)
  }

  @Test(.tools, arguments: ["arm64-hand.o", "x86_64-hand.o"])
  func relativeMethodLists(_ name: String) throws {
    let found = try read(name)
    #expect(found == ObjCFixtures.declaredByHand)
  }

  @Test(
    .tools,
    arguments: [
      "arm64.o", "arm64-arc.o", "x86_64.o", "x86_64-arc.o", "macos.o", "arm64-13.0.dylib", "arm64-13.0-relative.dylib",
      "x86_64-13.0.dylib", "arm64-swift.o", "x86_64-swift.o",
    ])
  func asObjdumpHasIt(_ name: String) throws {
    let fixtures = try ObjCFixtures.shared.get()
    let text = try Tool.run(["llvm-objdump-19", "--macho", "--objc-meta-data", name], in: fixtures.folder)
    // It says of whom a category is for classes of the same file only.
    let ours = try read(name).filter { $0.hasPrefix("class ") || $0.hasPrefix("category ") }.map { line in
      let title = line.replacingOccurrences(of: " +load:", with: ":").replacingOccurrences(of: " Swift:", with: ":")
      let words = words(title)
      let end = words.firstIndex { $0.hasSuffix(":") && $0 != ":" } ?? 0
      return "\(words[0]) \(words[1].filter { $0 != ":" }):" + words[(end + 1)...].map { " " + $0 }.joined()
    }
    #expect(ours == objdumpClasses(text))
    #expect(ours.count >= 3)
  }

  @Test(.tools) func everyPlaceIsTheThingItself() throws {
    let bytes = try ObjCFixtures.shared.get().bytes("arm64.o")
    let data = try ObjCMetadata(ByteReader(bytes.span), .all)
    let sections = try MachOFile(ByteReader(bytes.span)).sections(ByteReader(bytes.span))
    func isIn(_ name: FixedName, _ place: Int) -> Bool {
      sections.contains { $0.name == name && place >= Int($0.offset) && place < Int($0.offset) + Int($0.size) }
    }
    #expect(data.classes.allSatisfy { isIn("__objc_data", $0.place) })
    #expect(data.categories.allSatisfy { isIn("__objc_const", $0.place) })
    #expect(data.protocols.allSatisfy { isIn("__data", $0.place) })
    #expect(data.selectors.allSatisfy { isIn("__objc_selrefs", $0.place) })
    #expect(data.classReferences.allSatisfy { isIn("__objc_classrefs", $0.place) })
    let members = data.classes.flatMap { $0.methods.map(\.place) + $0.ivars.map(\.place) + $0.properties.map(\.place) }
    #expect(members.allSatisfy { isIn("__objc_const", $0) })
    #expect(members.count > 10 && !data.classReferences.isEmpty)
  }

  @Test(.tools) func onlyWhatIsAskedForIsRead() throws {
    let bytes = try ObjCFixtures.shared.get().bytes("arm64.o")
    let (all, some) = (
      try ObjCMetadata(ByteReader(bytes.span), .all), try ObjCMetadata(ByteReader(bytes.span), [.entities, .selectors])
    )
    #expect(some.classReferences.isEmpty)
    #expect(some.classes.allSatisfy { $0.ivars.isEmpty && $0.properties.isEmpty && $0.protocols.isEmpty })
    #expect((some.categories.map(\.properties) + some.protocols.map(\.properties)).joined().isEmpty)
    #expect((some.categories.map(\.protocols) + some.protocols.map(\.protocols)).joined().isEmpty)
    #expect(lines(some, of: bytes) == lines(all, of: bytes))
    #expect(all.classReferences.count == 1 && all.classes[0].ivars.count == 2)
    let classes = try ObjCMetadata(ByteReader(bytes.span), .classes)
    #expect(classes.classes.map(\.name) == all.classes.map(\.name))
    #expect(classes.classes.allSatisfy(\.methods.isEmpty) && classes.categories.isEmpty && classes.protocols.isEmpty)
  }

  @Test(.tools) func whatIsNotReadIsSaid() throws {
    let bytes = try ObjCFixtures.shared.get().bytes("old.o")
    let error = #expect(throws: FormatError.self) { _ = try ObjCMetadata(ByteReader(bytes.span)) }
    guard case .unsupported = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(.tools) func whatHasNone() throws {
    let bytes = try Fixtures.shared.get().bytes("arm64.o")
    let isEmpty = try ObjCMetadata(ByteReader(bytes.span)).isEmpty
    #expect(isEmpty)
  }

  /// Many sections that are the same list, each a good part of the file: an error and not a long time.
  @Test func sharedLists() {
    func field<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
      (0..<(T.bitWidth / 8)).map { UInt8(truncatingIfNeeded: value >> T(8 * $0)) }
    }
    func name(_ text: String) -> [UInt8] { Array(text.utf8) + [UInt8](repeating: 0, count: 16 - text.utf8.count) }
    let count = 3000
    let commands = 72 + 80 * count
    let size = 32 + commands
    var bytes = field(0xFEED_FACF as UInt32) + field(0x0100_000C as UInt32) + field(0 as UInt32) + field(1 as UInt32)
    bytes += field(1 as UInt32) + field(UInt32(commands)) + field(0 as UInt64)
    bytes += field(0x19 as UInt32) + field(UInt32(commands)) + name("") + field(0 as UInt64) + field(UInt64(size))
    bytes += field(0 as UInt64) + field(UInt64(size)) + field(7 as UInt64) + field(UInt32(count)) + field(0 as UInt32)
    for _ in 0..<count {
      bytes += name("__objc_classlist") + name("__DATA") + field(0x10_0000 as UInt64) + field(80_000 as UInt64)
      bytes += field(UInt32(size)) + [UInt8](repeating: 0, count: 28)
    }
    bytes += [UInt8](repeating: 0, count: 80_000)
    let error = #expect(throws: FormatError.self) { _ = try ObjCMetadata(ByteReader(bytes.span)) }
    #expect(error.map { "\($0)" }?.contains("made to fill the memory") == true, "\(String(describing: error))")
  }

  /// A class whose data is itself, lists that contain themselves: the reader follows no pointer twice.
  @Test(.tools) func circles() throws {
    let bytes = try ObjCFixtures.shared.get().bytes("x86_64-13.0.dylib")
    let reader = ByteReader(bytes.span)
    let data = try ObjCMetadata(reader, .all)
    let sections = try MachOFile(reader).sections(reader)
    for start in data.classes.map(\.place) + data.categories.map(\.place) + data.protocols.map(\.place) {
      for field in 0..<12 {
        var damaged = bytes
        let address = try #require(
          sections.first { start >= Int($0.offset) && start < Int($0.offset) + Int($0.size) }
            .map { $0.address + UInt64(start) - UInt64($0.offset) })
        for byte in 0..<8 { damaged[start + 8 * field + byte] = UInt8(truncatingIfNeeded: address >> (8 * byte)) }
        let result = try? ObjCMetadata(ByteReader(damaged.span), .all)
        #expect(result == nil || result?.classes.count == data.classes.count)
      }
    }
  }
}

/// The classes and categories in what `llvm-objdump --macho --objc-meta-data` prints: names and methods. It tells the
/// levels of its output apart by indentation only.
func objdumpClasses(_ text: String) -> [String] {
  var found: [(kind: String, name: String, methods: String)] = []
  var section = ""
  var sign = "-"
  var collects = false
  for line in text.split(separator: "\n") {
    let words = words(line)
    if line.hasPrefix("Contents of") {
      section = line.contains("__objc_classlist") ? "class" : line.contains("__objc_catlist") ? "category" : ""
    } else if section.isEmpty {
      continue
    } else if line.first?.isHexDigit == true {
      found.append((section, "", ""))
      (sign, collects) = ("-", section == "class")
    } else if line.hasPrefix("Meta Class") {
      sign = "+"
    } else if line.hasPrefix("   instanceMethods") {
      (sign, collects) = ("-", true)
    } else if line.hasPrefix("      classMethods") {
      (sign, collects) = ("+", true)
    } else if line.hasPrefix(String(repeating: " ", count: section == "class" ? 21 : 14) + "name ") {
      found[found.count - 1].name = words.last ?? ""
    } else if collects, line.hasPrefix("\t\t      name ") {
      found[found.count - 1].methods += " \(sign)\(words.last ?? "")"
    }
  }
  return found.map { "\($0.kind) \($0.name):\($0.methods)" }
}
