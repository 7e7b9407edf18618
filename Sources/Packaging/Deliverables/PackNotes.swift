import Archives
import Artifacts
import BuildEngine
import Findings
import Rules
import SystemPackage

/// Mistakes and findings from gathering the contents of an archive. They are reported together.
struct PackNotes: Sendable {
  var mistakes: [Mistake] = []
  var clashes: [Finding] = []
  var leftOut = LeftOut()

  mutating func refuse(_ message: String, at place: Place? = nil, notes: [String] = [], hint: String? = nil) {
    mistakes.append(Mistake(message, at: place, notes: notes, hint: hint))
  }

  mutating func add(_ more: PackNotes) {
    mistakes += more.mistakes
    clashes += more.clashes
    leftOut.add(more.leftOut)
  }

  /// The path of a file in an archive; nil, and a mistake, if the path is not valid there.
  mutating func path(_ bytes: [UInt8], of file: ResolvedInput, at place: Place) -> EntryPath? {
    do throws(EntryPathError) { return try EntryPath(bytes) } catch {
      refuse("\(file.path) cannot be packed: \(error)", at: place, hint: "rename it")
      return nil
    }
  }

  /// Refuses names that are one file on a Mac. `notes` returns the sources of the two, and the place of the second.
  mutating func refuseTwins(
    _ paths: [EntryPath], _ notes: (_ first: EntryPath, _ second: Int) -> (at: Place?, sources: [String])
  ) {
    var known: [String: EntryPath] = [:]
    var said: Set<[EntryPath]> = []
    for (index, whole) in paths.enumerated() {
      var path = whole
      while true {
        let other = known.updateValue(path, forKey: path.collisionKey)
        if let other, other != path {
          // Everything in two such folders has the same fault, so only the folders are named.
          let (first, second) = other.outermostTwins(path)
          if said.insert([first, second]).inserted {
            let (place, sources) = notes(other, index)
            let (one, two) = first.toldApart(from: second)
            refuse(
              "\(one) and \(two) are one file on a Mac", at: place, notes: sources,
              hint: "they differ only in case or in how letters are composed: rename one")
          }
        }
        guard other == nil, let parent = path.parent else { break }
        path = parent
      }
    }
  }

  func check() throws(Mistakes) { if !mistakes.isEmpty { throw Mistakes(mistakes) } }
}

/// Counts the things that are not packed, such as files of the Finder.
struct LeftOut: Sendable {
  private var counts: [String: Int] = [:]

  /// Whether a file is left out by its path. If it is, it is counted.
  mutating func takes(_ path: [UInt8]) -> Bool {
    guard let kind = AppleMetadata.classify(path: path) else { return false }
    count(kind.noun)
    return true
  }

  mutating func count(_ what: String, _ times: Int = 1) { counts[what, default: 0] += times }

  mutating func add(_ other: LeftOut) { counts.merge(other.counts, uniquingKeysWith: +) }

  /// Counts the extended attributes of a file. A failure to list them is ignored, because they are not packed anyway.
  mutating func count(attributesOf path: FilePath) {
    for name in (try? ExtendedAttributes.unwanted(of: path)) ?? [] { count(ExtendedAttributes.shown(name)) }
  }

  /// `left out: 2 × .DS_Store, 1 × AppleDouble file`; empty if nothing was.
  var notes: [String] {
    if counts.isEmpty { return [] }
    let parts = counts.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
    return ["left out: " + parts.joined(separator: ", ")]
  }
}

extension PackNotes {
  /// Two sources bring the same thing, or contradict each other. That breaks the archive, so it is an error unless a
  /// manifest sets the rule lower. Then the first source wins. It is a note if the result is the same either way.
  mutating func clash(
    _ rule: RuleID, _ message: String, about name: String, at places: [Place], notes: [String] = [],
    isHarmless: Bool = false,
    hint: String? = nil, edit: Edit? = nil
  ) {
    let usual =
      isHarmless
      ? "either will do: the first is used"
      : "leave one of them out of its library, or set '\(rule)' lower to keep the first"
    clashes.append(
      Finding(
        rule, isHarmless ? .note : .error, message, about: [name], at: places, notes: notes, hint: hint ?? usual,
        edit: edit))
  }

  /// Two things have one name. `what` is, for example, `the class com.example.Text`.
  mutating func clash(
    _ rule: RuleID, twice what: String, _ first: Place, _ second: Place, isIdentical: Bool? = nil, hint: String? = nil
  ) {
    let note = isIdentical.map {
      $0 ? "the two are the same, byte for byte" : "the two differ: only one of them can be used"
    }
    clash(
      rule, "\(what) is there twice", about: what, at: [first, second], notes: note.map { [$0] } ?? [],
      isHarmless: isIdentical == true && rule == "duplicate-resource", hint: hint)
  }
}

extension Plan {
  /// The clashes with the levels that the user sets. Throws if one of them is an error.
  func passing(_ clashes: [Finding]) throws(StepFailure) -> [Finding] {
    let findings = clashes.compactMap { clash -> Finding? in
      var finding = clash
      finding.level = policy.level(of: clash.rule, manifest.rules, otherwise: clash.level)
      return finding.level == .off ? nil : finding
    }
    return try accepted(findings, else: "its parts do not fit together")
  }
}
