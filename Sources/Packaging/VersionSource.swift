import Findings
import Subprocess
import SystemPackage

/// `--version-from git|FILE`: where a version comes from if the manifest does not hold it.
enum VersionSource {
  static func read(_ source: String, in directory: FilePath) async throws(Mistakes) -> String {
    source == "git" ? try await git(directory) : try file(source, directory)
  }

  /// The nearest tag, without a leading `v`.
  private static func git(_ directory: FilePath) async throws(Mistakes) -> String {
    let hint = "tag the commit, for example: git tag v1.4.0"
    let text: String?
    do {
      let result = try await run(
        .name("git"), arguments: ["-C", directory.string, "describe", "--tags", "--dirty"],
        output: .string(limit: 4096), error: .discarded)
      text = result.terminationStatus.isSuccess ? result.standardOutput : nil
    } catch {
      throw Mistakes("--version-from git: git cannot be run: \(error)")
    }
    guard let version = text?.split(whereSeparator: \.isNewline).first.map(String.init) else {
      throw Mistakes("--version-from git: no tag is reachable from here", hint: hint)
    }
    return version.hasPrefix("v") ? String(version.dropFirst()) : version
  }

  /// The first line that is not empty.
  private static func file(_ source: String, _ directory: FilePath) throws(Mistakes) -> String {
    let path = directory.pushing(FilePath(source))
    let text = try Project.text(of: path)
    guard let line = text.split(whereSeparator: \.isNewline).first(where: { !$0.allSatisfy(\.isWhitespace) }) else {
      throw Mistakes("--version-from \(source): the file is empty")
    }
    return line.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? String(line)
  }
}
