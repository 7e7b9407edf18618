import Foundation
import SystemPackage
import TestSupport

/// One end-to-end test as one text file: prose, then sections that begin with `=== `.
///
///     What this shows, in a line or two.
///     === file npi.yml
///     name: X
///     === run npi-pack build
///     === stdout
///     …
///     === stderr
///     …
///     === exit 2
///
/// Files are written first, in order (`=== link TARGET PATH`, `=== tool PATH` for an executable one). Each `run` is a
/// line for `sh` in the folder of the files, with `npi-pack` on the PATH; what it prints must be exactly what its
/// `stdout` and `stderr` sections hold (none: nothing), its status what `exit` says (none: 0). In what is printed the
/// folder's own path reads `$DIR`, and the sizes and digests of deliverables, which differ between versions of the
/// compressor, read `N bytes, sha256 …`, the version that compared is `VERSION`. With `UPDATE_SNAPSHOTS=1` the file is rewritten with what was printed, and fails if
/// that changed it.
struct Scenario {
  struct Run {
    var command: String
    var stdout = ""
    var stderr = ""
    var exit: Int32 = 0
  }

  enum Section {
    case file(path: String, text: String, executable: Bool)
    case link(target: String, path: String)
    case run(Run)
  }

  var prose = ""
  var sections: [Section] = []

  init(_ text: String) throws {
    var heads: [(head: String, body: String)] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast(text.hasSuffix("\n") ? 1 : 0) {
      if line.hasPrefix("=== ") {
        heads.append((String(line.dropFirst(4)), ""))
      } else if heads.isEmpty {
        prose += line + "\n"
      } else {
        heads[heads.count - 1].body += line + "\n"
      }
    }
    for (head, body) in heads { try add(head, body) }
  }

  private mutating func add(_ head: String, _ body: String) throws {
    let words = head.split(separator: " ", maxSplits: 1).map(String.init)
    let rest = words.count > 1 ? words[1] : ""
    switch words[0] {
    case "file", "tool": sections.append(.file(path: rest, text: body, executable: words[0] == "tool"))
    case "link":
      let parts = rest.split(separator: " ").map(String.init)
      sections.append(.link(target: parts[0], path: parts[1]))
    case "run": sections.append(.run(Run(command: rest)))
    case "stdout": try change { $0.stdout = body }
    case "stderr": try change { $0.stderr = body }
    case "exit": try change { $0.exit = Int32(rest) ?? -1 }
    default: throw ToolError("unknown section '=== \(head)'")
    }
  }

  private mutating func change(_ body: (inout Run) -> Void) throws {
    guard case .run(var run)? = sections.last else { throw ToolError("output before any run") }
    body(&run)
    sections[sections.count - 1] = .run(run)
  }

  /// The scenario with what its commands really print.
  func performed() async throws -> Scenario {
    let (scratch, store) = (Scratch(), Scratch())
    var result = self
    for (index, section) in sections.enumerated() {
      switch section {
      case .file(let path, let text, let executable): try scratch.write(path, text, executable: executable)
      case .link(let target, let path): try scratch.link(path, to: target)
      case .run(let run): result.sections[index] = .run(try await Scenario.perform(run, in: scratch, store))
      }
    }
    return result
  }

  /// Does what stands before a section, in a folder of the caller's.
  func prepare(_ index: Int, in scratch: Scratch, _ store: Scratch) async throws {
    for section in sections[..<index] {
      switch section {
      case .file(let path, let text, let executable): try scratch.write(path, text, executable: executable)
      case .link(let target, let path): try scratch.link(path, to: target)
      case .run(let run): _ = try await Scenario.perform(run, in: scratch, store)
      }
    }
  }

  static func perform(_ run: Run, in scratch: Scratch, _ store: Scratch) async throws -> Run {
    let folder = Scenario.binary.removingLastComponent().string
    let done = try await Tool.run(
      ["sh", "-c", run.command], in: scratch.path,
      environment: [
        "PATH": "\(folder):\(Tool.path)", "NO_COLOR": nil, "CI": nil, "LC_ALL": "C", "SOURCE_DATE_EPOCH": nil,
        "NPI_PACK_STORE": store("store").string,
      ])
    func shown(_ text: String) -> String {
      let text = masked(text.replacingOccurrences(of: scratch.path.string, with: "$DIR"))
      return text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
    }
    return Run(command: run.command, stdout: shown(done.out), stderr: shown(done.err), exit: done.status)
  }

  /// Without what a compressor decides, and without the tool's version.
  static func masked(_ text: String) -> String {
    text.replacing(/\([\d,]+ bytes?, sha256 [0-9a-f]{64}\)/, with: "(N bytes, sha256 …)")
      .replacing(/compared by npi-pack \d[\d.]*\d/, with: "compared by npi-pack VERSION")
  }

  /// The text of the file, from which `init` makes the same scenario.
  var text: String {
    sections.reduce(into: prose) { text, section in
      switch section {
      case .file(let path, let body, let executable): text += "=== \(executable ? "tool" : "file") \(path)\n\(body)"
      case .link(let target, let path): text += "=== link \(target) \(path)\n"
      case .run(let run):
        text += "=== run \(run.command)\n"
        if !run.stdout.isEmpty { text += "=== stdout\n\(run.stdout)" }
        if !run.stderr.isEmpty { text += "=== stderr\n\(run.stderr)" }
        if run.exit != 0 { text += "=== exit \(run.exit)\n" }
      }
    }
  }

  /// The `npi-pack` that is tested: the one that `NPI_PACK` names, which `make test` has installed as users install it; else
  /// the debug build beside the test bundle.
  static let binary: FilePath = {
    if let path = ProcessInfo.processInfo.environment["NPI_PACK"], !path.isEmpty { return FilePath(path) }
    let arguments = ProcessInfo.processInfo.arguments
    let candidates = arguments.filter { $0.contains(".xctest") } + [arguments[0], Bundle.main.executablePath ?? ""]
    for candidate in candidates {
      var folder = FilePath(candidate)
      while !folder.isEmpty, folder.components.count > 1 {
        folder.removeLastComponent()
        let binary = folder.appending("npi-pack")
        if FileManager.default.isExecutableFile(atPath: binary.string) { return binary }
      }
    }
    return "npi-pack"
  }()
}
