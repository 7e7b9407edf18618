import Store
package import SystemPackage

/// A program, as a command names it.
package struct Program: Sendable, Hashable {
  /// The first word of the command: a path relative to the directory if it has a slash, else a name to search for.
  package let word: String
  package let directory: FilePath
  /// The PATH to look in, if the command has one of its own.
  package let searchPath: String?

  package init(word: String, directory: FilePath = ".", searchPath: String? = nil) {
    (self.word, self.directory, self.searchPath) = (word, directory, searchPath)
  }

  /// The program's path relative to the root, if the word is a relative path; a step may have to make it first.
  package var pathInTree: FilePath? {
    let path = FilePath(word)
    guard word.utf8.contains(UInt8(ascii: "/")), path.isRelative else { return nil }
    return directory.pushing(path).lexicallyNormalized()
  }
}

extension Program {
  /// The absolute path on this machine. Throws a failure that says where it was looked for.
  package func path(on disk: any Disk, _ host: HostEnvironment) throws -> FilePath {
    try ProgramSearch(view: DiskView(disk), host: host).find(self)
  }
}

/// The environment of this machine that commands get besides what the manifest declares.
package struct HostEnvironment: Sendable {
  package var path: [UInt8]?
  package var home: [UInt8]?

  package static var current: HostEnvironment {
    HostEnvironment(path: HostProcess.variable("PATH"), home: HostProcess.variable("HOME"))
  }
}

/// Finds programs, as the system would.
struct ProgramSearch {
  let view: DiskView
  let host: HostEnvironment

  /// The absolute path. Only absolute folders of PATH count, so that the folder of the call does not matter.
  func find(_ program: Program) throws -> FilePath {
    if let path = program.pathInTree {
      try check(path, program)
      return view.absolute(path)
    }
    let word = FilePath(program.word)
    if word.isAbsolute {
      try check(word, program)
      return word
    }
    let search = program.searchPath.map { Array($0.utf8) } ?? host.path ?? []
    let isDeclared = program.searchPath != nil
    return try view.program(Name(word: Array(program.word.utf8), searchPath: search, isDeclared: isDeclared), find)
  }

  struct Name: Hashable {
    let word: [UInt8]
    let searchPath: [UInt8]
    /// True if the PATH comes from the manifest. Like every declared value it may be a secret, and is not shown.
    let isDeclared: Bool

    fileprivate var shownPath: String {
      let text = String(decoding: searchPath, as: UTF8.self)
      if text.isEmpty { return "PATH: it is empty" }
      return isDeclared ? "the PATH that the step declares (sha256 \(SecretText.shown(text)))" : "PATH: \(text)"
    }
  }

  private func find(_ name: Name) throws -> FilePath {
    let word = String(decoding: name.word, as: UTF8.self)
    for folder in name.searchPath.split(separator: UInt8(ascii: ":")) {
      guard let folder = FilePath(pathBytes: folder), folder.isAbsolute else { continue }
      let path = folder.pushing(FilePath(word))
      if let status = try? view.target(path), status.kind == .regular, status.executable { return path }
    }
    var failure = StepFailure(
      "the program '\(word)' was not found", notes: ["looked in \(name.shownPath)"],
      hint: "install it, or put its folder into PATH")
    failure.missingProgram = word
    throw failure
  }

  private func check(_ path: FilePath, _ program: Program) throws {
    guard let status = try view.target(path) else {
      throw StepFailure("the program '\(program.word)' is not there", notes: ["looked at \(view.absolute(path))"])
    }
    guard status.kind == .regular && status.executable else {
      throw StepFailure(
        "'\(program.word)' cannot be run: it is \(status.kind == .regular ? "not executable" : "not a file")",
        hint: status.kind == .regular ? "make it executable: chmod +x \(path)" : nil)
    }
  }
}
