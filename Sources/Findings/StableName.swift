/// Names of files without parts that change from one release to the next: versions, architectures, folders.
package enum StableName {
  /// The name of a plugin, from the path of one of its files: `out/RallyConnector-1.4.0-ios.zip` is of
  /// `RallyConnector`.
  package static func plugin(_ path: String) -> String {
    let parts = path.pathParts.filter { $0 != "." }
    guard var name = parts.last.map(String.init) else { return path }
    // A plugin's source folder has the plugin's name, but folders of build results have the same name everywhere.
    if parts.count > 1, foldersOfBuilds.contains(name) { name = String(parts[parts.count - 2]) }
    var stem = name[...]
    while let dot = stem.lastIndex(of: "."), dot != stem.startIndex {
      let ending = stem[stem.index(after: dot)...]
      guard endings.contains(ending) || deliverables.endings.contains(ending) else { break }
      stem = stem[..<dot]
    }
    let isFile = stem.count < name.count
    name = withoutVersions(String(stem))
    // Removes the word behind the version in the names of deliverables.
    if isFile || name.count < stem.count, let kind = deliverables.words.first(where: name.hasSuffix),
      kind.count < name.count
    {
      name.removeLast(kind.count)
    }
    return name
  }

  /// The name of a file or member in a plugin, with its folders: `Maps-2.1/libmaps_arm64.a` is `Maps/libmaps.a`. A
  /// number without dots is no version there: `codec_1.o` and `codec_2.o` are two files.
  package static func place(_ path: String) -> String {
    parts(of: path) { withoutArchitectures(withoutVersions($0, isDotted: true)) }
  }

  /// The same without any number: two versions of one file have the same name.
  package static func unversioned(_ path: String) -> String {
    parts(of: path) { withoutArchitectures(withoutVersions($0)) }
  }

  private static func parts(of path: String, _ shortened: (String) -> String) -> String {
    // All versions and architectures contain a digit.
    if !path.utf8.contains(where: { (48...57).contains($0) }) { return path }
    return path.split(separator: "/", omittingEmptySubsequences: false).map { shortened(String($0)) }
      .joined(separator: "/")
  }

  static let foldersOfBuilds: Set<String> = ["dist", "build", "out"]

  /// The endings of files that are released from a plugin's folder.
  package struct Deliverables: Sendable {
    fileprivate let words: [String]
    fileprivate let endings: Set<Substring>

    /// - Parameter endings: the parts after `NAME-VERSION` in their names: `-ios.zip`.
    package init(_ endings: [String]) {
      let parts = endings.map { $0.split(separator: ".", omittingEmptySubsequences: false) }
      words = parts.compactMap(\.first).filter { !$0.isEmpty }.map(String.init)
      self.endings = Set(parts.flatMap { $0.dropFirst() })
    }
  }

  /// The program registers all kinds of deliverables that it knows; the default has the built-in ones.
  @TaskLocal package static var deliverables = Deliverables([
    "-ios.zip", "-appex.zip", "-web.zip", ".framework.zip", ".xcframework.zip", ".aar", ".json", ".policy.json",
    ".podspec.json", ".plugins.json", ".release.json",
  ])

  private static let endings: Set<Substring> = [
    "a", "app", "appex", "bundle", "dylib", "framework", "jar", "o", "so", "tbd", "xcframework",
  ]

  /// The version in a file's name, if it is written with dots: `1.4.0` of `RallyConnector-1.4.0-ios.zip`.
  package static func dottedVersion(in name: String) -> String? {
    let bytes = Array(name.utf8)
    return versions(in: name).lazy.map { String(decoding: bytes[$0].dropFirst(), as: UTF8.self) }
      .first { $0.contains(".") }
  }

  private static func withoutVersions(_ name: String, isDotted: Bool = false) -> String {
    var kept = Array(name.utf8)
    let versions = versions(in: name).filter { !isDotted || kept[$0].contains(UInt8(ascii: ".")) }
    if versions.isEmpty { return name }
    for range in versions.reversed() { kept.removeSubrange(range) }
    return String(decoding: kept, as: UTF8.self)
  }

  /// The byte ranges of versions such as `-1.4.0`, `_v2.0-beta.1`, `-12`: a separator, digits with dots, perhaps a word
  /// for a prerelease. A number that ends an architecture is no version: `x86_64`.
  private static func versions(in name: String) -> [Range<Int>] {
    let bytes = Array(name.utf8)
    func isDigit(_ index: Int) -> Bool { index < bytes.count && (48...57).contains(bytes[index]) }
    func isSeparator(_ index: Int) -> Bool { index >= bytes.count || "-_.+ ()".utf8.contains(bytes[index]) }
    var found: [Range<Int>] = []
    var start = 1
    while start < bytes.count {
      var end = start + 1
      if end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "v") { end += 1 }
      guard "-_ ".utf8.contains(bytes[start]), isDigit(end) else {
        start += 1
        continue
      }
      while isDigit(end) || end < bytes.count && bytes[end] == UInt8(ascii: ".") && isDigit(end + 1) { end += 1 }
      // Words for prereleases, with their numbers.
      let word = end < bytes.count && "-+.".utf8.contains(bytes[end]) ? end + 1 : end
      let letters = bytes[word...].prefix { (97...122).contains($0 | 0x20) }
      // A single letter needs a number: `libmaps_1.a` is a library.
      if letters.count > 1 || isDigit(word + letters.count),
        ["a", "alpha", "b", "beta", "rc", "pre", "dev", "snapshot"].contains(
          String(decoding: letters, as: UTF8.self).lowercased())
      {
        var tail = word + letters.count
        while isDigit(tail) || tail < bytes.count && ".-".utf8.contains(bytes[tail]) && isDigit(tail + 1) { tail += 1 }
        if isSeparator(tail) { end = tail }
      }
      end = afterCommits(bytes, end)
      let number = bytes[(start + 1)..<end]
      if isSeparator(end), !["64", "32", "86"].contains(String(decoding: number, as: UTF8.self)) {
        found.append(start..<end)
      }
      start = max(end, start + 1)
    }
    return found
  }

  /// The end of the suffix that `git describe` adds for later commits: `-3-g76c5373`.
  private static func afterCommits(_ bytes: [UInt8], _ start: Int) -> Int {
    let rest = bytes[start...]
    let digits = rest.dropFirst().prefix { (48...57).contains($0) }
    let hash = bytes[digits.endIndex...].dropFirst(2).prefix { (48...57).contains($0) || (97...102).contains($0) }
    let isOne =
      rest.first == UInt8(ascii: "-") && !digits.isEmpty && bytes[digits.endIndex...].starts(with: "-g".utf8)
      && hash.count >= 4
    return isOne ? hash.endIndex : start
  }

  /// Longer names come first, because one may begin with another.
  private static let architectures = [
    "arm64-v8a", "armeabi-v7a", "arm64_32", "arm64e", "arm64", "aarch64", "armv7s", "armv7k", "armv7", "x86_64", "i386",
  ].map { Array($0.utf8) }

  /// Removes architectures from names such as `libmaps_arm64.a` or `arm64/libmaps.a`, which differ between the slices
  /// of one library.
  package static func withoutArchitectures(_ name: String) -> String {
    let bytes = Array(name.utf8)
    var kept: [UInt8] = []
    var index = 0
    func isBoundary(_ index: Int) -> Bool {
      if index < 0 || index >= bytes.count { return true }
      let byte = bytes[index]
      return byte < 0x80 && !(48...57).contains(byte) && !(97...122).contains(byte | 0x20)
    }
    while index < bytes.count {
      // The letter is checked first, because this runs for every byte of every name.
      let found =
        "aix".utf8.contains(bytes[index]) && isBoundary(index - 1)
        ? architectures.first { bytes[index...].starts(with: $0) && isBoundary(index + $0.count) } : nil
      guard let found else {
        kept.append(bytes[index])
        index += 1
        continue
      }
      if let last = kept.last, "-_.".utf8.contains(last) { kept.removeLast() }
      index += found.count
    }
    return String(decoding: kept, as: UTF8.self)
  }
}
