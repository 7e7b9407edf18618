import SystemPackage
import Testing
import TestSupport

/// What is kept of one app is not taken for another whose words are the same and mean other files.
@Suite("apps with a store")
struct KeptAppsTests {
  @Test("a library beside each app's file")
  func besideTheFile() async throws {
    let scratch = Scratch()
    let sources = [
      "a": ".globl _f, _a\n_f:\n_a: .quad 0\n.linker_option \"-lextra\"\n", "b": ".globl _f\n_f: .quad _wanted\n",
      "one/libextra": ".globl _wanted, _a\n_wanted:\n_a: .quad 0\n",
      "two/libextra": ".globl _wanted\n_wanted: .quad 1\n",
    ]
    for folder in ["one", "two"] {
      try scratch.write("\(folder)/apps.yml", "App: {plugins: [../a.a, ../b.a], args: [-all_load, -L.]}\n")
    }
    for (name, text) in sources {
      try scratch.write("\(name).s", ".data\n" + text)
      try await Tool.check(
        ["llvm-mc-19", "-filetype=obj", "-triple", "arm64-apple-ios13.0", "\(name).s", "-o", "\(name).o"],
        in: scratch.path)
      try await Tool.check(
        ["llvm-libtool-darwin-19", "-static", "-D", "-o", "\(name).a", "\(name).o"], in: scratch.path)
    }
    // A file that was written to just now is not known by its time.
    try await Task.sleep(for: .seconds(2.5))
    var said: [String] = []
    for folder in ["one", "two", "one"] {
      let words = [Scenario.binary.string, "check", "--linker", "lld", "--apps", "\(folder)/apps.yml"]
      let known = try await Tool.run(words, in: scratch.path, environment: ["NPI_PACK_STORE": scratch("store").string])
      let new = try await Tool.run(words, in: scratch.path)
      #expect(known.all == new.all)
      said.append(new.all)
    }
    #expect(said[0] != said[1] && said[0] == said[2])
  }
}
