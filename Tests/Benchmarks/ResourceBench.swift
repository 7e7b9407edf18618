import Android
import Artifacts
import Foundation
import SystemPackage
import TestSupport

extension Bench {
  /// The names that we find in every `res/` folder of Debian's Android sources against those that aapt2 finds.
  mutating func resources() async throws {
    let sources = try await AndroidSources.fetch(into: ".build/bench-resources")
    var total = ResourceTally()
    for (name, home) in sources.packages {
      var tally = ResourceTally()
      for folder in try ResourceFolder.all(in: home) { try await tally.compare(folder) }
      print("\(name): \(tally.text)")
      total.add(tally)
    }
    for (reason, count) in total.refusals.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      print("  aapt2 refuses: \(reason): \(count)")
    }
    if !sources.missing.isEmpty { print("not to be had: \(sources.missing.joined(separator: ", "))") }
    print("time: ours \(Bench.text(total.ours)) s, aapt2 \(Bench.text(total.theirs)) s")
    for miss in total.misses { print("  \(miss)") }
    report(
      "names of resources, \(sources.packages.count) packages: \(total.text)",
      (total.misses.isEmpty && total.linked > 0, "the same in all that aapt2 takes"))
  }
}

/// A `res/` folder on disk.
private struct ResourceFolder {
  let path: FilePath
  /// Inside of it, sorted.
  let files: [String]
  /// The package that the manifest beside it declares.
  let package: String

  static func all(in home: FilePath) throws -> [ResourceFolder] {
    let found = try FileManager.default.subpathsOfDirectory(atPath: home.string).filter { $0.hasSuffix("/res") }
    return try found.sorted().compactMap { try ResourceFolder(home.pushing(FilePath($0))) }
  }

  /// Nil if there is no folder of resources in it.
  private init?(_ path: FilePath) throws {
    let manager = FileManager.default
    // A file may be called res, too.
    let names = (try? manager.contentsOfDirectory(atPath: path.string)) ?? []
    let folders = names.filter { name in
      let type = String(name.prefix { $0 != "-" })
      return type == "values" || ResourceType(rawValue: type)?.hasFolder == true
    }
    var files: [String] = []
    for folder in folders.sorted() {
      for name in (try? manager.contentsOfDirectory(atPath: path.appending(folder).string)) ?? [] {
        // Hidden files are left out by both; links in the tarballs can lead nowhere.
        let attributes = try manager.attributesOfItem(atPath: path.appending(folder).appending(name).string)
        guard !name.hasPrefix("."), attributes[.type] as? FileAttributeType == .typeRegular else { continue }
        files.append("\(folder)/\(name)")
      }
    }
    guard !files.isEmpty else { return nil }
    let manifest = try? String(
      contentsOfFile: path.removingLastComponent().appending("AndroidManifest.xml").string, encoding: .utf8)
    self.path = path
    self.files = files.sorted()
    package = manifest?.firstMatch(of: /\spackage\s*=\s*"([A-Za-z0-9_.]+)"/).map { String($0.1) } ?? "t.t"
  }

  /// Where aapt2 puts what it made of a file.
  static func flat(_ file: String) -> String {
    let name = file.replacingOccurrences(of: "/", with: "_")
    return (file.hasPrefix("values") ? name.replacing(/\.xml$/, with: ".arsc") : name) + ".flat"
  }

  /// Whether the Gradle plugin takes a file of this name (`FileResourceNameValidator`). aapt2 takes more: upper case,
  /// dashes, dollars, a second dot, a digit in front.
  static func isGradleName(_ file: String) -> Bool {
    file.hasPrefix("values") || file.hasPrefix("raw")
      || file.wholeMatch(of: /[^\/]*\/[a-z_][a-z0-9_]*(\.9\.png|\.[^.]*)?/) != nil
  }

  /// The names that aapt2 makes ids and Gradle does not.
  func flags(_ files: [String]) throws -> Set<String> {
    try names("<flag", /<flag\b[^>]*?\sname\s*=\s*["']([^"']*)["']/, in: files)
  }

  /// The ids that a pattern finds in XML files, which is slow where its beginning does not occur.
  func names(_ start: String, _ pattern: Regex<(Substring, Substring)>, in files: [String]) throws -> Set<String> {
    var names: Set<String> = []
    for file in files where file.hasSuffix(".xml") {
      let data = try Data(contentsOf: url(file))
      guard data.range(of: Data(start.utf8)) != nil else { continue }
      let text = String(decoding: data, as: UTF8.self)
      for match in text.matches(of: pattern) { names.insert("id \(match.1.replacing(".", with: "_"))") }
    }
    return names
  }

  func read(_ file: String) throws -> ResourceFile {
    let path = Array(file.utf8)
    return ResourceFile(path: path, bytes: ResourceFile.isRead(path) ? Array(try Data(contentsOf: url(file))) : [])
  }

  private func url(_ file: String) -> URL { URL(fileURLWithPath: path.pushing(FilePath(file)).string) }
}

/// How folders compare.
private struct ResourceTally {
  private(set) var folders = 0
  /// Those that aapt2 links; of the others each file is compared alone.
  private(set) var linked = 0
  private(set) var files = 0
  private(set) var refused = 0
  /// Files whose names aapt2 takes and Gradle does not.
  private(set) var unnamed = 0
  private(set) var names = 0
  /// Why aapt2 refuses files and folders, and how often.
  private(set) var refusals: [String: Int] = [:]
  private(set) var misses: [String] = []
  private(set) var ours = 0.0
  private(set) var theirs = 0.0

  var text: String {
    "\(folders) folders (\(linked) linked, of \(folders - linked) each file alone), \(files) files, \(refused) that "
      + "aapt2 refuses and \(unnamed) that only Gradle does, \(names) names, \(misses.count) differ"
  }

  mutating func add(_ other: ResourceTally) {
    folders += other.folders
    linked += other.linked
    files += other.files
    refused += other.refused
    unnamed += other.unnamed
    names += other.names
    refusals.merge(other.refusals, uniquingKeysWith: +)
    misses += other.misses
    ours += other.ours
    theirs += other.theirs
  }

  mutating func compare(_ folder: ResourceFolder) async throws {
    let scratch = Scratch()
    let flats = scratch("flat")
    let unnamed = folder.files.filter { !ResourceFolder.isGradleName($0) }
    self.unnamed += unnamed.count
    for file in unnamed where AndroidResources([try folder.read(file)]).problems.isEmpty {
      misses.append("\(folder.path): we take \(file), Gradle does not")
    }
    let named = folder.files.filter(ResourceFolder.isGradleName)
    var outcomes: [ToolResult] = []
    var linkedText: String?
    theirs += try await Bench.seconds {
      outcomes = [try await AAPT.compile(named.map { folder.path.pushing(FilePath($0)) }, into: flats)]
      let (result, text) = try await AAPT.link(flats, package: folder.package, in: scratch)
      outcomes.append(result)
      linkedText = text
    }
    let taken = named.filter { scratch.exists("flat/\(ResourceFolder.flat($0))") }
    let flatCount = try FileManager.default.contentsOfDirectory(atPath: flats.string).count
    guard flatCount == taken.count else {
      return misses.append("\(folder.path): \(flatCount) files compiled, \(taken.count) known")
    }
    refused += named.count - taken.count
    // With nothing left there is nothing to compare, and nothing to link.
    for outcome in taken.isEmpty ? Array(outcomes.prefix(1)) : outcomes { note(outcome) }
    guard !taken.isEmpty else { return }
    folders += 1
    files += taken.count
    if linkedText != nil { linked += 1 }

    var found = AndroidResources([])
    ours += try await Bench.seconds {
      found = AndroidResources(try taken.map(folder.read), package: folder.package)
    }
    let own = AAPT.parse(String(decoding: found.symbols.rText, as: UTF8.self))
    var wanted: Set<String>
    var problems = found.problems
    if let linkedText {
      wanted = AAPT.parse(linkedText)
    } else {
      wanted = AAPT.parse(try await alone(taken, of: folder, in: scratch))
      // The system's ids, which a link would leave out.
      wanted.subtract(try folder.names("@+android:id/", /@\+android:id\/([^"'<\s]*)/, in: taken).subtracting(own))
      // What one file alone may say can be wrong beside the others; a word of Java is refused only by the link.
      problems = try taken.flatMap { AndroidResources([try folder.read($0)], package: folder.package).problems }
      for problem in problems {
        guard let word = problem.reason.wholeMatch(of: /'(.*)' is a word of the Java language.*/) else { continue }
        wanted = wanted.filter { !$0.hasSuffix(" \(word.1)") }
      }
      problems.removeAll { $0.reason.contains(/is a word of the Java language|is declared public but nowhere defined/) }
    }
    names += wanted.count
    var lines = wanted.subtracting(own).subtracting(try folder.flags(taken)).sorted().map { "aapt2 only: \($0)" }
    lines += own.subtracting(wanted).sorted().map { "ours only: \($0)" }
    lines += problems.map { "we refuse: \($0)" }
    misses += lines.prefix(20).map { "\(folder.path): \($0)" }
  }

  /// The names of each file by itself; of a file that is no XML, that of what aapt2 made of it.
  private mutating func alone(_ files: [String], of folder: ResourceFolder, in scratch: Scratch) async throws
    -> String
  {
    var text = ""
    for file in files {
      if ResourceFile.isRead(Array(file.utf8)) {
        text += try await AAPT.symbolsAlone(folder.path.pushing(FilePath(file)), in: scratch) + "\n"
      } else {
        let parts = file.split(separator: "/")
        let name = parts[1].replacing(/(\.9\.png|\.[^.]*)$/, with: "")
        text += "int \(parts[0].prefix { $0 != "-" }) \(name)\n"
      }
    }
    return text
  }

  /// Counts the reasons, without what is different in each.
  private mutating func note(_ result: ToolResult) {
    for line in result.err.split(separator: "\n") where line.contains("error: ") {
      let reason = line.replacing(#/^.*?error: /#, with: "").replacing(/'[^']*'|\([^)]*\)|[a-z]+\/[\w.]+/, with: "…")
      if !reason.hasPrefix("failed ") { refusals[String(reason.prefix(60)), default: 0] += 1 }
    }
  }
}
