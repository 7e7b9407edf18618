import Testing

@testable import Packaging

/// Which tags are versions; what git says of them is in `Tests/EndToEnd/build/Scenarios/version-from-git.txt`.
@Suite struct VersionSourceTests {
  @Test(arguments: [
    "1.2.3", "v1.2.3", "0.0.1", "v10.20.30", "1.2.3-rc.1", "v1.2.3-alpha", "1.2.3+build.5", "1.2.3-rc.1+exp.sha-5114",
    "1.0.0--x.7",
  ])
  func isOne(_ tag: String) { #expect(VersionSource.isVersion(tag)) }

  @Test(arguments: [
    "release-9", "9", "v9", "1.2", "v1.2.3.4", "1.x.3", "1.2.3.beta", "1.2.3-", "1.2.3+", "1.2.3-rc..1", "1.2.3-é", "",
    "v", "V1.2.3", "vv1.2.3", "1..3", "release-1.2.3", "1.2.3 ",
  ])
  func isNone(_ tag: String) { #expect(!VersionSource.isVersion(tag)) }
}
