import Documents
import Findings

/// The name and version of the plugin, and their origins. A version is not taken if two places give different ones.
struct Identity: Sendable {
  private(set) var name: String
  /// Nil if the tree gives none, or several.
  private(set) var version: String?
  /// The origins of name and version, for comments of the manifest and for the user.
  private(set) var nameComment: String
  private(set) var versionComment: String
  private let names: [String]

  /// Names and versions from other files, used where no package's description gives any.
  struct Hints: Sendable {
    var names: [PackageDescription.Statement] = []
    var versions: [PackageDescription.Statement] = []
    var computedVersion: String?
  }

  init(_ descriptions: [PackageDescription], _ hints: Hints, folder: String, _ answers: Answers) throws(Refusal) {
    let order = PackageDescription.Kind.allCases
    let atRoot = descriptions.filter { $0.folder.isEmpty }
    let deeper = descriptions.filter { !$0.folder.isEmpty }
    let sorted = [atRoot, deeper].flatMap { group in
      order.flatMap { kind in group.filter { $0.kind == kind } }
    }
    var described = sorted
    let pods = atRoot.filter { $0.kind == .pod && $0.name != nil }
    if Set(pods.compactMap(\.name?.text)).count > 1, atRoot.allSatisfy({ $0.kind == .pod }) {
      let candidates = pods.map { Answers.Candidate($0.path, name: $0.name?.text) }
      let chosen = try answers.choose(
        candidates, "several packages are described here: \(pods.map { printable($0.path) }.joined(separator: ", "))")
      described = chosen.map { [pods[$0]] } ?? []
    }
    names = descriptions.compactMap(\.name?.text)
    let named = described.compactMap(\.name).map { ($0, Identity.short($0.text)) }
    let other = hints.names.map { ($0, $0.text) }
    if let (statement, text) = (named + other).first(where: { Identity.isName($0.1) }) {
      name = text
      nameComment = "The name is that of \(printable(statement.place))."
    } else {
      guard Identity.isName(folder) else {
        throw Refusal(
          "the plugin needs a name: nothing in the tree says one, and the folder's is '\(printable(folder))'",
          hint: "rename the folder with letters, digits, '.', '-' and '_', or write npi.yml yourself: npi-pack schema")
      }
      name = folder
      nameComment = "Nothing in the tree says a name: this is the folder's."
    }
    // All versions in the descriptions of one folder count alike. If a script computes one of them, no other place is
    // used.
    let groups = [described.filter { $0.folder.isEmpty }, described]
    let speaking = groups.first { $0.contains { $0.version != nil || $0.computedVersion != nil } } ?? []
    let computed = speaking.lazy.compactMap(\.computedVersion).first ?? (speaking.isEmpty ? hints.computedVersion : nil)
    let said = speaking.isEmpty ? hints.versions : speaking.compactMap(\.version)
    let places = printable(said.map { "\($0.text) (\($0.place))" }.joined(separator: ", "))
    let isOne = said.first.map { first in said.allSatisfy { sameBytes($0.text, first.text) } } ?? false
    if isOne, computed == nil, let first = said.first, Identity.isName(first.text) {
      version = first.text
      versionComment = "The version is that of \(printable(said.map(\.place).joined(separator: " and ")))."
    } else if said.count > 1, !isOne {
      versionComment = "The tree says different versions: \(places). Write the right one here."
    } else if let computed {
      versionComment =
        "A script computes the version (\(printable(computed))). Write it here, or use --version-from git."
    } else if !said.isEmpty {
      versionComment = "The tree says a version that no file can be named after: \(places). Write it here."
    } else {
      versionComment = "Nothing in the tree says a version. Write it here, or use --version-from git."
    }
  }

  /// Whether one of the descriptions gives this name.
  func isCalled(_ text: String) -> Bool { names.contains { sameBytes($0, text) } }

  /// npm's names may have a scope in front: `@scope/name`.
  private static func short(_ name: String) -> String {
    name.utf8.first == UInt8(ascii: "@") ? PathText.name(name) : name
  }

  /// Whether a manifest takes a text as a name or version.
  static func isName(_ text: String) -> Bool {
    var check = SchemaCheck()
    check.check(Node(.text(text), at: Place("")), .name, "")
    return check.mistakes.isEmpty
  }
}
