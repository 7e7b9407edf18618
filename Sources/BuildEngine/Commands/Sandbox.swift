import Store
package import SystemPackage

/// Bubblewrap (`bwrap`), on Linux: a command sees of the tree only what its step declares.
///
/// - Its inputs, read-only, at their places, with the links that lead to them, and nothing else of the tree. It works
///   in an empty copy of the tree's folders, from which its outputs are taken when it has succeeded; the rest is
///   discarded.
/// - A step with a depfile sees the whole tree, read-only but for the folders of its outputs, because that file tells
///   only afterwards what was read. So does a step with more files than can be shown one by one.
/// - The rest of the system is there, read-only, but for `/tmp`, which is empty; the home folder, `/var/tmp` and the
///   folder that TMPDIR names can be written to.
///
/// Whether a step ran in a sandbox is not part of its key: with all reads declared, the result is the same.
///
/// A command sees only processes that it has started itself: through the others (`/proc/1/root`) root would see the
/// tree. The first process of each sandbox has the same number, and scripts (`/tmp/x.$$`) and Java (`hsperfdata`) name
/// files in `/tmp` by numbers, so each sandbox has a `/tmp` of its own, in memory. What needs more room uses
/// `/var/tmp`.
package struct Sandbox: Sendable {
  let program: FilePath
  /// Absolute paths, as the environment names them, that commands may write to besides their outputs.
  private let writable: [FilePath]
  /// The real path of `/tmp`, which each command sees empty. Nil if there is none, or if it is the home folder.
  private let emptied: FilePath?
  /// bwrap's options for every command: `system` shows the machine, and `binds` the writable folders.
  private let system: [String]
  private let binds: [String]

  /// The most files that are mounted one by one: bwrap reads the list of all mounts for each mount.
  private static let limit = 256

  package struct Obstacle: Error { package let reason: String }

  /// Tries once to run a command in a sandbox for the tree at `root`. Blocks for some milliseconds.
  package init(_ host: HostEnvironment, root: FilePath) throws(Obstacle) {
    #if os(Linux)
      let folders = (host.path ?? []).split(separator: UInt8(ascii: ":")).compactMap { FilePath(pathBytes: $0) }
      let program = folders.filter(\.isAbsolute).map { $0.appending("bwrap") }.first { path in
        let status = try? FileSystem.status(of: path, followingLinks: true)
        return status?.kind == .regular && status?.executable == true
      }
      guard let program else { throw Obstacle(reason: "bubblewrap is not installed: there is no 'bwrap' in PATH") }
      self.program = program
      let home = host.home.flatMap { FilePath(pathBytes: $0) }
      // bwrap cannot make a mount below a link, so the real path is mounted.
      let temporary = try? FileSystem.realPath("/tmp")
      let own = home.flatMap { try? FileSystem.realPath($0) } == temporary ? nil : temporary
      emptied = own
      writable = (["/var/tmp", HostProcess.temporaryFolder] + (home.map { [$0] } ?? [])).filter(\.isAbsolute)
      let other = sortedByBytes(Set(writable.compactMap { try? FileSystem.realPath($0) })).map(\.string)
      binds = other.filter { $0 != "/" && $0 != own?.string }.flatMap { ["--bind", $0, $0] }
      system =
        ["--ro-bind", "/", "/", "--dev-bind", "/dev", "/dev", "--unshare-pid", "--proc", "/proc"]
        + (own.map { ["--tmpfs", $0.string] } ?? [])
      do {
        let printed = try TemporaryFile(in: try OpenFolder(HostProcess.temporaryFolder))
        let words = ["bwrap"] + system + binds + ["--ro-bind", root.string, root.string, "--chdir", root.string]
        let process = try ChildProcess.start(
          program, words: (words + ["--", "/bin/sh", "-c", ":"]).map { Array($0.utf8) }, environment: [], in: "/",
          output: printed.file)
        process.waitForEnd()
        guard process.reap() != .exited(0) else { return }
        let text = String(decoding: try printed.read(at: 0, count: 1000), as: UTF8.self)
        throw Obstacle(reason: text.split(separator: "\n").first.map(String.init) ?? "bwrap cannot run here")
      } catch let obstacle as Obstacle {
        throw obstacle
      } catch {
        throw Obstacle(reason: "bwrap cannot be started: \(error)")
      }
    #else
      throw Obstacle(reason: "there is a sandbox on Linux only")
    #endif
  }

  /// Whether a command sees only its inputs in the tree, and leaves only its outputs there.
  static func isApart(_ context: ActionContext, discovers: Bool) -> Bool {
    context.sandbox != nil && !discovers
      && context.inputs.joined().count { $0.kind == .regular || $0.linkTarget != nil } <= limit
  }

  /// The name in `/tmp` through which a place is reached: `/tmp/sdk` for `/tmp/sdk/bin`.
  private func hidden(_ place: FilePath) -> FilePath? {
    var rest = place
    guard let emptied, rest.removePrefix(emptied), let first = rest.components.first else { return nil }
    return emptied.appending(first)
  }

  /// The tree as one command sees it.
  struct Room {
    let sandbox: Sandbox
    /// The folder in which the command works in place of the tree; nil if it sees the tree itself.
    private let folder: FilePath?
    private var words: [String] = []
    /// bwrap's options for names in `/tmp` that stay visible.
    private var kept: [String] = []
    private let context: ActionContext
    private var walk = LinkWalk()
    /// Places that bwrap already shows.
    private var shown: Set<FilePath> = []

    /// - Parameter folder: must be empty or missing.
    init(_ sandbox: Sandbox, _ context: ActionContext, in folder: FilePath, isApart: Bool, directory: FilePath) throws {
      self.sandbox = sandbox
      self.context = context
      self.folder = isApart ? folder : nil
      if isApart {
        try context.disk.makeFolders(folder)
        words += ["--bind", folder.string, context.root.string]
        for input in context.inputs.joined() { try show(context.absolute(input.path)) }
        try show(context.absolute(directory))
        for output in context.outputs {
          try context.disk.makeFolders(folder.pushing(output.removingLastComponent()))
          // The command changes an output that is there already.
          let place = context.absolute(output)
          guard try context.disk.status(place, followingLinks: false) != nil else { continue }
          try context.disk.rename(place, to: folder.pushing(output))
        }
      } else {
        words += ["--ro-bind", context.root.string, context.root.string]
        for place in Set(context.outputs.map { context.absolute($0.removingLastComponent()) }) { bind(place, "--bind") }
        for input in context.inputs.joined() where input.linkTarget != nil {
          for place in walk.places(of: context.absolute(input.path)) { try keep(place) }
        }
      }
      // Tools and writable folders may lie in the tree, too.
      for place in sandbox.writable { try show(place, whole: "--bind") }
      let path = (context.host.path ?? []).split(separator: UInt8(ascii: ":")).compactMap { FilePath(pathBytes: $0) }
      for place in path.filter(\.isAbsolute) + context.programs { try show(place, whole: "--ro-bind") }
      words += ["--chdir", context.absolute(directory).string, "--"]
    }

    private mutating func bind(_ place: FilePath, _ how: String) { words += [how, place.string, place.string] }

    /// Shows the part of the way to an absolute path that lies in the tree. Links stay links, and what they lead to is
    /// shown; a folder is empty unless all of it is to be shown (`whole`, bwrap's option for it).
    private mutating func show(_ path: FilePath, whole: String? = nil) throws {
      let places = walk.places(of: path)
      for (index, place) in places.enumerated() {
        var own = place
        guard own.removePrefix(context.root), !own.isEmpty else {
          try keep(place)
          continue
        }
        let isNew = shown.insert(place).inserted
        switch try context.disk.status(place, followingLinks: false)?.kind {
        case .symbolicLink where isNew:
          guard let folder else { continue }
          try context.disk.makeFolders(folder.pushing(own.removingLastComponent()))
          try context.disk.makeLink(folder.pushing(own), to: try context.disk.linkTarget(place))
        case .directory:
          if let whole, index == places.count - 1 {
            bind(place, whole)
          } else if isNew, let folder {
            try context.disk.makeFolders(folder.pushing(own))
          }
        case .regular where isNew: bind(place, whole ?? "--ro-bind")
        default: continue
        }
      }
    }

    /// Shows the name in `/tmp` that leads to a place, read-only and whole, because tools lie beside their libraries.
    private mutating func keep(_ place: FilePath) throws {
      guard place != context.root, let top = sandbox.hidden(place), shown.insert(top).inserted else {
        return
      }
      switch try context.disk.status(top, followingLinks: false)?.kind {
      case .symbolicLink: kept += ["--symlink", try context.disk.linkTarget(top).string, top.string]
      case .regular, .directory: kept += ["--ro-bind", top.string, top.string]
      default: break
      }
    }

    func invocation(_ command: Invocation) -> Invocation {
      var command = command
      command.words = ["bwrap"] + sandbox.system + kept + sandbox.binds + words + command.words
      command.program = sandbox.program
      command.directory = "/"
      return command
    }

    /// Moves the outputs of a command that succeeded to their places, where nothing is now, and removes the folder.
    func leave(succeeded: Bool) throws {
      guard let folder else { return }
      if succeeded {
        for output in context.outputs {
          let made = folder.pushing(output)
          if try context.disk.status(made, followingLinks: false) != nil {
            try context.disk.rename(made, to: context.absolute(output))
          }
        }
      }
      try context.disk.remove(folder)
    }
  }
}
