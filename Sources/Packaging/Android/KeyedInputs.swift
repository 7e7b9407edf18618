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
      var things: [NamedInput] = []
      for input in group {
        if input.path == input.match {
          things.append(
            NamedInput(
              root: input, files: input.kind == .regular ? [input] : [], place: named.node.place,
              without: named.without))
        } else if let index = things.lastIndex(where: { $0.root.path == input.match }), input.kind != .directory {
          things[index].files.append(input)
        }
      }
      return things
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
