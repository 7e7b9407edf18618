// The options by which a line names a library, of all linkers (`ld(1)` of Xcode 26 has the whole list).
extension LinkLine.Input {
  private static let kinds = [
    "needed", "weak", "reexport", "upward", "lazy", "merge", "no_merge", "delay", "possible", "assert_weak",
  ]
  private static let dashedKinds = kinds.map { $0 == "assert_weak" ? "assert-weak" : $0 } + ["hidden", "force"]

  /// Those with an argument of its own.
  static let options =
    ["-framework", "-hidden_framework", "-force_load", "-load_hidden"]
    + kinds.flatMap { ["-\($0)_library", "-\($0)_framework"] }

  /// Those that are one word with the library's name; `-l`, with which others begin, is not among them.
  static let prefixes = dashedKinds.map { "-\($0)-l" }

  /// The file that an option and its argument name.
  init(_ option: String, _ name: String) {
    if option.hasSuffix("framework") {
      source = .framework(String(name.prefix { $0 != "," }))
    } else {
      source = option.hasSuffix("-l") ? .library(name) : .path(name)
    }
    self.option = option
    if option.hasPrefix("-force") { load = .forced }
    if option.contains("hidden") { load = .hidden }
  }

  /// What the option makes of the library: `weak`, `merge`. Empty for the plain ones.
  var kind: Substring {
    option == "-l" || option == "-framework" ? "" : option.dropFirst().prefix { $0 != "_" && $0 != "-" }
  }

  /// As the line has it: `-lz`, `-force_load liba.a`.
  var spelling: String {
    switch source {
    case .path(let path), .list(let path, _): option.isEmpty ? path : "\(option) \(path)"
    case .library(let name): option + name
    case .framework(let name): "\(option) \(name)"
    }
  }
}
