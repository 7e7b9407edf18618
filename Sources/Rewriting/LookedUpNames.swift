import ObjectFiles

/// Functions that a system finds by their names at run time, which no prefix may change.
enum LookedUpNames {
  /// The Java Native Interface's (its chapter 2), Unity's for native plug-ins, those of Android's native activities, and
  /// where a program begins. A star says that more may follow.
  private static let names = [
    "JNI_OnLoad*", "JNI_OnUnload*", "Java_*", "UnityPluginLoad", "UnityPluginUnload", "ANativeActivity_onCreate",
    "android_main", "main",
  ]
  private static let exact = Set(names.filter { !$0.hasSuffix("*") }.map { Array($0.utf8) })
  private static let beginnings = names.filter { $0.hasSuffix("*") }.map { Array($0.utf8.dropLast()) }

  /// - Parameter name: without the underscore of Apple's systems.
  static func contains(_ name: ArraySlice<UInt8>) -> Bool {
    exact.contains(Array(name)) || beginnings.contains { name.starts(with: $0) }
  }

  /// Tells most other names by their first letter.
  static func mayContain(_ reader: borrowing ByteReader, at place: Int) -> Bool {
    guard let first: UInt8 = try? reader.integer(at: place, "name") else { return false }
    return "JUAam".utf8.contains(first)
  }
}
