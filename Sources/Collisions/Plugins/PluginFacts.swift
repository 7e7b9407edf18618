package import Android
package import Artifacts
package import Findings
package import Linking

/// The number of a plugin in a check, in the order in which the user named them. Every site of a collision carries it.
package typealias PluginID = Number<PluginFacts>

/// The facts about one plugin. Its file or folder is walked once, and a store keeps the facts by its content. A class,
/// because every family goes through those of all plugins, and copies nothing so.
package final class PluginFacts: Sendable {
  package let name: PluginName
  /// Whether it is one of the app's own libraries.
  package let isApp: Bool
  /// The slices of its native code.
  package let slices: [Slice]
  /// The number of its files with native code.
  package let codeCount: Int
  package let android: AndroidContents
  package let layout: LayoutFacts
  /// Its unreadable parts; the rest was read.
  package let mistakes: [Mistake]
  /// The files with code that nothing reads, such as code for Windows.
  package let unread: [String]
  /// The sorted runtime names of the Objective-C classes that it defines.
  package let classes: @Sendable () -> [String]
  /// The known libraries in its code that tell their versions, sorted.
  package let libraries: @Sendable () -> [LibraryVersion]
  /// Whether its code defines any of the symbols.
  package let defines: @Sendable ([String]) -> Bool

  package init(
    name: PluginName, isApp: Bool = false, slices: [Slice] = [], codeCount: Int = 0,
    android: AndroidContents = AndroidContents(), layout: LayoutFacts = LayoutFacts(), mistakes: [Mistake] = [],
    unread: [String] = [],
    classes: @escaping @Sendable () -> [String] = { [] },
    libraries: @escaping @Sendable () -> [LibraryVersion] = { [] },
    defines: @escaping @Sendable ([String]) -> Bool = { _ in false }
  ) {
    self.name = name
    self.isApp = isApp
    self.slices = slices
    self.codeCount = codeCount
    self.android = android
    self.layout = layout
    self.classes = classes
    self.libraries = libraries
    self.mistakes = mistakes
    self.unread = unread
    self.defines = defines
  }
}

/// The names of a plugin in reports and baselines.
package struct PluginName: Sendable, Hashable {
  /// As the user named it; places inside the plugin begin with it.
  package let path: String
  /// The name for readers, with as many folders as are needed to tell it from its namesakes.
  package let shown: String
  /// The name for baselines, which does not depend on the other plugins.
  package let stable: String

  package init(path: String, shown: String, stable: String) {
    self.path = path
    self.shown = shown
    self.stable = stable
  }
}
