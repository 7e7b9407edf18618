package import BuildEngine
package import Documents
package import Findings
import Store
import SystemPackage

/// `run`: a command of the plugin's own build, as words or as a line for a shell.
package enum RunStep: PlannedKind {
  package static let kind = Kind(
    name: "run",
    keys: [
      Key("run", .list(.text), "the command, word by word; no shell reads it"),
      Key("shell", .text, "a line for /bin/sh, in place of 'run'"),
      Key("inputs", .oneOrMany(.path), "files, folders and globs that it reads"),
      Key("outputs", .oneOrMany(.path), required: true, "files and folders that it makes"),
      Key("env", .map(.text), "its environment; besides these only PATH and HOME reach it"),
      Key("directory", .path, "the folder that it runs in (the manifest's)"),
      Key("depfile", .path, "where it writes, as rules for make, what it has read besides its inputs"),
      Key(
        "declares-all", .flag,
        "whether it reads nothing that is not declared, so that a remote cache may have its outputs without a sandbox (false)"
      ),
    ],
    summary: "runs a command", choice: KeyChoice("run", "shell", required: true))

  package static func plan(_ declaration: Manifest.Declaration, in plan: Plan) throws(Mistakes) -> Step {
    let node = declaration.node
    let command: CommandAction.Command
    switch (node["run"], node["shell"]?.text) {
    case (let words?, nil):
      let list = words.texts.compactMap(\.text)
      guard !list.isEmpty else { throw Mistakes("the command of '\(declaration.name)' has no words", at: words.place) }
      command = .words(list)
    case (nil, let line?): command = .shell(line)
    case (_?, _?):
      throw Mistakes("step '\(declaration.name)' has both 'run' and 'shell'", at: declaration.place, hint: "keep one")
    case (nil, nil):
      throw Mistakes(
        "step '\(declaration.name)' has no command", at: declaration.place,
        hint: "run: [make, -C, ios], or shell: a line for /bin/sh")
    }
    for word in (node["run"]?.texts ?? []) + (node["shell"]?.texts ?? []) where word.text?.utf8.contains(0) == true {
      throw Mistakes(
        "the command of '\(declaration.name)' has a NUL in it: '\(word.text ?? "")'", at: word.place,
        hint: "a program is given only what stands before it")
    }
    let outputs = node["outputs"]?.texts ?? []
    for node in outputs + (node["depfile"].map { [$0] } ?? []) where Glob.isPattern(node.text ?? "") {
      throw Mistakes(
        "an output cannot be a pattern: '\(node.text ?? "")'", at: node.place, hint: "name the files, or their folder")
    }
    let depfile = node["depfile"]?.text.map { FilePath($0).lexicallyNormalized() }
    var paths = outputs.compactMap(\.text).map { FilePath($0).lexicallyNormalized() }
    // The depfile is an output: the old one is put aside, no other step may make it, and no glob of this step finds it.
    if let depfile, !paths.contains(where: { depfile.starts(with: $0) }) { paths.append(depfile) }
    let action = CommandAction(
      command, directory: FilePath(node["directory"]?.text ?? "."),
      environment: (node["env"]?.members ?? []).map { ($0.key, $0.node.text ?? "") }, depfile: depfile,
      declaresAll: node["declares-all"]?.text == "true")
    return Step(
      name: declaration.name, summary: "run \(declaration.name)",
      inputs: try Plan.inputs(node["inputs"]?.texts ?? []), outputs: paths, action: action, place: declaration.place)
  }
}
