import SystemPackage
import TestSupport

/// A tree of small sources and the same steps over them as a manifest, as `build.ninja` and as a Makefile: each step
/// copies the first file of a folder and reads them all; a last step reads what all others made.
struct EngineTree {
  let scratch = Scratch()
  let inputs: Int
  let inputsPerStep: Int
  /// The manifest says `folder/*.c`; ninja and make, which know no globs of their own or list by `$(wildcard)`, get names.
  let usesGlobs: Bool

  var steps: Int { inputs / inputsPerStep }

  func write() throws {
    var manifest = "name: Bench\nversion: 1.0\nsteps:\n"
    var ninja = "rule copy\n  command = cp $first $out\nrule touch\n  command = touch $out\n"
    var rules = ""
    var outputs: [String] = []
    for step in 0..<steps {
      let folder = "part\(step / 20)/s\(step)"
      let files = (0..<inputsPerStep).map { "src/\(folder)/file\($0).c" }
      for file in files { try scratch.write(file, "// \(file)\nint f(void) { return \(step); }\n") }
      let output = "build/part\(step / 20)/s\(step).o"
      outputs.append(output)
      let listed = usesGlobs ? "'src/\(folder)/*.c'" : files.joined(separator: ", ")
      manifest += "  s\(step): { run: [cp, \(files[0]), \(output)], inputs: [\(listed)], outputs: [\(output)] }\n"
      ninja += "build \(output): copy \(files.joined(separator: " "))\n  first = \(files[0])\n"
      rules += "\(output): \(files.joined(separator: " ")) | build/part\(step / 20)\n\tcp \(files[0]) $@\n"
    }
    manifest += "  all: { run: [touch, build/all], inputs: ['build/**/*.o'], outputs: [build/all] }\n"
    ninja += "build build/all: touch \(outputs.joined(separator: " "))\n"
    let folders = Set((0..<steps).map { "build/part\($0 / 20)" }).sorted().joined(separator: " ")
    let all = "build/all: \(outputs.joined(separator: " "))\n\ttouch $@\n\(folders):\n\tmkdir -p $@\n"
    try scratch.write("npi.yml", manifest)
    try scratch.write("build.ninja", ninja)
    try scratch.write("Makefile", all + rules)
  }

  /// What a build leaves, of every tool.
  static let made = ["build", ".npi", "dist", ".ninja_log", ".ninja_deps"]
}
