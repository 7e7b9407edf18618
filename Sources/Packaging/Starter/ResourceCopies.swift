import Android
import Artifacts
import Findings

/// Resources of Android that a description names: folders that are packed as they are, and files that it puts elsewhere than
/// where they lie, which a step copies.
struct ResourceCopies: Sendable {
  private(set) var folders: [String] = []
  private var copies: [(path: String, target: String)] = []
  private(set) var leftOut: [(path: String, reason: String)] = []
  private let made: String

  /// `packed`: folders that are taken already.
  init(_ survey: TreeSurvey, packed: [String]) {
    made = survey.tree.made + "/res"
    let tree = survey.tree
    var known = Dictionary(uniqueKeysWithValues: Set(packed).map { ($0, true) })
    var others: [(path: String, target: String?, description: String)] = []
    for description in survey.descriptions where description.kind != .gradle {
      for path in description.androidResources where tree.kind(path) != nil {
        let target = description.androidTargets[path]
        guard let folder = ResourceCopies.folder(of: path, target) else {
          others.append((path, target, description.path))
          continue
        }
        if known[folder] == nil {
          let isGood = tree.problem(ofResources: folder) == nil
          known[folder] = isGood
          if isGood { folders.append(folder) }
        }
        if known[folder] == false { others.append((path, target, description.path)) }
      }
    }
    var targets = Set((packed + folders).flatMap { tree.below($0).map(\.name) })
    for (path, target, description) in others {
      if let target, ResourceCopies.isPlace(target), tree.isFile(path) {
        if targets.insert(target).inserted {
          copies.append((path, target))
        } else {
          leftOut.append((path, "\(description) puts it where another resource of that name is"))
        }
      } else {
        leftOut.append((path, "\(description) puts it into res: copy it into such a folder, and add that to res"))
      }
    }
  }

  /// The folder `res` in which it has its place already.
  private static func folder(of path: String, _ target: String?) -> String? {
    if let target { return path.hasSuffix("/res/" + target) ? String(path.dropLast(target.utf8.count + 1)) : nil }
    let parts = path.split(separator: "/")
    guard let index = parts.dropLast().firstIndex(of: "res") else { return nil }
    return parts[...index].joined(separator: "/")
  }

  /// `drawable-xhdpi/icon.png`
  private static func isPlace(_ target: String) -> Bool {
    let parts = target.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2
      && parts.allSatisfy { part in
        part.first.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
          && part.utf8.allSatisfy { byte in
            byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") || "0123456789_.-+".utf8.contains(byte)
          }
      }
  }

  /// What 'res' of the deliverable names.
  var paths: [String] { folders + (copies.isEmpty ? [] : [made]) }

  /// Folders that are no `res` as they are, and of which a step copies what is named.
  var replaced: Set<String> {
    Set(
      copies.compactMap { path, _ in
        let parts = path.split(separator: "/").dropLast()
        return parts.lastIndex(of: "res").map { parts[...$0].joined(separator: "/") }
      })
  }

  /// The files that the step reads.
  var files: [String] { copies.map(\.path) }

  /// Indented as it stands.
  var step: [String] {
    guard !copies.isEmpty else { return [] }
    let places = Set(copies.map { "\(made)/\(StarterTree.folder(of: $0.target))" }).sorted()
    return [
      "  # Android's resources where their description puts them.", "  resources:", "    shell: |",
      "      set -e; rm -rf \(made); mkdir -p \(places.joined(separator: " "))",
    ] + copies.map { "      cp \(ShellText.quoted(path: $0.path)) \(made)/\($0.target)" } + [
      "    inputs: [\(copies.map(\.path.inYAML).joined(separator: ", "))]", "    outputs: [\(made)]",
    ]
  }
}

extension StarterTree {
  /// Why a folder is none of resources, nil if it is one.
  func problem(ofResources folder: String) -> String? {
    let loose = below(folder).first {
      !ResourceFile.isPassedOver(Array($0.name.utf8)) && $0.name.utf8.count { $0 == 0x2F } != 1
    }
    if let loose { return "\(printable(loose.name)) is in no folder of its kind, such as values or drawable" }
    return problem(ofFolder: folder)
  }
}
