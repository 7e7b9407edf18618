package import Store
package import SystemPackage

/// This tool, as keys and release records name it.
package enum Tool {
  package static let version = "0.1.0"

  /// What names this very build: the version and the executable's own content. A changed tool makes everything again.
  package static func fingerprint(executable: FilePath) throws(FileError) -> [UInt8] {
    Array("npi-pack \(version) ".utf8) + (try FileSystem.digest(of: executable)).bytes
  }
}
