import Archives
import BuildEngine
import Findings
import Store
import SystemPackage

/// The symbolic links that an archive may hold: those inside bundles and frameworks, to something packed with them.
struct LinkCheck {
  /// All packed paths, and the folders above them.
  private var known: Set<EntryPath> = []
  private var links: [EntryPath: [UInt8]] = [:]

  private static let holders = [".bundle", ".framework", ".xcframework"]
  /// Operating systems give up after about as many links.
  private static let maxLinks = 32

  init(_ files: [PackedFile]) {
    for file in files {
      var path: EntryPath? = file.path
      while let each = path, known.insert(each).inserted { path = each.parent }
      if file.input.isLink { links[file.path] = file.input.linkTarget?.pathBytes ?? [] }
    }
  }

  /// The fault of a link, as the end of a message that begins with its name; nil if there is none.
  func problem(of file: PackedFile) -> String? {
    let above = file.path.components.dropLast().map { String(decoding: $0, as: UTF8.self) }
    guard above.contains(where: { name in LinkCheck.holders.contains { name.hasSuffix($0) } }) else {
      return "is outside of a bundle or framework"
    }
    if links[file.path]?.first == UInt8(ascii: "/") { return "is absolute: it leads nowhere on a device" }
    var open = file.path.components
    var done: [[UInt8]] = []
    var followed = 0
    let top = file.top.components
    while !open.isEmpty {
      let part = open.removeFirst()
      if part.elementsEqual(".".utf8) { continue }
      if part.elementsEqual("..".utf8) {
        if done.count <= top.count { return "leads out of \(file.top)" }
        done.removeLast()
        continue
      }
      done.append(part)
      guard let path = try? EntryPath(Array(done.joined(separator: [UInt8(ascii: "/")]))), known.contains(path) else {
        return "leads to nothing that is packed"
      }
      if let target = links[path] {
        followed += 1
        if followed > LinkCheck.maxLinks { return "leads in a circle" }
        done.removeLast()
        open = target.split(separator: UInt8(ascii: "/")).map(Array.init) + open
      }
    }
    return done.starts(with: top) ? nil : "leads out of \(file.top)"
  }
}

/// Refuses links that lead out of the plugin's folder. A link that is named itself, or stands above a named file, is
/// packed as its target. A target elsewhere is no part of the plugin, differs between machines, and would let a
/// stranger's tree have this machine's secrets packed.
enum EscapingLinks {
  static func refuse(_ inputs: [(place: Place, resolved: [ResolvedInput])], _ context: ActionContext) throws {
    let root = try FileSystem.realPath(context.root)
    var notes = PackNotes()
    for (place, group) in inputs {
      // The links above a folder are followed once for all its files.
      var folders: Set<FilePath> = []
      for input in group where input.path == input.match {
        let folder = input.path.removingLastComponent()
        if input.linkTarget == nil, !folders.insert(folder).inserted { continue }
        // A path in the manifest that is itself outside of the plugin's folder is intended.
        guard context.absolute(input.path).lexicallyNormalized().starts(with: context.root) else { continue }
        let end = try FileSystem.realPath(context.absolute(input.path))
        if end.starts(with: root) { continue }
        let what =
          input.linkTarget == nil ? "\(input.path) lies behind a symbolic link that" : "the symbolic link \(input.path)"
        notes.refuse(
          "\(what) leads out of the plugin's folder, to \(end)", at: place, hint: "put a copy of the file in its place")
      }
    }
    try notes.check()
  }
}
