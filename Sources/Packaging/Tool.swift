package import BuildEngine
import ObjectFiles
package import Store
package import SystemPackage

/// This tool, as keys and release records name it.
package enum Tool {
  package static let version = "0.1.0"

  /// The program that runs.
  static var executable: FilePath { HostProcess.executable ?? FilePath(CommandLine.arguments[0]) }

  /// What names this very build to what is kept of plugins: the version and the linker's name for the executable, or what
  /// the system says of it if it has none.
  static let build: [UInt8] = {
    let name = Array("npi-pack \(version) ".utf8)
    let id = try? MappedFile.open(executable).withBytes { (bytes: RawSpan) in try? BuildID.of(ByteReader(bytes)) }
    if let id = id ?? nil { return name + id }
    let status = try? FileSystem.status(of: executable, followingLinks: true)
    return name + Array("\(status.map { "\(FileVersion($0))" } ?? "")".utf8)
  }()

  /// What names this very build: the version and the linker's name for the executable, or its content if it has none. A
  /// changed tool makes everything again.
  package static func fingerprint(executable: FilePath, _ stats: StatCache) throws(FileError) -> [UInt8] {
    let name = Array("npi-pack \(version) ".utf8)
    let id = try MappedFile.open(executable).withBytes { (bytes: RawSpan) in try? BuildID.of(ByteReader(bytes)) }
    if let id { return name + id }
    let status = try FileSystem.status(of: executable, followingLinks: true)
    let digest =
      if let status { try stats.digest(of: executable, at: executable, status) } else {
        try FileSystem.digest(of: executable)
      }
    return name + digest.bytes
  }
}
