import BuildEngine
import Documents
import Findings
import Store
import SystemPackage

/// Joins the paths and globs of several keys into one list of inputs, and splits the resolved files by key again.
struct KeyedInputs: Sendable {
  /// `node` is the path or glob, `without` the parts that `{from: …, without: …}` leaves out.
  let nodes: [(key: String, node: Node, without: [String])]

  init(_ declaration: Node, keys: [String]) {
    nodes = keys.flatMap { key -> [(String, Node, [String])] in
      guard let value = declaration[key] else { return [] }
      return (value.list ?? [value]).compactMap { item in
        if item.text != nil { return (key, item, []) }
        return item["from"].map { (key, $0, (item["without"]?.texts ?? []).compactMap(\.text)) }
      }
    }
  }

  func inputs() throws(Mistakes) -> [Input] { try Plan.inputs(nodes.map(\.node)) }

  func encode(into encoder: inout some KeyEncoder) {
    for (key, node, without) in nodes {
      encoder.add(key, node.text ?? "")
      for part in without { encoder.add("without", part) }
    }
  }

  /// The files and folders of a key, in the order of its values and then by path. `resolved` belongs to `inputs()`.
  func things(_ key: String, _ resolved: [[ResolvedInput]]) -> [NamedInput] {
    zip(nodes, resolved).flatMap { named, group -> [NamedInput] in
      guard named.key == key else { return [] }
      return group.byMatch.map { root, inputs in
        NamedInput(
          root: root, files: inputs.filter { $0.kind != .directory }, place: named.node.place, without: named.without)
      }
    }
  }
}

/// A file or folder that a manifest names, or a glob of it matches.
struct NamedInput: Sendable {
  let root: ResolvedInput
  /// The file itself, or every file and link below the folder.
  var files: [ResolvedInput]
  let place: Place
  /// The names of parts that are left out of it.
  var without: [String] = []

  var path: FilePath { root.path }
  var isFolder: Bool { root.kind == .directory }

  /// The path of a file in the folder, such as `layout/row.xml`; the name of a file that was named itself.
  func inside(_ file: ResolvedInput) -> [UInt8] {
    file.path == root.path ? file.path.lastComponent.map { Array($0.nameBytes) } ?? [] : file.inside
  }
}

extension [ResolvedInput] {
  /// The inputs of each named path, or match of a glob: itself, and for a folder all that is below it.
  var byMatch: [(root: ResolvedInput, inputs: [ResolvedInput])] {
    var parts: [(root: ResolvedInput, inputs: [ResolvedInput])] = []
    for input in self {
      if input.path == input.match {
        parts.append((input, [input]))
      } else if let index = parts.lastIndex(where: { $0.root.path == input.match }) {
        parts[index].inputs.append(input)
      }
    }
    return parts
  }
}

extension ResolvedInput {
  /// Whether it is a link below a named folder. A link that is named itself is followed.
  var isLink: Bool { linkTarget != nil && path != match }

  /// The path below the named folder; empty if the file was named itself.
  var inside: [UInt8] {
    Array(
      path.pathBytes.dropFirst(match == "." && path != match ? 0 : match.pathBytes.count).drop {
        $0 == UInt8(ascii: "/")
      })
  }
}
