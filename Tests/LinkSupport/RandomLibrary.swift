import SystemPackage
import TestSupport

/// A dynamic library drawn by chance, and what a test must know of it.
struct RandomLibrary: Sendable {
  var text = Assembly()
  var exports: [String] = []

  /// Functions, about one of `share` names, and a few data; some are weak.
  init(in share: Int, names: Int = RandomObject.names, _ random: inout Seeded) {
    for index in 0..<names where random.once(in: share) {
      text.code("_f\(index)", random.once(in: 3) ? .weak : .global, calls: [])
      exports.append("_f\(index)")
    }
    for index in 0..<names where random.once(in: share + 1) {
      text.data("_d\(index)", random.once(in: 3) ? .weak : .global, alignment: 2, words: 1)
      exports.append("_d\(index)")
    }
    text.code("_library", .global, calls: [])
    exports.append("_library")
  }

  mutating func add(_ name: String, _ scope: Scope) {
    text.code(name, scope, calls: [])
    exports.append(name)
  }

  mutating func addClass(_ name: String) {
    text.objcClass(name, instance: [], own: [])
    exports += ["_OBJC_CLASS_$_\(name)", "_OBJC_METACLASS_$_\(name)"]
  }

  /// Linked by lld.
  func made(_ name: String, _ installName: String, _ flags: [String] = []) async throws -> DrawnObject {
    let scratch = Scratch()
    let lines = text.lines.joined(separator: "\n") + "\n.subsections_via_symbols\n"
    try scratch.write("library.o", try await Assembler.object(lines))
    try await Tool.check(
      ["ld64.lld-19"] + LLD.base + ["-dylib", "-install_name", installName, "-o", name, "library.o"] + flags,
      in: scratch.path)
    return DrawnObject(name: name, content: try scratch.read(name), definitions: exports)
  }
}
