import Findings
import Linking

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
  /// A report keeps this function, and must not keep the facts about all plugins of an app with it.
  package var versions: @Sendable (_ library: String, _ plugins: [PluginID]) -> String? {
    let libraries = self.plugins.map(\.libraries)
    return { library, plugins in
      let all = plugins.map { plugin in
        libraries[plugin.index]().filter { $0.library == library }.map(\.version).joined(separator: "/")
      }
      if all.isEmpty || all.contains("") { return nil }
      return Set(all).count == 1 ? all[0] : enumerated(all)
    }
  }
}
