import Lanes
import Artifacts
import Findings
import SystemPackage
import Testing
import TestSupport

/// What an app takes from an artifact: made by clang, llvm-lipo, llvm-libtool-darwin, Info-ZIP and Python's plistlib.
@Suite struct ArtifactTests {
  let scratch = Scratch()

  private func compile(_ target: String, _ output: String, _ arguments: [String] = []) async throws {
    try scratch.write("a.c", "int value = 1; int run(void) { return value; }\n")
    try scratch.write(output, "")
    try await Tool.check(
      ["clang", "-c", "-ffreestanding", "-target", target] + arguments + [scratch("a.c").string, "-o", output],
      in: scratch.path)
  }

  private func library(_ output: String, of objects: [String]) async throws {
    try scratch.write(output, "")
    try scratch.remove(output)
    try await Tool.check(["llvm-libtool-darwin-19", "-static", "-D", "-o", output] + objects, in: scratch.path)
  }

  private func artifact(_ path: String) throws -> Artifact {
    let artifact = Artifact(scratch(path), temporary: scratch.path)
    #expect(artifact.mistakes.isEmpty)
    return artifact
  }

  /// For each file with code the end of its place and its slices.
  private func slices(_ path: String) throws -> [String: String] {
    let pairs = try artifact(path).code.map { code in
      (
        (code.file.place.parts.last ?? "").split(separator: "/").suffix(2).joined(separator: "/"),
        code.slices.map(\.description).joined(separator: " ")
      )
    }
    return Dictionary(pairs, uniquingKeysWith: { "\($0) and \($1)" })
  }

  @Test(.tools) func whatEachKindOfCodeIsFor() async throws {
    let targets = [
      "arm64-apple-ios13.0": "ios-arm64", "arm64-apple-ios13.0-simulator": "ios-arm64-simulator",
      "armv7-apple-ios7.0": "ios-armv7", "arm64e-apple-ios14.0": "ios-arm64e",
      "arm64_32-apple-watchos5.0": "watchos-arm64_32", "x86_64-apple-ios13.1-macabi": "ios-x86_64-maccatalyst",
      "x86_64-apple-macosx10.15": "macos-x86_64", "arm64-apple-tvos13.0-simulator": "tvos-arm64-simulator",
      "arm64-apple-xros1.0": "xros-arm64",
    ]
    for (target, slice) in targets {
      try await compile(target, "objects/\(slice).o")
      try await compile(target, "bitcode/\(slice).bc", ["-emit-llvm"])
    }
    let abis = [
      "aarch64-linux-android21": "arm64-v8a", "armv7a-linux-androideabi16": "armeabi-v7a",
      "i686-linux-android16": "x86", "x86_64-linux-android21": "x86_64",
    ]
    for (target, abi) in abis {
      try await compile(target, "jni/\(abi)/a.o")
      try await compile(target, "bitcode/android-\(abi).bc", ["-emit-llvm"])
      try scratch.write("jni/\(abi)/liba.a", "")
      try scratch.remove("jni/\(abi)/liba.a")
      try await Tool.check(["llvm-ar-19", "rcsD", "jni/\(abi)/liba.a", "jni/\(abi)/a.o"], in: scratch.path)
    }
    for slice in targets.values {
      #expect(try artifact("objects/\(slice).o").slices.map(\.description) == [slice])
      #expect(try artifact("bitcode/\(slice).bc").slices.map(\.description) == [slice])
    }
    for abi in abis.values {
      #expect(try artifact("bitcode/android-\(abi).bc").slices.map(\.description) == ["android-\(abi)"])
      #expect(try slices("jni")["\(abi)/a.o"] == "android-\(abi)")
      #expect(try slices("jni")["\(abi)/liba.a"] == "android-\(abi)")
    }
  }

  @Test(.tools) func fatLibrariesAndFrameworks() async throws {
    try await compile("arm64-apple-ios13.0", "device.o")
    try await compile("x86_64-apple-ios13.0-simulator", "simulator.o")
    try await library("libA.a", of: ["device.o", "simulator.o"])
    try scratch.write("F/Flat.framework/Info.plist", "<plist/>")
    try await Tool.check(["cp", "libA.a", "F/Flat.framework/Flat"], in: scratch.path)
    try await Tool.check(["mkdir", "-p", "F/Deep.framework/Versions/A"], in: scratch.path)
    try await Tool.check(["cp", "libA.a", "F/Deep.framework/Versions/A/Deep"], in: scratch.path)
    try scratch.link("F/Deep.framework/Versions/Current", to: "A")
    try scratch.link("F/Deep.framework/Deep", to: "Versions/Current/Deep")
    try await Tool.check(["zip", "-qry", "F.zip", "F"], in: scratch.path)
    // libtool makes a fat file, arm64 last. A link to code is that code: it is there once.
    let expected = [
      "A/Deep": "ios-x86_64-simulator ios-arm64", "Flat.framework/Flat": "ios-x86_64-simulator ios-arm64",
    ]
    #expect(try slices("F") == expected)
    #expect(try slices("F.zip") == expected)
    #expect(try artifact("F.zip").slices.map(\.description) == ["ios-x86_64-simulator", "ios-arm64"])
  }

  @Test(.tools) func anXCFrameworkIsWhatItsListSays() async throws {
    try await compile("arm64-apple-ios13.0", "device.o")
    try await compile("arm64-apple-ios13.0-simulator", "arm.o")
    try await compile("x86_64-apple-ios13.0-simulator", "intel.o")
    // Nothing in it says what it was compiled for, as in what an assembler makes.
    try scratch.write("plain.s", ".globl _plain\n_plain: ret\n")
    try await Tool.check(
      ["clang", "-c", "-target", "arm64-apple-darwin", "plain.s", "-o", "plain.o"], in: scratch.path)
    let root = "P/X.xcframework"
    for folder in ["ios-arm64", "ios-arm64_x86_64-simulator", "ios-arm64/dSYMs"] {
      try scratch.write("\(root)/\(folder)/note", "")
    }
    try await library("\(root)/ios-arm64/libX.a", of: ["device.o", "plain.o"])
    try await library("\(root)/ios-arm64_x86_64-simulator/libX.a", of: ["arm.o", "intel.o"])
    try await library("\(root)/ios-arm64/dSYMs/libX.a", of: ["device.o"])
    try scratch.write(
      "plist.py",
      """
      import plistlib
      def library(identifier, archs, **more):
        return dict(LibraryIdentifier=identifier, LibraryPath="libX.a", SupportedPlatform="ios",
          SupportedArchitectures=archs, **more)
      plistlib.dump(dict(CFBundlePackageType="XFWK", XCFrameworkFormatVersion="1.0", AvailableLibraries=[
        library("ios-arm64", ["arm64"]),
        library("ios-arm64_x86_64-simulator", ["arm64", "x86_64"], SupportedPlatformVariant="simulator")]),
        open("\(root)/Info.plist", "wb"))
      """)
    try await Tool.check(["python3", "plist.py"], in: scratch.path)
    try await Tool.check(["zip", "-qr", "P.zip", "P"], in: scratch.path)
    try await Tool.check(["zip", "-q0", "outer.zip", "P.zip"], in: scratch.path)
    let expected = [
      "ios-arm64/libX.a": "ios-arm64", "dSYMs/libX.a": "",
      "ios-arm64_x86_64-simulator/libX.a": "ios-x86_64-simulator ios-arm64-simulator",
    ]
    for path in ["P", root, "P.zip", "outer.zip"] { #expect(try slices(path) == expected, "\(path)") }
    // Without its list it is a folder with libraries; code that does not say goes with all that does.
    try scratch.remove("\(root)/Info.plist")
    #expect(try slices("P")["dSYMs/libX.a"] == "ios-arm64")
    #expect(Slice(platform: nil, architecture: "arm64").goes(with: Slice(platform: "ios", architecture: "arm64")))
    let simulator = Slice(platform: "ios", architecture: "arm64", variant: "simulator")
    #expect(!simulator.goes(with: Slice(platform: "ios", architecture: "arm64")))
  }

  /// A versioned framework, and one whose links somebody's version control has made copies: one file of it is linked.
  @Test(.tools, arguments: [true, false])
  func aFrameworkIsLinkedOnce(hasLinks: Bool) async throws {
    try await compile("arm64-apple-ios14.0-macabi", "mac.o")
    let root = "P/X.xcframework/ios-arm64-maccatalyst/X.framework"
    try await library("\(root)/Versions/A/X", of: ["mac.o"])
    if hasLinks {
      try await Tool.check(
        ["sh", "-c", "cd \(root); ln -s A Versions/Current; ln -s Versions/Current/X X"], in: scratch.path)
    } else {
      try await Tool.check(
        ["sh", "-c", "cd \(root); cp -r Versions/A Versions/Current; cp Versions/A/X X"], in: scratch.path)
    }
    let count = { (path: String) in try slices(path).values.count { !$0.isEmpty } }
    #expect(try count("P") == 1)
    for binary in ["", ", BinaryPath='X.framework/Versions/A/X'", ", BinaryPath='X.framework/X'"] {
      try scratch.write(
        "plist.py",
        """
        import plistlib
        plistlib.dump(dict(CFBundlePackageType="XFWK", XCFrameworkFormatVersion="1.0", AvailableLibraries=[
          dict(LibraryIdentifier="ios-arm64-maccatalyst", LibraryPath="X.framework", SupportedPlatform="ios",
            SupportedArchitectures=["arm64"], SupportedPlatformVariant="maccatalyst"\(binary))]),
          open("P/X.xcframework/Info.plist", "wb"))
        """)
      try await Tool.check(["python3", "plist.py"], in: scratch.path)
      #expect(try count("P") == 1, "\(binary)")
    }
  }

  /// What is made for more systems than there are: objects with nothing in them but a platform's number.
  @Test func moreSystemsThanThereAre() throws {
    for platform in UInt32(1)...70 {
      let words: [UInt32] = [0xFEED_FACF, 0x0100_000C, 0, 1, 1, 24, 0, 0, 0x32, 24, platform, 0, 0, 0]
      try scratch.write(
        "many/\(platform).o", words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } })
    }
    let artifact = Artifact(scratch("many"), temporary: scratch.path)
    #expect(artifact.slices.count == 64)
    #expect(artifact.mistakes.map(\.message) == ["it has code for more than 64 systems"])
  }
}
