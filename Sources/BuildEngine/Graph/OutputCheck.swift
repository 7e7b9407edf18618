import Findings
import SystemPackage

/// Finds the outputs that lie behind a link, before anything runs: all of them at once. They would be written, and removed,
/// somewhere else.
struct OutputCheck {
  let graph: Graph
  let view: DiskView

  func check(_ selection: [Int]) throws {
    var mistakes: [Mistake] = []
    let outputs = OutputsOnDisk(view)
    // A folder of many outputs is looked at once.
    var known: [FilePath: FilePath?] = [:]
    for index in selection {
      let step = graph.steps[index]
      for output in step.outputs {
        let folder = output.removingLastComponent()
        let found = try known[folder] ?? outputs.link(above: output)
        known[folder] = .some(found)
        guard let link = found else { continue }
        mistakes.append(
          Mistake(
            "the output '\(output)' of step '\(step.name)' lies behind a link: '\(link)' leads to "
              + "'\(try view.linkTarget(link))'", at: step.place,
            hint: "put a folder in the link's place, or name another output"))
      }
    }
    if !mistakes.isEmpty { throw Mistakes(mistakes) }
  }
}
