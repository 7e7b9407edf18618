package import Artifacts
package import Findings
import ObjectFiles

/// An XCFramework is as its `Info.plist` says, and that as Xcode reads it (swiftlang/swift-build, `XCFramework.swift` and
/// `ProcessXCFrameworkTaskAction.swift`). Xcode goes by the list alone, and whether the code is for what it says shows when
/// an app is linked.
package enum XCFrameworkStructure: Rule {
  package static let entry = RuleEntry(
    "xcframework-structure", .error, "an XCFramework has the libraries that its Info.plist lists, for what it says")
  package static let kinds: Set<ArtifactKind>? = .apple
  package static let facts: [any Facts.Type] = [CodeFacts.self, PropertyListFacts.self]

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    inventory.xcframeworks.flatMap { folder in
      XCFrameworkJudge(folder).defects.map { defect in
        let site =
          defect.item.map { inventory.site($0) }
          ?? (folder.path.isEmpty ? inventory.place : inventory.place.inside(folder.path))
        return finding(
          judging, defect.message, about: defect.names, at: site, notes: defect.notes, hint: defect.hint)
      }
    }
  }
}

extension XCFrameworkStructure {
  package static let explanation = RuleExplanation(
    why: """
      Xcode takes the library of an XCFramework by the list in its `Info.plist`, and looks into no code.
      What the list names and is not there stops an app's build (`the expected library was not found`,
      `Missing path … as defined by 'DebugSymbolsPath'`), but only of who builds for that platform: often
      the first one who starts a simulator. An architecture that is promised and missing, or code for
      another platform, fails in the app's link.
      """,
    bad: """
      RallyConnector.xcframework/Info.plist       ios-arm64, ios-arm64_x86_64-simulator
      RallyConnector.xcframework/ios-arm64/libRallyConnector.a
      """,
    good: """
      RallyConnector.xcframework/Info.plist       ios-arm64, ios-arm64_x86_64-simulator
      RallyConnector.xcframework/ios-arm64/libRallyConnector.a
      RallyConnector.xcframework/ios-arm64_x86_64-simulator/libRallyConnector.a
      """,
    mend: """
      Make it with `xcodebuild -create-xcframework` from one library for each platform, and copy it whole:
      with its debug symbols, or without the key `DebugSymbolsPath`. By hand: what a folder is called does
      not matter, what `Info.plist` says of it does.
      """)
}
