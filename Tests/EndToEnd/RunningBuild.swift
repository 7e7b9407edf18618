import Foundation
import SystemPackage
import TestSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// An `npi-pack` that runs beside the test. Its two outputs go into files beside the tree, and so does its store.
final class RunningBuild: Sendable {
  let number: Int32
  private let process: Process
  private let base: FilePath

  init(_ words: [String] = [], in tree: FilePath) throws {
    base = tree.removingLastComponent().appending("out-\(UUID().uuidString.prefix(8))")
    process = Process()
    process.executableURL = URL(fileURLWithPath: Scenario.binary.string)
    process.arguments = words
    process.currentDirectoryURL = URL(fileURLWithPath: tree.string)
    process.standardInput = FileHandle.nullDevice
    process.environment = ProcessInfo.processInfo.environment.merging(["NPI_PACK_STORE": tree.string + "-store"]) {
      $1
    }
    process.environment?["CI"] = nil
    for name in [base.string + ".out", base.string + ".err"] { try Data().write(to: URL(fileURLWithPath: name)) }
    process.standardOutput = FileHandle(forWritingAtPath: base.string + ".out")
    process.standardError = FileHandle(forWritingAtPath: base.string + ".err")
    try process.run()
    number = process.processIdentifier
  }

  deinit { for end in [".out", ".err"] { try? FileManager.default.removeItem(atPath: base.string + end) } }

  var isRunning: Bool { process.isRunning }
  var out: String { text(".out") }
  var err: String { text(".err") }

  func signal(_ signal: Int32) { kill(number, signal) }

  /// Its status; -N if signal N ended it. Blocks.
  func end() -> Int32 {
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal ? -process.terminationStatus : process.terminationStatus
  }

  private func text(_ end: String) -> String {
    String(decoding: (try? Data(contentsOf: URL(fileURLWithPath: base.string + end))) ?? Data(), as: UTF8.self)
  }
}

/// Work that blocks, on a thread of its own: waiting must not hold one of the few threads of the pool.
func blocking<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
  }
}

/// A small plugin whose one input has one of four contents, and what a build from scratch makes of each.
struct FourStates: Sendable {
  static let count = 4
  static let deliverables = ["dist/Kill-1.0-ios.zip", "dist/Kill-1.0.aar"]
  /// Files of the folder of a Maven repository.
  static let inFolder = ["kill/1.0/kill-1.0.aar", "kill/1.0/kill-1.0.aar.sha1", "kill/1.0/kill-1.0.module"].map {
    "dist/maven/com/example/\($0)"
  }
  static let outputs =
    deliverables + inFolder + ["dist/Kill-1.0.json", "dist/Kill-1.0.release.json", "build/half", "build/copy"]

  /// By state, then by the name of the output.
  let expected: [[String: [UInt8]]]

  /// The command writes its output in two halves. The pause between them is longer than the next build takes to begin:
  /// a command that nobody waits for would write into what that makes.
  static func write(to scratch: Scratch, at tree: String, state: Int, pause: String = "0.3") throws {
    try scratch.write(
      "\(tree)/npi.yml",
      """
      name: Kill
      version: 1.0
      rules: { missing-library: off, empty-deliverable: off }
      steps:
        half:
          shell: "set -e; cat src/a >> build/half; sleep \(pause); cat src/a >> build/half"
          inputs: [src/a]
          outputs: [build/half]
        copy: { run: [cp, build/half, build/copy], inputs: [build/half], outputs: [build/copy] }
      deliverables:
        ios: { kind: ios-zip, items: [build/half, build/copy, src] }
        android: { kind: aar, manifest: AndroidManifest.xml, assets: src }
        config: { kind: config }
        maven: { kind: maven, of: android, group: com.example, artifact: kill }
      """)
    try scratch.write(
      "\(tree)/AndroidManifest.xml",
      """
      <manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.example.kill"/>
      """)
    try scratch.write("\(tree)/src/b", (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 7) })
    try set(state, scratch, tree)
  }

  static func set(_ state: Int, _ scratch: Scratch, _ tree: String) throws {
    let line = "the input in its state \(state)\n"
    try scratch.write("\(tree)/src/a", String(repeating: line, count: 300 + 20 * state))
  }

  /// Forgets what was kept of earlier builds: all of the next one runs.
  static func forget(_ scratch: Scratch, _ tree: String) throws {
    if scratch.exists("\(tree)-store") { try scratch.remove("\(tree)-store") }
  }

  init() async throws {
    var expected: [[String: [UInt8]]] = []
    for state in 0..<FourStates.count {
      let scratch = Scratch()
      try FourStates.write(to: scratch, at: "p", state: state)
      try await Tool.check([Scenario.binary.string], in: scratch("p"))
      for file in FourStates.deliverables { try await Tool.check(["unzip", "-tq", scratch("p/\(file)").string]) }
      expected.append(try FourStates.outputs.reduce(into: [:]) { $0[$1] = try scratch.read("p/\($1)") })
    }
    self.expected = expected
  }

  static let shared = Task { try await FourStates() }

  /// What is wrong after a build of that state that ended well; nil if nothing is.
  func problem(_ scratch: Scratch, _ tree: String, state: Int) throws -> String? {
    for output in FourStates.outputs where try scratch.read("\(tree)/\(output)") != expected[state][output] {
      return "\(output) is not what a build from scratch makes"
    }
    let left = FileManager.default.enumerator(atPath: scratch(tree).string)?.compactMap { $0 as? String } ?? []
    return left.first { $0.hasSuffix(".npi-tmp") }.map { "\($0) was left behind" }
  }

  /// What is wrong at any moment, also just after a kill: a deliverable that is there is a whole one, of these states.
  func halfMade(_ scratch: Scratch, _ tree: String, states: [Int]) -> String? {
    let file = FourStates.deliverables.first { file in
      guard let bytes = try? scratch.read("\(tree)/\(file)") else { return false }
      return !states.contains { expected[$0][file] == bytes }
    }
    if let file { return "\(file) is neither the old one nor the new one" }
    let files = FourStates.inFolder.map { try? scratch.read("\(tree)/\($0)") }
    let isWhole = states.contains { state in
      zip(FourStates.inFolder, files).allSatisfy { $1 == nil || $1 == expected[state][$0] }
    }
    let isThere = scratch.exists("\(tree)/dist/maven")
    return isWhole && files.allSatisfy { ($0 != nil) == isThere } ? nil : "dist/maven is a mixture"
  }
}
