import Artifacts
import Documents
import Testing

@testable import Packaging

@Suite struct KindsTests {
  @Test func namesAreUnique() {
    for names in [Kinds.steps.map { $0.kind.name }, Kinds.deliverables.map { $0.kind.name }] {
      #expect(Set(names).count == names.count)
    }
  }

  /// What is built is known again by `lint`.
  @Test func aFileIsKnownByItsName() {
    for kind in Kinds.deliverables {
      #expect(Kinds.artifact(named: "Rally-1.4.0\(kind.fileEnding)") == kind.artifact)
    }
    #expect(Kinds.artifact(named: "Rally.zip") == .iosZip)
    #expect(Kinds.artifact(named: "Rally.jar") == .jar)
    #expect(Kinds.artifact(named: "zip") == nil)
  }
}
