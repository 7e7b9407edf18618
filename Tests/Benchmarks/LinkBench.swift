import Foundation
import SystemPackage
import TestSupport

/// The link benchmark's material: 100 static libraries of ten object files with 200 functions each and some weak ones that
/// many have, bound by `llvm-ar`; a quarter of the functions call others anywhere, so that one reference loads them all.
struct LinkCorpus {
  static let version = 1

  let folder: FilePath
  let libraries: [String]

  static func make(in cache: FilePath) async throws -> LinkCorpus {
    let folder = FilePath(FileManager.default.currentDirectoryPath).pushing(cache).appending("links-v\(version)")
    let corpus = LinkCorpus(folder: folder, libraries: (0..<100).map { "libPlugin\($0).a" })
    if FileManager.default.fileExists(atPath: folder.appending("complete").string) { return corpus }
    print("making the link corpus (once, about a minute)")
    try? FileManager.default.removeItem(atPath: folder.string)
    try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
    var random = Seeded(seed: 23)
    var commands: [[String]] = []
    for (number, library) in corpus.libraries.enumerated() {
      let members = (0..<10).map { "\(number)-\($0)" }
      for (index, member) in members.enumerated() {
        try text(number, index, &random).write(
          toFile: folder.appending("\(member).s").string, atomically: false, encoding: .utf8)
        commands.append(assembler(member, folder))
      }
      commands.append(
        ["llvm-ar-19", "--format=darwin", "rcsD", folder.appending(library).string]
          + members.map { folder.appending("\($0).o").string })
    }
    try ".globl _main\n_main: bl \"\(name(0, 0, 0))\"\nret\n".write(
      toFile: folder.appending("main.s").string, atomically: false, encoding: .utf8)
    commands.append(assembler("main", folder))
    for command in commands { try await Tool.check(command) }
    try Data().write(to: URL(fileURLWithPath: folder.appending("complete").string))
    return corpus
  }

  private static func assembler(_ member: String, _ folder: FilePath) -> [String] {
    ["llvm-mc-19", "-filetype=obj", "-triple", "arm64-apple-ios13.0", folder.appending("\(member).s").string]
      + ["-o", folder.appending("\(member).o").string]
  }

  private static func name(_ library: Int, _ member: Int, _ function: Int) -> String {
    "__ZN6plugin\(100 + library)9component\(10 + member)6method\(100 + function)EPKcRKNSt3__112basic_stringIcEE"
  }

  private static func text(_ library: Int, _ member: Int, _ random: inout Seeded) -> String {
    var lines = [".section __TEXT,__text,regular,pure_instructions"]
    for function in 0..<200 {
      lines += [".globl \"\(name(library, member, function))\"", "\"\(name(library, member, function))\":"]
      if function % 4 == 0 {
        lines.append("bl \"\(name(random.number(100), random.number(10), random.number(200)))\"")
      }
      lines.append("ret")
    }
    for function in 0..<20 {
      let name = "__ZNSt3__16vectorI\(10 + function)\(member)E9push_backEOS"
      lines += [".globl \"\(name)\"", ".weak_definition \"\(name)\"", "\"\(name)\":", "ret"]
    }
    return (lines + [".subsections_via_symbols"]).joined(separator: "\n") + "\n"
  }
}

extension Bench {
  /// What collides in a link of 200,000 names against lld's making it, whole processes in turn.
  mutating func links(_ corpus: LinkCorpus) async throws {
    let line = ["-arch", "arm64", "-platform_version", "ios", "13.0", "13.0", "-dylib", "-undefined", "dynamic_lookup"]
    let inputs = ["main.o"] + corpus.libraries
    for flags in [[], ["-all_load"]] {
      let words = line + ["-o", "out.dylib"] + flags + inputs
      let ours = [Bench.tool, "check", "--closed-world", "--linker", "lld", "--format", "json", "--"] + words
      let theirs = ["ld64.lld-19"] + words
      let times = try await inTurn([ours, theirs], in: corpus.folder, rounds: 9)
      let ratio = times[1].wall / times[0].wall
      let numbers = [times[0], times[1]].map { String(format: "%.0f ms (cpu %.0f)", $0.wall * 1000, $0.cpu * 1000) }
      report(
        "link of 100 libraries \(flags.joined()): \(numbers[0]), lld \(numbers[1]): \(Bench.text(ratio)) times",
        (ratio >= 5, "at least 5"))
      let memory = try await [ours, theirs].asyncMap { try await Bench.peakMegabytes($0, in: corpus.folder) }
      report("the same: \(memory[0]) MB of memory at most, lld \(memory[1]) MB", (memory[0] < memory[1], "below lld's"))
    }
  }
}

extension Array {
  fileprivate func asyncMap<T>(_ body: (Element) async throws -> T) async throws -> [T] {
    var result: [T] = []
    for element in self { result.append(try await body(element)) }
    return result
  }
}
