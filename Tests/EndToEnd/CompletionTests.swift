import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import npi_pack

/// What shells offer: the script is loaded by a real shell, which is told what was typed.
@Suite struct CompletionTests {
  private static let manifest = """
    name: Demo
    version: 1.0
    config: { url: x, title: y }
    steps:
      library: { run: [touch, build/libA.a], outputs: [build/libA.a] }
      "a$(touch x)b": { run: [touch, b], outputs: [b] }
    deliverables:
      ios: { kind: ios-zip, items: [build/libA.a] }
      config: { kind: config }
    """

  /// Bash's words are cut at `=`, as it does by itself. `offer` prints what it would put there.
  private static let driver = """
    source ./completion.bash
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
    "$(complete -p npi-pack | sed 's/.*-F \\([^ ]*\\).*/\\1/')" npi-pack "${@: -1}" "${@: -2:1}"
    printf '%s\\n' "${COMPREPLY[@]}"
    """

  private func folder() async throws -> Scratch {
    let scratch = Scratch()
    try scratch.write("npi.yml", Self.manifest)
    try scratch.write("other/npi.yml", "deliverables: { android: { kind: aar } }\n")
    try scratch.write("broken.yml", "deliverables: [\n")
    let script = try await Tool.check([Scenario.binary.string, "--generate-completion-script", "bash"])
    try scratch.write("completion.bash", script)
    try scratch.write("driver.bash", Self.driver)
    return scratch
  }

  /// The pieces of a command line behind `npi-pack`, the last of which has the cursor; `_` is an empty one.
  private func offered(_ typed: String, in scratch: Scratch) async throws -> [String] {
    let pieces = typed.split(separator: " ").map { $0 == "_" ? "" : String($0) }
    let out = try await Tool.check(
      ["bash", "driver.bash", Scenario.binary.string] + pieces, in: scratch.path, environment: ["LC_ALL": "C"])
    return out.split(separator: "\n").map(String.init)
  }

  @Test(arguments: [
    ("bui", "build build/libA.a"), ("build _", "library ios config build/libA.a b release-record"),
    ("-C other build a", "android"), ("-f broken.yml build _", ""), ("-f broken.yml li", "lint"),
    ("build i", "ios"), ("-j 4 gr", "graph"), ("build -- i", "ios"), ("why li", "library"),
    ("graph --messages comp", "completion.bash"), ("lint comp", "completion.bash"), ("-C o", "other"),
    // Options.
    ("lint --re", "--recipe"), ("build --ver", "--version-from --version"), ("--expl", "--explain"),
    ("lint --strict --st", ""), ("check --closed-world --lin", "--linker"),
    // Their values.
    ("lint --recipe mobilefirst", "mobilefirst-today"), ("recipes show plat", "platformhub"),
    ("recipes rule duplicate-sy", "duplicate-symbol"), ("recipes r", "rule"), ("recipes kind a", "aar app-extension"),
    ("--level swizz", "swizzling="), ("--level swizzling = wa", "warning"), ("--level = swizz", "swizzling="),
    ("--level swizzling =", "off note warning error"), ("lint --format js", "json"), ("--set t", "title="),
    ("--version-from g", "git"), ("check --linker ll", "lld"), ("strip --color n", "never"), ("help sch", "schema"),
  ])
  func bash(_ typed: String, _ expected: String) async throws {
    let scratch = try await folder()
    #expect(try await offered(typed, in: scratch) == expected.split(separator: " ").map(String.init))
  }

  @Test("commands and targets come first: build needs not be said")
  func nothingTyped() async throws {
    let offered = try await offered("_", in: try await folder())
    #expect(Set(offered).isSuperset(of: CommandWords.commands + ["ios", "config", "library"]))
    #expect(offered.allSatisfy { !$0.contains("$") })
  }

  /// Each option of each command, with two dashes.
  @Test func allOptions() async throws {
    let scratch = try await folder()
    for command in CommandWords.commands where command != "help" {
      let help = try await Tool.check([Scenario.binary.string, command, "--help"])
      let own = Set(help.matches(of: #/(?m)^  (?:-[a-zA-Z], )?(--[a-z-]+)/#).map { String($0.1) })
      let offered = Set(try await offered("\(command) --", in: scratch))
      #expect(own.isSubset(of: offered), "\(command): \(own.subtracting(offered))")
    }
  }

  /// Of shells that need not be there: as they are asked, without them.
  @Test(arguments: ["zsh", "fish"]) func otherShells(_ shell: String) async throws {
    let script = try await Tool.check([Scenario.binary.string, "--generate-completion-script", shell])
    #expect(script.contains("\(CompletionScript.question) \(shell)"))
    let scratch = try await folder()
    let answer = try await Tool.check(
      [Scenario.binary.string, CompletionScript.question, shell, "--level=swizz"], in: scratch.path)
    #expect(answer == "words\n--level=swizzling=\n")
    let files = try await Tool.check(
      [Scenario.binary.string, CompletionScript.question, shell, "lint", "--recipe", "mobilesm"], in: scratch.path)
    #expect(files == "files\nmobilesmith\n")
    let installed = try await Tool.run(["sh", "-c", "command -v \(shell)"]).status == 0
    guard installed else { return }
    try scratch.write("script", script)
    #expect(try await Tool.run([shell, "-n", "script"], in: scratch.path).status == 0)
  }

  @Test(arguments: [
    (["a", "b"], ["a", "b"], 0), (["--level", "x", "=", "wa"], ["--level", "x=wa"], 2),
    (["--level", "x", "="], ["--level", "x="], 2), (["--set", "=", ""], ["--set="], 6),
    (["'a b'", "c\\ d"], ["a b", "c d"], 0),
  ])
  func bashWords(_ pieces: [String], _ words: [String], _ skipped: Int) {
    let typed = BashWords(pieces)
    #expect(typed.words == words)
    #expect(typed.skipped == skipped)
  }
}
