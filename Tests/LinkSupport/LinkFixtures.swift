import Foundation
import Linking
import SystemPackage
import TestSupport

/// A static library as Apple's `libtool` makes it, with the table of contents that the test wants.
enum ArchiveFixture {
  struct Member {
    var name: String
    var content: [UInt8]
    /// Those that the table tells of.
    var names: [String]
  }

  /// `isOdd`: members begin 2 bytes behind multiples of 4, as some tools leave them.
  static func bytes(_ members: [Member], isOdd: Bool = false) -> [UInt8] {
    var strings: [UInt8] = []
    var entries: [(name: Int, member: Int)] = []
    for (number, member) in members.enumerated() {
      for name in member.names {
        entries.append((strings.count, number))
        strings += Array(name.utf8) + [0]
      }
    }
    while strings.count % 8 != 0 { strings.append(0) }
    let tableName = padded("__.SYMDEF")
    let tableSize = 4 + 8 * entries.count + 4 + strings.count
    var place = 8 + 60 + tableName.count + tableSize
    place += place % 2
    var places: [Int] = []
    for member in members {
      places.append(place)
      place += 60 + padded(member.name, isOdd).count + member.content.count
      place += place % 2
    }
    var table = number(8 * entries.count)
    for entry in entries { table += number(entry.name) + number(places[entry.member]) }
    table += number(strings.count) + strings
    var result = Array("!<arch>\n".utf8)
    add("__.SYMDEF", table, to: &result)
    for member in members { add(member.name, member.content, isOdd: isOdd, to: &result) }
    return result
  }

  private static func add(_ name: String, _ content: [UInt8], isOdd: Bool = false, to result: inout [UInt8]) {
    let name = padded(name, isOdd)
    let fields = [
      ("#1/\(name.count)", 16), ("0", 12), ("0", 6), ("0", 6), ("100644", 8), ("\(name.count + content.count)", 10),
    ]
    for (text, width) in fields { result += Array(text.padding(toLength: width, withPad: " ", startingAt: 0).utf8) }
    result += Array("`\n".utf8) + name + content
    if result.count % 2 != 0 { result.append(UInt8(ascii: "\n")) }
  }

  private static func padded(_ name: String, _ isOdd: Bool = false) -> [UInt8] {
    let bytes = Array(name.utf8)
    return bytes + [UInt8](repeating: 0, count: 8 - bytes.count % 8 + (isOdd ? 2 : 0))
  }

  private static func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
}

/// lld itself, and what it says in the words of the records.
enum LLD {
  static let base = ["-arch", "arm64", "-platform_version", "ios", "13.0", "13.0", "-undefined", "dynamic_lookup"]

  /// `definers`: for each name the labels of the inputs that define it; members of one name have one label.
  static func link(_ args: [String], in folder: FilePath, definers: [String: [String]]) async throws -> (
    record: Oracle.Record, said: String
  ) {
    let output = ["-o", "out.image", "-map", "out.map", "-why_load", "--error-limit=0", "-save-temps"]
    let result = try await Tool.run(["ld64.lld-19"] + base + output + args, in: folder)
    let map = result.status == 0 ? try String(contentsOfFile: folder.appending("out.map").string, encoding: .utf8) : ""
    var found = record(result, rows(map), definers)
    found.bitcode_winners = try bitcodeWinners(in: folder, definers)
    return (found, result.err)
  }

  /// Which bitcode files' definitions were taken, as `-save-temps` tells it; nil if there was no bitcode. The map has only
  /// those that the optimiser left, and not the commons among them.
  private static func bitcodeWinners(
    in folder: FilePath, _ definers: [String: [String]]
  ) throws -> [String: String]? {
    let file = folder.appending("out.image.resolution.txt").string
    guard FileManager.default.fileExists(atPath: file) else { return nil }
    var winners: [String: String] = [:]
    for line in try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n") where line.hasPrefix("-r=") {
      // -r=liba.a(a.o)68,_name,plx
      let words = line.dropFirst(3).split(separator: ",", omittingEmptySubsequences: false)
      guard words.count == 3, words[2].contains("p") else { continue }
      let name = String(words[1])
      let member = words[0].contains("(") ? words[0].prefix { $0 != ")" } + ")" : words[0]
      if let labels = definers[name], labels.count > 1 { winners[name] = label(member) }
    }
    return winners
  }

  private static func record(
    _ result: ToolResult, _ rows: [Row], _ definers: [String: [String]]
  ) -> Oracle.Record {
    var record = Oracle.Record(
      verdict: "silent", duplicates: [], duplicate_files: [:], winners: [:], loaded: [], why_loaded: [:],
      category_conflicts: [])
    for line in result.all.split(separator: "\n") {
      guard let range = line.range(of: " forced load of "), line.hasSuffix(")") else { continue }
      let member = label(line[range.upperBound...])
      if record.why_loaded[member] == nil { record.why_loaded[member] = String(line[..<range.lowerBound]) }
    }
    var ignored: Set<String> = []
    var hasWarnings = false
    var otherErrors = 0
    for message in messages(result.err) {
      let first = message[0]
      let places = message.dropFirst().compactMap { line in
        line.range(of: "(^>>> defined in (?:category .* from |class .* from )?)", options: .regularExpression)
          .map { label(line[$0.upperBound...]) }
      }
      if let range = first.range(of: "error: duplicate symbol: ") {
        let name = String(first[range.upperBound...])
        // What was said of bitcode once may be said again of the code that is made of it (ThinLTO).
        if places.contains("lto.tmp"), record.duplicate_files[name] != nil { continue }
        var counts: [String: Int] = [:]
        for place in record.duplicate_files[name] ?? [] { counts[place, default: 0] += 1 }
        for place in Set(places) { counts[place] = max(counts[place] ?? 0, places.count { $0 == place }) }
        record.duplicate_files[name] = counts.flatMap { Array(repeating: $0.key, count: $0.value) }.sorted()
      } else if let range = first.range(of: "warning: method '"), let end = first.range(of: "' has conflicting") {
        hasWarnings = true
        let isClass = message.contains { $0.hasPrefix(">>> defined in class") }
        record.category_conflicts.append(
          Oracle.Conflict(
            method: String(first[range.upperBound..<end.lowerBound]), kind: isClass ? "class" : "category",
            files: Set(places).sorted()))
      } else if let range = first.range(of: " has architecture "), let start = first.range(of: "warning: ") {
        hasWarnings = true
        let place = label(first[start.upperBound..<range.lowerBound])
        ignored.insert(place)
        // It has been named before its first bytes were looked at.
        record.why_loaded[place] = nil
      } else if let range = first.range(of: ": ignoring file "), let start = first.range(of: "warning: ") {
        hasWarnings = true
        ignored.insert(label(first[start.upperBound..<range.lowerBound]))
      } else if first.contains("warning: ") {
        hasWarnings = hasWarnings || !first.contains("is not yet implemented")
      } else if first.contains("error: ") {
        otherErrors += 1
        // Named before it was looked at, too.
        if let end = first.range(of: " has platform "), let start = first.range(of: "error: ") {
          let place = label(first[start.upperBound..<end.lowerBound])
          let named = result.all.split(separator: "\n").count { line in
            line.range(of: " forced load of ").map { label(line[$0.upperBound...]) == place } ?? false
          }
          record.why_loaded[place] = named < 2 || !place.hasSuffix("(same.o)") ? nil : Oracle.Record.untold
        }
      }
    }
    // Of a library that is passed over lld may name the members besides.
    record.ignored = ignored.filter { place in !ignored.contains { place.hasPrefix($0 + "(") } }.sorted()
    record.loaded = record.why_loaded.keys.sorted()
    record.duplicates = record.duplicate_files.keys.sorted()
    if result.status != 0 {
      record.verdict = record.duplicates.isEmpty ? "unsupported" : "error"
    } else {
      record.verdict = hasWarnings ? "warning" : "silent"
      record.winners = winners(rows, definers)
    }
    return record
  }

  static func winners(_ rows: [Row], _ definers: [String: [String]]) -> [String: String] {
    var winners: [String: String] = [:]
    for (name, labels) in definers where labels.count > 1 {
      let found = Set(rows.filter { $0.name == name && labels.contains($0.label) && !$0.isPointer }.map(\.label))
      let exported = Set(
        rows.filter { $0.name == name && labels.contains($0.label) && LinkPlace.isLibrary($0.label) }.map(\.label))
      if let only = found.first ?? exported.first, found.count < 2 { winners[name] = only }
    }
    return winners
  }

  /// A message and the lines that belong to it.
  private static func messages(_ text: String) -> [[String]] {
    var messages: [[String]] = []
    for line in text.split(separator: "\n").map(String.init) {
      if line.hasPrefix("ld64.lld-19: ") || messages.isEmpty {
        messages.append([line])
      } else {
        messages[messages.count - 1].append(line)
      }
    }
    return messages
  }

  static func label(_ path: some StringProtocol) -> String {
    guard let open = path.firstIndex(of: "(") else { return String(path.split(separator: "/").last ?? "") }
    return String(path[..<open].split(separator: "/").last ?? "") + path[open...]
  }

  // MARK: The map

  struct Row {
    var name: String
    var label: String
    /// Only a way to the symbol: a stub, an entry of a table of pointers.
    var isPointer: Bool
  }

  private static let pointerSections: Set<String> = [
    "__stubs", "__stub_helper", "__la_symbol_ptr", "__got", "__nl_symbol_ptr", "__objc_stubs",
  ]

  static func rows(_ map: String) -> [Row] {
    var files: [String: String] = [:]
    var sections: [(range: Range<UInt64>, name: String)] = []
    var rows: [Row] = []
    var part = ""
    func number(_ text: Substring) -> UInt64 { UInt64(text.dropFirst(2), radix: 16) ?? 0 }
    for line in map.split(separator: "\n") {
      if line.hasPrefix("# ") {
        if line.hasSuffix(":"), !line.hasPrefix("# Address") { part = String(line.dropFirst(2).dropLast()) }
        continue
      }
      let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
      switch part {
      case "Object files":
        guard let end = line.firstIndex(of: "]") else { continue }
        files[line[..<end].filter(\.isNumber)] = label(line[line.index(end, offsetBy: 2)...])
      case "Sections" where words.count >= 4:
        sections.append((number(words[0])..<(number(words[0]) + number(words[1])), String(words[3])))
      case "Symbols":
        guard let open = line.firstIndex(of: "["), let end = line.firstIndex(of: "]") else { continue }
        let index = line[open..<end].filter(\.isNumber)
        if index == "0" { continue }
        let address = number(words[0])
        let section = sections.first { $0.range.contains(address) }?.name ?? ""
        rows.append(
          Row(
            name: String(line[line.index(end, offsetBy: 2)...]), label: files[index] ?? "",
            // What has no size may lie where the next section begins.
            isPointer: pointerSections.contains(section) && number(words[1]) > 0))
      default: continue
      }
    }
    return rows
  }
}
