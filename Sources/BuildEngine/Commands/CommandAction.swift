import Findings
import Store
package import SystemPackage

package struct CommandAction: Action {
  package enum Command: Sendable, Equatable {
    /// The words, without any shell.
    case words([String])
    /// A text for `/bin/sh -c`.
    case shell(String)
  }

  package let command: Command
  package let directory: FilePath
  /// The environment besides PATH and HOME, sorted by bytes of the name.
  package let environment: [(name: String, value: String)]
  /// The dependency file that the command writes, relative to the root; an output of the step, or in one.
  package let depfile: FilePath?
  /// Whether the plugin's author says that it reads nothing but its inputs, and the same files of every system.
  package let declaresAll: Bool
  /// Variables whose values are shown nowhere.
  private let hidden: Set<String>

  package init(
    _ command: Command, directory: FilePath = ".", environment: [(name: String, value: String)] = [],
    depfile: FilePath? = nil, declaresAll: Bool = false, secrets: Set<String> = []
  ) {
    self.command = command
    hidden = secrets
    self.declaresAll = declaresAll
    let normal = directory.lexicallyNormalized()
    self.directory = normal.isEmpty ? "." : normal
    self.environment = environment.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    self.depfile = depfile?.lexicallyNormalized()
  }

  package var words: [String] {
    switch command {
    case .words(let words): words
    case .shell(let text): ["/bin/sh", "-c", text]
    }
  }

  package var programs: [Program] {
    guard let word = words.first else { return [] }
    return [Program(word: word, directory: directory, searchPath: environment.last { $0.name == "PATH" }?.value)]
  }

  package var startsClean: Bool { true }

  package var discovers: Bool { depfile != nil }

  /// A command may read files that its step does not declare, unless a sandbox hides them.
  package func isShared(_ context: ActionContext) -> Bool { declaresAll || isApart(context) }

  package func encode(into encoder: inout some KeyEncoder) {
    encoder.add("action", "command")
    // A program's result may depend on the platform even if the program's bytes are the same.
    encoder.add("platform", CommandAction.platform)
    for word in words { encoder.add("word", word) }
    encoder.add("directory", directory)
    for variable in environment {
      encoder.add("variable", variable.name)
      encoder.add("value", .secret(variable.value))
    }
    if let depfile { encoder.add("depfile", depfile) }
  }

  package func run(_ context: ActionContext) async throws -> ActionReport {
    guard let program = context.programs.first, !words.isEmpty else { throw StepFailure("there is no command to run") }
    if let variable = environment.first(where: { !CommandAction.isName($0.name) || $0.value.utf8.contains(0) }) {
      throw StepFailure(
        "the variable '\(variable.name)' cannot be given to a command",
        hint: "names are letters, digits and _, and do not begin with a digit")
    }
    let place = context.absolute(directory)
    guard try context.disk.status(place, followingLinks: true)?.kind == .directory else {
      throw StepFailure("the folder '\(directory)', in which the command is to run, is not there")
    }
    var invocation = Invocation(program: program, words: words, environment: variables(context.host), directory: place)
    let room = try context.sandbox.map {
      try Sandbox.Room($0.sandbox, context, in: $0.folder, isApart: isApart(context), directory: directory)
    }
    if let room { invocation = room.invocation(invocation) }
    var result: CommandResult
    do { result = try await context.runner.run(invocation, in: context.slot) } catch {
      try? room?.leave(succeeded: false)
      throw error
    }
    try room?.leave(succeeded: result.status == .exited(0))
    for variable in environment where hidden.contains(variable.name) {
      result.output = CommandAction.masked(Array(variable.value.utf8), in: result.output)
    }
    let message: String
    switch result.status {
    case .exited(0):
      return ActionReport(output: result.output, discovered: try depfile.map { try read($0, context, result) } ?? [])
    case .exited(let status): message = "it ended with status \(status)"
    case .signalled(let signal):
      message = "it was ended by signal \(signal)\(CommandAction.signalNames[signal].map { " (\($0))" } ?? "")"
    }
    var failure = failure(message, result)
    if isApart(context) { explain(&failure, context) }
    throw failure
  }

  /// Whether it runs in a sandbox where it sees only its inputs in the tree, and leaves only its outputs.
  func isApart(_ context: ActionContext) -> Bool { Sandbox.isApart(context, discovers: discovers) }

  /// Adds to the failure which files the command may have missed in the sandbox.
  private func explain(_ failure: inout StepFailure, _ context: ActionContext) {
    let printed = String(decoding: failure.output.suffix(CommandAction.maxPrinted), as: UTF8.self)
    let missed = UndeclaredReads(context: context, directory: directory).missed(
      in: words + [printed], script: script)
    failure.notes.append("it ran in the sandbox, where it sees of the tree only its inputs")
    if missed.isEmpty {
      failure.hint = "--no-sandbox shows it all of the tree"
    } else {
      failure.notes.append("it does not declare, and may have missed: \(named(missed, atMost: 5))")
      failure.hint = "add what it reads to its inputs; --no-sandbox shows it all of the tree"
    }
  }

  /// The note on a command that succeeded: files of the tree that its text names and that it neither declares nor
  /// discovered; in a sandbox, also those that its output names.
  func undeclared(_ context: ActionContext, discovered: [FilePath], output: [UInt8]) -> String? {
    let isApart = isApart(context)
    let printed = isApart ? [String(decoding: output.suffix(CommandAction.maxPrinted), as: UTF8.self)] : []
    let reads = UndeclaredReads(context: context, directory: directory, discovered: discovered)
    let names = reads.named(in: words + printed, script: script)
    guard !names.isEmpty else { return nil }
    let (verb, it) = names.count == 1 ? ("is", "it") : ("are", "them")
    return "its command names \(named(names, atMost: 5)), which \(verb) not among its inputs"
      + (isApart ? ": the sandbox did not show \(it)" : "")
  }

  private var script: String? { if case .shell(let text) = command { text } else { nil } }

  /// The length of the end of the output in which names are looked for, in bytes.
  private static let maxPrinted = 64 << 10

  /// Reads the paths from the depfile. A path that is not there is an error, since it would be watched in vain.
  private func read(_ depfile: FilePath, _ context: ActionContext, _ result: CommandResult) throws -> [FilePath] {
    let place = context.absolute(depfile)
    func failed(_ message: String, hint: String? = nil) -> StepFailure { failure(message, hint: hint, result) }
    guard let status = try context.disk.status(place, followingLinks: true) else {
      throw failed(
        "it ended well but did not write its depfile '\(depfile)'",
        hint: "let the command write it (as clang -MD -MF FILE does), or take 'depfile' away")
    }
    guard status.kind == .regular, status.size <= Depfile.limit else {
      throw failed("its depfile '\(depfile)' is \(status.kind == .regular ? "too large to be one" : "not a file")")
    }
    let bytes = try context.disk.read(place)
    let names: [[UInt8]]
    do throws(DepfileError) { names = try Depfile(parsing: bytes).prerequisites } catch {
      throw failed(
        "its depfile '\(depfile)' cannot be read: \(error)", hint: "it must be rules for make, as compilers write them")
    }
    let paths = names.compactMap { FilePath(pathBytes: $0) }.map { directory == "." ? $0 : directory.pushing($0) }
    let missing = try paths.filter { try context.disk.status(context.absolute($0), followingLinks: false) == nil }
    guard missing.isEmpty else {
      throw failed(
        "its depfile '\(depfile)' names \(named(missing, atMost: 5)): not there",
        hint: "names in it are relative to the folder in which the command runs: '\(directory)'")
    }
    return paths
  }

  /// Takes a secret out of what a command printed. A shorter one would be found in anything.
  static func masked(_ secret: [UInt8], in output: [UInt8]) -> [UInt8] {
    guard secret.count >= 4 else { return output }
    var result: [UInt8] = []
    var rest = output[...]
    while let place = rest.firstRange(of: secret) {
      result += rest[..<place.lowerBound] + Array("***".utf8)
      rest = rest[place.upperBound...]
    }
    return result + rest
  }

  private func failure(_ message: String, hint: String? = nil, _ result: CommandResult) -> StepFailure {
    StepFailure(message, hint: hint, output: result.output, command: text)
  }

  private func variables(_ host: HostEnvironment) -> [[UInt8]] {
    var variables = environment.map { (name: Array($0.name.utf8), value: Array($0.value.utf8)) }
    for (name, value) in [("PATH", host.path), ("HOME", host.home)] {
      guard let value, !variables.contains(where: { $0.name == Array(name.utf8) }) else { continue }
      variables.append((Array(name.utf8), value))
    }
    return variables.sorted { $0.name.lexicographicallyPrecedes($1.name) }.map { $0.name + [0x3D] + $0.value }
  }

  static func isName(_ name: String) -> Bool {
    let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
    guard let first = name.utf8.first, !isDigit(first) else { return false }
    return name.utf8.allSatisfy { byte in
      isDigit(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_")
    }
  }

  private static let signalNames: [Int32: String] = [
    1: "HUP", 2: "INT", 3: "QUIT", 4: "ILL", 6: "ABRT", 8: "FPE", 9: "KILL", 11: "SEGV", 13: "PIPE", 15: "TERM",
    24: "XCPU", 25: "XFSZ",
  ]

  private static var platform: String {
    #if os(macOS)
      let system = "macos"
    #elseif os(Linux)
      let system = "linux"
    #else
      let system = "other"
    #endif
    #if arch(arm64)
      return system + "-arm64"
    #elseif arch(x86_64)
      return system + "-x86_64"
    #else
      return system + "-other"
    #endif
  }

  /// The command as it can be pasted into a shell, at the root of the tree.
  package var text: String { text(root: ".") }

  /// The same for a shell in a folder from which the tree's root is `root`. The shell must set the command's variables.
  package func text(root: FilePath) -> String {
    // The values may be secrets, so the user's shell must set them; `?` reports those that are missing.
    let variables = environment.filter { CommandAction.isName($0.name) }.map { variable in
      let digest = hidden.contains(variable.name) ? "" : ": sha256 \(SecretText.shown(variable.value))"
      return "\(variable.name)=\"${\(variable.name)?not set\(digest)}\" "
    }.joined()
    let line =
      switch command {
      // The text runs in a shell of its own, because an `exit` in it would end the shell that it is pasted into.
      case .shell(let text): "sh -c \(ShellText.script(text.trimmingFinalNewlines))"
      case .words(let words): ShellText.line(words)
      }
    let folder = directory == "." ? root : root == "." ? directory : root.pushing(directory)
    guard folder != "." else { return variables + line }
    // The parentheses allow pasting it twice.
    return "(cd \(ShellText.quoted(path: folder.string)) && \(variables)\(line))"
  }
}

extension String {
  fileprivate var trimmingFinalNewlines: String {
    var text = self[...]
    while text.hasSuffix("\n") { text.removeLast() }
    return String(text)
  }
}
