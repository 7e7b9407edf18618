import Foundation
package import SystemPackage

/// Debian's aapt2 with the framework's own resources, asked for what we find ourselves.
package enum AAPT {
  package static let framework = "/usr/share/android-framework-res/framework-res.apk"

  package static func symbols(_ files: [(path: String, bytes: [UInt8])]) async throws -> Set<String> {
    parse(try await text(files))
  }

  /// The `R.txt` of a library with these files in `res/`.
  package static func text(_ files: [(path: String, bytes: [UInt8])]) async throws -> String {
    let scratch = Scratch()
    for (path, bytes) in files { try scratch.write("res/\(path)", bytes) }
    let paths = files.map(\.path).filter { !$0.contains("/.") }.map { scratch("res/\($0)") }
    let compiled = try await compile(paths, into: scratch("flat"))
    guard compiled.status == 0 else { throw ToolError("aapt2 compile: \(compiled.all)") }
    let (linked, text) = try await link(scratch("flat"), package: "t.t", in: scratch)
    guard let text else { throw ToolError("aapt2 link: \(linked.all)") }
    return text
  }

  /// Compiles each file; those that it refuses leave no `.flat` behind.
  package static func compile(_ paths: [FilePath], into folder: FilePath) async throws -> ToolResult {
    try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
    var all = ToolResult(status: 0, out: "", err: "")
    // A command line is not endless.
    for start in stride(from: 0, to: paths.count, by: 1000) {
      let some = paths[start..<min(paths.count, start + 1000)].map(\.string)
      let result = try await Tool.run(["aapt2", "compile", "--no-crunch", "-o", folder.string] + some)
      all = ToolResult(status: max(all.status, result.status), out: all.out + result.out, err: all.err + result.err)
    }
    return all
  }

  /// Links what was compiled; the text is that of `R.txt`, nil if it refuses.
  package static func link(
    _ folder: FilePath, package: String, in scratch: Scratch
  ) async throws -> (result: ToolResult, text: String?) {
    try scratch.write(
      "AndroidManifest.xml",
      "<manifest xmlns:android=\"http://schemas.android.com/apk/res/android\" package=\"\(package)\"/>")
    let flats = try FileManager.default.contentsOfDirectory(atPath: folder.string).sorted()
    try scratch.write("flats.txt", flats.map { folder.appending($0).string }.joined(separator: " "))
    let result = try await Tool.run(
      [
        "aapt2", "link", "--static-lib", "--no-resource-removal", "-I", framework, "--manifest",
        scratch("AndroidManifest.xml").string,
        "--output-text-symbols", scratch("R.txt").string, "-o", scratch("lib.apk").string,
        "@\(scratch("flats.txt").string)",
      ])
    return (result, result.status == 0 ? try scratch.text("R.txt") : nil)
  }

  /// What one file defines by itself, whatever it refers to.
  package static func symbolsAlone(_ path: FilePath, in scratch: Scratch) async throws -> String {
    try FileManager.default.createDirectory(atPath: scratch("alone").string, withIntermediateDirectories: true)
    try await Tool.check(
      [
        "aapt2", "compile", "--no-crunch", "--output-text-symbols", scratch("alone.txt").string,
        "-o", scratch("alone").string, path.string,
      ])
    // Each line begins with who may see the name.
    return try scratch.text("alone.txt").split(separator: "\n")
      .map { $0.drop { $0 != " " }.dropFirst() }.joined(separator: "\n")
  }

  /// `type name` of every line, and `styleable Name(child, child)` with the children sorted, for aapt2 sorts them. A
  /// list whose length is not that of its children shows both.
  package static func parse(_ text: String) -> Set<String> {
    var names: Set<String> = []
    var styleables: [String: (children: Set<String>, ids: Int?)] = [:]
    var open = ""
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      // Compiled files keep the dots that a link makes underscores.
      let name = String(words[2].map { ".:-".contains($0) ? "_" : $0 })
      if words[0] == "int[]" {
        open = name
        let ids = words.count > 3 ? words.count { $0.hasPrefix("0x") } : nil
        styleables[name, default: ([], ids)].ids = ids
      } else if words[1] == "styleable" {
        styleables[open]?.children.insert(String(name.dropFirst(open.count + 1)))
      } else {
        names.insert("\(words[1]) \(name)")
      }
    }
    for (name, (children, ids)) in styleables {
      let length = ids == nil || ids == children.count ? "" : " but \(ids ?? 0) ids"
      names.insert("styleable \(name)(\(children.sorted().joined(separator: ", ")))\(length)")
    }
    return names
  }
}
