import TestSupport

@testable import LinkSupport

/// Objects of link-time optimisation and ordinary ones that draw from the same names.
///
/// Left out: libraries that object files ask for (`LC_LINKER_OPTION`). lld compiles bitcode before it looks for them: what
/// comes later as bitcode it does not compile, and what it had is undefined to it meanwhile, so that what is loaded then
/// rests on how far it was. Categories of bitcode: what their methods are is no symbol. `-load_hidden` with `-dead_strip`:
/// lld forgets that a bitcode name is hidden if an ordinary object file mentions it, and exports it.
struct LinkTimeGroup: Sendable {
  var objects: [DrawnObject] = []
  static let count = 16
  static let names = 30

  init(_ number: Int) async throws {
    var random = Seeded(seed: 2_000_003 &* (number + 1))
    for index in 0..<Self.count {
      if random.once(in: 3) {
        objects.append(try await Assembler.object(RandomObject(index, of: Self.count, names: Self.names, &random)))
      } else {
        let module = RandomModule(index, of: Self.count, names: Self.names, &random)
        objects.append(
          DrawnObject(
            name: module.name, content: try await Assembler.bitcode(module.text, isThin: random.once(in: 3)),
            definitions: module.definitions,
            locals: module.locals))
      }
    }
  }
}

extension DrawnLinkSet {
  init(_ seed: Int, _ group: LinkTimeGroup) throws {
    var random = Seeded(seed: 10_000_019 &+ seed)
    var rest = group.objects.shuffled(using: &random)
    rest.removeLast(random.number(4))
    var words: [[String]] = []
    for number in 0..<(1 + random.number(3)) {
      guard let object = rest.popLast() else { break }
      let name = number == 0 ? "main.o" : object.name
      try add(object, as: name)
      words.append([name])
    }
    for name in ["liba.a", "libb.a", "libc.a", "libd.a"] where !rest.isEmpty {
      let members = Array(rest.suffix(1 + random.number(3)))
      rest.removeLast(members.count)
      try addLibrary(name, members, &random)
      words += DrawnLinkSet.words(forLibrary: name, &random)
    }
    words.shuffle(using: &random)
    args = ["-L.", random.once(in: 2) ? "--lto-O0" : "--lto-O2"]
    let use = { (random: inout Seeded) in "_use\(random.number(LinkTimeGroup.count))" }
    args += random.once(in: 2) ? ["-execute", "-pagezero_size", "0x4000", "-e", use(&random)] : ["-dylib"]
    if random.once(in: 4) { args.append("-ObjC") }
    if random.once(in: 8) { args.append("-all_load") }
    if random.once(in: 2) { args.append("-dead_strip") }
    if random.once(in: 3) { args += ["-u", use(&random)] }
    if random.once(in: 5) { args += ["-exported_symbol", "_f\(random.number(LinkTimeGroup.names))"] }
    if random.once(in: 8) { args += ["-unexported_symbol", "_f\(random.number(LinkTimeGroup.names))"] }
    if args.contains("-dead_strip") { words = words.map(Self.visible) }
    args += words.flatMap { $0 }
  }

  /// The same library, not hidden.
  private static func visible(_ words: [String]) -> [String] {
    words.filter { $0 != "-load_hidden" }.map { $0.replacing("-hidden-l", with: "-l") }
  }
}
