import Documents
import Foundation
import Scaffold
import SystemPackage
import TestSupport
import Testing

/// `init` in two thousand trees that were made to deceive it: what it writes is what was meant, and nothing of a tree is run.
@Suite struct HostileTreesTests {
  private static let count = 2000
  private static let batches = 20

  @Test(arguments: 0..<batches)
  func whatIsWrittenIsWhatWasMeant(_ batch: Int) async throws {
    let scratch = Scratch()
    let marker = scratch("marker").string
    var trees = HostileTrees(seed: batch, marker: marker)
    var written: [(folder: String, text: String)] = []
    for index in 0..<(Self.count / Self.batches) {
      let folder = "tree\(index)"
      try FileManager.default.createDirectory(atPath: scratch(folder).string, withIntermediateDirectories: true)
      // A later file may lie where another one is: then the first stays.
      for (path, bytes) in trees.next() {
        _ = try? scratch.write("\(folder)/\(path)", bytes, executable: path == "gradlew")
      }
      do {
        let proposal = try Scaffold.propose(in: scratch(folder))
        try check(proposal, folder)
        written.append((folder, proposal.text))
      } catch is Refusal {} catch {
        Issue.record("\(folder) of batch \(batch): \(error)")
      }
    }
    #expect(written.count > 10, "too few trees have a manifest to say anything")
    try await build(written.map(\.folder), in: scratch)
    for (folder, text) in written {
      #expect(sameBytes(try scratch.text("\(folder)/npi.yml"), text), "\(folder) of batch \(batch)")
    }
    #expect(!scratch.exists("marker"), "a tree's own words were run")
    let strays = try FileManager.default.contentsOfDirectory(atPath: scratch.path.string)
    #expect(
      strays.allSatisfy { $0.hasPrefix("tree") || $0 == "tools" || $0 == "store" || $0.hasSuffix(".py") }, "\(strays)")
    try await compare(written.map(\.folder), in: scratch)
  }

  private func check(_ proposal: Scaffold.Proposal, _ folder: String) throws {
    let read = YAMLValue(try YAMLText.parse(Array(proposal.text.utf8), name: folder))
    #expect(read?.isSame(as: proposal.value) == true, "\(proposal.text)")
    // U+200D joins emoji, and is seen there.
    let unseen = proposal.text.unicodeScalars.contains { scalar in
      let isHidden = [.format, .control, .lineSeparator, .paragraphSeparator].contains(
        scalar.properties.generalCategory)
      return isHidden && scalar != "\n" && scalar != "\u{200D}"
    }
    #expect(!unseen, "\(proposal.text)")
    #expect(Set(keys(proposal.value)).isSubset(of: ["name", "version", "steps", "deliverables"]))
    for (name, step) in members(proposal.value, "steps") {
      #expect(["xcode", "gradle"].contains(name))
      #expect(Set(keys(step)).isSubset(of: ["run", "directory", "inputs", "outputs"]))
      guard case .list(let words)? = member(step, "run") else { throw ToolError("no command") }
      #expect(words.first == .text(name == "xcode" ? "xcodebuild" : "./gradlew"))
      #expect(words.count == (name == "xcode" ? 10 : 3))
    }
    for (name, deliverable) in members(proposal.value, "deliverables") {
      #expect(name == "ios" || name.hasPrefix("android"))
      #expect([.text("ios-zip"), .text("aar")].contains(member(deliverable, "kind")))
      let known: Set = ["kind", "items", "embed", "name", "manifest", "libs", "res", "assets", "jni"]
      #expect(Set(keys(deliverable)).isSubset(of: known))
    }
  }

  /// With the binary that is installed, as a user runs it.
  private func build(_ folders: [String], in scratch: Scratch) async throws {
    try scratch.write("tools/xcodebuild", "#!/bin/sh\nexit 1\n", executable: true)
    let script =
      "for f in \"$@\"; do (cd \"$f\" && npi-pack init && npi-pack -k --no-sandbox) > /dev/null 2>&1; done; true"
    try await Tool.check(
      ["sh", "-c", script, "sh"] + folders, in: scratch.path,
      environment: [
        "PATH": "\(Scenario.binary.removingLastComponent()):\(scratch("tools")):\(Tool.path)",
        "NPI_PACK_STORE": scratch("store").string,
      ])
  }

  /// PyYAML reads the same.
  private func compare(_ folders: [String], in scratch: Scratch) async throws {
    try scratch.write(
      "read.py",
      """
      import json, sys, yaml
      for folder in sys.argv[1:]:
          with open(folder + '/npi.yml', newline='', encoding='utf-8') as file:
              print(json.dumps(yaml.load(file, yaml.BaseLoader)))
      """)
    let out = try await Tool.check(["python3", "read.py"] + folders, in: scratch.path)
    let lines = out.split(separator: "\n")
    #expect(lines.count == folders.count)
    for (folder, line) in zip(folders, lines) {
      let theirs = YAMLValue(try JSONText.parse(Array(line.utf8), name: folder))
      let ours = YAMLValue(try YAMLText.parse(try scratch.read("\(folder)/npi.yml"), name: folder))
      guard let theirs, let ours else { throw ToolError("\(folder) has nothing") }
      #expect(theirs.isSame(as: ours), "\(folder): \(line)")
    }
  }

  private func keys(_ value: YAMLValue) -> [String] {
    if case .map(let members) = value { members.map(\.key) } else { [] }
  }

  private func member(_ value: YAMLValue, _ key: String) -> YAMLValue? {
    if case .map(let members) = value { members.first { $0.key == key }?.value } else { nil }
  }

  private func members(_ value: YAMLValue, _ key: String) -> [(String, YAMLValue)] {
    if case .map(let members)? = member(value, key) { members.map { ($0.key, $0.value) } } else { [] }
  }
}
