import Foundation
import SystemPackage
import TestSupport

extension Bench {
  /// Real static libraries: as XCFrameworks against the same files in plain zips, and joined into one library against
  /// LLVM's libtool. Copies make up the size.
  mutating func realLibraries(_ libraries: RealLibraries) async throws {
    let scratch = Scratch()
    let files = try Bench.copies(of: try libraries.all(), megabytes: 200, into: scratch)
    func write(_ name: String, _ kind: String) throws {
      let deliverables = files.indices.map { "  d\($0): \(kind.replacingOccurrences(of: "N", with: "\($0)"))\n" }
      try scratch.write(
        name, "name: Bench\nversion: 1.0\nrules: { missing-library: off }\ndeliverables:\n\(deliverables.joined())")
    }
    try write("x.yml", "{ kind: xcframework, libraries: libN.a, name: N.zip }")
    try write("zip.yml", "{ kind: ios-zip, items: [libN.a], name: N.zip }")
    func pack(_ manifest: String) async throws {
      for folder in [".npi", "dist"] { try? FileManager.default.removeItem(atPath: scratch(folder).string) }
      try await Tool.check([Bench.tool, "--quiet", "-f", manifest], in: scratch.path)
    }
    try await compare("XCFrameworks of \(files.count) libraries, 200 MB", with: "zips", atLeast: 0.91, rounds: 7) {
      try await pack("x.yml")
    } theirs: {
      try await pack("zip.yml")
    }
    let half = files.prefix(files.count / 2)
    let inputs = half.map(\.string).joined(separator: ", ")
    try scratch.write(
      "join.yml",
      "name: Bench\nversion: 1.0\nsteps: { j: { kind: static-library, inputs: [\(inputs)], output: j.a } }\n")
    try await compare("static-library, 100 MB", with: "llvm-libtool-darwin", atLeast: 1, rounds: 7) {
      for name in [".npi", "j.a"] { try? FileManager.default.removeItem(atPath: scratch(name).string) }
      try await Tool.check([Bench.tool, "--quiet", "-f", "join.yml", "j"], in: scratch.path)
    } theirs: {
      try await Tool.check(
        ["llvm-libtool-darwin-19", "-static", "-D", "-o", "theirs.a"] + half.map(\.string), in: scratch.path)
    }
    try await Tool.check(["cmp", "j.a", "theirs.a"], in: scratch.path)
  }

  private static func copies(of libraries: [String], megabytes: Int, into scratch: Scratch) throws -> [FilePath] {
    var (files, size): ([FilePath], Int) = ([], 0)
    while size < megabytes << 20 {
      let source = FilePath(libraries[files.count % libraries.count])
      let name = FilePath("lib\(files.count).a")
      try FileManager.default.copyItem(atPath: source.string, toPath: scratch.path.pushing(name).string)
      size += try fileSize(source)
      files.append(name)
    }
    return files
  }
}
