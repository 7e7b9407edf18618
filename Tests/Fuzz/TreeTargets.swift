import Documents
import Scaffold
import Store
import SystemPackage

// What `init` makes of a tree of one or two files: a manifest that says what was meant, or none.
extension FuzzTarget {
  private static let files = [
    "package.json", "pubspec.yaml", "plugin.xml", "build/extension.xml", "ios/manifest", "A.podspec", "A.podspec.json",
    "A.xcodeproj/project.pbxproj", "sdk/build.gradle", "settings.gradle", "gradle.properties",
    "lib/AndroidManifest.xml", "A.xcframework/Info.plist", "libA.a",
  ]
  /// A module of a Gradle build, which has a manifest whatever the input says.
  private static let others = [
    "gradlew": "", "settings.gradle": "include ':sdk'\n", "sdk/build.gradle": "apply plugin: 'com.android.library'\n",
  ]

  /// The first byte says which file the rest is.
  func isSoundTree(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first else { return true }
    let path = FuzzTarget.files[Int(first) % FuzzTarget.files.count]
    let root = FuzzFolder.path.appending("tree")
    do {
      try? FileSystem.remove(root)
      var files = FuzzTarget.others.mapValues { Array($0.utf8) }
      files[path] = Array(bytes.dropFirst())
      for (path, bytes) in files {
        let file = root.pushing(FilePath(path))
        try FileSystem.makeFolders(file.removingLastComponent())
        try FileSystem.write(file, bytes)
      }
      let proposal = try Scaffold.propose(in: root)
      let read = YAMLValue(try YAMLText.parse(Array(proposal.text.utf8), name: "npi.yml"))
      return read?.isSame(as: proposal.value) ?? false
    } catch is Refusal {
      return true
    } catch {
      print(error)
      return false
    }
  }
}
