// What a library defines is taken out of its `values` files where an earlier library defines it already: in one AAR a
// name can be defined once.
extension AndroidResources {
  /// `files`, from which these resources were read, without the definitions that earlier libraries have: of an attribute
  /// that is declared again inside of a styleable only the reference stays. Resources that are files are not looked at.
  package func pruned(_ files: [ResourceFile], definedBefore earlier: [AndroidResources]) -> [ResourceFile] {
    var positions: [[UInt8]: Set<XMLTag.Position>] = [:]
    for (definition, site) in defined where earlier.contains(where: { $0.defined[definition] != nil }) {
      if let position = site.position { positions[site.path, default: []].insert(position) }
    }
    let attributes = Set(formats.keys.filter { name in earlier.contains { $0.formats[name] != nil } })
    guard !positions.isEmpty || !attributes.isEmpty else { return files }
    return files.map { file in
      guard file.path.starts(with: "values".utf8), let root = try? XMLEvents.read(file.bytes) else { return file }
      let edits = edits(root, positions[file.path] ?? [], attributes)
      return edits.isEmpty ? file : ResourceFile(path: file.path, bytes: file.bytes.applying(edits))
    }
  }

  /// In the order of the file, none inside of another.
  private func edits(
    _ root: XMLTag, _ positions: Set<XMLTag.Position>, _ attributes: Set<ResourceName>
  ) -> [(range: Range<Int>, text: String)] {
    func isKnown(_ tag: XMLTag) -> Bool {
      tag.name == "attr" && tag.definesAttribute
        && attributes.contains(ResourceName(tag["name"]?.trimmed ?? ""))
    }
    var edits: [(range: Range<Int>, text: String)] = []
    for tag in root.children {
      if positions.contains(tag.position) || isKnown(tag) {
        edits.append((tag.range, ""))
      } else if tag.name == "declare-styleable" {
        for child in tag.children where isKnown(child) {
          edits.append((child.range, "<attr name=\"\(child["name"] ?? "")\"/>"))
        }
      }
    }
    return edits
  }
}

extension [UInt8] {
  fileprivate func applying(_ edits: [(range: Range<Int>, text: String)]) -> [UInt8] {
    var result: [UInt8] = []
    var end = 0
    for (range, text) in edits where range.lowerBound >= end {
      result += self[end..<range.lowerBound]
      result += encoded(text)
      end = range.upperBound
    }
    return result + self[end...]
  }

  /// A text in the encoding of this document: in all that are read, what is beyond ASCII can be written as its number.
  private func encoded(_ text: String) -> [UInt8] {
    var plain: [UInt8] = []
    for scalar in text.unicodeScalars {
      if scalar.isASCII { plain.append(UInt8(scalar.value)) } else { plain += Array("&#\(scalar.value);".utf8) }
    }
    guard starts(with: [0xFF, 0xFE]) || starts(with: [0xFE, 0xFF]) || prefix(2).contains(0) else { return plain }
    let isLittle = self[0] == 0xFF || self[1] == 0
    return plain.flatMap { isLittle ? [$0, 0] : [0, $0] }
  }
}
