import Lanes
import Linking
import Rewriting
import SystemPackage
import Testing
import TestSupport

@testable import LinkSupport

/// Hidden names: LLVM's tools see what is hidden, and linkers do not find it.
@Suite(.tools, .timeLimit(.minutes(20))) struct HidingTests {
  /// The exports of a dylib, as llvm-objdump reads its trie.
  private func exports(_ file: String, in scratch: Scratch) async throws -> Set<String> {
    let lines = try await Tool.check(
      ["llvm-objdump-19", "--macho", "--exports-trie", file], in: scratch.path
    ).split(separator: "\n")
    return Set(lines.filter { $0.hasPrefix("0x") }.map { String($0.split(separator: " ")[1]) })
  }

  @Test("dylibs lose the exports that are listed, and no others", arguments: Seeded.seeds(20))
  func dylibs(_ seed: Int) async throws {
    var random = Seeded(seed: seed)
    let scratch = Scratch()
    var library = RandomLibrary(in: 2, names: 40, &random)
    library.addClass("View")
    let made = try await library.made("old.dylib", "@rpath/x.dylib")
    try scratch.write("old.dylib", made.content)
    let before = try await exports("old.dylib", in: scratch)
    let weak = Set(
      try await Tool.check(["llvm-nm-19", "-m", "old.dylib"], in: scratch.path).split(separator: "\n")
        .filter { $0.contains(" weak external ") }.map { String($0.split(separator: " ").last ?? "") })
    // A class goes as a whole.
    var hidden = before.filter { !$0.contains("METACLASS") && random.once(in: 2) }
    let listed = hidden.sorted()
    if hidden.contains("_OBJC_CLASS_$_View") { hidden.insert("_OBJC_METACLASS_$_View") }
    guard !hidden.isEmpty else { return }
    _ = try rename("old.dylib", to: "new.dylib", SymbolRewrite(hiding: listed), in: scratch)
    let after = try await exports("new.dylib", in: scratch)
    #expect(after == before.subtracting(hidden.subtracting(weak)))
    #expect(try scratch.read("new.dylib").count == made.content.count)
    // A linker finds the names that stay, and only those.
    for name in before where name.hasPrefix("_f") {
      try scratch.write("use.o", try await Assembler.object(".data\n.p2align 3\n_use: .quad \(name)\n"))
      let linked = try await Tool.run(
        ["ld64.lld-19"] + LLD.base + ["-dylib", "-undefined", "error", "-o", "out", "use.o", "new.dylib"],
        in: scratch.path)
      #expect((linked.status == 0) == after.contains(name), "\(name): \(linked.all)")
    }
  }

  @Test(
    "object files keep their names",
    arguments: ["arm64-apple-ios13.0", "armv7-apple-ios7.0", "aarch64-linux-android21", "armv7a-linux-androideabi21"])
  func objects(_ target: String) async throws {
    let scratch = Scratch()
    try await scratch.makeLibrary(target)
    let isApples = target.contains("apple")
    let keep = isApples ? "_rally_open" : "rally_open"
    _ = try rename("lib.a", to: "new.a", SymbolRewrite(hiding: [], keep: [keep]), in: scratch)
    #expect(try await scratch.nm("lib.a", ["-a"]) == scratch.nm("new.a", ["-a"]))
    let text = try await Tool.check(
      isApples ? ["llvm-nm-19", "-m", "-gU", "new.a"] : ["llvm-readelf-19", "-sW", "new.a"], in: scratch.path)
    let lines = text.split(separator: "\n").filter { $0.contains("rally") && !$0.contains("UND") }
    #expect(lines.count > 3)
    for line in lines where isApples || line.contains("GLOBAL") || line.contains("WEAK") {
      let isHidden = line.contains(isApples ? "private external" : "HIDDEN")
      #expect(isHidden == !line.hasSuffix(keep), "\(line)")
    }
    // The library still links with itself, and its output shows the kept name alone.
    if isApples, target.contains("arm64") {
      try await scratch.linkDylib("new.a")
      #expect(try await exports("new.a", in: scratch) == [keep])
    }
  }
}
