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
      let edits = edits(root, file.bytes, positions[file.path] ?? [], attributes)
      return edits.isEmpty ? file : ResourceFile(path: file.path, bytes: file.bytes.applying(edits))
    }
  }

  /// In the order of the file, none inside of another.
  private func edits(
    _ root: XMLTag, _ bytes: [UInt8], _ positions: Set<XMLTag.Position>, _ attributes: Set<ResourceName>
  ) -> [(range: Range<Int>, text: [UInt8])] {
    func isKnown(_ tag: XMLTag) -> Bool {
      tag.name == "attr" && tag.definesAttribute
        && attributes.contains(ResourceName(tag["name"]?.trimmed ?? ""))
    }
    var edits: [(range: Range<Int>, text: [UInt8])] = []
    for tag in root.children {
      if positions.contains(tag.position) || isKnown(tag) {
        edits.append((tag.range(in: bytes), []))
      } else if tag.name == "declare-styleable" {
        for child in tag.children where isKnown(child) {
          edits.append((child.range(in: bytes), Array("<attr name=\"\(child["name"] ?? "")\"/>".utf8)))
        }
      }
    }
    return edits
  }
}

extension XMLTag {
  /// Of the whole element, in a document that was read without an error.
  fileprivate func range(in bytes: [UInt8]) -> Range<Int> {
    var at = offset
    var depth = 0
    func has(_ text: String) -> Bool { bytes[at...].starts(with: text.utf8) }
    func skip(past text: String) {
      while at < bytes.count, !has(text) { at += 1 }
      at = min(bytes.count, at + text.utf8.count)
    }
    while at < bytes.count {
      if has("<!--") {
        skip(past: "-->")
      } else if has("<![CDATA[") {
        skip(past: "]]>")
      } else if has("<?") {
        skip(past: "?>")
      } else if has("</") {
        skip(past: ">")
        depth -= 1
        if depth == 0 { break }
      } else if bytes[at] == UInt8(ascii: "<") {
        var quote: UInt8?
        while at < bytes.count, quote != nil || bytes[at] != UInt8(ascii: ">") {
          if bytes[at] == quote {
            quote = nil
          } else if quote == nil, bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'") {
            quote = bytes[at]
          }
          at += 1
        }
        at = min(bytes.count, at + 1)
        if bytes[at - 2] != UInt8(ascii: "/") { depth += 1 }
        if depth == 0 { break }
      } else {
        at += 1
      }
    }
    return offset..<at
  }
}

extension [UInt8] {
  fileprivate func applying(_ edits: [(range: Range<Int>, text: [UInt8])]) -> [UInt8] {
    var result: [UInt8] = []
    var end = 0
    for (range, text) in edits where range.lowerBound >= end {
      result += self[end..<range.lowerBound]
      result += text
      end = range.upperBound
    }
    return result + self[end...]
  }
}
