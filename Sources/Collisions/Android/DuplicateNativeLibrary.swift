package import Android
package import Findings

/// Android's build refuses two libraries of one name and ABI if their bytes differ and none is the app's own.
package enum DuplicateNativeLibrary: AndroidFileFamily {
  package static let id: RuleID = "duplicate-native-library"
  package static let noun = (one: "native library of the same name", many: "native libraries of the same names")
  package static let name = "native-libraries"
  package static let kind = AndroidFile.Kind.library

  package static func verdict(isIdentical: Bool?, hasOwn: Bool) -> Collision.Verdict {
    isIdentical == true ? .silent : hasOwn ? .warning : .error
  }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    let outcome =
      switch collision.verdict {
      case .silent: "the first is taken"
      case .warning: "the app's is taken"
      case .error, .possible: "the Android build fails"
      }
    return (
      "\(collision.name.text) is there \(collision.times): \(outcome)", [note(collision)],
      "let both plugins use one build of the library, or leave it to the app (pickFirst decides by order alone)"
    )
  }

  package static func edit(_ all: [Collision]) -> Edit? {
    guard all.first?.verdict == .error, let paths = all.names(most: maxPaths) else { return nil }
    let names = Set(paths.map { String($0.lastPathPart) }).sorted()
    let patterns = names.map { "\"lib/*/\($0)\"" as Edit.Line }
    return Edit(.gradle, "android { packaging { jniLibs { pickFirsts += setOf(\(patterns, separator: ", ")) } } }")
  }

  /// Four libraries for four ABIs.
  private static let maxPaths = 16
}
