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
    ("bui", "build"), ("build _", "library ios config build/libA.a b release-record"),
    ("build -C other a", "android"), ("build -f broken.yml _", ""), ("build i", "ios"), ("build -j 4 i", "ios"),
    ("build -- i", "ios"), ("why li", "library"), ("graph li", "library"), ("lint comp", "completion.bash"),
    ("build -C o", "other"), ("build -f oth", "other"),
    // Options.
    ("lint --rec", "--recipe"), ("build --ver", "--version --version-from"), ("build --expl", "--explain"),
    ("lint --strict --st", ""), ("check --closed-world --linke", "--linker"),
    // Their values.
    ("lint --recipe mobilefirst", "mobilefirst-today"), ("recipes show plat", "platformhub"),
    ("recipes rule duplicate-sy", "duplicate-symbol"), ("recipes r", "rule"), ("recipes kind a", "aar app-extension"),
    ("check --level swizz", "swizzling=off swizzling=note swizzling=warning swizzling=error"),
    ("lint --format js", "json"), ("build --set t", "title="), ("check --linker ll", "lld"),
    ("strip --color n", "never"),
  ])
  func bash(_ typed: String, _ expected: String) async throws {
    let scratch = try await folder()
    #expect(try await offered(typed, in: scratch) == expected.split(separator: " ").map(String.init))
  }

  @Test("commands come first, and a name that a shell would take for a command is not offered")
  func nothingTyped() async throws {
    let offered = try await offered("_", in: try await folder())
    #expect(Set(offered).isSuperset(of: CommandWords.commands))
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

  /// Of shells that need not be there: as their scripts ask, without them.
  @Test(arguments: ["zsh", "fish"]) func otherShells(_ shell: String) async throws {
    let script = try await Tool.check([Scenario.binary.string, "--generate-completion-script", shell])
    #expect(script.contains("---completion build -- positional@0"))
    let scratch = try await folder()
    let answer = try await Tool.check(
      [Scenario.binary.string, "---completion", "build", "--", "positional@0", "2", "0", "npi-pack", "build", ""],
      in: scratch.path, environment: ["SAP_SHELL": shell])
    let offered = answer.split(separator: "\n").map(String.init).filter { $0 != " " }
    #expect(offered == ["library", "ios", "config", "build/libA.a", "b", "release-record"])
    let installed = try await Tool.run(["sh", "-c", "command -v \(shell)"]).status == 0
    guard installed else { return }
    try scratch.write("script", script)
    #expect(try await Tool.run([shell, "-n", "script"], in: scratch.path).status == 0)
  }

  @Test func aShellThatIsNotKnownIsRefused() async throws {
    let result = try await Tool.run([Scenario.binary.string, "--generate-completion-script", "tcsh"])
    #expect(result.status == 2)
    #expect(result.err.contains("tcsh"))
  }
}
