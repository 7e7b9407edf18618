import Findings
import Store
package import SystemPackage

/// The inputs of steps that have not run: what is there, and the names of what is not.
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
  /// The step as if this were all that it reads: of inputs that are looked at one by one, one may be missing.
  func with(_ input: Input) -> Step {
    Step(name: name, summary: summary, inputs: [input], outputs: outputs, action: action, place: place)
  }
}
