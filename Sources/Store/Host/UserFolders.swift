package import SystemPackage

/// Folders of the user, found without access to the disk. Paths follow the XDG Base Directory Specification (a relative
/// path in a variable is ignored); on macOS they are Apple's, in `~/Library`.
package enum UserFolders {
  package typealias Variable = (_ name: String) -> [UInt8]?

  /// The folder of the content store: `NPI_PACK_STORE`, else `npi-pack` in the folder for caches, which is
  /// `~/Library/Caches` on macOS, and elsewhere `XDG_CACHE_HOME` or `~/.cache`. Nil if the user has no home.
  package static func store(_ variable: Variable = { HostProcess.variable($0) }) -> FilePath? {
    if let chosen = path("NPI_PACK_STORE", variable) { return chosen }
    return folder(variable, "XDG_CACHE_HOME", ".cache", mac: "Library/Caches")
  }

  /// The file of the key that tells this user's state from others': `npi-pack/key` in the folder for lasting state, on
  /// macOS `~/Library/Application Support`, else `XDG_STATE_HOME` or `~/.local/state`. Nil if the user has no home.
  package static func key(_ variable: Variable = { HostProcess.variable($0) }) -> FilePath? {
    folder(variable, "XDG_STATE_HOME", ".local/state", mac: "Library/Application Support")?.appending("key")
  }

  private static func folder(_ variable: Variable, _ name: String, _ usual: FilePath, mac: FilePath) -> FilePath? {
    let home = path("HOME", variable).flatMap { $0.isAbsolute ? $0 : nil }
    #if canImport(Darwin)
      return home?.pushing(mac).appending("npi-pack")
    #else
      if let chosen = path(name, variable), chosen.isAbsolute { return chosen.appending("npi-pack") }
      return home?.pushing(usual).appending("npi-pack")
    #endif
  }

  private static func path(_ name: String, _ variable: Variable) -> FilePath? {
    guard let bytes = variable(name), !bytes.isEmpty else { return nil }
    return FilePath(pathBytes: bytes)
  }
}
