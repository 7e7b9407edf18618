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

extension Bench {
  /// New names for the packages of the jars that this machine's packages brought, against packing the same jars anew
  /// with the same writer. A package that most classes of a jar are in gets another name.
  mutating func relocation() async throws {
    let scratch = Scratch()
    let found = try await Tool.check([
      "find", "/usr/share/java", "-name", "*.jar", "-type", "f", "-size", "+200k", "-size", "-20000k", "-printf",
      "%s %p\n",
    ])
    var (steps, size, number) = ([("", "")], 0, 0)
    for line in found.split(separator: "\n").sorted() where size < 100 << 20 {
      let parts = line.split(separator: " ", maxSplits: 1)
      let names = try await Tool.check(["unzip", "-Z1", String(parts[1])]).split(separator: "\n")
      let packages = names.filter { $0.hasSuffix(".class") && !$0.hasPrefix("META-INF") }.map {
        $0.split(separator: "/").dropLast().prefix(3).joined(separator: ".")
      }
      let counts = Dictionary(packages.map { ($0, 1) }, uniquingKeysWith: +)
      guard let package = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) })?.key, !package.isEmpty else {
        continue
      }
      try FileManager.default.copyItem(atPath: String(parts[1]), toPath: scratch("\(number).jar").string)
      let common = "  s\(number): { output: out/\(number).jar, "
      steps.append(
        (
          common + "kind: relocate, input: \(number).jar, packages: { \(package): zz.own.\(package) } }\n",
          common + "kind: jar, classes: \(number).jar, strip-signatures: true }\n"
        ))
      size += Int(parts[0]) ?? 0
      number += 1
    }
    let head =
      "name: Bench\nversion: 1.0\nrules: { duplicate-class: warning, duplicate-java-resource: warning }\nsteps:\n"
    try scratch.write("ours.yml", head + steps.map(\.0).joined())
    try scratch.write("theirs.yml", head + steps.map(\.1).joined())
    func build(_ manifest: String) async throws {
      for folder in [".npi", "out"] { try? FileManager.default.removeItem(atPath: scratch(folder).string) }
      let targets = (0..<number).map { "s\($0)" }
      try await Tool.check([Bench.tool, "--quiet", "-f", manifest] + targets, in: scratch.path)
    }
    try await compare("relocate, \(number) jars, \(size >> 20) MB", with: "packing them anew", atLeast: 0.67, rounds: 5)
    {
      try await build("ours.yml")
    } theirs: {
      try await build("theirs.yml")
    }
  }
}
