import Documents
import Findings
import OrderedCollections

// A styleable is a list of attributes, and an app has only one of each name, for all configurations. If it is declared
// several times, the Gradle plugin's link unites the lists (aapt2's `-R`), while a link of plain inputs refuses them.
// One declaration with all children gives the same result in both.
extension ResourceLibrary {
  /// The libraries, earlier ones first, with each styleable declared once. Other files are unchanged.
  package static func unitingStyleables(_ libraries: [ResourceLibrary]) -> [ResourceLibrary] {
    var union = StyleableUnion(libraries)
    union.collect()
    return libraries.enumerated().map { index, library in
      guard let edits = union.edits[index] else { return library }
      return library.with(
        library.files.map { file in
          file.edited((edits[file.path] ?? []).sorted { $0.range.lowerBound < $1.range.lowerBound })
        })
    }
  }
}

extension ResourceLibrary {
  fileprivate var styleables: [(name: ResourceName, path: [UInt8])] {
    let all = resources.defined.map { ($0.key, $0.value) } + resources.repeated.map { ($0.definition, $0.second) }
    return all.filter { $0.0.type == .styleable }.map {
      (ResourceName($0.0.name), $0.1.site.path)
    }
  }
}

private struct StyleableUnion {
  private let libraries: [ResourceLibrary]
  private var repeated: Set<ResourceName> = []
  private var first: [ResourceName: Declaration] = [:]
  private(set) var edits: [Int: [[UInt8]: [(range: Range<Int>, text: String)]]] = [:]

  private struct Declaration {
    let library: Int
    let path: [UInt8]
    let tag: XMLTree.Element
    /// Its own children, then the additional ones of the others.
    var children: Set<ResourceName>
    var more: [String] = []
  }

  init(_ libraries: [ResourceLibrary]) {
    self.libraries = libraries
    var known: Set<ResourceName> = []
    for library in libraries {
      for (name, _) in library.styleables where !known.insert(name).inserted { repeated.insert(name) }
    }
  }

  mutating func collect() {
    guard !repeated.isEmpty else { return }
    for (index, library) in libraries.enumerated() {
      let paths = Set(library.styleables.filter { repeated.contains($0.name) }.map(\.path))
      for file in library.files where paths.contains(file.path) {
        guard let root = try? XMLEvents.root(file.bytes) else { continue }
        for tag in root.children where tag.name == "declare-styleable" { add(tag, index, file.path) }
      }
    }
    for declaration in first.values where !declaration.more.isEmpty {
      let own = declaration.tag.children.filter { $0.name == "attr" }.map { $0.attributeText() }
      let name = xmlAttribute("name", declaration.tag["name"])
      let text = "<declare-styleable\(name)>\((own + declaration.more).joined())</declare-styleable>"
      edits[declaration.library, default: [:]][declaration.path, default: []].append((declaration.tag.range, text))
    }
  }

  private mutating func add(_ tag: XMLTree.Element, _ library: Int, _ path: [UInt8]) {
    let name = ResourceName((tag["name"] ?? "").trimmed)
    guard repeated.contains(name) else { return }
    let package = libraries[library].resources.package
    let children = tag.children.filter { $0.name == "attr" }
    guard first[name] != nil else {
      first[name] = Declaration(
        library: library, path: path, tag: tag, children: Set(children.map { $0.styleableChild(in: package).name }))
      return
    }
    var rest = ""
    for child in children {
      let (attribute, spelling, isOwn) = child.styleableChild(in: package)
      if first[name]?.children.insert(attribute).inserted == true {
        first[name]?.more.append("<attr\(xmlAttribute("name", spelling))/>")
      }
      // An attribute's format stays where it was declared; for an attribute of another package only enum names count.
      guard child.definesAttribute else { continue }
      if isOwn {
        rest += child.attributeText(named: spelling)
      } else {
        for value in child.children where value.name == "enum" {
          rest += "<item type=\"id\"\(xmlAttribute("name", value["name"]))/>"
        }
      }
    }
    edits[library, default: [:]][path, default: []].append((tag.range, rest))
  }
}

extension XMLTree.Element {
  /// The text of an `<attr>` with its children. `name` replaces a name whose prefix is not declared here.
  fileprivate func attributeText(named name: String? = nil) -> String {
    let values = attributes.filter { $0.namespace.isEmpty }.map { attribute in
      xmlAttribute(attribute.name, attribute.name == "name" ? name ?? attribute.value : attribute.value)
    }
    let inner = children.filter { $0.namespace.isEmpty && ($0.name == "enum" || $0.name == "flag") }.map { child in
      "<\(child.name)\(xmlAttribute("name", child["name"]))\(xmlAttribute("value", child["value"]))/>"
    }
    return "<attr\(values.joined())" + (inner.isEmpty ? "/>" : ">\(inner.joined())</attr>")
  }
}
