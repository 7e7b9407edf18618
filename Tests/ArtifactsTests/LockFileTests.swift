import Artifacts
import Findings
import SystemPackage
import Testing

/// The lock files of package managers, as these write them.
@Suite struct LockFileTests {
  private static func read(_ text: String, _ manager: LockFile.Manager) throws(Mistakes) -> [String] {
    let file = try LockFile(Array(text.utf8), name: manager.fileName, manager)
    return file.packages.map { "\($0.place.position?.line ?? 0) \($0.name) \($0.version)" }
  }

  private static func mistake(_ text: String, _ manager: LockFile.Manager) -> String? {
    do throws(Mistakes) { _ = try read(text, manager) } catch { return error.all.first?.line }
    return nil
  }

  @Test func theNameOfAFileTellsItsManager() {
    #expect(LockFile.Manager(of: "ios/Podfile.lock") == .cocoaPods)
    #expect(LockFile.Manager(of: "App.xcodeproj/project.xcworkspace/xcshareddata/swiftpm/Package.resolved") == .swiftPM)
    #expect(LockFile.Manager(of: "app/gradle.lockfile") == .gradle)
    #expect(LockFile.Manager(of: "Podfile") == nil && LockFile.Manager(of: "Podfile.lock/x") == nil)
  }

  /// Subspecs of one pod are one package.
  @Test func pods() throws {
    let text = """
      PODS:
        - Firebase/Core (6.34.0):
          - Firebase/CoreOnly
        - Firebase/CoreOnly (6.34.0)
        - "GoogleUtilities/NSData+zlib (7.11.0)"
        - nanopb (2.30909.0-beta.1)

      SPEC CHECKSUMS:
        nanopb: b552cce312b6c8484180ef47159bc0f65a1f0431
      """
    #expect(
      try Self.read(text, .cocoaPods) == ["2 Firebase 6.34.0", "5 GoogleUtilities 7.11.0", "6 nanopb 2.30909.0-beta.1"])
    #expect(try Self.read("PODFILE CHECKSUM: 00\nCOCOAPODS: 1.12.1\n", .cocoaPods).isEmpty)
  }

  @Test func pinsOfAllVersions() throws {
    let old = """
      {"object": {"pins": [
        {"package": "SnapKit", "repositoryURL": "u", "state": {"branch": null, "revision": "0a", "version": "5.0.1"}}]},
       "version": 1}
      """
    #expect(try Self.read(old, .swiftPM) == ["2 SnapKit 5.0.1"])
    for version in [2, 3] {
      let new = """
        {"originHash": "0", "pins": [{"identity": "snapkit", "state": {"branch": "main", "revision": "0a"}},
        {"identity": "openssl", "state": {"revision": "0b"}}], "version": \(version)}
        """
      #expect(try Self.read(new, .swiftPM) == ["1 snapkit main", "2 openssl 0b"])
    }
  }

  /// What only tests and tools need is not in the app.
  @Test func modules() throws {
    let text = """
      # a comment
      com.squareup.okio:okio:2.8.0=debugRuntimeClasspath,releaseRuntimeClasspath
      junit:junit:4.13=debugUnitTestRuntimeClasspath,testRuntimeClasspath
      org.example:tool:1=annotationProcessor\r
      org.example:plain:1=runtimeClasspath
      empty=lintChecks
      """
    #expect(try Self.read(text, .gradle) == ["2 com.squareup.okio:okio 2.8.0", "5 org.example:plain 1"])
  }

  @Test(arguments: [
    (LockFile.Manager.cocoaPods, "", "Podfile.lock:1:1: not a Podfile.lock: there is no list of PODS in it"),
    (.cocoaPods, "PODS: none", "Podfile.lock:1:7: not a Podfile.lock: PODS is text"),
    (.cocoaPods, "PODS:\n  - A", "Podfile.lock:2:5: not a Podfile.lock: a pod is written as 'NAME (VERSION)'"),
    (.cocoaPods, "PODS:\n  - A (1\n", "Podfile.lock:2:5: not a Podfile.lock: a pod is written as 'NAME (VERSION)'"),
    (.cocoaPods, "PODS:\n  - (1)\n", "Podfile.lock:2:5: not a Podfile.lock: a pod is written as 'NAME (VERSION)'"),
    (.cocoaPods, "PODS: [", "Podfile.lock:2:1: not YAML: did not find expected node content"),
    (.swiftPM, "", "Package.resolved:1:1: not JSON: a value is missing"),
    (.swiftPM, "{}", "Package.resolved:1:1: not a Package.resolved: it has no version"),
    (
      .swiftPM, "{\"version\": 4}",
      "Package.resolved:1:13: not a Package.resolved: its version is 4, and 1, 2 and 3 are known"
    ),
    (.swiftPM, "{\"version\": 1}", "Package.resolved:1:1: not a Package.resolved: there is no list of pins in it"),
    (
      .swiftPM, "{\"version\": 2, \"pins\": [{\"identity\": \"a\", \"state\": 1}]}",
      "Package.resolved:1:25: not a Package.resolved: a pin has a name, and a version, branch or revision"
    ),
    (
      .gradle, "a:b:1=runtimeClasspath\na:b\n",
      "gradle.lockfile:2:1: not a gradle.lockfile: a line is written as 'group:name:version=configurations'"
    ),
    (
      .gradle, "a:b=runtimeClasspath",
      "gradle.lockfile:1:1: not a gradle.lockfile: a line is written as 'group:name:version=configurations'"
    ),
  ])
  func whatIsNoneIsAMistakeWithItsPlace(_ manager: LockFile.Manager, _ text: String, _ expected: String) {
    #expect(Self.mistake(text, manager) == expected)
  }

  @Test func bytesThatAreNoTextAreAMistake() {
    for manager in LockFile.Manager.allCases {
      #expect(throws: Mistakes.self) { try LockFile([0xFF, 0xFE, 0x00], name: manager.fileName, manager) }
    }
  }
}
