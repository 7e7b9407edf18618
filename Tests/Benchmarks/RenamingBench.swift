import Foundation
import SystemPackage
import TestSupport

extension Bench {
  /// New names for the symbols of the static libraries that this machine's compilers and packages brought, against
  /// LLVM's objcopy with a list of the same names, which is made before the clock runs.
  mutating func renaming() async throws {
    let scratch = Scratch()
    let libraries = try await Bench.staticLibraries(megabytes: 100)
    for (number, library) in libraries.enumerated() {
      let names = try await Tool.check(["llvm-nm-19", "-gU", "--format=just-symbols", library.string])
      let unique = Set(names.split(separator: "\n").filter { !$0.hasSuffix(":") })
      try scratch.write("\(number).txt", unique.sorted().map { "\($0) ZZ_\($0)\n" }.joined())
    }
    func rename(_ number: Int, _ words: [String]) async throws {
      try await Tool.check(words + ["\(number).a"], in: scratch.path)
    }
    try await compare(
      "prefix-symbols, \(libraries.count) libraries, 100 MB", with: "llvm-objcopy --redefine-syms", atLeast: 2,
      rounds: 7
    ) {
      for (number, library) in libraries.enumerated() {
        try await rename(number, [Bench.tool, "prefix-symbols", library.string, "--prefix", "ZZ_", "-o"])
      }
    } theirs: {
      for (number, library) in libraries.enumerated() {
        try await rename(number, ["llvm-objcopy-19", "--redefine-syms=\(number).txt", library.string])
      }
    }
  }

  /// Of the largest first, and none that the tool refuses: those of bitcode and linker scripts.
  private static func staticLibraries(megabytes: Int) async throws -> [FilePath] {
    let found = try await Tool.check([
      "find", "/usr/lib", "-name", "*.a", "-type", "f", "-size", "+100k", "-printf", "%s %p\n",
    ])
    let sized = found.split(separator: "\n").compactMap { line -> (size: Int, path: FilePath)? in
      let parts = line.split(separator: " ", maxSplits: 1)
      return parts.count == 2 ? Int(parts[0]).map { ($0, FilePath(String(parts[1]))) } : nil
    }.sorted { ($1.size, $0.path.string) < ($0.size, $1.path.string) }
    let scratch = Scratch()
    var (libraries, size): ([FilePath], Int) = ([], 0)
    for file in sized where size < megabytes << 20 {
      let words = [Bench.tool, "prefix-symbols", file.path.string, "--prefix", "ZZ_", "-o", "out.a"]
      guard try await Tool.run(words, in: scratch.path).status == 0 else { continue }
      libraries.append(file.path)
      size += file.size
    }
    guard size >= megabytes << 20 else {
      throw ToolError("this machine has \(size >> 20) MB of static libraries, of which \(megabytes) are asked")
    }
    return libraries
  }
}
