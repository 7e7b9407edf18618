package import BuildEngine
package import Findings
import Store

extension Project {
  /// The sandbox for the commands of a build. If `wanted` is nil, CI (the variable `CI` is set) has one where that
  /// works, and a note where it does not.
  package func sandbox(
    _ wanted: Bool?, _ options: BuildOptions, note: (String) -> Void
  ) throws(Mistakes) -> Sandbox? {
    let ci = HostProcess.variable("CI").map { !$0.isEmpty && ![Array("false".utf8), Array("0".utf8)].contains($0) }
    guard options.mode == .build, wanted ?? ci ?? false else { return nil }
    do {
      return try Sandbox(.current, root: root)
    } catch {
      if wanted == true {
        throw Mistakes("--sandbox: \(error.reason)", hint: "leave the option out, or install bubblewrap on Linux")
      }
      note("commands run without a sandbox: \(error.reason)")
      return nil
    }
  }
}
