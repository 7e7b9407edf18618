import Android
import Collisions
import Findings
import Rewriting
import Store
import SystemPackage

/// Chooses the names of the steps: prefixes and packages that no plugin of the app has.
struct FixNames {
  private let report: CollisionReport
  private var own: [PluginID: OwnNames] = [:]
  /// How many words of each plugin have met another name.
  private var skipped: [PluginID: Int] = [:]

  // These belong to one plan, and `begin` empties them.
  private var words: Set<String> = []
  private var outputs: Set<String> = []
  /// The beginnings of new names.
  private var beginnings: [PluginID: [String]] = [:]

  init(_ report: CollisionReport) { self.report = report }

  mutating func begin() { (words, outputs, beginnings) = ([], [], [:]) }

  /// The clashes of new names. Their plugins get others in the next plan.
  mutating func advance(past clashes: Set<Clash>) -> Set<Clash> {
    var plugins: Set<PluginID> = []
    let met = clashes.filter { clash in
      let own = clash.plugins.filter { beginnings[$0]?.contains(where: clash.text.hasPrefix) ?? false }
      plugins.formUnion(own)
      return !own.isEmpty
    }
    for plugin in plugins { skipped[plugin, default: 0] += 1 }
    return met
  }

  /// The name of a plugin's file or folder.
  func lastName(of plugin: PluginID) -> String {
    let path = FilePath(report[plugin].name.path)
    guard let last = path.lastComponent, last.kind == .regular else { return FixWord(path).text }
    return last.string
  }

  /// How much of a plugin collides, in thousandths. A plugin that consists of it is the library of a third party, which
  /// others may use; one that has a copy in its own code is changed before.
  mutating func share(of plugin: PluginID, _ count: Int) -> Int {
    1000 * count / max(names(of: plugin).count + report[plugin].android.classes.count, count, 1)
  }

  private mutating func names(of plugin: PluginID) -> OwnNames {
    if let known = own[plugin] { return known }
    let names = OwnNames(FilePath(report[plugin].name.path))
    own[plugin] = names
    return names
  }

  /// The step that gives a plugin's names up.
  mutating func step(_ plugin: PluginID, _ clashes: [Clash]) -> FixStep {
    let facts = report[plugin]
    let word = word(of: plugin)
    words.insert(word.lowercased())
    let java = clashes.compactMap { clash -> String? in
      if case .javaClass(let name) = clash.name { name } else { nil }
    }
    let change: FixStep.Change
    let what: String
    if java.isEmpty {
      let count = Set(clashes.map(\.bytes)).count
      (change, what) = (prefix("\(word)_", plugin, clashes), counted(count, "symbol"))
      beginnings[plugin] = ["_\(word)_", "_OBJC_CLASS_$_\(word)_"]
    } else {
      let below = JavaPackages.namespace(of: facts).map { words.contains($0) ? "\($0).\(word.lowercased())" : $0 }
      let base = (skipped[plugin] ?? 0) == 0 ? below ?? word.lowercased() : word.lowercased()
      words.insert(base)
      let packages = JavaPackages.outermost(java).map { ($0, JavaPackages.newName($0, below: base)) }
      (change, what) = (.packages(packages), counted(packages.count, "package"))
      beginnings[plugin] = packages.map { $0.1 + "." }
    }
    let others = Set(clashes.flatMap(\.plugins)).subtracting([plugin]).sorted().map { report[$0].name.shown }
    let comment =
      "\(word): other names for \(what) that \(facts.name.shown) has in common with \(listed(others, limit: 3))"
    let (input, comments) = input(facts.name.path, word)
    var output = "fixed/\(lastName(of: plugin))"
    if !outputs.insert(output.lowercased()).inserted { output = "fixed/\(word)/\(output.dropFirst(6))" }
    return FixStep(name: word, input: input, output: output, change, comments: [comment] + comments)
  }

  /// A word for the plugin that is not taken, and that no name of the plugin begins with.
  private mutating func word(of plugin: PluginID) -> String {
    let path = FilePath(report[plugin].name.path)
    let word = FixWord(path).text
    let ending = FixWord.letters(path.extension ?? "own")
    let own = names(of: plugin)
    func isFree(_ word: String) -> Bool { !words.contains(word.lowercased()) && !own.hasNames(after: "\(word)_") }
    let candidates = [word, "\(word)_\(ending)"] + (2...report.plugins.count + 2).map { "\(word)_\($0)" }
    let free = candidates.filter(isFree)
    return free.dropFirst(skipped[plugin] ?? 0).first ?? "\(word)_\(words.count)"
  }

  private static let fewNames = 8

  private mutating func prefix(_ prefix: String, _ plugin: PluginID, _ clashes: [Clash]) -> FixStep.Change {
    let classes = Set(clashes.filter(\.isObjC).map(\.bytes))
    let chosen = classes.union(clashes.map(\.bytes))
    let own = names(of: plugin)
    let all = own.symbols.union(classes.isEmpty ? [] : own.classes)
    var only = NameSelection.patterns(of: chosen, among: all)
    let keep = own.hasOthers ? nil : NameSelection.patterns(of: all.subtracting(chosen), among: all)
    // A list of what changes still fits when the plugin gets more names of its own.
    let isWhole = keep?.isEmpty ?? false && (own.classes.isEmpty || !classes.isEmpty)
    if let keep, isWhole || only.count > Self.fewNames && 2 * keep.count < only.count { only = [] }
    return .prefix(prefix, keep: only.isEmpty ? keep ?? [] : [], only: only, classes: !classes.isEmpty)
  }

  /// A plugin's path as steps spell it: below the folder of the manifest, and no pattern.
  private func input(_ text: String, _ word: String) -> (input: String, comments: [String]) {
    var path = FilePath(text).lexicallyNormalized()
    if let folder = HostProcess.workingFolder, path.starts(with: folder) { _ = path.removePrefix(folder) }
    var comments: [String] = []
    let isOutside = path.isAbsolute || path.components.first?.kind != .regular
    if isOutside || path.string.utf8.contains(where: "*?[{\\!".utf8.contains) {
      let ending = path.extension.map { ".\(FixWord.letters($0))" } ?? ""
      path = FilePath("\(word)\(ending)")
      comments = ["\(word): copy \(text) to \(path) first: steps take files below their folder, by plain names"]
    }
    let status = (try? FileSystem.status(of: FilePath(text), followingLinks: true)) ?? nil
    let isPlain = status?.kind == .directory && !["framework", "xcframework"].contains(path.extension)
    return (path.string + (isPlain ? "/" : ""), comments)
  }
}

/// The name of a plugin as a word of letters, digits and underscores: `Scanner` of `Scanner-2.0.1-ios.zip`.
struct FixWord {
  let text: String

  static func letters(_ text: String) -> String { String(decoding: text.utf8.filter(\.isInName), as: UTF8.self) }

  init(_ path: FilePath) {
    var stem = path.lastComponent?.stem ?? ""
    if path.extension == "a", stem.hasPrefix("lib") { stem.removeFirst(3) }
    func isDigit(_ byte: UInt8?) -> Bool { byte.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false }
    // A version, and what follows it, is no part of the name.
    let parts = stem.utf8.split { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: " ") }
    let words = parts.prefix { !isDigit($0.first) }.map { $0.filter(\.isInName) }.filter { !$0.isEmpty }
    var bytes = Array(words.joined(separator: [UInt8(ascii: "_")]))
    if bytes.isEmpty || isDigit(bytes.first) { bytes = Array("own".utf8) + bytes }
    text = String(decoding: bytes, as: UTF8.self)
  }
}
