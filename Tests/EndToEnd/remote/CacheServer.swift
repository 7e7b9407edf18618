import Foundation
import SystemPackage
import Synchronization
import TestSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// The cache of `Servers/cache.py`, which misbehaves on demand. It ends with the test.
final class CacheServer: Sendable {
  struct Reply: Decodable {
    let port: Int
    /// Method, path and credential of each request.
    let log: [String]
    /// The longest chain of requests of which each began after the one before had been answered.
    let depth: Int
  }

  let port: Int
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let turn = Mutex(())

  var url: String { "http://127.0.0.1:\(port)/npi" }

  init(_ words: [String] = []) throws {
    let script = FilePath(#filePath).removingLastComponent().appending("Servers/cache.py")
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", script.string] + words
    process.environment = ProcessInfo.processInfo.environment.merging(["PATH": Tool.path]) { $1 }
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    port = try CacheServer.ask("log", input, output).port
  }

  deinit {
    // Others may hold its input open, which they inherited, and it may have inherited that other signals are blocked.
    kill(process.processIdentifier, SIGKILL)
  }

  /// - Parameter content: `clear`, `save` or `load` (see `Servers/cache.py`).
  @discardableResult
  func set(
    _ fault: String = "none", _ moment: String = "before", delay: Double = 0, content: String = "keep"
  ) throws -> Reply {
    try ask("fault=\(fault)&moment=\(moment)&delay=\(delay)&\(content)=1")
  }

  var reply: Reply { get throws { try ask("log") } }

  private func ask(_ line: String) throws -> Reply {
    try turn.withLock { _ in try CacheServer.ask(line, input, output) }
  }

  private static func ask(_ line: String, _ input: Pipe, _ output: Pipe) throws -> Reply {
    try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    var data = Data()
    while data.last != UInt8(ascii: "\n") {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { throw ToolError("the cache has ended") }
      data += more
    }
    return try JSONDecoder().decode(Reply.self, from: data)
  }
}

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
  func build(
    _ machine: String, _ url: String, _ words: [String] = [], environment: [String: String?] = [:], isNew: Bool = true
  ) async throws -> ToolResult {
    if isNew {
      if scratch.exists(machine) { try scratch.remove(machine) }
      try write(scratch, "\(machine)/p")
    }
    return try await Tool.run(
      [Scenario.binary.string, "build", "--remote-cache", url, "--remote-timeout", "1"] + words,
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
