import Foundation
package import SystemPackage

/// A program that we did not write, run to its end. A program that is missing is a failure, never a skip.
package struct ToolResult: Sendable, Equatable {
  package let status: Int32
  package let out: String
  package let err: String
  package var all: String { out + err }
}

package struct ToolError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

package enum Tool {
  /// Where programs are looked for. Packages of Python that tests need were put into a folder of this tree's own.
  package static let path: String = {
    if let folder = Lane.unitTools { return folder }
    let root = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return "\(root.appending(".build/venv/bin")):\(path)"
  }()

  /// A user's store that cannot be made.
  package static let noStore = "/dev/null/store"

  /// Runs to the end with no input; the environment is this process's with the changes given (nil takes one away).
  package static func run(
    _ words: [String], in folder: FilePath? = nil, environment: [String: String?] = [:]
  ) async throws -> ToolResult {
    try await withCheckedThrowingContinuation { continuation in
      // A thread of its own: waiting must not hold one of the few threads of the pool.
      Thread.detachNewThread {
        running.wait()
        defer { running.signal() }
        continuation.resume(with: Result { try runSync(words, in: folder, environment: environment) })
      }
    }
  }

  /// All tests begin at once, and Foundation crashes where a process has a thousand open files: each program takes some.
  private static let running = DispatchSemaphore(value: 64)

  /// As `run`, and a status other than 0 is an error that holds all that was printed.
  @discardableResult
  package static func check(
    _ words: [String], in folder: FilePath? = nil, environment: [String: String?] = [:]
  ) async throws -> String {
    let result = try await run(words, in: folder, environment: environment)
    guard result.status == 0 else {
      throw ToolError("\(words.joined(separator: " ")): status \(result.status)\n\(result.all)")
    }
    return result.out
  }

  package static func runSync(
    _ words: [String], in folder: FilePath? = nil, environment: [String: String?] = [:]
  ) throws -> ToolResult {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder.string) }
    var variables = ProcessInfo.processInfo.environment
    // What earlier runs made must not make a build of this one's quick: outputs are kept in each tree's own state.
    variables["NPI_PACK_STORE"] = Tool.noStore
    // There commands see less by themselves.
    variables["CI"] = nil
    variables["PATH"] = path
    for (name, value) in environment { variables[name] = value }
    process.environment = variables
    process.standardInput = FileHandle.nullDevice
    // Files, not pipes: a full pipe would stop a program that prints much.
    let base = FileManager.default.temporaryDirectory.appendingPathComponent("npi-tool-\(UUID().uuidString)")
    let outputs = [base.appendingPathExtension("out"), base.appendingPathExtension("err")]
    defer { for file in outputs { try? FileManager.default.removeItem(at: file) } }
    let handles = try outputs.map { file in
      try Data().write(to: file)
      return try FileHandle(forWritingTo: file)
    }
    process.standardOutput = handles[0]
    process.standardError = handles[1]
    try process.run()
    process.waitUntilExit()
    for handle in handles { try handle.close() }
    let texts = try outputs.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
    return ToolResult(status: process.terminationStatus, out: texts[0], err: texts[1])
  }
}
