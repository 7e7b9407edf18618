import Artifacts
import Findings
import Linking
import Testing

@testable import Collisions

/// Packages of lock files: what two managers bring, and where the library of a collision comes from.
@Suite struct LockedPackagesTests {
  private static func pods(_ names: String...) throws(Mistakes) -> LockFile {
    let text = "PODS:\n" + names.map { "  - \($0)\n" }.joined()
    return try LockFile(Array(text.utf8), name: "Podfile.lock", .cocoaPods)
  }

  private static func pins(_ names: (String, String)...) throws(Mistakes) -> LockFile {
    let pins = names.map { "{\"identity\": \"\($0)\", \"state\": {\"version\": \"\($1)\"}}" }.joined(separator: ",")
    return try LockFile(
      Array("{\"version\": 2, \"pins\": [\(pins)]}".utf8), name: "Package.resolved", .swiftPM)
  }

  private static func modules(_ names: String...) throws(Mistakes) -> LockFile {
    let text = names.map { "\($0)=releaseRuntimeClasspath\n" }.joined()
    return try LockFile(Array(text.utf8), name: "gradle.lockfile", .gradle)
  }

  private static func shared(_ files: LockFile...) -> [String] {
    DuplicatePackage.judge(CheckContext(plugins: [], locks: files)).found.map { DuplicatePackage.text($0).message }
  }

  /// By the names that each manager has for a library, or by one name however it is written.
  @Test func twoManagersBringOneLibrary() throws {
    let found = Self.shared(
      try Self.pods("OpenSSL-Universal (1.1.2200)", "GTMSessionFetcher/Core (1.7.2)", "Reachability (3.2)"),
      try Self.pins(("gtm-session-fetcher", "3.1.0"), ("openssl", "3.1.4"), ("reachability.swift", "5.0.0")))
    #expect(
      found == [
        "GTMSessionFetcher comes from 2 package managers: GTMSessionFetcher 1.7.2 of CocoaPods and gtm-session-fetcher 3.1.0 of SwiftPM",
        "OpenSSL comes from 2 package managers: OpenSSL-Universal 1.1.2200 of CocoaPods and openssl 3.1.4 of SwiftPM",
      ])
  }

  /// Pods that are one library are one manager's affair, and Gradle's libraries never meet those of an iOS app.
  @Test func oneManagerIsNoClash() throws {
    let pods = try Self.pods("FirebaseCore (10.1.0)", "Firebase (10.1.0)")
    #expect(Self.shared(pods, try Self.pins(("snapkit", "5.0.1"))).isEmpty)
    let gradle = try Self.modules("com.example:firebase:1")
    guard case .cannot = DuplicatePackage.judge(CheckContext(plugins: [], locks: [pods, gradle])) else {
      Issue.record("two managers for one platform are needed")
      return
    }
    guard case .off = DuplicatePackage.judge(CheckContext(plugins: [])) else {
      Issue.record("without lock files nobody asks")
      return
    }
  }

  @Test func aCollisionNamesThePackagesOfItsLibrary() throws {
    let packages = LockedPackages([
      try Self.pods("OpenSSL-Universal (1.1.2200)", "KochavaTracker (5.0)"), try Self.pins(("openssl", "3.1.4")),
      try Self.modules(
        "net.zetetic:sqlcipher:4.5", "com.google.zxing:core:3.5", "androidx.core:core:1", "androidx.core:core-ktx:1"),
    ])
    func origins(_ rule: RuleID, _ name: String) -> String? {
      packages.origins(of: Collision(rule, .silent, nil, name, []))
    }
    let both = "Podfile.lock has OpenSSL-Universal 1.1.2200, Package.resolved has openssl 3.1.4"
    #expect(origins(DuplicateSymbol.id, "_EVP_DigestInit") == both)
    #expect(origins(DuplicateLibrary.id, "OpenSSL") == both)
    #expect(origins(DuplicateFramework.id, "OpenSSL.framework") == both)
    #expect(origins(DuplicateFramework.id, "KochavaTracker.framework") == "Podfile.lock has KochavaTracker 5.0")
    #expect(origins(ShadowedLibrary.id, "libKochavaTracker.a") == "Podfile.lock has KochavaTracker 5.0")
    #expect(
      origins(DuplicateNativeLibrary.id, "lib/x86_64/libsqlcipher.so")
        == "gradle.lockfile has net.zetetic:sqlcipher 4.5")
    #expect(
      origins(DuplicateJavaClass.id, "com.google.zxing.Reader") == "gradle.lockfile has com.google.zxing:core 3.5")
    func module(_ file: String) -> String? {
      let site = Collision.Site(Place("libs/\(file)"), of: PluginID(0), .objcClass)
      return packages.module(of: Collision(DuplicateJavaClass.id, .error, nil, "com.google.zxing.Reader", [site]))
    }
    #expect(module("core-3.5.jar") == "com.google.zxing:core")
    #expect(module("core-3.51.jar") == nil && module("core.jar") == nil)
    // Two modules of the group may have it; and what is for the other platform has nothing to do with it.
    #expect(origins(DuplicateJavaClass.id, "androidx.core.app.A") == nil)
    #expect(origins(DuplicateNativeLibrary.id, "lib/x86_64/libopenssl.so") == nil)
    #expect(origins(DuplicateSymbol.id, "_own") == nil)
  }
}
