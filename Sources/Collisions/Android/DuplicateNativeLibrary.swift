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
      "let both plugins use one build of the library, or leave it to the app (pickFirst takes the first)"
    )
  }

  /// The code of the plugins may need symbols that only their own copies have.
  package static func detail(_ files: [AndroidFile]) -> String? {
    let natives = files.compactMap(\.native)
    guard natives.count == files.count else { return nil }
    let exports = natives.map { $0.exports() }
    let all = exports.reduce(into: Set()) { $0.formUnion($1) }
    let ndk = natives.compactMap(\.ndk)
    let made = Set(ndk).count > 1 && ndk.count == files.count ? "; they are made with NDK \(enumerated(ndk))" : ""
    let missing = all.subtracting(exports[0]).sorted { $0.lexicographicallyPrecedes($1) }
    if missing.isEmpty {
      return
        "the first has \(exports.allSatisfy { $0 == all } ? "the same symbols as" : "every symbol of") the others\(made)"
    }
    let names = listed(missing.prefix(maxNames).map { String(decoding: $0, as: UTF8.self) })
    let whole = exports.firstIndex(of: all).map { "\(files[$0].place) has all" } ?? "none has all"
    return "the first lacks \(Findings.counted(missing.count, "symbol")) of the others "
      + "(\(names)\(andMore(missing.count - maxNames))), and \(whole)\(made)"
  }

  private static let maxNames = 3

  package static func edit(_ all: [Collision]) -> Edit? {
    guard all.first?.verdict == .error, let paths = all.names(most: maxPaths) else { return nil }
    let names = Set(paths.map { String($0.lastPathPart) }).sorted()
    let patterns = names.map { "\"lib/*/\($0)\"" as Edit.Line }
    return Edit(.gradle, "android { packaging { jniLibs { pickFirsts += setOf(\(patterns, separator: ", ")) } } }")
  }

  /// Four libraries for four ABIs.
  private static let maxPaths = 16
}
