import Artifacts
package import BuildEngine
package import Documents
package import Findings
package import Rules
import Store
package import SystemPackage

/// A manifest as steps of a build.
package struct Plan: Sendable {
  package let manifest: Manifest
  /// Where deliverables go, relative to the plugin's folder.
  package let out: FilePath
  package let policy: FindingPolicy

  /// `SOURCE_DATE_EPOCH`, the date of every entry of an archive: seconds since 1970.
  package let sourceDate: Int?

  package static let recordStep = "release-record"

  package init(_ manifest: Manifest, out: FilePath, policy: FindingPolicy, sourceDate: Int? = nil) {
    self.manifest = manifest
    self.out = out
    self.policy = policy
    self.sourceDate = sourceDate
  }

  /// The steps of the manifest, and the one that writes the release record.
  package func steps() throws(Mistakes) -> [Step] {
    var steps: [Step] = []
    var mistakes: [Mistake] = []
    func add(_ declarations: [Manifest.Declaration], _ kinds: [any PlannedKind.Type]) {
      for declaration in declarations {
        guard let kind = kinds.first(where: { $0.kind.name == declaration.kind }) else { continue }
        do throws(Mistakes) { steps.append(try kind.plan(declaration, in: self)) } catch { mistakes += error.all }
      }
    }
    add(manifest.steps, Kinds.steps)
    add(manifest.deliverables, Kinds.deliverables)
    guard mistakes.isEmpty else { throw Mistakes(mistakes) }
    return steps + [ReleaseRecordAction.step(self)]
  }

  /// Where a deliverable goes.
  package func output(_ name: String) -> FilePath { out.appending(name) }

  /// Where a deliverable says what is in it.
  package func record(of deliverable: String) -> FilePath {
    Graph.recordsFolder.appending("\(deliverable).json")
  }

  /// Paths and globs of the manifest as inputs.
  package static func inputs(_ nodes: [Node]) throws(Mistakes) -> [Input] {
    var inputs: [Input] = []
    for node in nodes {
      let text = node.text ?? ""
      if Glob.isPattern(text) {
        do throws(GlobError) { inputs.append(.glob(try Glob(text), node.place)) } catch {
          throw Mistakes("'\(text)': \(error.message)", at: node.place, hint: error.hint)
        }
      } else {
        inputs.append(.path(FilePath(text), node.place))
      }
    }
    return inputs
  }

  /// The platforms that the deliverables are for.
  var platforms: Set<Inventory.Platform> {
    let kinds = Set(manifest.deliverables.map(\.kind))
    return Set(Kinds.deliverables.filter { kinds.contains($0.kind.name) }.compactMap { $0.artifact.platform })
  }
}
