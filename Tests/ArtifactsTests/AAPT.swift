import SystemPackage
import TestSupport

/// Debian's aapt2 with the framework's own resources, asked for what we find ourselves.
enum AAPT {
  static let framework = "/usr/share/android-framework-res/framework-res.apk"

  static func symbols(_ files: [(path: String, bytes: [UInt8])]) async throws -> Set<String> {
    parse(try await text(files))
  }

  /// The R.txt of a library with these files in `res/`.
  static func text(_ files: [(path: String, bytes: [UInt8])]) async throws -> String {
    let scratch = Scratch()
    for (path, bytes) in files { try scratch.write("res/\(path)", bytes) }
    try scratch.write(
      "AndroidManifest.xml",
      "<manifest xmlns:android=\"http://schemas.android.com/apk/res/android\" package=\"t.t\"/>")
    // Makes the folder that aapt2 wants to be there.
    try scratch.write("flat/x", "")
    try scratch.remove("flat/x")
    let paths = files.map(\.path).filter { !$0.contains("/.") }.map { scratch("res/\($0)").string }
    try await Tool.check(["aapt2", "compile", "-o", scratch("flat").string] + paths)
    let flats = try await Tool.check(["ls", scratch("flat").string]).split(separator: "\n")
    try await Tool.check(
      [
        "aapt2", "link", "--static-lib", "--no-resource-removal", "-I", framework, "--manifest",
        scratch("AndroidManifest.xml").string,
        "--output-text-symbols", scratch("R.txt").string, "-o", scratch("lib.apk").string,
      ] + flats.map { scratch("flat/\($0)").string })
    return try scratch.text("R.txt")
  }

  /// `type name` of every line, and `styleable Name(child, child) 2` with the children sorted, for aapt2 sorts them.
  static func parse(_ text: String) -> Set<String> {
    var names: Set<String> = []
    var styleable: (name: Substring, ids: Int)?
    var children: [Substring] = []
    func close() {
      guard let (name, ids) = styleable else { return }
      let own = children.map { $0.dropFirst(name.count + 1) }.sorted().joined(separator: ", ")
      names.insert("styleable \(name)(\(own)) \(ids)")
      styleable = nil
      children = []
    }
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words[0] == "int[]" {
        close()
        styleable = (words[2], words.count { $0.hasPrefix("0x") })
      } else if words[1] == "styleable" {
        children.append(words[2])
      } else {
        close()
        names.insert("\(words[1]) \(words[2])")
      }
    }
    close()
    return names
  }
}
