import Findings
package import SystemPackage

extension CommandAction {
  /// The command as it can be pasted into a shell, at the root of the tree.
  package var text: String { text(root: ".") }

  /// The same, in a folder from which the tree's root is `root`. What it needs of its environment is named, and what the
  /// shell has besides is not taken away.
  package func text(root: FilePath) -> String {
    // The values may be secrets: whoever pastes the command gives them, or is told which are missing.
    let variables = environment.filter { CommandAction.isName($0.name) }.map { variable in
      "\(variable.name)=\"${\(variable.name)?not set: sha256 \(SecretText.shown(variable.value))}\" "
    }.joined()
    let line =
      switch command {
      // Not the text alone: an `exit` in it would end the shell that it is pasted into.
      case .shell(let text): "sh -c \(ShellText.script(text.trimmingFinalNewlines))"
      case .words(let words): ShellText.line(words)
      }
    let folder = directory == "." ? root : root == "." ? directory : root.pushing(directory)
    guard folder != "." else { return variables + line }
    // In parentheses, so that it can be pasted twice.
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
