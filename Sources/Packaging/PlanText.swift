import Artifacts
package import BuildEngine
package import Findings
import Store
import SystemPackage

// Output of `build -n --format json`.
extension Project {
  /// The steps that would run, in the order in which they were declared:
  ///
  ///     {"version": 1,
  ///      "steps": [{"name": "library", "summary": "run library", "reason": "ios/a.m is new", "inputs": ["ios/a.m"],
  ///        "outputs": ["build/libA.a"], "command": ["make", "-C", "ios"], "directory": "."}]}
  ///
  /// Paths are relative to the plugin's folder. Inputs are the files that are there now, and those of other steps.
  /// `command` and `directory` are null for a built-in step; a `shell` text is the third word of `/bin/sh -c`.
  package func plan(_ result: BuildResult) throws(Mistakes) -> String {
    let steps = result.steps.compactMap { step -> (Step, Reason)? in
      if case .wouldRun(let reason) = step.outcome { (step.step, reason) } else { nil }
    }
    do {
      let disk = try RealDisk(root)
      let inputs = PlannedInputs(disk, hidden: [Graph.stateFolder, outFolder])
      let list = steps.map { step, reason -> JSONValue in
        let command = step.action as? CommandAction
        return .object([
          ("name", .string(step.name)), ("summary", .string(step.summary)), ("reason", .string(reason.description)),
          ("inputs", .array(inputs.files(of: step).map { .string($0.string) })),
          ("outputs", .array(step.outputs.map { .string($0.string) })),
          ("command", command.map { .array($0.words.map(JSONValue.string)) } ?? .null),
          ("directory", command.map { .string($0.directory.string) } ?? .null),
        ])
      }
      return JSONValue.object([("version", 1), ("steps", .array(list))]).shown
    } catch {
      throw Mistakes(from: error)
    }
  }
}
