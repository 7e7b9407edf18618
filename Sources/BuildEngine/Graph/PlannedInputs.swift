import Findings
import Store
package import SystemPackage

/// The inputs of steps that have not run: the files that exist, and the names of those that do not.
package struct PlannedInputs {
  private let resolver: InputResolver

  package init(_ disk: any Disk, hidden: Set<FilePath>) {
    resolver = InputResolver(view: DiskView(disk), hidden: hidden, skipsDigests: true)
  }

  /// Files, in the order of the step's inputs.
  package func files(of step: Step) -> [FilePath] {
    var files: [FilePath] = []
    for input in step.inputs {
      if let found = try? resolver.resolve(step.with(input)) {
        files += found.joined().filter { $0.kind != .directory }.map(\.path)
      } else if case .path(let path, _) = input {
        files.append(path)
      }
    }
    return files
  }
}

extension Step {
  /// The step with this as its only input, so that a missing input does not hide the others.
  func with(_ input: Input) -> Step {
    Step(name: name, summary: summary, inputs: [input], outputs: outputs, action: action, place: place)
  }
}
