package import Artifacts
package import BuildEngine
package import Documents
package import Findings

/// `xcframework`: a library for each platform, as frameworks or beside their headers, in a zip.
package enum XCFrameworkFile: DeliverableKind {
  package static let artifact = ArtifactKind.xcframework
  package static let kind = Kind(
    name: "xcframework", keys: ModulePackage.keys(.xcframework, name: "NAME.xcframework.zip"),
    summary: "a library for each of Apple's platforms in an XCFramework, made without Xcode")

  package static func plan(_ declaration: Manifest.Declaration, in plan: Plan) throws(Mistakes) -> Step {
    try ModulePackage(.xcframework, declaration, in: plan).step(XCFrameworkFile.self)
  }
}

/// `framework`: a framework of one platform in a zip.
package enum FrameworkFile: DeliverableKind {
  package static let artifact = ArtifactKind.framework
  package static let kind = Kind(
    name: "framework", keys: ModulePackage.keys(.framework, name: "NAME.framework.zip"),
    summary: "a framework for one of Apple's platforms, made without Xcode")

  package static func plan(_ declaration: Manifest.Declaration, in plan: Plan) throws(Mistakes) -> Step {
    try ModulePackage(.framework, declaration, in: plan).step(FrameworkFile.self)
  }
}
