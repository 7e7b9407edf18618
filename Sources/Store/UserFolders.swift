package import SystemPackage

/// Folders of the user who runs this.
package enum UserFolders {
  /// Where the content store is: `NPI_PACK_STORE`; else `npi-pack` in the folder for what can be made again, which is
  /// `~/Library/Caches` on macOS, and elsewhere `XDG_CACHE_HOME` or `~/.cache` (XDG Base Directory Specification: a
  /// relative path in the variable is ignored). Nil if the user has no home. Nothing is looked at or made.
  package static func store(
    _ variable: (_ name: String) -> [UInt8]? = { HostVariables.value($0) }
  ) -> FilePath? {
    func path(_ name: String) -> FilePath? {
      guard let bytes = variable(name), !bytes.isEmpty else { return nil }
      return FilePath(pathBytes: bytes)
    }
    if let chosen = path("NPI_PACK_STORE") { return chosen }
    let home = path("HOME").flatMap { $0.isAbsolute ? $0 : nil }
    #if canImport(Darwin)
      return home?.pushing("Library/Caches/npi-pack")
    #else
      if let caches = path("XDG_CACHE_HOME"), caches.isAbsolute { return caches.appending("npi-pack") }
      return home?.pushing(".cache/npi-pack")
    #endif
  }
}
