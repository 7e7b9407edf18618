import Foundation
import SystemPackage
import TestSupport

/// A small plugin, and machines that build it: each has a folder, a home and a time zone of its own.
struct Machines {
  let scratch = Scratch()
  /// Of the deliverables from a build without any cache.
  let expected: [String: [UInt8]]

  /// Writes the plugin of one machine, in a folder of that name.
  private let write: @Sendable (Scratch, String) throws -> Void

  init(_ write: @escaping @Sendable (Scratch, String) throws -> Void = Machines.small) async throws {
    self.write = write
    try write(scratch, "plain/p")
    try await Tool.check([Scenario.binary.string], in: scratch("plain/p"))
    expected = try Machines.outputs(scratch, "plain")
  }

  /// Two zips and a configuration; one command may read what it likes.
  static let small: @Sendable (Scratch, String) throws -> Void = { scratch, tree in
    try scratch.write(
      "\(tree)/npi.yml",
      """
      name: Small
      version: 1.0
      rules: { missing-library: off, empty-deliverable: off }
      steps:
        half: { shell: "cat src/a src/a > build/half", inputs: [src/a], outputs: [build/half], declares-all: true }
      deliverables:
        ios: { kind: ios-zip, items: [build/half] }
        other: { kind: ios-zip, items: ["src/*"], name: Other.zip }
        config: { kind: config }
      """)
    // Nothing that is compressed: the blobs are large enough to be asked for first.
    var random = Seeded(seed: 7)
    for name in ["a", "b"] {
      try scratch.write("\(tree)/src/\(name)", (0..<40_000).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
  }

  static let shared = Task { try await Machines() }

  static func outputs(_ scratch: Scratch, _ machine: String) throws -> [String: [UInt8]] {
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch("\(machine)/p/dist").string)
    return try names.filter { !$0.hasPrefix(".") }.reduce(into: [:]) {
      $0[$1] = try scratch.read("\(machine)/p/dist/\($1)")
    }
  }

  /// Builds on a new machine of that name.
  ///
  /// - Parameter below: a program that runs the build, and its arguments.
  func build(
    _ machine: String, _ url: String, _ words: [String] = [], environment: [String: String?] = [:],
    below: [String] = [], isNew: Bool = true
  ) async throws -> ToolResult {
    if isNew {
      if scratch.exists(machine) { try scratch.remove(machine) }
      try write(scratch, "\(machine)/p")
    }
    return try await Tool.run(
      below + [Scenario.binary.string, "build", "--remote-cache", url, "--remote-timeout", "60"] + words,
      in: scratch("\(machine)/p"), environment: self.environment(machine).merging(environment) { $1 })
  }

  func environment(_ machine: String) -> [String: String?] {
    [
      "NPI_PACK_STORE": scratch("\(machine)/store").string, "HOME": scratch("\(machine)/home").string,
      "TZ": machine == "a" ? "Asia/Tokyo" : "America/Lima", "http_proxy": nil, "no_proxy": "127.0.0.1",
    ]
  }

  func isRight(_ machine: String) throws -> Bool { try Machines.outputs(scratch, machine) == expected }
}
