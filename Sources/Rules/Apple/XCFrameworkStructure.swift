package import Artifacts
package import Findings
import ObjectFiles

/// An XCFramework agrees with its `Info.plist`, as Xcode reads it (swiftlang/swift-build, `XCFramework.swift` and
/// `ProcessXCFrameworkTaskAction.swift`). Xcode uses the list alone, and code for another platform than the list says
/// shows only when an app is linked.
package enum XCFrameworkStructure: Rule {
  package static let id: RuleID = "xcframework-structure"
  package static let kinds: Set<ArtifactKind>? = .apple
  package static let facts: [any Facts.Type] = [CodeFacts.self, PropertyListFacts.self]

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    inventory.xcframeworks.flatMap { folder in
      let place = folder.path.isEmpty ? inventory.place : inventory.place.inside(folder.path)
      return XCFrameworkJudge(folder).defects.map { finding(judging, $0, in: inventory, whole: place) }
    }
  }
}
