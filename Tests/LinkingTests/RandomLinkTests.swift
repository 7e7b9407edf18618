import Lanes
import SystemPackage
import Testing
import TestSupport

@testable import LinkSupport

/// Link sets drawn by chance, by lld and by us. `NPI_SEEDS=5000` for a long run; `NPI_SEED=17` for one that failed, with
/// `NPI_KEEP=FOLDER` to keep its files there.
@Suite("link sets drawn by chance", .tools)
struct RandomLinkTests {
  @Test("lld's verdicts are ours", .timeLimit(.minutes(30)))
  func random() async throws {
    try await DrawnLinkSet.compare("objects", Seeded.seeds(300), setsOfGroup: 25, prepare: ObjectGroup.init) {
      seed, group in try DrawnLinkSet(seed, group)
    }
  }
}

extension DrawnLinkSet {
  /// Some of a group's objects, in archives or by themselves.
  init(_ seed: Int, _ group: ObjectGroup) throws {
    var random = Seeded(seed: seed)
    var rest = group.objects.shuffled(using: &random)
    rest.removeLast(random.number(4))
    var words: [[String]] = []
    for number in 0..<(1 + random.number(3)) {
      guard let object = rest.popLast() else { break }
      let name = number == 0 ? "main.o" : object.name
      try add(object, as: name)
      words.append([name])
    }
    for name in ["liba.a", "libb.a", "libc.a", "libx.a", "liby.a"] where !rest.isEmpty {
      let isAsked = name == "libx.a" || name == "liby.a"
      if isAsked, random.once(in: 2) { continue }
      let members = Array(rest.suffix(1 + random.number(3)))
      rest.removeLast(members.count)
      try addLibrary(name, members, &random)
      if isAsked, !random.once(in: 3) { continue }
      words += DrawnLinkSet.words(forLibrary: name, &random)
    }
    if random.once(in: 3) {
      try add(group.library)
      words.append([random.once(in: 2) ? "libdy.dylib" : "-ldy"])
    }
    words.shuffle(using: &random)
    args = ["-L."]
    // Code must be able to call what has an absolute address.
    args +=
      random.once(in: 4) ? ["-execute", "-pagezero_size", "0x4000", "-e", "_use\(random.number(12))"] : ["-dylib"]
    for flag in ["-ObjC", "-all_load", "-dead_strip", "-ignore_auto_link"]
    where random.once(in: flag == "-dead_strip" ? 2 : 6) {
      args.append(flag)
    }
    if random.once(in: 2) { args.append("--check-category-conflicts") }
    if random.once(in: 8) { args.append("--dead-strip-duplicates") }
    if random.once(in: 3) { args += ["-u", "_use\(random.number(12))"] }
    if random.once(in: 8) {
      args += ["-exported_symbol", random.once(in: 2) ? "_f\(random.number(RandomObject.names))" : "_use*"]
    }
    if random.once(in: 8) { args += ["-unexported_symbol", "_f\(random.number(RandomObject.names))"] }
    if random.once(in: 8) { args += ["-alias", "_use\(random.number(12))", "_f\(random.number(RandomObject.names))"] }
    args += words.flatMap { $0 }
  }
}
