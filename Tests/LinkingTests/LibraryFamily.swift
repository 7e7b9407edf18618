import Foundation
import SystemPackage
import TestSupport

@testable import LinkSupport

/// Objects, and dynamic libraries by the same names: as images, as text stubs, as stubs that hold a second library, and with
/// others that they re-export.
///
/// Left out: a stub that holds a library which lies in a folder of `-L`, too. lld then takes that file in its place.
struct LibraryGroup: Sendable {
  static let count = 12
  static let names = 22

  struct Library: Sendable {
    /// What a line may name it as: image, stub.
    var forms: [DrawnObject]
    /// What it re-exports, where it is looked for.
    var inner: [DrawnObject] = []
    /// It is looked in for what it re-exports.
    var isUmbrella = true
  }

  private(set) var objects: [DrawnObject] = []
  private(set) var libraries: [Library] = []
  /// A stub that has nothing for arm64.
  let foreign: DrawnObject

  init(_ number: Int) async throws {
    var random = Seeded(seed: 4_000_037 &* (number + 1))
    for index in 0..<Self.count {
      objects.append(try await Assembler.object(RandomObject(index, of: Self.count, names: Self.names, &random)))
    }
    for index in 0..<8 {
      // The last two are versions of one library.
      let name = index < 6 ? "lib\(index).dylib" : "lib6.dylib"
      let path = random.once(in: 2) ? "/usr/lib/\(name)" : "@rpath/\(name)"
      libraries.append(try await Self.library("lib\(index).dylib", path, &random))
    }
    // One stub that re-exports the next library and holds it.
    for index in 0..<2 {
      let stub = try await Self.stub(of: libraries[index].forms[0], with: libraries[index + 1].forms[0])
      libraries[index].forms.append(stub)
    }
    foreign = DrawnObject(
      name: "libforeign.tbd",
      content: Array(
        String(decoding: libraries[2].forms[1].content, as: UTF8.self).replacing("arm64-ios", with: "x86_64-ios").utf8),
      definitions: [])
    for index in 8..<12 { libraries.append(try await Self.umbrella(index, &random)) }
  }

  private static func draw(_ random: inout Seeded) -> RandomLibrary {
    var library = RandomLibrary(in: 4, names: names, &random)
    for number in 0..<3 where random.once(in: 4) { library.addClass("C\(number)") }
    if random.once(in: 3) { library.add("_use\(random.number(count))", .global) }
    return library
  }

  private static func library(_ name: String, _ path: String, _ random: inout Seeded) async throws -> Library {
    let image = try await draw(&random).made(name, path)
    return Library(forms: [image, try await stub(of: image, random.once(in: 2) ? "v4" : "v5")])
  }

  /// One that re-exports another, which is found in one of all ways.
  private static func umbrella(_ index: Int, _ random: inout Seeded) async throws -> Library {
    let leaf = "libinner\(index).dylib"
    let ways = [
      ("inner/\(leaf)", "@loader_path/inner/\(leaf)"), ("inner/\(leaf)", "@rpath/\(leaf)"),
      ("inner/\(leaf)", "inner/\(leaf)"), (leaf, "/usr/lib/\(leaf)"), (leaf, "@rpath/\(leaf)"),
    ]
    let (place, path) = ways[random.number(ways.count)]
    var inner = try await draw(&random).made(leaf, path)
    let others = Scratch()
    try others.write(leaf, inner.content)
    let image = try await draw(&random).made(
      "lib\(index).dylib", "@rpath/lib\(index).dylib",
      ["-reexport_library", others(leaf).string, "-rpath", "@loader_path/inner"])
    var library = Library(forms: [image], isUmbrella: !path.hasPrefix("/usr/lib"))
    // A stub does not say where @rpath leads.
    if !path.hasPrefix("@rpath") { library.forms.append(try await stub(of: image, "v4")) }
    inner.name = place
    library.inner = [inner]
    return library
  }

  private static func stub(of image: DrawnObject, _ version: String) async throws -> DrawnObject {
    let scratch = Scratch()
    try scratch.write("lib.dylib", image.content)
    try await Tool.check(
      ["llvm-readtapi-19", "-stubify", "--filetype=tbd-\(version)", "lib.dylib", "-o", "lib.tbd"], in: scratch.path)
    return DrawnObject(
      name: image.name.replacing(".dylib", with: ".tbd"), content: try scratch.read("lib.tbd"),
      definitions: image.definitions)
  }

  private static func stub(of image: DrawnObject, with other: DrawnObject) async throws -> DrawnObject {
    let stubs = [try await stub(of: image, "v4"), try await stub(of: other, "v4")]
    let texts = stubs.map { String(decoding: $0.content, as: UTF8.self) }
    let name = "/usr/lib/libheld.dylib"
    let list = "reexported-libraries:\n  - targets: [ arm64-ios ]\n    libraries: [ '\(name)' ]\nexports:"
    let text =
      texts[0].replacing("exports:", with: list, maxReplacements: 1).replacing("...\n", with: "")
      + texts[1].replacing(/install-name:.*/, with: "install-name: '\(name)'")
    return DrawnObject(
      name: stubs[0].name, content: Array(text.utf8), definitions: image.definitions + other.definitions)
  }
}

extension DrawnLinkSet {
  init(_ seed: Int, _ group: LibraryGroup) throws {
    var random = Seeded(seed: 30_000_001 &+ seed)
    var rest = group.objects.shuffled(using: &random)
    rest.removeLast(random.number(5))
    var words: [[String]] = []
    for number in 0..<(1 + random.number(2)) {
      guard let object = rest.popLast() else { break }
      try add(object, as: number == 0 ? "main.o" : nil)
      words.append([number == 0 ? "main.o" : object.name])
    }
    for name in ["liba.a", "libb.a", "lib0.a"].prefix(1 + random.number(3)) where !rest.isEmpty {
      let members = Array(rest.suffix(1 + random.number(3)))
      rest.removeLast(members.count)
      try addLibrary(name, members, &random)
      words += DrawnLinkSet.words(forLibrary: name, &random)
    }
    for library in group.libraries.shuffled(using: &random).prefix(1 + random.number(4)) {
      for inner in library.inner {
        try add(inner)
        if random.once(in: 4) { words.append([inner.name]) }
      }
      for form in library.forms.shuffled(using: &random).prefix(random.once(in: 4) ? 2 : 1)
      where !scratch.exists(form.name) {
        try add(form)
        if library.isUmbrella { for inner in library.inner { define(inner.definitions, form.name) } }
        words.append(Self.words(for: form.name, &random))
        if random.once(in: 8) { words.append([form.name]) }
      }
    }
    if random.once(in: 20) {
      try add(group.foreign)
      words.append(["libforeign.tbd"])
    }
    words.shuffle(using: &random)
    let use = { (random: inout Seeded) in "_use\(random.number(LibraryGroup.count))" }
    args = ["-L."]
    args += random.once(in: 3) ? ["-execute", "-pagezero_size", "0x4000", "-e", use(&random)] : ["-dylib"]
    if random.once(in: 4) { args.append("-ObjC") }
    if random.once(in: 8) { args.append("-all_load") }
    if random.once(in: 3) { args.append("-dead_strip") }
    if random.once(in: 4) { args.append("-search_dylibs_first") }
    if random.once(in: 3) { args += ["-u", use(&random)] }
    if random.once(in: 8) { args += ["-exported_symbol", "_f\(random.number(LibraryGroup.names))"] }
    args += words.flatMap { $0 }
  }

  /// How a line names a dynamic library.
  private static func words(for name: String, _ random: inout Seeded) -> [String] {
    let stem = name.dropFirst(3).prefix { $0 != "." }
    switch random.number(8) {
    case 0, 1: return ["-l\(stem)"]
    case 2: return [["-weak-l", "-needed-l", "-reexport-l"][random.number(3)] + stem]
    case 3: return [["-weak_library", "-needed_library", "-reexport_library"][random.number(3)], name]
    default: return [name]
    }
  }
}
