import Foundation
import SystemPackage
import Testing
import TestSupport

/// A plugin's tree as somebody has it, made with the toolchain: then `init` and `build`, and what came of them.
struct PluginTree {
  let scratch = Scratch()
  let name: String

  init(_ name: String) { self.name = name }

  func write(_ path: String, _ text: String = "x\n") throws { try scratch.write("\(name)/\(path)", text) }

  private func folder(of path: String) async throws {
    try await Tool.check(["mkdir", "-p", scratch("\(name)/\(path)").removingLastComponent().string])
  }

  // MARK: - Binaries

  /// A static library with a function in it.
  func library(_ path: String, _ function: String, for targets: [String] = ["arm64-apple-ios12.0"]) async throws {
    try await folder(of: path)
    try scratch.write("made/a.c", "int \(function)(void) { return 1; }\n")
    var thin: [String] = []
    for (index, target) in targets.enumerated() {
      let object = scratch("made/\(index).o").string
      let archive = scratch("made/\(index).a").string
      try await Tool.check(["clang", "-target", target, "-c", scratch("made/a.c").string, "-o", object])
      try await Tool.check(["rm", "-f", archive])
      let format = target.contains("apple") ? "darwin" : "gnu"
      try await Tool.check(["llvm-ar", "--format=\(format)", "rcsD", archive, object])
      thin.append(archive)
    }
    let output = scratch("\(name)/\(path)").string
    if thin.count == 1 {
      try await Tool.check(["cp", thin[0], output])
    } else {
      try await Tool.check(["llvm-lipo-19", "-create"] + thin + ["-output", output])
    }
  }

  /// A framework with a static library in it.
  func framework(_ path: String, _ function: String, for targets: [String] = ["arm64-apple-ios12.0"]) async throws {
    let stem = path.split(separator: "/").last.map { String($0.dropLast(".framework".count)) } ?? ""
    try await library("\(path)/\(stem)", function, for: targets)
    try write("\(path)/Headers/\(stem).h", "int \(function)(void);\n")
    try write("\(path)/Info.plist", Self.plist("<key>CFBundleName</key><string>\(stem)</string>"))
  }

  func xcframework(_ path: String, _ function: String) async throws {
    let stem = path.split(separator: "/").last.map { String($0.dropLast(".xcframework".count)) } ?? ""
    try await framework("\(path)/ios-arm64/\(stem).framework", function)
    try await framework(
      "\(path)/ios-arm64-simulator/\(stem).framework", function, for: ["arm64-apple-ios12.0-simulator"])
    func entry(_ identifier: String, _ variant: String) -> String {
      """
      <dict><key>LibraryIdentifier</key><string>\(identifier)</string><key>LibraryPath</key><string>\(stem).framework</string>
      <key>SupportedPlatform</key><string>ios</string>\(variant)
      <key>SupportedArchitectures</key><array><string>arm64</string></array></dict>
      """
    }
    let variant = "<key>SupportedPlatformVariant</key><string>simulator</string>"
    try write(
      "\(path)/Info.plist",
      Self.plist(
        "<key>AvailableLibraries</key><array>\(entry("ios-arm64", ""))\(entry("ios-arm64-simulator", variant))</array>"
          + "<key>CFBundlePackageType</key><string>XFWK</string><key>XCFrameworkFormatVersion</key><string>1.0</string>"
      )
    )
  }

  static func plist(_ members: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>\(members)</dict></plist>
    """
  }

  /// A shared library for Android.
  func native(_ path: String, _ target: String) async throws {
    try await folder(of: path)
    try scratch.write("made/n.c", "int value = 1;\n")
    try await Tool.check(
      [
        "clang", "-target", target, "-shared", "-nostdlib", "-fuse-ld=lld", "-Wl,-z,max-page-size=16384",
        scratch("made/n.c").string, "-o", scratch("\(name)/\(path)").string,
      ])
  }

  static let androids = [
    ("arm64-v8a", "aarch64-linux-android21"), ("armeabi-v7a", "armv7a-linux-androideabi21"),
    ("x86", "i686-linux-android21"), ("x86_64", "x86_64-linux-android21"),
  ]

  /// A jar with one class.
  func jar(_ path: String, _ className: String) async throws {
    try await folder(of: path)
    try await compile([className: "public class \(Self.simple(className)) {}"], into: "made/\(className)")
    try await Tool.check(
      ["jar", "--create", "--file", scratch("\(name)/\(path)").string, "-C", scratch("made/\(className)").string, "."])
  }

  /// Classes by their names, each the text behind its `package` line.
  private func compile(_ classes: [String: String], into folder: String) async throws {
    var files: [String] = []
    for (className, text) in classes {
      let package = className.split(separator: ".").dropLast().joined(separator: ".")
      let path = "made/java/\(folder)/\(className.replacingOccurrences(of: ".", with: "/")).java"
      files.append(try scratch.write(path, "package \(package);\n\(text)\n").string)
    }
    try await Tool.check(["javac", "--release", "8", "-Xlint:-options", "-d", scratch(folder).string] + files)
  }

  private static func simple(_ className: String) -> String {
    className.split(separator: ".").last.map(String.init) ?? ""
  }

  func aar(_ path: String, _ className: String) async throws {
    try await folder(of: path)
    try await jar("../made/aar/classes.jar", className)
    let package = className.split(separator: ".").dropLast().joined(separator: ".")
    try scratch.write("made/aar/AndroidManifest.xml", "<manifest package=\"\(package)\"/>\n")
    try await Tool.check(
      ["zip", "-qX", scratch("\(name)/\(path)").string, "AndroidManifest.xml", "classes.jar"], in: scratch("made/aar"))
  }

  // MARK: - What is on the developer's machine

  /// An SDK of Apple's that `xcrun` finds: a header for each of these names, and no more than the sources need.
  func appleSDK(_ frameworks: [String: String]) throws {
    for (name, text) in frameworks {
      try scratch.write("sdk/System/Library/Frameworks/\(name).framework/Headers/\(name).h", text)
    }
    try scratch.write("tools/xcrun", "#!/bin/sh\necho '\(scratch("sdk"))'\n", executable: true)
  }

  static let foundation = """
    #pragma once
    __attribute__((objc_root_class)) @interface NSObject @end
    @interface NSString : NSObject @end
    @interface NSDictionary : NSObject @end
    """
  static let uikit = """
    #pragma once
    #import <Foundation/Foundation.h>
    @interface UIViewController : NSObject @end
    """

  /// An android.jar where Android Studio has it, and other classes that a host gives to plugins in the same one.
  func androidSDK(_ classes: [String: String]) async throws {
    try await compile(classes, into: "made/android")
    try await Tool.check(["mkdir", "-p", scratch("home/Android/Sdk/platforms/android-34").string])
    try await Tool.check(
      [
        "jar", "--create", "--file", scratch("home/Android/Sdk/platforms/android-34/android.jar").string, "-C",
        scratch("made/android").string, ".",
      ])
  }

  // MARK: - init and build

  func run(_ words: [String]) async throws -> ToolResult {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    try await Tool.check(["mkdir", "-p", scratch("home").string])
    return try await Tool.run(
      [Scenario.binary.string] + words, in: scratch(name),
      environment: ["PATH": "\(scratch("tools")):\(path)", "HOME": scratch("home").string, "SOURCE_DATE_EPOCH": nil])
  }

  /// What `init` said on standard error; its manifest is written, and says the same in comments.
  @discardableResult
  func initialize() async throws -> [String] {
    let result = try await run(["init"])
    #expect(result.status == 0, "\(result.all)")
    let lines = result.err.split(separator: "\n").map { String($0.dropFirst("npi-pack: ".count)) }
    let comments = try manifest.split(separator: "\n").map(String.init)
    for line in lines { #expect(comments.contains("# \(line)"), "\(line)") }
    return lines
  }

  var manifest: String { get throws { try scratch.text("\(name)/npi.yml") } }

  /// Builds, and some code is in it.
  func build(expecting status: Int32 = 0) async throws -> ToolResult {
    let result = try await run([])
    let text = try manifest
    #expect(result.status == status, "\(result.all)\n\(text)")
    #expect(!result.all.contains("empty-deliverable"), "\(result.all)")
    return result
  }

  /// The entries of the one deliverable that ends so.
  func entries(_ ending: String) async throws -> [String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch("\(name)/dist").string)
    let file = try #require(names.first { $0.hasSuffix(ending) }, "\(names)")
    return try await Tool.check(["unzip", "-Z", "-1", "dist/\(file)"], in: scratch(name))
      .split(separator: "\n").map(String.init)
  }

  /// The classes of a jar in the AAR.
  func classes(_ jar: String = "classes.jar") async throws -> [String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch("\(name)/dist").string)
    let aar = try #require(names.first { $0.hasSuffix(".aar") })
    let out = scratch("unpacked.jar").string
    try await Tool.check(["sh", "-c", "unzip -p 'dist/\(aar)' '\(jar)' > '\(out)'"], in: scratch(name))
    return try await Tool.check(["unzip", "-Z", "-1", out]).split(separator: "\n").map(String.init)
      .filter { $0.hasSuffix(".class") }
  }

  /// What `llvm-nm` finds in a library of the zip.
  func symbols(_ entry: String) async throws -> Set<String> {
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch("\(name)/dist").string)
    let zip = try #require(names.first { $0.hasSuffix("-ios.zip") })
    let out = scratch("unpacked.a").string
    try await Tool.check(["sh", "-c", "unzip -p 'dist/\(zip)' '\(entry)' > '\(out)'"], in: scratch(name))
    return Set(
      try await Tool.check(["llvm-nm-19", "--defined-only", "-g", "--format=just-symbols", "--arch=all", out])
        .split(separator: "\n").map(String.init).filter { !$0.hasSuffix(":") })
  }
}

/// Whether one line of what was not packed names all of these.
func names(_ lines: [String], _ texts: String...) -> Bool {
  lines.contains { line in line.hasPrefix("not packed: ") && texts.allSatisfy { line.contains($0) } }
}
