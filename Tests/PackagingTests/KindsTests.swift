import Artifacts
import Documents
import Findings
import Testing

@testable import Packaging

@Suite struct KindsTests {
  @Test func namesAreUnique() {
    for names in [Kinds.steps.map { $0.kind.name }, Kinds.deliverables.map { $0.kind.name }] {
      #expect(Set(names).count == names.count)
    }
  }

  /// Where nothing is registered, as in the tests of the modules below, files of built-in kinds are known.
  @Test func theModulesBelowKnowBuiltInKinds() async {
    #expect(ArtifactKind.deliverables == Kinds.deliverables.map { $0.artifact })
    let paths =
      ArtifactKind.deliverables.filter { $0.folder == nil }.map { "Rally-1.4.0\($0.fileEnding)" } + [
        "Rally-1.4.0.release.json"
      ]
    let registered = await Kinds.registered { paths.map(StableName.plugin) }
    #expect(paths.map(StableName.plugin) == registered)
    #expect(Set(paths.map(StableName.plugin)) == ["Rally"])
  }

  /// What is built is known again by `lint`.
  @Test func aFileIsKnownByItsName() {
    // A plain file has any name.
    for kind in Kinds.deliverables where kind.artifact.folder == nil && kind.artifact != .plainFile {
      #expect(Kinds.artifact(named: "Rally-1.4.0\(kind.artifact.fileEnding)") == kind.artifact)
    }
    #expect(Kinds.artifact(named: "Rally.zip") == .iosZip)
    #expect(Kinds.artifact(named: "Rally.jar") == .jar)
    #expect(Kinds.artifact(named: "zip") == nil)
  }
}
