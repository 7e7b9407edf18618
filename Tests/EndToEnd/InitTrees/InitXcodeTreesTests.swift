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

  /// The example is a folder of the library's, and the library's description takes all that is there.
  @Test func anExampleInsideOfTheLibrary() async throws {
    let tree = PluginTree("mod")
    try tree.write("ios/manifest", "name: Mod\nmoduleid: com.acme.mod\nversion: 1.2\nplatform: iphone\n")
    try Self.write(tree, "ios/Mod", Self.project("Mod", "library.static", ["Classes/Mod.m", "Classes/Dep/Dep.m"]))
    try Self.write(
      tree, "ios/Classes/Dep/Sink/Sink",
      Self.project("Sink", "application", ["Files/Sink.m", "Files/Sink.h", "../Dep.m", "Files/back.png"]))
    for path in ["Mod.m", "Dep/Dep.m", "Dep/Sink/Files/Sink.m", "Dep/Sink/Files/Sink.h", "Dep/Sink/Files/back.png"] {
      try tree.write("ios/Classes/\(path)")
    }
    let lines = try await tree.initialize()
    #expect(
      lines == [
        "took ios/Mod.xcodeproj, and not ios/Classes/Dep/Sink/Sink.xcodeproj (an application is all that it makes)",
        "not packed: ios/Classes/Dep/Sink/Files/Sink.h, ios/Classes/Dep/Sink/Files/Sink.m, "
          + "ios/Classes/Dep/Sink/Files/back.png: of an application, and no part of the library",
      ], "\(lines)")
    #expect(try tree.manifest.contains("-target, Mod,"))
  }

  /// What an example compiles of the library beside it is the library's.
  @Test func sourcesThatAnExampleCompiles() async throws {
    let tree = PluginTree("af")
    try await tree.library("Classes/libSDK.a", "sdk")
    for name in ["a", "b", "c"] { try tree.write("Classes/\(name).c", "int \(name)(void) { return 1; }\n") }
    try tree.write("proj.ios/own.c", "int own(void) { return 1; }\n")
    try Self.write(
      tree, "proj.ios/Demo", Self.project("Demo", "application", ["own.c", "../Classes/a.c", "../Classes/b.c"]))
    let lines = try await tree.initialize()
    #expect(names(lines, "proj.ios/own.c", "of an application") && !names(lines, "Classes/"), "\(lines)")
    _ = try await tree.build()
    #expect(try await tree.symbols("libaf.a") == ["_a", "_b", "_c"])
  }

  /// Beside the library's project, in the same folder.
  @Test func aBundleThatOnlyAnApplicationNames() async throws {
    let tree = PluginTree("plug")
    try await tree.library("ios/libPlug.a", "plug")
    try Self.write(tree, "ios/Plug", Self.project("Plug", "library.static", ["../shared/p.c"]))
    try Self.write(tree, "ios/App", Self.project("App", "application", ["main.m", "App.bundle"]))
    try tree.write("shared/p.c", "int plug(void) { return 1; }\n")
    try tree.write("ios/App.bundle/a")
    try tree.write("ios/Own.bundle/a")
    let lines = try await tree.initialize()
    #expect(names(lines, "ios/App.bundle", "of an application") && !names(lines, "Own.bundle"), "\(lines)")
    _ = try await tree.build()
    #expect(try await tree.entries("-ios.zip") == ["Own.bundle/a", "libPlug.a"])
  }

  /// A folder that only looks like an XCFramework, or has code for simulators only where devices should have some.
  @Test func anXCFrameworkWithoutCode() async throws {
    let tree = PluginTree("ad")
    try await tree.xcframework("Ad.xcframework", "ad")
    try await Tool.check(["rm", "Ad.xcframework/ios-arm64/Ad.framework/Ad"], in: tree.scratch("ad"))
    let half = try await tree.run(["init"])
    #expect(half.status != 0)
    #expect(half.err.contains("not packed: Ad.xcframework: there is no code for devices in it"), "\(half.all)")
    try await Tool.check(["rm", "Ad.xcframework/ios-arm64-simulator/Ad.framework/Ad"], in: tree.scratch("ad"))
    let none = try await tree.run(["init"])
    #expect(none.err.contains("not packed: Ad.xcframework: there is no code in it"), "\(none.all)")
    try tree.write("Ad.xcframework/ios-arm64/Ad.framework/Ad", "version https://git-lfs.github.com/spec/v1\n")
    let pointer = try await tree.run(["init"])
    #expect(
      pointer.err.contains("Ad.xcframework: ios-arm64/Ad.framework/Ad: git has only a pointer to it here"),
      "\(pointer.all)")
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

  /// Of two that make libraries none is deeper, and of files that one pattern would match some are told apart.
  @Test func reasonsThatAreTrue() async throws {
    let tree = PluginTree("plug")
    try Self.write(tree, "a/A", Self.project("A", "library.static", ["../shared/one.c", "../shared/two.c"]))
    try Self.write(tree, "b/B", Self.project("B", "library.static", ["../shared/one.c"]))
    for name in ["one", "two", "x", "y"] { try tree.write("shared/\(name).c", "int \(name)(void) { return 1; }\n") }
    for name in ["m", "n"] { try tree.write("shared/\(name).c", "int main(void) { return 1; }\n") }
    let lines = try await tree.initialize()
    #expect(
      lines == [
        "took a/A.xcodeproj, and not b/B.xcodeproj (as high in the tree, and later by name)",
        "not packed: shared/m.c, shared/n.c: a program of its own, and no part of a library",
        "not packed: shared/x.c, shared/y.c: no target of a/A.xcodeproj names it",
      ], "\(lines)")
  }

  /// Libraries that lie where builds put theirs, and where package managers do.
  @Test func librariesInFoldersOfOthers() async throws {
    let tree = PluginTree("fb")
    try tree.write("ios/p.c", "int p(void) { return 1; }\n")
    for name in ["Core", "Share"] { try await tree.framework("bin/Frameworks/\(name).framework", name.lowercased()) }
    try await tree.library("Pods/libFlurry.a", "flurry")
    try tree.write("bin/notes.swift")
    let lines = try await tree.initialize()
    #expect(names(lines, "bin/Frameworks/*.framework (2)", "made by a build"), "\(lines)")
    #expect(names(lines, "bin/ (1)", "made by a build"), "\(lines)")
    #expect(names(lines, "Pods/libFlurry.a", "somebody else's"), "\(lines)")
  }
}
