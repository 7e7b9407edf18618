import ObjectFiles
import Store
package import SystemPackage

/// This tool, as keys and release records name it.
package enum Tool {
  package static let version = "0.1.0"

  /// The program that runs.
  package static var executable: FilePath { HostProcess.executable ?? FilePath(CommandLine.arguments[0]) }

  /// What names this very build: the version and the linker's name for the executable, or its stamp if it has none.
  package static let build: [UInt8] = {
    let name = Array("npi-pack \(version) ".utf8)
    let id = try? MappedFile.open(executable).withBytes { (bytes: RawSpan) in try? BuildID.of(ByteReader(bytes)) }
    if let id = id ?? nil { return name + id }
    let status = try? FileSystem.status(of: executable, followingLinks: true)
    return name + Array("\(status.map { "\($0)" } ?? "")".utf8)
  }()
}
