import SystemPackage
import TestSupport

@testable import LinkSupport

/// Objects and static libraries for arm64, for other processors and for several.
struct FatGroup: Sendable {
  static let count = 12
  static let names = 22

  struct File: Sendable {
    var content: [UInt8]
    /// Which of the group's objects for arm64 it holds.
    var objects: Set<Int> = []
    /// Members for arm64 and what they define; one without a name is the file itself.
    var definitions: [(member: String?, names: [String])] = []
    /// Its first member is for another processor and a later one is not.
    var isPassedOver = false
  }

  private(set) var objects: [File] = []
  private(set) var foreignObjects: [File] = []
  private(set) var archives: [File] = []
  private(set) var libraries: [File] = []
  private var others: [String: [DrawnObject]] = [:]

  private static let triples = [
    "x86_64": "x86_64-apple-ios13.0-simulator", "armv7": "armv7-apple-ios9.0", "armv7s": "armv7s-apple-ios9.0",
    "arm64e": "arm64e-apple-ios13.0",
  ]

  init(_ number: Int) async throws {
    var random = Seeded(seed: 3_000_017 &* (number + 1))
    for (architecture, triple) in Self.triples.sorted(by: { $0.key < $1.key }) {
      for index in 0..<3 {
        let name = "\(architecture)\(index).o"
        others[architecture, default: []].append(try await Self.other(name, triple, &random))
      }
    }
    var own: [DrawnObject] = []
    for index in 0..<Self.count {
      own.append(try await Assembler.object(RandomObject(index, of: Self.count, names: Self.names, &random)))
    }
    for (index, object) in own.enumerated() {
      let slices = random.once(in: 3) ? architectures(&random).compactMap { others[$0]?[0].content } : []
      objects.append(
        File(
          content: try await Self.fat([object.content] + slices, isFat: false, &random), objects: [index],
          definitions: [(nil, object.definitions)]))
    }
    for architecture in Self.triples.keys.sorted() {
      // What is for arm64e alone is not left by itself.
      let isFat = architecture == "arm64e" || random.once(in: 2)
      let content = others[architecture]?[1].content ?? []
      foreignObjects.append(File(content: try await Self.fat([content], isFat: isFat, &random)))
    }
    for _ in 0..<24 { archives.append(try await archive(own, &random)) }
    try await addLibraries(&random)
  }

  private static func other(_ name: String, _ triple: String, _ random: inout Seeded) async throws -> DrawnObject {
    let names = Set((0..<4).map { _ in "_f\(random.number(Self.names))" } + ["_use\(random.number(count))"]).sorted()
    let lines = names.flatMap { [".globl \($0)", "\($0): .long 0"] } + [".subsections_via_symbols", ""]
    let content = try await Assembler.object(lines.joined(separator: "\n"), for: triple)
    return DrawnObject(name: name, content: content, definitions: names)
  }

  /// Two or three architectures that nobody links here.
  private func architectures(_ random: inout Seeded) -> [String] {
    Array(Self.triples.keys.sorted().shuffled(using: &random).prefix(2 + random.number(2)))
  }

  /// What `llvm-lipo-19` makes of slices, seldom with offsets of 64 bits. One is left as it is, if it may be.
  private static func fat(_ slices: [[UInt8]], isFat: Bool, _ random: inout Seeded) async throws -> [UInt8] {
    if slices.count == 1, !isFat { return slices[0] }
    let scratch = Scratch()
    let names = slices.indices.map(String.init).shuffled(using: &random)
    for (name, slice) in zip(names, slices) { try scratch.write(name, slice) }
    try await Tool.check(
      ["llvm-lipo-19", "-create"] + names.sorted() + (random.once(in: 30) ? ["-fat64"] : []) + ["-output", "fat"],
      in: scratch.path)
    return try scratch.read("fat")
  }

  private static func archive(_ objects: [DrawnObject]) -> [UInt8] {
    ArchiveFixture.bytes(
      objects.map { ArchiveFixture.Member(name: $0.name, content: $0.content, names: $0.definitions) })
  }

  /// A static library of one to three objects: alone, beside libraries for other processors, or with a member for one. Or a
  /// library for others only, fat or not.
  private func archive(_ own: [DrawnObject], _ random: inout Seeded) async throws -> File {
    let indices = own.indices.shuffled(using: &random).prefix(1 + random.number(3))
    let members = indices.map { own[$0] }
    let slices = architectures(&random)
    let foreign = slices.map { Self.archive(others[$0] ?? []) }
    let thin = others[slices.first { $0 != "arm64e" } ?? ""] ?? []
    var file = File(
      content: Self.archive(members), objects: Set(indices), definitions: members.map { ($0.name, $0.definitions) })
    switch random.number(8) {
    case 0, 1: break
    case 2, 3, 4: file.content = try await Self.fat([file.content] + foreign, isFat: true, &random)
    case 5: file = File(content: try await Self.fat(foreign, isFat: true, &random))
    case 6: file = File(content: Self.archive(thin))
    default:
      let isPassedOver = random.once(in: 2)
      file.content = Self.archive(isPassedOver ? thin.prefix(1) + members : members + thin.prefix(1))
      if isPassedOver { file = File(content: file.content, isPassedOver: true) }
    }
    return file
  }

  /// A dynamic library for arm64, one with another slice, one without arm64, and one that is not fat and for another
  /// processor, which lld does not mind.
  private mutating func addLibraries(_ random: inout Seeded) async throws {
    let library = try await RandomLibrary(in: 3, names: Self.names, &random).made("libdy.dylib", "@rpath/libdy.dylib")
    let scratch = Scratch()
    try scratch.write("a.o", others["x86_64"]?[0].content ?? [])
    try await Tool.check(
      [
        "ld64.lld-19", "-arch", "x86_64", "-platform_version", "ios-simulator", "13.0", "13.0", "-undefined",
        "dynamic_lookup", "-dylib", "-install_name", "@rpath/libdy.dylib", "-o", "libdy.dylib", "a.o",
      ], in: scratch.path)
    let other = try scratch.read("libdy.dylib")
    let otherNames = others["x86_64"]?[0].definitions ?? []
    let definitions: [(String?, [String])] = [(nil, library.definitions)]
    libraries = [
      File(content: library.content, definitions: definitions),
      File(
        content: try await Self.fat([library.content, other], isFat: true, &random), definitions: definitions),
      File(content: try await Self.fat([other], isFat: true, &random)),
      File(content: other, definitions: [(nil, otherNames)]),
    ]
  }
}

extension DrawnLinkSet {
  /// Left out: what is for arm64e alone and not in a fat file. lld compares the processor only and takes it for arm64. And a
  /// library whose first member is for another processor and a later one for this, where all or those for Objective-C are
  /// loaded: lld then takes the later one, after it has passed the library over. Nobody makes such libraries.
  init(_ seed: Int, _ group: FatGroup) throws {
    var random = Seeded(seed: 20_000_003 &+ seed)
    var words: [[String]] = []
    var taken: Set<Int> = []
    let flags = random.once(in: 8) ? ["-all_load"] : random.once(in: 4) ? ["-ObjC"] : []
    for name in ["main.o", "second.o", "third.o"].prefix(1 + random.number(3)) {
      guard let file = Self.take(group.objects, &taken, &random) else { continue }
      try add(file, name)
      words.append([name])
    }
    for name in ["liba.a", "libb.a", "libc.a", "libd.a"].prefix(2 + random.number(3)) {
      guard let file = Self.take(group.archives, &taken, &random), !file.isPassedOver || flags.isEmpty else { continue }
      try add(file, name)
      words += file.isPassedOver ? [[name]] : DrawnLinkSet.words(forLibrary: name, &random)
    }
    if random.once(in: 4), let file = random.one(of: group.foreignObjects) {
      try add(file, "other.o")
      words.append(["other.o"])
    }
    if random.once(in: 3), let file = random.one(of: group.libraries) {
      try add(file, "libdy.dylib")
      words.append([random.once(in: 2) ? "libdy.dylib" : "-ldy"])
    }
    words.shuffle(using: &random)
    let use = { (random: inout Seeded) in "_use\(random.number(FatGroup.count))" }
    args = ["-L."]
    args += random.once(in: 3) ? ["-execute", "-pagezero_size", "0x4000", "-e", use(&random)] : ["-dylib"]
    args += flags
    if random.once(in: 3) { args.append("-dead_strip") }
    if random.once(in: 3) { args += ["-u", use(&random)] }
    args += words.flatMap { $0 }
  }

  private mutating func add(_ file: FatGroup.File, _ name: String) throws {
    try scratch.write(name, file.content)
    for (member, names) in file.definitions { define(names, member.map { "\(name)(\($0))" } ?? name) }
  }

  /// One that has nothing of what others have, or now and then the same objects: two plugins with one SDK.
  private static func take(
    _ files: [FatGroup.File], _ taken: inout Set<Int>, _ random: inout Seeded
  ) -> FatGroup.File? {
    let isShared = random.once(in: 8)
    let file = random.one(of: files.filter { isShared || taken.isDisjoint(with: $0.objects) })
    taken.formUnion(file?.objects ?? [])
    return file
  }
}
