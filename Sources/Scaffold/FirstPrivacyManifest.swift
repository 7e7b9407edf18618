import Documents
import Findings
import ObjectFiles
import Rules
import Store

/// A `PrivacyInfo.xcprivacy` for static libraries that use APIs for which Apple wants a reason, where the tree has none.
/// It lists the categories; which reason is true, only the developer knows.
struct FirstPrivacyManifest: Sendable {
  static let name = "PrivacyInfo.xcprivacy"

  let text: String
  /// The categories, with the APIs that were found and the reasons that Apple has.
  let comments: [String]

  /// Nil if there is nothing to declare, or a privacy manifest already.
  init?(_ libraries: [ApplePart], _ tree: SourceTree) throws {
    guard !tree.files.contains(where: { $0.ending == "xcprivacy" }) else { return nil }
    var names: [Int: Set<String>] = [:]
    for library in libraries where library.form == .library {
      guard let mapped = try? MappedFile.open(tree.absolute(library.path)) else { continue }
      let uses = mapped.withBytes { PrivacyUses(ByteReader($0)) }.slices.flatMap(\.uses)
      // Of an API that is in two categories, the first may do.
      for use in uses { names[use.api.categories[0], default: []].insert(use.api.name) }
    }
    guard !names.isEmpty else { return nil }
    let found = names.sorted { $0.key < $1.key }.map { (RequiredReason.all[$0.key], $0.value.sorted()) }
    comments =
      ["Apple wants a reason for what the libraries use: write one of each into \(Self.name)."]
      + found.map { "\($0.category) (\(listed($1))): \(listed($0.reasons))" }
    let declared = found.map { reason, _ in
      PropertyList.map([
        "NSPrivacyAccessedAPIType": .text(reason.category), "NSPrivacyAccessedAPITypeReasons": .list([]),
      ])
    }
    text = String(decoding: try PropertyList.map(["NSPrivacyAccessedAPITypes": .list(declared)]).xml(), as: UTF8.self)
  }

  /// An item of an `ios-zip`: beside a library the file would be lost, so that it goes into a bundle.
  static func item(of name: String) -> YAMLValue {
    .map([
      YAMLValue.Member("from", .text(Self.name)), YAMLValue.Member("to", .text("\(name)Privacy.bundle/\(Self.name)")),
    ])
  }
}
