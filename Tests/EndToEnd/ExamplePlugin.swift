import Foundation
import SystemPackage
import TestSupport

/// The example plugin, copied into a scratch folder and packed there.
enum ExamplePlugin {
  static let folder = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()
    .pushing("Recipes/Examples/RallyConnector")
  static let zip = "dist/RallyConnector-1.4.0-ios.zip"
  static let aar = "dist/RallyConnector-1.4.0.aar"
  static let outputs = [zip, aar, "dist/RallyConnector-1.4.0.json", "dist/RallyConnector-1.4.0.release.json"]

  /// Copies what git has of it: not what a build in place left there.
  static func copy(to scratch: Scratch, as name: String = "plugin") async throws {
    let target = scratch(name)
    try FileManager.default.createDirectory(atPath: target.string, withIntermediateDirectories: true)
    for part in ["npi.yml", "ios", "android"] {
      try await Tool.check(["cp", "-R", folder.appending(part).string, target.string])
    }
  }

  @discardableResult
  static func pack(
    _ folder: FilePath, _ words: [String] = [], environment: [String: String?] = [:]
  ) async throws -> String {
    try await Tool.check([Scenario.binary.string] + words, in: folder, environment: environment)
  }

  /// Packed once for all tests that only read the result.
  static let packed = Task {
    let scratch = Scratch()
    try await copy(to: scratch)
    try await pack(scratch("plugin"))
    return scratch
  }
}
