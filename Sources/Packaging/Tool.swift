package import BuildEngine
package import Store
package import SystemPackage

/// This tool, as keys and release records name it.
package enum Tool {
  package static let version = "0.1.0"

  /// The program that runs.
  static var executable: FilePath { HostProcess.executable ?? FilePath(CommandLine.arguments[0]) }

  /// What names this very build: the version and the executable's own content. A changed tool makes everything again.
  package static func fingerprint(executable: FilePath, _ stats: StatCache) throws(FileError) -> [UInt8] {
    let status = try FileSystem.status(of: executable, followingLinks: true)
    let digest =
      if let status { try stats.digest(of: executable, at: executable, status) } else {
        try FileSystem.digest(of: executable)
      }
    return Array("npi-pack \(version) ".utf8) + digest.bytes
  }
}
