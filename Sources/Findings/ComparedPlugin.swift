/// A plugin of a report: what was examined in it, and what was not.
package struct ComparedPlugin: Sendable, Hashable {
  package var name: String
  /// Nil if neither a record nor its file's name tells it.
  package var version: String?
  /// As the user named it.
  package var path: String
  /// Platforms and architectures, sorted: `ios-arm64`, `android-arm64-v8a`.
  package var slices: [String] = []
  /// The code that was found, a phrase each: `2 libraries`, `412 classes`.
  package var code: [String] = []
  /// The parts that were not examined, a phrase each, with the reason.
  package var unread: [String] = []
  /// The bytes of its files; nil if that was not asked.
  package var size: Int64?

  package init(name: String, version: String? = nil, path: String) {
    self.name = name
    self.version = version
    self.path = path
  }

  /// Adds what the report of another app has on the same plugin.
  mutating func add(_ other: ComparedPlugin) {
    slices = Set(slices + other.slices).sorted()
    code += other.code.filter { !code.contains($0) }
    unread += other.unread.filter { !unread.contains($0) }
  }
}
