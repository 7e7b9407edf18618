import Documents
import Findings
import OrderedCollections

package struct ResourceLibrary: Sendable {
  package let files: [ResourceFile]
  package let resources: AndroidResources
  /// The index in `files` of each path.
  private let places: [[UInt8]: Int]

  /// - Parameter isDependency: whether the library is a dependency, in which a resource may be defined again.
  package init(_ files: [ResourceFile], package: String?, isDependency: Bool) {
    self.files = files
    resources = AndroidResources(files, package: package, allowsRepetition: isDependency)
    places = Dictionary(files.indices.map { (files[$0].path, $0) }) { first, _ in first }
  }

  func with(_ files: [ResourceFile]) -> ResourceLibrary {
    ResourceLibrary(files, package: resources.package, isDependency: resources.allowsRepetition)
  }

  package func file(_ path: [UInt8]) -> ResourceFile? { places[path].map { files[$0] } }
}

// Definitions that an earlier library has already are removed: an AAR can define a name only once.
extension ResourceLibrary {
  /// The library without definitions of earlier libraries, or earlier ones of its own: values are cut out of files,
  /// other files are left out. Styleables stay, and so does their reference to an attribute that they declare again.
  package func pruned(definedBefore earlier: [ResourceLibrary]) -> ResourceLibrary {
    var positions: [[UInt8]: Set<XMLTag.Position>] = [:]
    var known: Set<[UInt8]> = []
    func leaveOut(_ site: ResourceSite) {
      if let position = site.position {
        positions[site.path, default: []].insert(position)
      } else {
        known.insert(site.path)
      }
    }
    for (definition, own) in resources.defined where definition.type != .styleable {
      if earlier.contains(where: { $0.resources.defined[definition] != nil }) { leaveOut(own.site) }
    }
    for (definition, second) in resources.repeated where definition.type != .styleable { leaveOut(second.site) }
    let attributes = Set(
      resources.formats.keys.filter { name in earlier.contains { $0.resources.formats[name] != nil } })
    guard !positions.isEmpty || !known.isEmpty || !attributes.isEmpty else { return self }
    let kept = files.filter { !known.contains($0.path) }.map { file in
      guard file.path.starts(with: "values".utf8), let root = try? XMLEvents.root(file.bytes) else { return file }
      return file.edited(edits(root, positions[file.path] ?? [], attributes))
    }
    return with(kept)
  }

  /// The edits are in the order of the file, and none is inside of another.
  private func edits(
    _ root: XMLTree.Element, _ positions: Set<XMLTag.Position>, _ attributes: Set<ResourceName>
  ) -> [(range: Range<Int>, text: String)] {
    func isKnown(_ tag: XMLTree.Element) -> Bool {
      tag.name == "attr" && tag.definesAttribute
        && attributes.contains(ResourceName(tag["name"]?.trimmed ?? ""))
    }
    var edits: [(range: Range<Int>, text: String)] = []
    for tag in root.children {
      if positions.contains(tag.position) || isKnown(tag) {
        edits.append((tag.range, ""))
      } else if tag.name == "declare-styleable" {
        for child in tag.children where isKnown(child) {
          edits.append((child.range, "<attr\(xmlAttribute("name", child["name"]))/>"))
        }
      }
    }
    return edits
  }
}

/// An attribute of a tag, with the space before it.
func xmlAttribute(_ name: String, _ value: String?) -> String {
  " \(name)=\"\(escapedMarkup(value ?? "", isAttribute: true))\""
}

extension ResourceFile {
  /// The file with texts in place of some ranges, which are in order and do not overlap.
  func edited(_ edits: [(range: Range<Int>, text: String)]) -> ResourceFile {
    edits.isEmpty ? self : ResourceFile(path: path, bytes: bytes.applying(edits))
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

  /// A text in the encoding of this document: in all encodings that are read, a character beyond ASCII can be a number.
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
