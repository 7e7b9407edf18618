/// What a finding is about, as data: a page filters by it, and folds its lists.
package struct FindingScope: Hashable, Sendable {
  /// A name in a binary.
  package struct Name: Hashable, Sendable {
    package var raw: String
    /// Nil if demangling does not change it.
    package var demangled: String?

    package init(raw: String, demangled: String?) {
      self.raw = raw
      self.demangled = demangled
    }
  }

  /// Paths of `ComparedPlugin`s, or else of files, each once.
  package var plugins: [String] = []
  package var slices: [String] = []
  /// All names that it stands for, if there are several.
  package var names: [Name] = []
  /// The apps that have it, if there are several.
  package var apps: [String] = []

  package init() {}
}
