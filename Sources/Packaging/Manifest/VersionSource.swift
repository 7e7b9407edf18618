import Findings
import SystemPackage

/// `--version-from git|FILE`: the source of a version that is not in the manifest.
enum VersionSource {
  static func read(_ source: String, in directory: FilePath) async throws(Mistakes) -> String {
    source == "git" ? try await git(directory) : try file(source, directory)
  }

  /// The nearest tag that is a version, without a leading `v`, and the commits since then: `1.4.0-3-g1a2b3c4-dirty`.
  private static func git(_ directory: FilePath) async throws(Mistakes) -> String {
    if let problem = try await run(["rev-parse", "--git-dir"], directory).error {
      guard problem.contains("not a git repository") else {
        throw Mistakes("--version-from git: git cannot read the repository of \(directory)", notes: [problem])
      }
      throw Mistakes(
        "--version-from git: \(directory == "." ? "this folder" : "\(directory)") is in no git repository",
        hint: "write 'version:' into the manifest, or --version-from FILE")
    }
    // Git's patterns can express only the beginning of a version; `isVersion` checks the rest.
    var patterns = ["v[0-9]*", "[0-9]*"].flatMap { ["--match", $0] }
    for _ in 0..<maxOthers {
      guard let tag = try await run(["describe", "--tags", "--abbrev=0"] + patterns, directory).text else { break }
      if isVersion(tag) {
        let text = try await run(["describe", "--tags", "--match", tag], directory).text ?? tag
        return (text.hasPrefix("v") ? String(text.dropFirst()) : text) + (await isDirty(directory) ? "-dirty" : "")
      }
      patterns += ["--exclude", escaped(tag)]
    }
    throw Mistakes(
      "--version-from git: no tag that is a version is reachable from here",
      hint: "tag the commit, for example: git tag v1.4.0; 1.4.0 and v1.4.0-rc.1 are versions, release-9 is none")
  }

  /// Tags that only begin like a version are rare. After so many of them in a row the search ends.
  private static let maxOthers = 64

  /// `1.2.3` or `v1.2.3`, with `-rc.1` or `+build` behind it (semver.org, 2.0.0).
  static func isVersion(_ tag: String) -> Bool {
    func isSign(_ byte: UInt8) -> Bool {
      isDigit(byte) || (0x41...0x5A).contains(byte & 0xDF) || byte == UInt8(ascii: "-")
    }
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    func areParts(_ text: ArraySlice<UInt8>, of isPart: (UInt8) -> Bool) -> Bool {
      text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy {
        !$0.isEmpty && $0.allSatisfy(isPart)
      }
    }
    let text = Array((tag.hasPrefix("v") ? tag.dropFirst() : Substring(tag)).utf8)
    let withoutBuild = text.split(separator: UInt8(ascii: "+"), maxSplits: 1, omittingEmptySubsequences: false)
    let parts = withoutBuild[0].split(separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
    return parts[0].count { $0 == UInt8(ascii: ".") } == 2 && areParts(parts[0], of: isDigit)
      && (parts.dropFirst() + withoutBuild.dropFirst()).allSatisfy { areParts($0, of: isSign) }
  }

  /// A pattern of git that matches only this tag.
  private static func escaped(_ tag: String) -> String {
    String(
      decoding: tag.utf8.flatMap { "*?[\\".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }, as: UTF8.self)
  }

  /// In bytes. A tag is the name of one of git's files, and so no longer than a path.
  private static let maxLineLength = 4096

  /// Whether a file differs from the commit. `describe --dirty` is not used, because it locks the index: a commit that
  /// is made at that moment fails.
  private static func isDirty(_ directory: FilePath) async -> Bool {
    let words = ["--no-optional-locks", "status", "--porcelain", "--untracked-files=no"]
    // Git has run before, so a failure means that it prints more than is read.
    do { return try await run(words, directory).text != nil } catch { return true }
  }

  /// The first line of git's output if it succeeds, and else the first line of its errors.
  private static func run(
    _ words: [String], _ directory: FilePath
  ) async throws(Mistakes) -> (text: String?, error: String?) {
    do throws(Mistakes) {
      let result = try await Git.run(words, in: directory, limit: maxLineLength)
      return (result.output.map { String(decoding: $0, as: UTF8.self) }?.lines.first.map { String($0) }, result.error)
    } catch {
      throw Mistakes("--version-from git: \(error.all.first?.message ?? "")")
    }
  }

  /// The first word of the file, without the `v` of a version, as for a tag.
  private static func file(_ source: String, _ directory: FilePath) throws(Mistakes) -> String {
    let path = directory.pushing(FilePath(source))
    let text = try Project.text(of: path)
    guard let word = text.words.first.map({ String($0) }) else {
      throw Mistakes("--version-from \(source): the file is empty")
    }
    return word.hasPrefix("v") && isVersion(word) ? String(word.dropFirst()) : word
  }
}
