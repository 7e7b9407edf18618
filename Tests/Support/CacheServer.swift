import Foundation
package import SystemPackage
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// The cache of `Servers/cache.py` or another script there, which misbehaves on demand. It ends with the test.
package final class CacheServer: Sendable {
  package struct Reply: Decodable {
    package let port: Int
    /// Method, path and credential of each request.
    package let log: [String]
    /// The longest chain of requests of which each began after the one before had been answered.
    package let depth: Int
  }

  package let port: Int
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let turn = Mutex(())

  package var url: String { "http://127.0.0.1:\(port)/npi" }

  package init(_ words: [String] = [], script: String = "cache.py", python: String = "python3") throws {
    let script = FilePath(#filePath).removingLastComponent().appending("Servers").appending(script)
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [python, script.string] + words
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
  package func set(
    _ fault: String = "none", _ moment: String = "before", delay: Double = 0, content: String = "keep"
  ) throws -> Reply {
    try ask("fault=\(fault)&moment=\(moment)&delay=\(delay)&\(content)=1")
  }

  /// Has a file renamed before the next request is answered, whatever this process is doing then.
  package func rename(_ file: FilePath, to new: FilePath) throws {
    func encoded(_ path: FilePath) -> String {
      path.string.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? path.string
    }
    try ask("rename=\(encoded(file))&to=\(encoded(new))")
  }

  package var reply: Reply { get throws { try ask("log") } }

  @discardableResult private func ask(_ line: String) throws -> Reply {
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
