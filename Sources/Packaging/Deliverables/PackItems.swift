import Archives
import Artifacts
import BuildEngine
import Documents
import Findings
import Store
import SystemPackage

/// One entry of `items`: what is packed, and where it goes in the archive.
struct PackItem: Sendable {
  /// A path or glob below the plugin's folder.
  let from: Node
  /// A name at the root, or a folder if it ends with a slash. `.` puts the contents of a folder at the root.
  let to: String?
  let place: Place

  static let shape = Shape.list(
    .either([
      .path,
      .object([
        Key("from", .path, required: true, "a path or glob"),
        Key("to", .path, "its name in the archive; a folder if it ends with '/'; '.' is the root"),
      ]),
    ]))

  init(from: Node, to: String) {
    (self.from, self.to, place) = (from, to, from.place)
  }

  init?(_ node: Node) {
    guard let from = node.text == nil ? node["from"] : node else { return nil }
    self.from = from
    to = node["to"]?.text
    place = node.place
  }
}

extension [PackItem] {
  func encode(into encoder: inout some KeyEncoder) {
    for item in self {
      encoder.add("from", item.from.text ?? "")
      encoder.add("to", item.to ?? "")
    }
  }
}

/// A file or link on its way into an archive.
struct PackedFile: Sendable {
  let path: EntryPath
  let input: ResolvedInput
  /// The place of its item in the manifest.
  let place: Place
  /// The path of the whole item in the archive. Links must stay inside it.
  let top: EntryPath
}

/// The files of the items, and the things that were left out.
struct PackedItems: Sendable {
  private(set) var files: [PackedFile] = []
  private(set) var notes = PackNotes()

  /// `inputs` are the resolved inputs, one group for each item. All mistakes are reported together.
  init(_ items: [PackItem], _ inputs: [[ResolvedInput]]) throws(Mistakes) {
    var owners: [EntryPath: PackedFile] = [:]
    var clashes = ItemClashes()
    func sources(_ first: PackedFile, _ second: PackedFile) -> [String] {
      ["\(first.input.path) of the item \(first.place)", "\(second.input.path)"]
    }
    for (item, group) in zip(items, inputs) {
      if let to = item.to, to != ".", to != "./", !to.hasSuffix("/"), Set(group.map(\.match)).count > 1 {
        notes.refuse(
          "several things match '\(item.from.text ?? "")' and cannot all be called '\(to)'", at: item.place,
          hint: "end 'to' with '/' to put them into a folder")
        continue
      }
      for input in group {
        guard let file = file(input, item) else { continue }
        if let kind = AppleMetadata.classify(path: file.path.bytes) {
          if input.kind != .directory { notes.leftOut.count(kind.noun) }
        } else if let other = owners[file.path] {
          if other.input.kind == .directory, input.kind == .directory { continue }
          clashes.add(other, file)
        } else {
          owners[file.path] = file
          files.append(file)
        }
      }
    }
    clashes.refuse(&notes, sources)
    notes.refuseTwins(files.map(\.path)) { first, second in
      (files[second].place, owners[first].map { sources($0, files[second]) } ?? [])
    }
    try notes.check()
    dropFoldersWithContent()
    checkLinks()
    try notes.check()
  }

  /// The things that are not packed, including extended attributes of the packed files.
  func leftOut(_ context: ActionContext) -> LeftOut {
    var leftOut = notes.leftOut
    for file in files { leftOut.count(attributesOf: context.absolute(file.input.path)) }
    return leftOut
  }

  /// Nil for an input that cannot be packed, and for a folder whose contents go to the root.
  private mutating func file(_ input: ResolvedInput, _ item: PackItem) -> PackedFile? {
    guard !input.kind.isSpecial else {
      notes.refuse(
        "\(input.path) cannot be packed: it is neither a file, a folder nor a link", at: item.place,
        hint: "remove it, or leave it out")
      return nil
    }
    // The plugin's folder has no name of its own in an archive: its contents go to the root.
    let own = input.match == "." ? [] : input.match.lastComponent.map { Array($0.nameBytes) } ?? []
    let isFolder = input.kind == .directory || input.path != input.match
    var top: [UInt8]
    switch item.to {
    case nil: top = own
    case "."?, "./"?: top = isFolder ? [] : own
    case let to? where to.hasSuffix("/"): top = Array(to.utf8) + own
    case let to?: top = Array(to.utf8)
    }
    if top.starts(with: "./".utf8) { top.removeFirst(2) }
    let inside = input.inside
    if top.last == UInt8(ascii: "/") { top.removeLast() }
    let whole = top + (top.isEmpty || inside.isEmpty ? [] : [UInt8(ascii: "/")]) + inside
    guard !whole.isEmpty, let path = notes.path(whole, of: input, at: item.place),
      let top = notes.path(top.isEmpty ? path.components[0] : top, of: input, at: item.place)
    else { return nil }
    return PackedFile(path: path, input: input, place: item.place, top: top)
  }

  /// Only an empty folder needs an entry.
  private mutating func dropFoldersWithContent() {
    var parents: Set<EntryPath> = []
    for file in files {
      var path = file.path
      while let parent = path.parent, parents.insert(parent).inserted { path = parent }
    }
    files.removeAll { $0.input.kind == .directory && parents.contains($0.path) }
  }

  private mutating func checkLinks() {
    let links = files.filter(\.input.isLink)
    if links.isEmpty { return }
    let check = LinkCheck(files)
    for file in links {
      guard let problem = check.problem(of: file) else { continue }
      notes.refuse(
        "the symbolic link \(file.input.path) -> \(file.input.linkTarget?.string ?? "") \(problem)", at: file.place,
        hint: "put a file in its place, or leave it out")
    }
  }
}

/// Files that two items bring under one name. There is one mistake for the two items, however many files clash.
private struct ItemClashes {
  private struct Pair: Hashable {
    let first: Place
    let second: Place
    /// Whether both items bring the same file. Otherwise two files have one name.
    let isOverlap: Bool
  }

  private var counts: [Pair: Int] = [:]
  /// The first of each pair, in the order in which they were found.
  private var examples: [(pair: Pair, first: PackedFile, second: PackedFile)] = []

  mutating func add(_ first: PackedFile, _ second: PackedFile) {
    let pair = Pair(first: first.place, second: second.place, isOverlap: first.input.path == second.input.path)
    counts[pair, default: 0] += 1
    if counts[pair] == 1 { examples.append((pair, first, second)) }
  }

  func refuse(_ notes: inout PackNotes, _ sources: (PackedFile, PackedFile) -> [String]) {
    for (pair, first, second) in examples {
      let more = (counts[pair] ?? 1) - 1
      let rest = more == 0 ? [] : ["and \(more) more of the same two items"]
      if pair.isOverlap {
        notes.refuse(
          "two items bring the same \(more == 0 ? "file" : "files"): '\(second.path)'", at: pair.second,
          notes: ["\(first.input.path) of the item \(pair.first)"] + rest,
          hint: "leave one of the items out, or narrow it")
      } else {
        notes.refuse(
          "two things are called '\(second.path)'", at: pair.second, notes: sources(first, second) + rest,
          hint: "give one of them another name with 'to'")
      }
    }
  }
}
