/// A tree as plain text, and what a step reads of it: the model of the random builds. It knows nothing of the engine
/// and shares nothing with it. A link leads to a name in its own folder.
struct PlainTree: Hashable, Sendable {
  enum Node: Hashable, Sendable {
    case file(String, executable: Bool)
    case folder
    case link(String)
  }

  /// By the path from the root of the tree.
  var nodes: [String: Node] = [:]

  init() {}

  /// What is on the disk at `/tree`, without the engine's own state.
  init(_ disk: MemoryDisk) {
    for (path, content) in disk.contents(below: "/tree") where path != ".npi" && !path.hasPrefix(".npi/") {
      switch content {
      case .file(let bytes, let executable):
        nodes[path] = .file(String(decoding: bytes, as: UTF8.self), executable: executable)
      case .folder: nodes[path] = .folder
      case .link(let target): nodes[path] = .link(String(decoding: target, as: UTF8.self))
      }
    }
  }

  /// The thing with all that is below it.
  func slice(_ path: String) -> [String: Node] {
    nodes.filter { $0.key == path || $0.key.hasPrefix(path + "/") }
  }

  mutating func remove(_ path: String) {
    for key in slice(path).keys { nodes[key] = nil }
  }

  mutating func add(_ new: [String: Node]) {
    for (path, node) in new {
      var folder = parent(path)
      while !folder.isEmpty {
        nodes[folder] = nodes[folder] ?? .folder
        folder = parent(folder)
      }
      nodes[path] = node
    }
  }

  /// Where the path leads, without links; nil if nothing is there.
  func place(_ path: String, followingLast: Bool) -> String? {
    var place = ""
    let parts = path.split(separator: "/")
    for (index, part) in parts.enumerated() {
      place = place.isEmpty ? String(part) : "\(place)/\(part)"
      var hops = 0
      while index + 1 < parts.count || followingLast, case .link(let target)? = nodes[place] {
        hops += 1
        if hops > 8 { return nil }
        place = parent(place).isEmpty ? target : "\(parent(place))/\(target)"
      }
    }
    return nodes[place] == nil ? nil : place
  }

  func target(_ path: String) -> Node? { place(path, followingLast: true).flatMap { nodes[$0] } }

  func names(in folder: String) -> [String] {
    guard let place = place(folder, followingLast: true), nodes[place] == .folder else { return [] }
    return nodes.keys.filter { $0.hasPrefix(place + "/") && parent($0) == place }
      .map { String($0.dropFirst(place.utf8.count + 1)) }.sorted()
  }

  /// One thing that is read.
  struct Seen: Hashable, Sendable {
    var path: String
    /// What was named or matched.
    var match: String
    var isFolder: Bool
    /// Of a file, or of the file that a link leads to.
    var content: String?
    var executable: Bool
    var link: String?
  }

  /// The thing and, for a folder, all that is below it. A named link is followed.
  func look(_ path: String, match: String, named: Bool) -> [Seen] {
    guard let place = place(path, followingLast: false), let own = nodes[place] else { return [] }
    let target = target(path)
    var seen = Seen(path: path, match: match, isFolder: (named ? target : own) == .folder, executable: false)
    if case .link(let text) = own { seen.link = text }
    if case .file(let content, let executable)? = target { (seen.content, seen.executable) = (content, executable) }
    guard seen.isFolder else { return [seen] }
    return [seen] + names(in: path).flatMap { look("\(path)/\($0)", match: match, named: false) }
  }

  /// `FOLDER/*SUFFIX`, or `FOLDER/**/*SUFFIX`, or `FOLDER/**`.
  func matches(in folder: String, suffix: String?, deep: Bool) -> [String] {
    names(in: folder).filter { !$0.hasPrefix(".") }.flatMap { name -> [String] in
      let path = "\(folder)/\(name)"
      let isFolder = place(path, followingLast: false).map { nodes[$0] == .folder } == true
      var found = suffix.map { name.hasSuffix($0) } ?? !isFolder ? [path] : []
      if deep && isFolder { found += matches(in: path, suffix: suffix, deep: true) }
      return found
    }
  }
}

func parent(_ path: String) -> String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "" }
