/// A file of the tree, or a folder that is one thing: a framework, a bundle.
struct StarterFile: Sendable {
  /// Relative to the tree.
  let path: String
  let kind: Kind
  let standing: FolderStanding

  enum Kind: Sendable, Hashable {
    case source(SourceLanguage)
    case header
    case staticLibrary, sharedLibrary, framework, xcframework, jar, aar
    case bundle
    /// What an app for iOS takes as it stands: a xib, a folder of translations, a privacy manifest.
    case appleResource
    /// Code or data that may belong to a plugin and that no deliverable takes by itself; the text says what to do.
    case other(String)
  }

  var name: String { path.split(separator: "/").last.map(String.init) ?? path }
  var folder: String { path.split(separator: "/").dropLast().joined(separator: "/") }

  /// With the dot: `.a`; empty if there is none.
  var ending: String { name.lastIndex(of: ".").map { String(name[$0...]) } ?? "" }

  /// Whether an app can run it, or a compiler can make that of it.
  var isCode: Bool {
    switch kind {
    case .source, .staticLibrary, .sharedLibrary, .framework, .xcframework, .jar, .aar: true
    default: false
    }
  }

  /// What CMake and ndk-build make libraries of.
  var isNativeSource: Bool {
    switch kind {
    case .source(let language): language.step != nil
    case .header, .staticLibrary: true
    case .other: [".s", ".asm"].contains(ending.lowercased())
    default: false
    }
  }

  var isBinary: Bool {
    switch kind {
    case .staticLibrary, .sharedLibrary, .framework, .xcframework, .jar, .aar: true
    default: false
    }
  }
}

enum SourceLanguage: String, Sendable, CaseIterable {
  case c = "C"
  case cxx = "C++"
  case objc = "Objective-C"
  case objcxx = "Objective-C++"
  case java = "Java"
  case kotlin = "Kotlin"
  case swift = "Swift"

  init?(ending: String) {
    switch ending {
    case ".c": self = .c
    case ".cc", ".cpp", ".cxx", ".c++": self = .cxx
    case ".m": self = .objc
    case ".mm": self = .objcxx
    case ".java": self = .java
    case ".kt": self = .kotlin
    case ".swift": self = .swift
    default: return nil
    }
  }

  /// What clang compiles, and the name of the step that has it do so.
  var step: String? {
    switch self {
    case .c: "c"
    case .cxx: "cxx"
    case .objc: "objective-c"
    case .objcxx: "objective-cxx"
    case .java, .kotlin, .swift: nil
    }
  }
}

extension StarterFile.Kind {
  /// Nil of what is plainly no part of a plugin: texts for people, projects, settings of tools. `isFolder`: nil of one that is
  /// no thing by itself, too.
  init?(_ name: String, in folder: String, isFolder: Bool) {
    let lower = name.lowercased()
    let ending = lower.lastIndex(of: ".").map { String(lower[$0...]) } ?? ""
    if isFolder {
      switch ending {
      case ".framework": self = .framework
      case ".xcframework": self = .xcframework
      case ".bundle": self = .bundle
      case ".lproj", ".storyboardc", ".momd": self = .appleResource
      case ".xcassets": self = .other("compile it with Xcode's actool into a bundle, and add that to items")
      case ".xcdatamodeld", ".xcdatamodel":
        self = .other("compile it with Xcode's momc into a bundle, and add that to items")
      default: return nil
      }
      return
    }
    // What a package manager reads of the plugin, and no part of it.
    if ["Package.swift", "package.json"].contains(name) || name.hasPrefix("Package@") { return nil }
    // By the name as it stands: a compiler takes F.C for C++.
    if let language = SourceLanguage(ending: ending) {
      self = .source(language)
      return
    }
    switch ending {
    case ".h", ".hpp", ".hh", ".hxx", ".pch", ".inc": self = .header
    case ".a": self = .staticLibrary
    case ".so": self = .sharedLibrary
    case ".jar":
      if lower == "gradle-wrapper.jar" { return nil }
      self = .jar
    case ".aar": self = .aar
    case ".xib", ".storyboard", ".nib", ".xcprivacy": self = .appleResource
    default:
      guard let advice = StarterFile.Kind.advice(lower, ending, in: folder) else { return nil }
      self = .other(advice)
    }
  }

  private static func advice(_ name: String, _ ending: String, in folder: String) -> String? {
    // Pictures beside a README are for its readers.
    if folder.isEmpty, [".png", ".jpg", ".jpeg", ".gif", ".webp"].contains(ending) { return nil }
    switch ending {
    case ".js", ".jsx", ".mjs", ".ts", ".tsx": return "JavaScript, which the app's own packager takes"
    case ".dart": return "Dart, which Flutter compiles into the app"
    case ".cs": return "C#, which Unity or Xamarin compiles into the app"
    case ".as", ".mxml": return "ActionScript, which Adobe AIR compiles into the app"
    case ".lua", ".gd", ".gdap", ".gdip", ".tscn", ".tres", ".gdextension", ".gdnlib":
      return "for the game engine: copy it into the app's project"
    case ".s", ".asm", ".metal", ".rs", ".go", ".aidl", ".cu", ".d":
      return "code that is not compiled here: add a step that does, and its output"
    case ".dylib", ".tbd": return "a dynamic library by itself: apps for iOS take one in a framework"
    case ".dll", ".lib", ".exe", ".pdb": return "for Windows"
    case ".o", ".class", ".dex", ".bc": return "half of a build: add a step that makes a library of it"
    case ".wasm", ".ane", ".swc", ".unitypackage", ".tgz", ".zip": return "add its content, if it is the plugin's"
    case ".strings", ".stringsdict", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".ttf", ".otf", ".mp3", ".wav", ".caf",
      ".m4a", ".mp4", ".m4v", ".mov", ".webm", ".heic", ".aac", ".aif", ".aiff", ".ogg", ".flac", ".woff", ".woff2",
      ".ttc", ".onnx", ".pb", ".pt", ".glb", ".gltf", ".usdz", ".ktx", ".atlas", ".car", ".mlmodel", ".tflite",
      ".metallib", ".momd", ".sqlite", ".db", ".pem", ".cer", ".der", ".p12":
      return "add it to items, or to the folder of res or assets that is packed"
    case ".plist":
      return name.hasSuffix("info.plist") || name == "exportoptions.plist"
        ? nil : "add it to items, if the code reads it"
    case ".html", ".css", ".json", ".xml", ".txt", ".svg", ".bin", ".dat":
      let folders = folder.lowercased().split(separator: "/")
      return folders.contains { ["www", "assets", "resources", "res", "raw"].contains($0) }
        ? "add it to items, or to the folder of res or assets that is packed" : nil
    default: return nil
    }
  }
}

/// What the names of folders say of what is in them.
enum FolderStanding: Int, Sendable, Comparable, CaseIterable {
  case own, dependency, made, example, test, documentation

  static func < (one: FolderStanding, other: FolderStanding) -> Bool { one.rawValue < other.rawValue }

  var reason: String {
    switch self {
    case .own: "the plugin's own"
    case .dependency: "somebody else's: add what the plugin does not work without"
    case .made: "made by a build: name the step that makes it, or add it as it is"
    case .example: "an example of its use"
    case .test: "tests"
    case .documentation: "documentation"
    }
  }

  /// Of a folder by its name; nil if that says nothing, as in a package of Java's: `com/example`.
  init?(path: String) {
    let parts = path.split(separator: "/").map { $0.lowercased() }
    let roots: Set<String> = ["java", "kotlin", "com", "org", "net", "io", "dev"]
    guard let name = path.split(separator: "/").last, !parts.dropLast().contains(where: roots.contains) else {
      return nil
    }
    self.init(folder: String(name))
  }

  /// Of one folder by its name; nil if that says nothing.
  init?(folder: String) {
    let lower = folder.lowercased()
    let words = FolderStanding.words(folder)
    // An SDK's tools bring libraries of the system along, which no app ships.
    let isToolchain = words.contains { ["toolchain", "toolchains", "sysroot", "ndk"].contains($0) }
    if isToolchain || FolderStanding.dependencies.contains(lower) {
      self = .dependency
    } else if ["build", "dist", "deriveddata", "out", "bin", "obj", "target", "bazel-bin"].contains(lower) {
      self = .made
    } else if ["docs", "doc", "documentation", "javadoc", "screenshots", "website", "wiki"].contains(lower) {
      self = .documentation
    } else if let standing = FolderStanding.named(words, isSeparated: folder.contains { "-_ ".contains($0) }) {
      self = standing
    } else {
      return nil
    }
  }

  private static let dependencies: Set<String> = [
    "carthage", "pods", "node_modules", "vendor", "vendors", "bower_components", "third_party", "thirdparty",
    "third-party", "3rdparty",
  ]
  private static let examples: Set<String> = [
    "example", "examples", "sample", "samples", "demo", "demos", "playground", "playgrounds",
  ]
  private static let tests: Set<String> = [
    "test", "tests", "testing", "spec", "specs", "uitests", "unittests", "testfixtures", "mocks",
  ]

  /// `Examples`, `MyDemo`, `ExampleApp`, `sample-app`, `UnitTests`, `androidTest`: the whole name, its last word, or its first before one that
  /// an app has.
  private static func named(_ words: [String], isSeparated: Bool) -> FolderStanding? {
    guard let first = words.first, let last = words.last else { return nil }
    let apps = ["app", "apps", "project", "projects", "ios", "android", "code", "swift", "objc", "xcode"]
    if examples.contains(last) || examples.contains(first) && (words.count == 2 && apps.contains(last) || isSeparated) {
      return .example
    }
    // An SDK for A/B tests tests nothing of the plugin's.
    if words.count > 1, words[words.count - 2] == "ab" { return nil }
    return tests.contains(last) || words.count == 2 && tests.contains(first) && apps.contains(last) ? .test : nil
  }

  /// The words of a name, lower case: `MyDemo-app` and `MySDKDemo` have three.
  static func words(_ name: String) -> [String] {
    let characters = Array(name)
    var words: [String] = []
    for (index, character) in characters.enumerated() {
      guard character.isLetter || character.isNumber else {
        words.append("")
        continue
      }
      let before = index > 0 ? characters[index - 1] : "-"
      let isBeforeSmall = index + 1 < characters.count && characters[index + 1].isLowercase
      // The last capital in a row begins the word that follows.
      let begins = character.isUppercase && (before.isLowercase || before.isUppercase && isBeforeSmall)
      if words.isEmpty || begins { words.append("") }
      words[words.count - 1] += character.lowercased()
    }
    return words.filter { !$0.isEmpty }
  }
}

/// Which system a path is for, by the names of its folders; of several the innermost counts.
enum PathSystem: Sendable, Equatable {
  case apple, android
  /// Neither; what it is called.
  case other(String)
  case unsaid

  init(_ path: String) {
    self = .unsaid
    for part in path.split(separator: "/").dropLast().reversed() {
      if let found = PathSystem(folder: part.lowercased()) {
        self = found
        return
      }
    }
  }

  private init?(folder: String) {
    let words = folder.split { "-_ .".contains($0) }
    if words.contains(where: { ["ios", "iphone", "iphoneos", "iphonesimulator"].contains($0) }) || folder == "apple" {
      self = .apple
    } else if words.contains("android") || ["jni", "jnilibs", "java", "kotlin"].contains(folder) {
      self = .android
    } else if PathSystem.others.contains(folder) {
      self = .other(folder)
    } else if let word = words.first(where: { PathSystem.otherWords.contains(String($0)) }) {
      self = .other(String(word))
    } else {
      return nil
    }
  }

  private static let others: Set<String> = [
    "windows", "win", "linux", "freebsd", "netbsd", "openbsd", "sunos", "aix", "mac", "mac-sim", "browser", "www",
    "web", "html5", "desktop", "electron",
  ]
  private static let otherWords: Set<String> = [
    "win32", "win64", "uwp", "wp8", "winrt", "macos", "macosx", "osx", "tvos", "appletvos", "appletv", "watchos",
    "watch", "visionos", "xros", "tizen", "blackberry", "blackberry10", "firefoxos", "ubuntu", "emscripten",
  ]
}
