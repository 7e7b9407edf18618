import Findings
package import Store
package import SystemPackage

/// Compares outputs with what a step made.
package struct OutputsOnDisk {
  private let view: DiskView

  package enum State: Equatable {
    case missing
    case same
    case changed
    /// A folder above it is a link, so the output would lie somewhere else.
    case behindLink(FilePath)
  }

  package init(_ disk: any Disk) { self.init(DiskView(disk)) }

  init(_ view: DiskView) { self.view = view }

  /// `digest` is the output's as it was made; nil if it is not known to be made here.
  package func state(of output: FilePath, _ digest: Digest?) throws(FileError) -> State {
    if let link = try link(above: output) { return .behindLink(link) }
    guard let digest else { return try view.status(output) == nil ? .missing : .changed }
    guard let now = try InputResolver(view: view, hidden: []).outputDigest(output) else { return .missing }
    return now == digest ? .same : .changed
  }

  /// The outermost folder above a path that is a link; nil if there is none.
  package func link(above path: FilePath) throws(FileError) -> FilePath? {
    for folder in path.andFoldersAbove.dropFirst().reversed() where try view.status(folder)?.kind == .symbolicLink {
      return folder
    }
    return nil
  }
}

/// Finds all outputs that lie behind a link, before anything runs: they would be written and removed somewhere else.
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
            "the output '\(output)' of \(step.title) lies behind a link: '\(link)' leads to "
              + "'\(try view.linkTarget(link))'", at: step.place,
            hint: "put a folder in the link's place, or name another output"))
      }
    }
    if !mistakes.isEmpty { throw Mistakes(mistakes) }
  }
}
