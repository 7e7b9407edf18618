import Lanes
import Foundation
import SystemPackage
import Testing
import TestSupport

@testable import Archives

@Suite struct AppleMetadataTests {
  @Test(
    arguments: [
      ("__MACOSX/a/._b", .resourceTree), ("__MACOSX", .resourceTree), ("a/__MACOSX/b", .resourceTree),
      ("a/._b", .appleDouble), ("._", nil), ("a/.DS_Store", .folderSettings), ("Icon\r", .folderIcon), ("Icon", nil),
      ("a/.localized", .localized), ("Apps.localized/a", nil), (".fseventsd/0001", .fileEvents),
      (".Spotlight-V100/x", .searchIndex), (".Trashes/501", .trash), (".TemporaryItems", .temporaryItems),
      (".DocumentRevisions-V100", .documentRevisions), (".AppleDouble/a", .netatalk), (".AppleDesktop", .netatalk),
      (".VolumeIcon.icns", .volumeIcon), (".apdisk", .serverDisk), (".com.apple.timemachine.donotpresent", .backupMark),
      ("a.DS_Store", nil), (".ds_store", nil), (".git/config", nil), (".gitignore", nil), ("_MACOSX", nil),
    ] as [(String, AppleMetadata?)])
  func names(_ path: String, _ expected: AppleMetadata?) {
    #expect(AppleMetadata.classify(path: Array(path.utf8)) == expected)
  }
}

@Suite struct ExtendedAttributesTests {
  let scratch = Scratch()

  #if os(Linux)
    @Test(.tools) func listAndRemove() async throws {
      let file = try scratch.write("f", "x")
      try scratch.link("l", to: "f")
      #expect(try ExtendedAttributes.list(file) == [])
      let names = ["user.com.apple.quarantine", "user.b", "user.a"]
      for name in names { try await Tool.check(["setfattr", "-n", name, "-v", "1", file.string]) }
      #expect(try ExtendedAttributes.list(file) == names.sorted())
      // Not through a link, and on folders too.
      #expect(try ExtendedAttributes.list(scratch("l")) == [])
      // Linux has no `user.` attributes on links, and so this is not about the file behind it.
      #expect(throws: AttributeError(path: scratch("l"), name: "user.a", errno: .notPermitted)) {
        try ExtendedAttributes.remove("user.a", from: scratch("l"))
      }
      try await Tool.check(["setfattr", "-n", "user.d", "-v", "1", scratch.path.string])
      #expect(try ExtendedAttributes.list(scratch.path) == ["user.d"])

      for name in names { try ExtendedAttributes.remove(name, from: file) }
      #expect(try await Tool.check(["getfattr", "-d", "-m", "-", file.string]).isEmpty)
      // Gone already.
      try ExtendedAttributes.remove("user.a", from: file)
    }
  #endif

  @Test func errors() {
    #expect(throws: AttributeError(path: scratch("no"), name: nil, errno: .noSuchFileOrDirectory)) {
      try ExtendedAttributes.list(scratch("no"))
    }
    #expect(throws: AttributeError(path: scratch("no"), name: "user.a", errno: .noSuchFileOrDirectory)) {
      try ExtendedAttributes.remove("user.a", from: scratch("no"))
    }
  }

  @Test(
    arguments: [
      ("com.apple.quarantine", .macOS, .unwanted), ("com.apple.ResourceFork", .macOS, .unwanted),
      ("org.example.tag", .macOS, .unwanted), ("com.apple.provenance", .macOS, .unremovable),
      ("com.apple.system.Security", .macOS, .system), ("user.com.apple.FinderInfo", .linux, .unwanted),
      ("user.DosStream.AFP_AfpInfo:$DATA", .linux, .unwanted), ("user.anything", .linux, .unwanted),
      ("security.selinux", .linux, .system), ("security.capability", .linux, .system),
      ("system.posix_acl_access", .linux, .system), ("trusted.overlay.opaque", .linux, .system),
      ("security.com.apple.quarantine", .linux, .unwanted),
    ] as [(String, ExtendedAttributes.Platform, AttributeVerdict)])
  func verdicts(_ name: String, _ platform: ExtendedAttributes.Platform, _ verdict: AttributeVerdict) {
    #expect(ExtendedAttributes.verdict(on: name, platform: platform) == verdict)
  }
}
