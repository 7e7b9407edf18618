import ObjectFiles
import Store
package import SystemPackage

/// This tool, as keys and release records name it.
package enum Tool {
  package static let version = "0.1.0"

  /// Prepares the process. Call it first, before there are other threads.
  package static func start() { HostProcess.nameTimeZone() }

  package static var executable: FilePath { HostProcess.executable ?? FilePath(CommandLine.arguments[0]) }

  /// Identifies this build: the version and the executable's build ID, or its file stamp if it has none.
  package static let build: [UInt8] = {
    let name = Array("npi-pack \(version) ".utf8)
    let id = try? MappedFile.open(executable).withBytes { (bytes: RawSpan) in try? BuildID.of(ByteReader(bytes)) }
    if let id = id ?? nil { return name + id }
    let status = try? FileSystem.status(of: executable, followingLinks: true)
    return name + Array("\(status.map { "\($0)" } ?? "")".utf8)
  }()
}
