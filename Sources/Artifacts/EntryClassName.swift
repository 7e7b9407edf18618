import Findings

/// An Objective-C class as a configuration names it: `RCMain`, or `Module.Main` for a class written in Swift.
package struct EntryClassName: CustomStringConvertible, Sendable {
  package let description: String
  /// The names that the runtime may know it by.
  package let candidates: [String]

  package init(_ text: String) {
    description = text
    let parts = text.split(separator: ".")
    // Swift mangles a class of a module as `_TtC` and then each part behind its length in bytes.
    let mangled = parts.count == 2 ? ["_TtC" + parts.map { "\($0.utf8.count)\($0)" }.joined()] : []
    candidates = [text] + mangled
  }

  package func suggestion(among names: [String]) -> String? {
    // The module is forgotten more often than a letter is wrong.
    if let swift = names.sorted().first(where: {
      $0.hasPrefix("_TtC") && $0.hasSuffix("\(description.utf8.count)\(description)")
    }) {
      let module = swift.dropFirst("_TtC".count).drop { "0"..."9" ~= $0 }.dropLast(
        "\(description.utf8.count)\(description)".count)
      return "did you mean '\(module).\(description)'?"
    }
    return didYouMean(description, among: names)
  }
}
