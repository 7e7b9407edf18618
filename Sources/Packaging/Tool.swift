import Artifacts
package import BuildEngine
import ObjectFiles
package import Store
package import SystemPackage

extension Tool {
  /// What names this very build: the version and the linker's name for the executable, or its content if it has none. A
  /// changed tool makes everything again.
  package static func fingerprint(executable: FilePath, _ memory: TreeState) throws(FileError) -> [UInt8] {
    let name = Array("npi-pack \(version) ".utf8)
    let id = try MappedFile.open(executable).withBytes { (bytes: RawSpan) in try? BuildID.of(ByteReader(bytes)) }
    if let id { return name + id }
    let status = try FileSystem.status(of: executable, followingLinks: true)
    let digest =
      if let status { try memory.digest(of: executable, at: executable, status) } else {
        try FileSystem.digest(of: executable)
      }
    return name + digest.bytes
  }
}
