import SystemPackage
import TestSupport
import Testing

/// What a project of Xcode's is made of, wherever that lies, and what of a tree is an application's or somebody else's.
@Suite(.timeLimit(.minutes(10))) struct InitXcodeTreesTests {
  /// A project with one target: `library.static` or `application`. What is not in a group is relative to the project. `more`:
  /// further objects.
  private static func project(
    _ name: String, _ type: String, _ files: [String], group: String? = nil, more: String = ""
  ) -> String {
    var text = "// !$*UTF8*$!\n{\n  objects = {\n"
    for (index, file) in files.enumerated() {
      text += "B\(index) = {isa = PBXBuildFile; fileRef = R\(index); };\n"
      text += "R\(index) = {isa = PBXFileReference; path = \"\(file)\"; sourceTree = \"<group>\"; };\n"
    }
    func list(_ prefix: String) -> String { files.indices.map { "\(prefix)\($0)," }.joined(separator: " ") }
    if let group {
      text += "G = {isa = PBXGroup; path = \"\(group)\"; sourceTree = \"<group>\"; children = ( \(list("R")) ); };\n"
    }
    let product = type == "application" ? "\(name).app" : "lib\(name).a"
    text += """
      T = {isa = PBXNativeTarget; buildPhases = ( S, ); name = \(name); productReference = P /* \(product) */;
        productType = "com.apple.product-type.\(type)"; };
      S = {isa = PBXSourcesBuildPhase; files = ( \(list("B")) ); };
      \(more)

      """
    return text + "  };\n}\n"
  }

  private static func write(_ tree: PluginTree, _ path: String, _ text: String) throws {
    try tree.write("\(path).xcodeproj/project.pbxproj", text)
  }

  /// Outside of the project's folder, headers beside it, the prefix header, settings: a change of each has it built again.
  @Test func whatAProjectIsMadeOf() async throws {
    let tree = PluginTree("keep")
    let settings = """
      C = {isa = XCBuildConfiguration; baseConfigurationReference = X;
        buildSettings = { GCC_PREFIX_HEADER = "$(SRCROOT)/../pre/Keep.pch"; INFOPLIST_FILE = Gone.plist; }; };
      X = {isa = PBXFileReference; path = Keep.xcconfig; sourceTree = "<group>"; };
      """
    try Self.write(
      tree, "Framework/Keep",
      Self.project("Keep", "library.static", ["K.c", "gone.c", "../../../up.c"], group: "../core/src", more: settings))
    let inputs = ["core/src/K.c", "core/src/K.h", "pre/Keep.pch", "Framework/Keep.xcconfig", "include/deep/D.h"]
    for path in inputs { try tree.write(path, path.hasSuffix("K.c") ? "#include \"deep/D.h\"\n" : "\n") }
    try await tree.library("../stub/libKeep.a", "keep")
    try tree.scratch.write(
      "tools/xcodebuild",
      "#!/bin/sh\nmkdir -p Framework/build/device; cp '\(tree.scratch("stub/libKeep.a"))' Framework/build/device/\n",
      executable: true)
    try await tree.initialize()
    _ = try await tree.build()
    #expect(try await tree.run([]).all.contains("nothing to do"))
    for path in inputs {
      try tree.write(path, "// \(path)\n")
      let result = try await tree.run([])
      #expect(result.status == 0 && !result.all.contains("nothing to do"), "\(path): \(result.all)")
    }
    let manifest = try tree.manifest
    #expect(!manifest.contains("up.c") && !manifest.contains("Gone"), "\(manifest)")
  }

  /// What CocoaPods adds to a project is not there yet.
  @Test func aPodfile() async throws {
    let tree = PluginTree("pods")
    try Self.write(tree, "ios/P", Self.project("P", "library.static", ["P.m"]))
    try tree.write("ios/P.m")
    try tree.write("ios/P.xcworkspace/contents.xcworkspacedata")
    try tree.write(
      "ios/Podfile", "target 'P' do\n\tpod 'Rally/Core', '16.3.1'\n  pod \"Scan\"\n # pod 'Old'\n  pod 'a: b'\nend\n")
    try await tree.initialize()
    let manifest = try tree.manifest
    #expect(
      manifest.contains(
        """
          # Needs Xcode.
          # ios/Podfile: run `pod install` in ios first.
          # The app links these pods, too: Rally/Core, Scan.
          # If the project alone does not find them, have the command take -workspace ios/P.xcworkspace
          # and -scheme P, in place of -project and -target.
          device:

        """), "\(manifest)")
    #expect(manifest.contains("inputs: [ios/P.xcodeproj/project.pbxproj, ios/Podfile, "), "\(manifest)")
  }
}
