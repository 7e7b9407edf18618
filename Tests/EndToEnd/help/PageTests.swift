import Findings
import Foundation
import SystemPackage
import TestSupport
import Testing

/// The pages of the documentation and the README: their examples do what they say, and what they speak of is there.
@Suite struct PageTests {
  static let root = FilePath(#filePath).removingLastComponent().pushing("../../..").lexicallyNormalized()
  static let folder = "Sources/Documentation.docc"
  static let topics =
    ((try? FileManager.default.contentsOfDirectory(atPath: root.pushing(FilePath(folder)).string)) ?? []).sorted()
  static let paths = ["README.md", "Recipes/README.md"] + topics.map { "\(folder)/\($0)" }

  private static func page(_ path: String) throws -> Page {
    Page(try String(contentsOfFile: root.pushing(FilePath(path)).string, encoding: .utf8))
  }

  // MARK: Examples

  /// Three example plugins, as git has them, with what was packed of the first two.
  private static let examples = Task {
    let (scratch, store) = (Scratch(), Scratch())
    for name in ["RallyConnector", "Scanner", "Beacon"] {
      let source = root.pushing(FilePath("Recipes/Examples/\(name)"))
      try FileManager.default.createDirectory(atPath: scratch(name).string, withIntermediateDirectories: true)
      for part in ["npi.yml", "ios", "android"] {
        try await Tool.check(["cp", "-R", source.appending(part).string, scratch(name).string])
      }
      if name == "Beacon" { continue }
      try await ExamplePlugin.pack(scratch(name), environment: ["NPI_PACK_STORE": store("store").string])
      try await Tool.check(["rm", "-rf", "build", ".npi"], in: scratch(name))
    }
    return scratch
  }

  @Test(arguments: paths) func `examples do what the page says`(_ path: String) async throws {
    var page = try Self.page(path)
    let (scratch, store) = (Scratch(), Scratch())
    try await Tool.check(["cp", "-R", try await Self.examples.value.path.string + "/.", scratch.path.string])
    // From the last to the first, a change moves no line that is still to come.
    var changes: [(range: Range<Int>, lines: [String])] = []
    for block in page.blocks {
      if let file = page.file(block) {
        try scratch.write(file, page.content(block))
        if FilePath(file).lastComponent == "npi.yml" {
          let plan = try await Tool.run(
            [Scenario.binary.string, "-n"], in: scratch(file).removingLastComponent(),
            environment: ["NPI_PACK_STORE": store("store").string])
          #expect(plan.status == 0, "\(path): \(file): \(plan.err)")
        }
      }
      guard block.language == "console" else { continue }
      for command in page.commands(block) {
        let run = Scenario.Run(command: "{ \(command.text)\n} 2>&1")
        let done = try await Scenario.perform(run, in: scratch, store)
        #expect(done.exit <= 2, "\(path): \(command.text)")
        let printed = done.stdout.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        if !Page.agree(printed[...], with: page.lines[command.output]) {
          changes.append((command.output, printed))
          Issue.record(
            "\(path): \(command.text) prints (UPDATE_SNAPSHOTS=1 rewrites the page):\n\(printed.joined(separator: "\n"))"
          )
        }
      }
    }
    for change in changes.reversed() { page.lines.replaceSubrange(change.range, with: change.lines) }
    if !changes.isEmpty, ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
      try page.text.write(toFile: Self.root.pushing(FilePath(path)).string, atomically: true, encoding: .utf8)
    }
  }

  /// No command and no manifest is shown that nobody runs.
  @Test(arguments: paths) func `every block is run`(_ path: String) throws {
    let page = try Self.page(path)
    for block in page.blocks {
      let lines = page.lines[block.range]
      switch block.language {
      case "console": #expect(lines.first?.hasPrefix("$ ") == true, "\(path): \(lines)")
      case "yaml", "c": #expect(page.file(block) != nil, "\(path): a block without a path: \(lines)")
      case "sh": for line in lines { #expect(line.hasPrefix("make "), "\(path): \(line)") }
      case "swift": try expectQuoted(page, block, path)
      default: #expect(!lines.contains { $0.contains("$ ") }, "\(path): \(lines)")
      }
    }
  }

  /// Code on a page stands in the file that its first line names, in that order.
  private func expectQuoted(_ page: Page, _ block: Page.Block, _ path: String) throws {
    let file = try #require(page.file(block), "\(path): a block without a path")
    var rest = try String(contentsOfFile: Self.root.pushing(FilePath(file)).string, encoding: .utf8)
      .split(separator: "\n")[...]
    for line in page.lines[block.range].dropFirst() where line != "…" && !line.isEmpty {
      let found = rest.firstIndex { $0 == line }
      #expect(found != nil, "\(path): \(file) has no line '\(line)'")
      if let found { rest = rest[(found + 1)...] }
    }
  }

  // MARK: What a page speaks of

  @Test(arguments: paths) func `commands and their options exist`(_ path: String) async throws {
    let commands = try await help([]).matches(of: #/\n  ([a-z-]+) /#).map { String($0.1) }
    #expect(commands.count > 10)
    let makefile = "\n" + (try String(contentsOfFile: Self.root.appending("Makefile").string, encoding: .utf8))
    let page = try Self.page(path)
    let shown = page.blocks.flatMap { $0.language == "sh" ? Array(page.lines[$0.range]) : [] }
    for span in page.spans + shown {
      var words = span.split(separator: " ").map(String.init)
      if words.first == "make", words.count > 1 {
        #expect(makefile.contains("\n\(words[1]):"), "\(path): \(span)")
      }
      guard words.first == "npi-pack", words.count > 1 else { continue }
      words.removeFirst()
      if words[0] == "help" || words == ["--help"] { continue }
      #expect(commands.contains(words[0]) || words[0].hasPrefix("-"), "\(path): \(span)")
      var command = words[0].hasPrefix("-") ? ["build"] : [words[0]]
      if ["recipes", "cache"].contains(words[0]), words.count > 1 { command.append(words[1]) }
      let text = try await help(command)
      for option in words where option.hasPrefix("-") {
        #expect(text.contains(option), "\(path): \(span): \(option)")
      }
    }
  }

  private func help(_ command: [String]) async throws -> String {
    try await Tool.check([Scenario.binary.string] + ["help"] + command)
  }

  @Test(arguments: paths) func `paths of the repository exist`(_ path: String) throws {
    let page = try Self.page(path)
    let cited = page.spans.compactMap { $0.wholeMatch(of: #/(?:Sources|Tests|Recipes|\.ci)/[-\w./+]+/#) }
      .map { String($0.0) }
    for file in cited where file.firstMatch(of: #/[A-Z]{4}/#) == nil {
      #expect(FileManager.default.fileExists(atPath: Self.root.pushing(FilePath(file)).string), "\(path): \(file)")
    }
    let links = page.text.matches(of: #/\]\(([-\w./]+\.md)\)/#).map { String($0.1) }
    for link in links {
      let file = Self.root.pushing(FilePath(path)).removingLastComponent().pushing(FilePath(link))
      #expect(FileManager.default.fileExists(atPath: file.string), "\(path): \(link)")
    }
  }

  // MARK: In the program

  @Test func `every page is in the program`() async throws {
    let list = try await help(["topics"]).split(separator: "\n").map { line in "\(line.prefix { $0 != " " }).md" }
    #expect((list + ["npi-pack.md"]).sorted() == Self.topics)
    for name in list {
      let text = try String(
        contentsOfFile: Self.root.pushing(FilePath("\(Self.folder)/\(name)")).string, encoding: .utf8)
      #expect(try await help([String(name.dropLast(3))]) == text)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      for line in lines {
        #expect(line.split(separator: "\t").allSatisfy { $0 == printable(String($0)) }, "\(name): \(line)")
      }
      // `help topics` shows the paragraph below the title.
      #expect(lines[0].hasPrefix("# ") && lines[1].isEmpty && !lines[2].isEmpty && lines[3].isEmpty, "\(name)")
      #expect((60...280).contains(lines.count), "\(name): \(lines.count) lines")
    }
  }

  @Test func `every recipe is listed`() async throws {
    let page = try Self.page("\(Self.folder)/hosts.md").text
    for line in try await Tool.check([Scenario.binary.string, "recipes"]).split(separator: "\n") {
      let name = line.prefix { $0 != " " }
      #expect(page.contains("| `\(name)` |"), "\(name)")
    }
  }

  @Test func `the README is short`() throws {
    let lines = try Self.page("README.md").lines
    #expect(lines.count <= 151)
    // What it catches is on the first screen.
    #expect(lines.prefix(24).contains { $0.hasPrefix("$ npi-pack check") })
  }
}
