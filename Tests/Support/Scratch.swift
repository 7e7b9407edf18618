import Foundation
package import SystemPackage

/// A temporary folder of a test, removed when the last reference goes.
package final class Scratch: Sendable {
  package let path: FilePath

  /// `ending`: of its name.
  package init(ending: String = "") {
    let template = FileManager.default.temporaryDirectory.path
    // The real path: /tmp may be a link, and tools print where they really are.
    let base = URL(fileURLWithPath: template).resolvingSymlinksInPath().path
    path = FilePath(base).appending("npi-pack-test-\(UUID().uuidString.prefix(8).lowercased())\(ending)")
    try? FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
  }

  deinit {
    do { try FileManager.default.removeItem(atPath: path.string) } catch {
      // A test may have taken permissions away.
      _ = try? Tool.runSync(["chmod", "-R", "u+rwX", path.string])
      try? FileManager.default.removeItem(atPath: path.string)
    }
  }

  package func callAsFunction(_ relative: String) -> FilePath { path.pushing(FilePath(relative)) }

  /// Writes a file, making the folders above it.
  @discardableResult
  package func write(_ relative: String, _ text: String, executable: Bool = false) throws -> FilePath {
    try write(relative, Array(text.utf8), executable: executable)
  }

  @discardableResult
  package func write(_ relative: String, _ bytes: [UInt8], executable: Bool = false) throws -> FilePath {
    let file = self(relative)
    try FileManager.default.createDirectory(
      atPath: file.removingLastComponent().string, withIntermediateDirectories: true)
    guard executable else {
      try Data(bytes).write(to: URL(fileURLWithPath: file.string))
      return file
    }
    // Another program makes the file that is run: a process that starts on another thread meanwhile would inherit our
    // descriptor, and the kernel does not run what is open for writing ("text file busy").
    let draft = self(".draft-\(UUID().uuidString)")
    try Data(bytes).write(to: URL(fileURLWithPath: draft.string))
    let copied = try Tool.runSync(["cp", draft.string, file.string])
    guard copied.status == 0 else { throw ToolError("cannot write \(file): \(copied.all)") }
    try FileManager.default.removeItem(atPath: draft.string)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.string)
    return file
  }

  package func link(_ relative: String, to target: String) throws {
    let file = self(relative)
    try FileManager.default.createDirectory(
      atPath: file.removingLastComponent().string, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: file.string, withDestinationPath: target)
  }

  package func read(_ relative: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: self(relative).string)))
  }

  package func text(_ relative: String) throws -> String { String(decoding: try read(relative), as: UTF8.self) }

  package func exists(_ relative: String) -> Bool { FileManager.default.fileExists(atPath: self(relative).string) }

  package func remove(_ relative: String) throws { try FileManager.default.removeItem(atPath: self(relative).string) }
}
