import Artifacts
package import Findings
package import Rewriting
import Store
package import SystemPackage

/// The command `prefix-symbols`: writes a file with new names of its symbols.
package enum PrefixSymbols {
  /// The result tells the user about names that stayed.
  package static func run(
    _ input: FilePath, to output: FilePath, _ prefix: SymbolPrefix, keepsDebug: Bool
  ) throws(Mistakes) -> [String] {
    do {
      try Project.refuseOther(output)
      try Project.refuse(writing: output, over: [input])
      let file = try RenamedFile(input, name: input.string, prefix, keepsDebug: keepsDebug)
      let notes = try PrefixNotes([file], of: input.string)
      var written = try OutputFile.create(output)
      try file.write(to: &written)
      try file.check(written.temporaryPath, name: output.string)
      try written.commit()
      return notes.lines
    } catch {
      throw Mistakes(from: error, about: input)
    }
  }
}
