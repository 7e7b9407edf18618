/// The objects of a project of Xcode by their identifiers, as far as targets, their phases and files go.
struct XcodeObjects: Sendable {
  private struct Object {
    let type: Substring
    let text: Substring
  }

  private var objects: [Substring: Object] = [:]

  init(_ text: String) {
    // `0A1B /* Rally.m */ = {isa = PBXFileReference; path = Rally.m; };`: the identifier stands before `isa`.
    var before = Substring(text).prefix(0)
    for piece in text.split(separator: "isa = ", omittingEmptySubsequences: false) {
      if let identifier = XcodeObjects.identifier(before), let end = piece.firstIndex(of: ";") {
        objects[identifier] = Object(type: piece[..<end], text: piece[end...])
      }
      before = piece
    }
  }

  /// The last names of the files that targets compile, or have as headers, and the named one does not: neither itself nor by
  /// what it depends on. Empty if that one has no files.
  func names(notOf target: String) -> Set<String> {
    let targets = objects.filter { $0.value.type == "PBXNativeTarget" }.keys
    guard let own = targets.first(where: { name(of: $0) == target }) else { return [] }
    var (seen, open): (Set<Substring>, [Substring]) = ([own], [own])
    while let next = open.popLast() {
      for dependency in list("dependencies", of: next) {
        guard let other = value("target", of: dependency), seen.insert(other).inserted else { continue }
        open.append(other)
      }
    }
    let ours = seen.reduce(into: Set<String>()) { $0.formUnion(files(of: $1)) }
    guard !ours.isEmpty else { return [] }
    return targets.filter { !seen.contains($0) }.reduce(into: Set<String>()) { $0.formUnion(files(of: $1)) }
      .subtracting(ours)
  }

  private func files(of target: Substring) -> Set<String> {
    let phases = list("buildPhases", of: target).filter { phase in
      ["PBXSourcesBuildPhase", "PBXHeadersBuildPhase"].contains(objects[phase]?.type)
    }
    let references = phases.flatMap { list("files", of: $0) }.compactMap { value("fileRef", of: $0) }
    return Set(references.compactMap(name))
  }

  /// Of a target, or the last one of a file's path.
  private func name(of identifier: Substring) -> String? {
    (value("path", of: identifier) ?? value("name", of: identifier))?.split(separator: "/").last.map(String.init)
  }

  /// Before `= {`, and behind it there may be a comment.
  private static func identifier(_ text: Substring) -> Substring? {
    guard let line = text.split(separator: "\n").last(where: { $0.contains("= {") }) else { return nil }
    return line.split(whereSeparator: { " \t".contains($0) }).first
  }

  private func value(_ key: String, of identifier: Substring) -> Substring? {
    guard let text = objects[identifier]?.text,
      let range = text.firstRange(of: " \(key) = ") ?? text.firstRange(of: "\t\(key) = ")
    else { return nil }
    let rest = text[range.upperBound...]
    if rest.first == "\"" { return rest.dropFirst().prefix { $0 != "\"" } }
    return rest.prefix { $0 != ";" && $0 != " " }
  }

  /// `files = ( 0A /* Rally.m in Sources */, );`: words of comments are no identifiers of anything.
  private func list(_ key: String, of identifier: Substring) -> [Substring] {
    guard let text = objects[identifier]?.text, let range = text.firstRange(of: "\(key) = (") else { return [] }
    let rest = text[range.upperBound...]
    let end = rest.firstRange(of: ");")?.lowerBound ?? rest.endIndex
    return rest[..<end].split { ",\n\t ".contains($0) }.filter { objects[$0] != nil }
  }
}
