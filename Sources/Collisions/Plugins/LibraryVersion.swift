import Findings

/// The version of a known library, as a plugin's own code has it.
package struct LibraryVersion: Hashable, Sendable {
  package let library: String
  /// `3.45.1`
  package let version: String

  package init(library: String, version: String) {
    self.library = library
    self.version = version
  }
}

extension CheckContext {
  /// `3.45.1 and 3.39.0`, in the order of the plugins, or the one version that all have. Nil if it is not known of all.
  package func versions(of library: String, in plugins: [PluginID]) -> String? {
    let all = plugins.map { plugin in
      self[plugin].libraries().filter { $0.library == library }.map(\.version).joined(separator: "/")
    }
    if all.isEmpty || all.contains("") { return nil }
    return Set(all).count == 1 ? all[0] : enumerated(all)
  }
}
