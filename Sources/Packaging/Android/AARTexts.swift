import Android
import Archives
import Artifacts
import BuildEngine
import Findings
import Rules
import Store
import SystemPackage

// The files that are joined from texts of the plugin and of the embedded AARs.
extension AARBuilder {
  /// Adds the files that are joined from texts of the plugin and of the embedded AARs.
  mutating func addTexts(package: String?) throws {
    var preview: (sdk: String, name: String)?
    for aar in embedded {
      guard let theirs = aar.parts.metadata else { continue }
      metadata.raise(to: theirs)
      guard let sdk = theirs.values[AARMetadata.preview] else { continue }
      if let preview, preview.sdk != sdk {
        notes.refuse(
          "\(preview.name) is for the SDK preview \(preview.sdk), and \(aar.name) for \(sdk): an app is built with one",
          at: aar.place, hint: "embed libraries for one SDK (\(AARMetadata.preview) in \(AARMetadata.path))")
      }
      preview = preview ?? (sdk, aar.name)
    }
    try add(AARMetadata.path.utf8, bytes: metadata.bytes, .metadata)
    try add("proguard.txt".utf8, joining: try rules() + hostRules(target: package), .rules)
    let profiles = try texts("baseline-profile") + embedded.compactMap { $0.parts.texts[.profile] }
    try add("baseline-prof.txt".utf8, joining: profiles, .profile)
    try addNavigation()
  }

  /// The shrinker's rules: the plugin's, those of jars, those of embedded AARs, and what the host has.
  private mutating func rules() throws -> [[UInt8]] {
    var rules = try texts("proguard") + texts("consumer-rules")
    var known: Set<Digest> = []
    for member in jarRules where member.digest.map({ known.insert($0).inserted }) ?? true {
      guard member.content.size <= AARBuilder.maxTextSize else {
        throw Mistakes(
          "\(member.place) has \(member.content.size) bytes: at most \(AARBuilder.maxTextSize) are read",
          hint: "shrinking rules are short texts: leave the file out of the jar")
      }
      rules.append(try member.content.bytes())
    }
    return rules + embedded.compactMap { $0.parts.texts[.rules] }
  }

  /// Says which classes an AAR with others in it lacks. A shrinker is not to warn of those that the host's apps have.
  private mutating func hostRules(target: String?) -> [[UInt8]] {
    if embedded.isEmpty { return [] }
    let names = missing.names(target: target)
    let host = action.plan.policy.settings(action.plan.manifest.rules)[ProvidedByHost.id]
    let isHosts = ProvidedByHost.has(host)
    if let note = MissingClasses.note(names.filter { !isHosts($0) }) { remarks.append(note) }
    let lines = ProvidedByHost.patterns(of: names, host).map { pattern in
      // One star of a recipe is for all packages below, as two of a shrinker's rule are.
      "-dontwarn \(pattern.hasSuffix("*") ? pattern + "*" : pattern)\n"
    }
    return lines.isEmpty ? [] : [Array(lines.joined().utf8)]
  }

  /// The contents of a key's files.
  func texts(_ key: String) throws -> [[UInt8]] {
    var texts: [[UInt8]] = []
    for thing in things(key) {
      for file in thing.files where AppleMetadata.classify(path: thing.inside(file)) == nil {
        texts.append(try read(file, at: thing.place))
      }
    }
    return texts
  }

  /// Adds texts as one file, each from the beginning of a line on; no file if there are none.
  private mutating func add(_ path: String.UTF8View, joining texts: [[UInt8]], _ group: AARGroup) throws {
    var joined: [UInt8] = []
    for text in texts {
      if let last = joined.last, last != UInt8(ascii: "\n"), !text.isEmpty { joined.append(UInt8(ascii: "\n")) }
      joined += text
    }
    if !texts.isEmpty { try add(path, bytes: joined, group) }
  }

  /// Throws for a text above the limit.
  func read(_ file: ResolvedInput, at place: Place) throws -> [UInt8] {
    guard file.size <= AARBuilder.maxTextSize else {
      throw Mistakes(
        "\(file.path) has \(file.size) bytes: at most \(AARBuilder.maxTextSize) are read", at: place,
        hint: "is it the right file?")
    }
    return try FileSystem.read(context.absolute(file.path))
  }
}
