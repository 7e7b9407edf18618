package import Artifacts
package import Findings

/// Two headers with one path. Xcode copies the headers of an XCFramework's libraries into one folder, `include`.
package enum HeaderClash: LayoutFamily {
  package static let id: RuleID = "header-clash"
  package static let noun = (one: "header of the same path", many: "headers of the same paths")
  package static let name = "headers"
  package static let kinds: Set<LayoutItem.Kind> = [.header]

  package static func collisions(_ context: CheckContext) -> [Collision] { byDestination(context) }

  package static func edit(_ all: [Collision]) -> Edit? { all.first.flatMap(ownFolder) }

  package static func outcome(_ collision: Collision) -> String? {
    collision.verdict == .error
      ? "Xcode stops, whatever is in them" : "the compiler takes the one that it finds first"
  }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    let name = collision.name.text
    let outcome = outcome(collision) ?? ""
    let file = name.lastPathPart
    let folder = ownName(collision)
    if collision.verdict == .error {
      return (
        "\(name) is there \(collision.times): \(outcome)", [xcodeMessage(name), note(collision)],
        "let one of them ship a static framework, or move its headers to Headers/\(folder)/ and include <\(folder)/\(file)>"
      )
    }
    return (
      "the headers of two libraries have a \(file), and they differ: \(outcome)", ["reported, not measured"],
      "move them to folders named after the plugins and include <\(folder)/\(file)>"
    )
  }
}
