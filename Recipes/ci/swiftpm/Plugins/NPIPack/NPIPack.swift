import Foundation
import PackagePlugin

/// Runs the npi-pack of this machine in the package's folder, with the arguments of the command.
@main struct NPIPack: CommandPlugin {
  struct Failure: Error, CustomStringConvertible { let description: String }

  func performCommand(context: PluginContext, arguments: [String]) async throws {
    let process = Process()
    process.executableURL = try Self.program()
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: context.package.directory.string)
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "npi-pack ended with status \(process.terminationStatus)")
    }
  }

  /// The first in PATH; Xcode's own PATH lacks Homebrew's folders.
  private static func program() throws -> URL {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let folders = path.split(separator: ":").map(String.init) + ["/opt/homebrew/bin", "/usr/local/bin"]
    let places = folders.map { URL(fileURLWithPath: $0).appendingPathComponent("npi-pack") }
    guard let place = places.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
      throw Failure(description: "npi-pack is not installed: it is not in PATH")
    }
    return place
  }
}
