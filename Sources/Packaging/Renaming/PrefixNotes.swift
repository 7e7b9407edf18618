import Findings
import Rewriting

/// The notes for the user about files whose symbols have a new prefix.
struct PrefixNotes {
  private(set) var lines: [String] = []

  /// Throws if a listed name is in none of the files.
  ///
  /// - Parameter name: that of the input.
  init(_ files: [RenamedFile], of name: String, at place: Place? = nil) throws(Mistakes) {
    var unmatched = files.first?.unmatched ?? []
    for file in files.dropFirst() { unmatched.removeAll { !file.unmatched.contains($0) } }
    if let missing = unmatched.first {
      throw Mistakes(
        "\(name) defines no symbol '\(missing)'", at: place,
        hint: "names are as nm prints them, classes as _OBJC_CLASS_$_NAME: npi-pack symbols -gU \(name)")
    }
    var left = LeftNames()
    for file in files { left.formUnion(file.left) }
    let classes = left.classes.map { String(decoding: $0, as: UTF8.self) }.sorted()
    if !classes.isEmpty {
      lines.append(
        "\(name): \(counted(classes.count, "Objective-C class", "Objective-C classes")) may collide with another copy as "
          + "before: \(listed(classes))")
    }
    let lookedUp = left.lookedUp.map { String(decoding: $0, as: UTF8.self) }.sorted()
    if !lookedUp.isEmpty {
      lines.append("\(name): \(listed(lookedUp)) keep their names, by which a system finds them")
    }
    let risks = Set(files.flatMap(\.risks)).sorted()
    if !risks.isEmpty {
      lines.append(
        "\(name): the code has \(counted(risks.count, "text")) equal to the old name of a class; see whether it looks "
          + "classes up by them: \(listed(risks))")
    }
    if let file = files.first, file.isHiding { addHiding(files, name) }
    if left.swiftCount > 0 {
      lines.append(
        "\(name): \(counted(left.swiftCount, "name")) of Swift keep their spelling, because the module's name is in them"
      )
    }
    if files.allSatisfy({ $0.count == 0 }) {
      lines.append("\(name): no name was \(files.first?.isHiding ?? false ? "hidden" : "changed")")
    }
  }

  private mutating func addHiding(_ files: [RenamedFile], _ name: String) {
    if files.contains(where: \.isImage) {
      lines.append("\(name): a signature does not hold any more: sign it again; weak definitions stay visible")
    }
    if files.contains(where: { !$0.isImage }) {
      lines.append(
        "\(name): hidden names of static code still collide in one link; prefix-symbols gives them other names")
    }
  }

  private func listed(_ names: [String]) -> String {
    names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
  }
}
