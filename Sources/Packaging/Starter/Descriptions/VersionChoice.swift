/// The version of the plugin that a tree's descriptions say: that of the first one. Others of the same plugin may say another.
struct VersionChoice: Sendable {
  let version: String?
  /// For the user.
  private(set) var text: String?

  init(_ descriptions: [ProjectDescription]) {
    let taken = descriptions.first { $0.version != nil }
    version = taken?.version
    guard let taken, let version else { return }
    let others = descriptions.filter { other in
      other.version.map { $0 != version } ?? false && (other.folder == taken.folder || other.name == taken.name)
    }
    guard !others.isEmpty else { return }
    let texts = others.prefix(3).map { "\($0.version ?? "") of \($0.path)" }
    let rest = others.count > 3 ? " and \(others.count - 3) more" : ""
    text = "took version \(version) of \(taken.path), and not \(texts.joined(separator: ", "))\(rest)"
  }
}
