/// The language of a plugin's own code.
enum SourceLanguage: String, Sendable {
  case c = "C and C++"
  case objectiveC = "Objective-C"
  case swift = "Swift"
  case java = "Java and Kotlin"

  init?(_ file: SourceTree.File) {
    guard !file.isFolder, file.name != "Package.swift" else { return nil }
    switch file.ending {
    case "c", "cc", "cpp", "cxx": self = .c
    case "m", "mm": self = .objectiveC
    case "swift": self = .swift
    case "java", "kt": self = .java
    default: return nil
    }
  }

  /// Whether a file is code of a plugin, compiled or not.
  static func isCode(_ file: SourceTree.File) -> Bool {
    ["a", "framework", "xcframework", "aar"].contains(file.ending) || SourceLanguage(file) != nil
  }
}
