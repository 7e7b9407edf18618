import Store
import SystemPackage

/// Bubblewrap (`bwrap`), on Linux: a command sees of the tree only what its step declares.
///
/// - Its inputs, read-only, at their places, and nothing else of the tree. It works in an empty copy of the tree's folders,
///   from which its outputs are taken when it has ended well; what else it leaves there goes.
/// - A step with a depfile sees the whole tree, read-only but for the folders of its outputs: what it reads is declared by
///   that file, afterwards. So does a step with more files than can be shown one by one.
/// - The rest of the system is there, read-only; the home folder and those for temporary files can be written to.
///
/// Whether a step ran so is no part of its key: a step that says all that it reads makes the same.
package struct Sandbox: Sendable {
  /// Of `bwrap`.
  let program: FilePath

  /// Each file is a mount of its own, for each of which bwrap reads the list of all.
  private static let limit = 256

  /// Why there can be none.
  package struct Obstacle: Error { package let reason: String }

  /// Tries it out, once. Blocks for some milliseconds.
  package init(_ host: HostEnvironment) throws(Obstacle) {
    #if os(Linux)
      let folders = (host.path ?? []).split(separator: UInt8(ascii: ":")).compactMap { FilePath(pathBytes: $0) }
      let program = folders.filter(\.isAbsolute).map { $0.appending("bwrap") }.first { path in
        let status = try? FileSystem.status(of: path, followingLinks: true)
        return status?.kind == .file && status?.executable == true
      }
      guard let program else { throw Obstacle(reason: "bubblewrap is not installed: there is no 'bwrap' in PATH") }
      self.program = program
      do {
        let printed = try TemporaryFile(in: try OpenFolder(HostProcess.temporaryFolder))
        let words = ["bwrap"] + Sandbox.system + ["--", "/bin/sh", "-c", ":"]
        let process = try ChildProcess.start(
          program, words: words.map { Array($0.utf8) }, environment: [], in: "/", output: printed.file)
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

  private static let system = ["--ro-bind", "/", "/", "--dev-bind", "/dev", "/dev"]

  /// The tree as one command sees it.
  struct Room {
    let sandbox: Sandbox
    /// Where it works, in place of the tree; nil: it sees the tree itself.
    private(set) var folder: FilePath?
    private var words: [String]
    private let context: ActionContext

    /// `folder` is empty or not there.
    init(_ sandbox: Sandbox, _ context: ActionContext, in folder: FilePath, seesAll: Bool, directory: FilePath) throws {
      self.sandbox = sandbox
      self.context = context
      words = ["bwrap"] + Sandbox.system
      let home = context.host.home.flatMap { FilePath(pathBytes: $0) }
      let writable = Set(["/tmp", "/var/tmp", HostProcess.temporaryFolder] + (home.map { [$0] } ?? []))
      for place in sortedByBytes(writable) where place.isAbsolute && place != "/" { try bind(place, "--bind") }
      let files = context.inputs.joined().filter { $0.kind == .file || $0.linkTarget != nil }
      if seesAll || files.count > Sandbox.limit {
        try bind(context.root, "--ro-bind")
        for place in Set(context.outputs.map { context.absolute($0.removingLastComponent()) }) {
          try bind(place, "--bind")
        }
      } else {
        self.folder = folder
        words += ["--bind", folder.string, context.root.string]
        try show(context.inputs.joined().map { $0 }, in: folder)
        for path in context.outputs.map({ $0.removingLastComponent() }) + [directory] {
          try context.disk.makeFolders(folder.pushing(path).lexicallyNormalized())
        }
      }
      // Tools and a home folder that lie in the tree.
      for place in sortedByBytes(writable) where place.starts(with: context.root) && place != context.root {
        try bind(place, "--bind")
      }
      let path = (context.host.path ?? []).split(separator: UInt8(ascii: ":")).compactMap { FilePath(pathBytes: $0) }
      for place in path + context.programs where place.starts(with: context.root) && place != context.root {
        try bind(place, "--ro-bind")
      }
      words += ["--chdir", context.absolute(directory).lexicallyNormalized().string, "--"]
    }

    private mutating func bind(_ place: FilePath, _ how: String) throws {
      let place = place.lexicallyNormalized()
      if try context.disk.status(place, followingLinks: true) != nil { words += [how, place.string, place.string] }
    }

    private mutating func show(_ inputs: [ResolvedInput], in folder: FilePath) throws {
      var links: [FilePath] = []
      // What lies outside is there anyway.
      for input in inputs where input.path.isRelative && !input.path.starts(with: "..") {
        let place = folder.pushing(input.path)
        if links.contains(where: { input.path.starts(with: $0) }) { continue }
        if input.linkTarget == nil, input.kind == .folder {
          try context.disk.makeFolders(place)
          continue
        }
        try context.disk.makeFolders(place.removingLastComponent())
        guard let target = input.linkTarget else {
          try bind(context.absolute(input.path), "--ro-bind")
          continue
        }
        // A link stays one, and what it leads to is declared with it.
        try context.disk.makeLink(place, to: target)
        links.append(input.path)
        let real = try FileSystem.realPath(context.absolute(input.path))
        if real.starts(with: context.root) { try bind(real, "--ro-bind") }
      }
    }

    func invocation(_ command: Invocation) -> Invocation {
      var command = command
      command.words = words + command.words
      command.program = sandbox.program
      command.directory = "/"
      return command
    }

    /// Takes the outputs to their places, where nothing is now, if the command has ended well; and the folder away.
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
