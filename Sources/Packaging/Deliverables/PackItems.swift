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
  /// A name at the root; with a slash at its end a folder into which it goes; `.`: what is inside goes to the root.
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

  init?(_ node: Node) {
    guard let from = node.text == nil ? node["from"] : node else { return nil }
    self.from = from
    to = node["to"]?.text
    place = node.place
  }
}

/// A file or link on its way into an archive.
struct PackedFile: Sendable {
  let path: EntryPath
  /// Relative to the plugin's folder.
  let source: FilePath
  let input: ResolvedInput
  let item: Int
  /// What the item became at the root of the archive: links stay inside it.
  let top: EntryPath

  /// A link that was named itself is packed as what it leads to.
  var isLink: Bool { input.isLink }
}

/// What items become, and what was left out on the way.
struct PackedItems: Sendable {
  private(set) var files: [PackedFile] = []
  private(set) var leftOut = LeftOut()

  /// `inputs` are the resolved inputs, one group an item. All mistakes are reported together.
  init(_ items: [PackItem], _ inputs: [[ResolvedInput]]) throws(Mistakes) {
    var mistakes: [Mistake] = []
    var owners: [EntryPath: PackedFile] = [:]
    for (index, (item, group)) in zip(items, inputs).enumerated() {
      if let to = item.to, to != ".", to != "./", !to.hasSuffix("/"), Set(group.map(\.match)).count > 1 {
        mistakes.append(
          Mistake(
            "several things match '\(item.from.text ?? "")' and cannot all be called '\(to)'", at: item.place,
            hint: "end 'to' with '/' to put them into a folder"))
        continue
      }
      for input in group {
        do throws(Mistakes) {
          guard let file = try PackedItems.file(input, item, index) else { continue }
          if let kind = AppleMetadata.classify(path: file.path.bytes) {
            if input.kind != .folder { leftOut.count(kind) }
            continue
          }
          if let other = owners[file.path] {
            if other.input.kind == .folder, input.kind == .folder { continue }
            throw Mistakes(
              "two things are called '\(file.path)'", at: item.place,
              notes: ["\(other.source) of the item \(items[other.item].place)", "\(file.source)"],
              hint: "give one of them another name with 'to'")
          }
          owners[file.path] = file
          files.append(file)
        } catch {
          mistakes += error.all
        }
      }
    }
    mistakes += twins(items)
    guard mistakes.isEmpty else { throw Mistakes(mistakes) }
    dropFoldersWithContent()
    try checkLinks(items)
  }

  /// Names that a Mac's file system takes for one.
  private func twins(_ items: [PackItem]) -> [Mistake] {
    var first: [String: PackedFile] = [:]
    return files.compactMap { file in
      guard let other = first.updateValue(file, forKey: file.path.collisionKey) else { return nil }
      return Mistake(
        "'\(other.path)' and '\(file.path)' are one file on a Mac", at: items[file.item].place,
        notes: ["\(other.source) of the item \(items[other.item].place)", "\(file.source)"],
        hint: "they differ only in case or in how letters are composed: rename one")
    }
  }

  /// Nil for what has no name of its own: the folder whose inside goes to the root.
  private static func file(
    _ input: ResolvedInput, _ item: PackItem, _ index: Int
  ) throws(Mistakes) -> PackedFile? {
    guard input.kind != .other else {
      throw Mistakes(
        "\(input.path) cannot be packed: it is neither a file, a folder nor a link", at: item.place,
        hint: "remove it, or leave it out")
    }
    // The plugin's folder has no name of its own in an archive: what is inside goes to the root.
    let own = input.match == "." ? [] : input.match.lastComponent.map { Array($0.nameBytes) } ?? []
    let isFolder = input.kind == .folder || input.path != input.match
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
    if whole.isEmpty { return nil }
    do throws(EntryPathError) {
      let path = try EntryPath(whole)
      return PackedFile(
        path: path, source: input.path, input: input, item: index,
        top: try EntryPath(top.isEmpty ? path.components[0] : top))
    } catch {
      throw Mistakes("\(input.path) cannot be packed: \(error)", at: item.place, hint: "rename it")
    }
  }

  /// A folder has an entry only if it would otherwise be lost.
  private mutating func dropFoldersWithContent() {
    var parents: Set<EntryPath> = []
    for file in files {
      var path = file.path
      while let parent = path.parent, parents.insert(parent).inserted { path = parent }
    }
    files.removeAll { $0.input.kind == .folder && parents.contains($0.path) }
  }

  private func checkLinks(_ items: [PackItem]) throws(Mistakes) {
    let links = files.filter(\.isLink)
    if links.isEmpty { return }
    let check = LinkCheck(files)
    let mistakes = links.compactMap { file -> Mistake? in
      guard let problem = check.problem(of: file) else { return nil }
      let target = file.input.linkTarget?.string ?? ""
      return Mistake(
        "the symbolic link \(file.source) -> \(target) \(problem)", at: items[file.item].place,
        hint: "put a file in its place, or leave it out")
    }
    guard mistakes.isEmpty else { throw Mistakes(mistakes) }
  }
}

/// What is not packed because it is Apple's or the Finder's own.
struct LeftOut: Sendable {
  private var counts: [String: Int] = [:]

  mutating func count(_ kind: AppleMetadata) { count(kind.noun) }

  mutating func count(_ what: String, _ times: Int = 1) { counts[what, default: 0] += times }

  mutating func add(_ other: LeftOut) { counts.merge(other.counts, uniquingKeysWith: +) }

  /// What the file carries besides its content. Not being able to list it is no reason to stop: it is not packed anyway.
  mutating func count(attributesOf path: FilePath) {
    for name in (try? ExtendedAttributes.unwanted(of: path)) ?? [] {
      counts[ExtendedAttributes.shown(name), default: 0] += 1
    }
  }

  /// `left out: 2 × .DS_Store, 1 × AppleDouble file`; nil if nothing was.
  var note: String? {
    guard !counts.isEmpty else { return nil }
    let parts = counts.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
    return "left out: " + parts.joined(separator: ", ")
  }
}
