import Foundation
import SystemPackage
import TestSupport

@testable import LinkSupport

/// Apple's linker itself, where somebody has built it: `NPI_LD64` names the program, beside which `sys/libSystem.dylib` lies.
enum LD64 {
  static let program = ProcessInfo.processInfo.environment["NPI_LD64"]

  /// What it says of a file that it was built without a reader of.
  private static let unread = "unknown-unsupported file format"

  /// Whether there was a file that it could not read: it tells its processor by what else is in it.
  static func passesOver(_ said: String) -> Bool {
    said.contains(unread) || said.contains(#/ignoring file .*, building for iOS-arm64 .* built for \w+-arm64\n/#)
  }

  /// What it says in the words of the records; `definers` as for `LLD.link`. Nil if there is something for it to read that it
  /// was built without readers of.
  static func link(
    _ program: String, _ args: [String], in folder: FilePath, definers: [String: [String]]
  ) async throws -> (record: Oracle.Record, said: String)? {
    let library = FilePath(program).removingLastComponent().appending("sys/libSystem.dylib").string
    let output = ["-o", "out.ld64", "-map", "out.ld64.map", "-why_load"]
    let result = try await Tool.run([program] + LLD.base + output + args + [library], in: folder)
    let map = folder.appending("out.ld64.map").string
    let rows = result.status == 0 ? LLD.rows(try String(contentsOfFile: map, encoding: .utf8)) : []
    var record = Oracle.Record(
      verdict: "silent", duplicates: [], duplicate_files: [:], winners: [:], loaded: [], why_loaded: [:],
      category_conflicts: [])
    for line in result.all.split(separator: "\n") {
      guard let range = line.firstRange(of: #/ ?forced load of /#), line.hasSuffix(")") else { continue }
      let member = LLD.label(line[range.upperBound...])
      let why = line[..<range.lowerBound]
      if record.why_loaded[member] == nil { record.why_loaded[member] = why.isEmpty ? "forced" : String(why) }
    }
    var hasWarnings = false
    for message in messages(result.all) {
      read(message, into: &record)
      hasWarnings = hasWarnings || message[0].contains("warning: ")
    }
    // The output could not be laid out: that says nothing about the inputs.
    if result.err.contains("final section layout") || result.err.contains("exported from both <internal>") {
      return nil
    }
    // It knows no place in a section that it leaves out: nor does that. Nor does a crash of its own.
    if result.err.contains("section number not for any section") || result.err.contains("Assertion") { return nil }
    if result.err.contains(unread), !result.err.contains("0x21 0x3C 0x61") { return nil }
    record.duplicates = record.duplicate_files.keys.sorted()
    let inMap = rows.filter { !$0.isPointer && $0.label.contains("(") }.map(\.label)
    record.loaded = Set(record.why_loaded.keys).union(inMap).sorted()
    if result.status != 0 {
      record.verdict = record.duplicates.isEmpty ? "unsupported" : "error"
    } else {
      record.verdict = result.err.contains(unread) ? "unsupported" : hasWarnings ? "warning" : "silent"
      record.winners = LLD.winners(rows, definers)
    }
    return (record, result.err)
  }

  private static func read(_ message: [String], into record: inout Oracle.Record) {
    let first = message[0]
    if let match = first.wholeMatch(of: /(?:ld: warning: )?duplicate symbol '(.*)' in:/) {
      var counts: [String: Int] = [:]
      let name = String(match.1)
      for place in record.duplicate_files[name] ?? [] { counts[place, default: 0] += 1 }
      let places = message.dropFirst().filter { $0.hasPrefix("    ") }
        .map { LLD.label($0.trimmingCharacters(in: .whitespaces)) }
      for place in Set(places) { counts[place] = max(counts[place] ?? 0, places.count { $0 == place }) }
      record.duplicate_files[name] = counts.flatMap { Array(repeating: $0.key, count: $0.value) }.sorted()
    } else if let match = first.firstMatch(
      of:
        /method '([-+].+?)' in category from (.+) (?:conflicts with same method from another category|overrides method from class in (.+))$/
    ) {
      var files: Set<String> = [LLD.label(match.2)]
      if let other = match.3 { files.insert(LLD.label(other)) }
      record.category_conflicts.append(
        Oracle.Conflict(
          method: String(match.1), kind: match.3 == nil ? "category" : "class", files: files.sorted()))
    }
  }

  /// Without those that every link gives, or that say nothing about the inputs. A message and the lines that belong to it.
  private static func messages(_ text: String) -> [[String]] {
    let noise = [
      "directory not found for option", "dynamic_lookup is deprecated", "not 4-byte aligned", "platform not specified",
      "passed two min versions", "forced load of ",
      "-pagezero_size, it's incompatible", "not adding explicit re-export", "cannot weak re-export a dylib",
    ]
    var messages: [[String]] = []
    for line in text.split(separator: "\n").map(String.init) where !noise.contains(where: line.contains) {
      if line.hasPrefix("ld: ") || line.hasPrefix("duplicate symbol ") || messages.isEmpty {
        messages.append([line])
      } else {
        messages[messages.count - 1].append(line)
      }
    }
    return messages
  }
}
