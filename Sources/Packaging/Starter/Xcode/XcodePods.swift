import Findings

/// What a Podfile beside a project has CocoaPods put into its build.
struct XcodePods: Sendable {
  /// Of the tree: what is read.
  let inputs: [String]
  private let path: String
  private let folder: String
  /// In the order in which they stand there.
  private let names: [String]
  private let workspace: String?

  /// Nil if there is none. `folder`: of the project.
  init?(in folder: String, _ tree: StarterTree) {
    path = StarterTree.join(folder, "Podfile")
    guard tree.isFile(path) else { return nil }
    inputs = [path] + [path + ".lock"].filter(tree.isFile)
    self.folder = folder
    var seen: Set<String> = []
    names = tree.text(path).split(whereSeparator: \.isNewline).compactMap { XcodePods.name(in: $0.trimmed) }
      .filter { seen.insert($0).inserted }
    workspace = tree.names(folder).first { $0.hasSuffix(".xcworkspace") }.map { StarterTree.join(folder, $0) }
  }

  /// `pod 'Rally/Core', '~> 1.0'`
  private static func name(in line: Substring) -> String? {
    guard line.hasPrefix("pod ") || line.hasPrefix("pod(") else { return nil }
    let parts = line.split(maxSplits: 2, omittingEmptySubsequences: false) { $0 == "'" || $0 == "\"" }
    guard parts.count == 3, parts[1].utf8.count <= 100 else { return nil }
    let isName = parts[1].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-_./".contains($0)) }
    return isName && !parts[1].isEmpty ? String(parts[1]) : nil
  }

  /// What pods do to the step: indented as it stands.
  func comment(_ target: String) -> [String] {
    var lines = ["  # \(path): run `pod install`\(folder.isEmpty ? "" : " in \(folder)") first."]
    if !names.isEmpty {
      let rest = names.count - 8
      let list = names.prefix(8).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
      lines.append("  # The app links these pods, too: \(list).")
    }
    if let workspace {
      lines += [
        "  # If the project alone does not find them, have the command take -workspace \(workspace)",
        "  # and -scheme \(printable(target)), in place of -project and -target.",
      ]
    }
    return lines
  }
}
