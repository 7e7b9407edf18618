import Foundation
import SystemPackage
import Testing
import TestSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A file that somebody cuts off while it is mapped ends each command with a message and with 2, never by a signal.
@Suite struct CutOffTests {
  private static let objects = 100_000

  @Test(
    .timeLimit(.minutes(20)),
    arguments: [
      ["symbols", "lib.a"], ["lint", "lib.a"], ["check", "lib.a", "other.a"], ["build", "fat"], ["build", "ios"],
    ])
  func cutOffWhileItIsRead(_ words: [String]) async throws {
    let scratch = Scratch()
    let bytes = try await Self.library(in: scratch)
    try scratch.write("p/other.a", Array(bytes.prefix(8 + (bytes.count - 8) / Self.objects)))
    try scratch.write("p/npi.yml", Self.manifest)
    let problem = try await blocking { () -> String? in
      for attempt in 0..<40 {
        try scratch.write("p/lib.a", bytes)
        for folder in [".npi", "build", "dist"] { try? scratch.remove("p/\(folder)") }
        let running = try RunningBuild(words, in: scratch("p"))
        Self.wait(for: running, toOpen: "lib.a", mapped: words != ["build", "ios"], attempt)
        running.signal(SIGSTOP)
        _ = unsafe scratch("p/lib.a").withPlatformString { unsafe truncate($0, 4096) }
        running.signal(SIGCONT)
        let status = running.end()
        guard [0, 1, 2].contains(status) else { return "\(status): \(running.err)" }
        // Also said where a file is not mapped but read, and compared with what it was.
        if status != 0, words[0] == "build", running.err.contains("changed") { return nil }
        if running.err.contains("lib.a: it was cut off while it was being read") {
          let isWhole = status == 2 && running.err.contains("\n  hint: wait until nothing writes to it and run again\n")
          return isWhole ? nil : "\(status): \(running.err)"
        }
      }
      return "the moment was never met"
    }
    #expect(problem == nil)
  }

  private static let manifest = """
    name: Cut
    version: 1.0
    rules: { missing-library: off, missing-architecture: off, empty-deliverable: off }
    steps:
      fat: { kind: universal-library, inputs: [lib.a], output: build/fat.a }
    deliverables:
      ios: { kind: ios-zip, items: [lib.a] }
    """

  /// One member again and again: it takes a while to go through them.
  private static func library(in scratch: Scratch) async throws -> [UInt8] {
    try scratch.write("a.c", "int common; int value = 1; int f(void) { return value + common; }")
    try await Tool.check(
      ["clang", "-c", "-ffreestanding", "-target", "arm64-apple-ios13.0", "a.c", "-o", "a.o"], in: scratch.path)
    var object = try scratch.read("a.o")
    while object.count % 8 != 0 { object.append(0x0A) }
    func field(_ text: String, _ count: Int) -> String { text.padding(toLength: count, withPad: " ", startingAt: 0) }
    let header = field("a.o", 16) + field("0", 12) + field("0", 6) + field("0", 6) + field("100644", 8)
    let member = Array((header + field("\(object.count)", 10) + "`\n").utf8) + object
    var bytes = Array("!<arch>\n".utf8)
    bytes.reserveCapacity(8 + member.count * objects)
    for _ in 0..<objects { bytes += member }
    return bytes
  }

  /// Until the process has opened or mapped the file; where the system does not show that, some time, longer with each
  /// attempt. What goes into a zip is read and not mapped.
  private static func wait(for running: RunningBuild, toOpen name: String, mapped: Bool, _ attempt: Int) {
    let files = FileManager.default
    guard files.fileExists(atPath: "/proc/self/maps") else {
      return Thread.sleep(forTimeInterval: 0.01 * Double(attempt))
    }
    let process = "/proc/\(running.number)"
    while running.isRunning {
      if mapped {
        let maps = (try? String(contentsOfFile: "\(process)/maps", encoding: .utf8)) ?? ""
        if maps.contains("/" + name) { return }
      } else {
        let open = (try? files.contentsOfDirectory(atPath: "\(process)/fd")) ?? []
        let paths = open.compactMap { try? files.destinationOfSymbolicLink(atPath: "\(process)/fd/\($0)") }
        if paths.contains(where: { $0.hasSuffix("/" + name) }) { return }
      }
      usleep(200)
    }
  }
}
