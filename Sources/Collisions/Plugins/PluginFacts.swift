package import Android
package import Artifacts
package import Findings
package import Linking

/// The number of a plugin in a check, in the order in which the user named them. Every site of every collision carries it.
package typealias PluginID = Number<PluginFacts>

/// What a check knows of one plugin: its file or folder is walked once, and a store keeps what was found by the content.
package struct PluginFacts: Sendable {
  package let name: PluginName
  /// It is one of the app's own libraries.
  package let isApp: Bool
  /// What its native code is for.
  package let slices: [Slice]
  /// How many files with native code it has.
  package let codeCount: Int
  package let android: AndroidContents
  /// What could not be read of it; the rest was.
  package let mistakes: [Mistake]
  /// Classes of Objective-C that it defines, by their names in the runtime, sorted.
  package let classes: @Sendable () -> [String]
  /// Whether its code defines one of some symbols.
  package let defines: @Sendable ([String]) -> Bool

  package init(
    name: PluginName, isApp: Bool = false, slices: [Slice] = [], codeCount: Int = 0,
    android: AndroidContents = AndroidContents(), mistakes: [Mistake] = [],
    classes: @escaping @Sendable () -> [String] = { [] },
    defines: @escaping @Sendable ([String]) -> Bool = { _ in false }
  ) {
    self.name = name
    self.isApp = isApp
    self.slices = slices
    self.codeCount = codeCount
    self.android = android
    self.classes = classes
    self.mistakes = mistakes
    self.defines = defines
  }
}

/// How reports and baselines speak of a plugin.
package struct PluginName: Sendable, Hashable {
  /// As the user named it; the places of what lies in it begin with it.
  package let path: String
  /// For readers: with as many folders as tell it from its namesakes.
  package let shown: String
  /// For baselines: the same whoever its neighbours are.
  package let stable: String

  package init(path: String, shown: String, stable: String) {
    self.path = path
    self.shown = shown
    self.stable = stable
  }
}
