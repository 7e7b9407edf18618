/// The role of a folder in a plugin's tree, judged by its name.
enum FolderStanding: Sendable, Hashable {
  case own, dependency, made, example, test, documentation

  /// For a sentence about a file in such a folder.
  var reason: String {
    switch self {
    case .own: "it is the plugin's own"
    case .dependency: "it lies in a folder for other people's code"
    case .made: "it lies in a folder for what a build makes"
    case .example: "it lies in a folder for examples"
    case .test: "it lies in a folder for tests"
    case .documentation: "it lies in a folder for documentation"
    }
  }

  /// Nil if the name tells no role.
  init?(folder: String) {
    let lower = folder.lowercased()
    let words = FolderStanding.words(folder)
    guard let first = words.first, let last = words.last else { return nil }
    if FolderStanding.dependencies.contains(lower) {
      self = .dependency
    } else if FolderStanding.outputs.contains(lower) {
      self = .made
    } else if FolderStanding.texts.contains(lower) {
      self = .documentation
    } else if FolderStanding.examples.contains(last) || FolderStanding.examples.contains(first) {
      self = .example
    } else if FolderStanding.tests.contains(last) || words.count == 2 && FolderStanding.tests.contains(first) {
      // A library for A/B tests is no test.
      guard words.dropLast().last != "ab" else { return nil }
      self = .test
    } else {
      return nil
    }
  }

  /// Whether a word of a target's name shows that it serves tests.
  static func serves(tests name: String) -> Bool {
    words(name).contains { tests.contains($0) || $0.hasPrefix("testutil") || $0 == "uitest" }
  }

  private static let dependencies: Set<String> = [
    "carthage", "pods", "node_modules", "vendor", "vendors", "bower_components", "third_party", "thirdparty",
    "third-party", "3rdparty", "external", "externals", "submodules", "deps", "dependencies",
  ]
  private static let outputs: Set<String> = [
    "build", "dist", "deriveddata", "out", "obj", "target", "bazel-bin", "cmake-build-debug", "cmake-build-release",
  ]
  private static let texts: Set<String> = [
    "docs", "doc", "documentation", "javadoc", "screenshots", "website", "wiki",
  ]
  private static let examples: Set<String> = [
    "example", "examples", "sample", "samples", "demo", "demos", "playground", "playgrounds", "tutorial", "tutorials",
    "fixture", "fixtures", "benchmark", "benchmarks", "fuzz", "fuzzers", "testapp",
  ]
  private static let tests: Set<String> = [
    "test", "tests", "testing", "spec", "specs", "uitests", "unittests", "testfixtures", "mocks",
  ]

  /// The words of a name in ASCII, lower case: `MyDemo-app` has three, `MySDKDemo` too.
  static func words(_ name: String) -> [String] {
    func isUpper(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
    func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    let bytes = Array(name.utf8)
    var words: [[UInt8]] = [[]]
    for (index, byte) in bytes.enumerated() {
      guard isUpper(byte) || isLower(byte) || isDigit(byte) else {
        words.append([])
        continue
      }
      let isAfterSmall = index > 0 && isLower(bytes[index - 1])
      let isBeforeSmall = index > 0 && isUpper(bytes[index - 1]) && index + 1 < bytes.count && isLower(bytes[index + 1])
      if isUpper(byte), isAfterSmall || isBeforeSmall { words.append([]) }
      words[words.count - 1].append(isUpper(byte) ? byte | 0x20 : byte)
    }
    return words.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
  }
}
