import Android
import Documents
import Findings
import Store
import SystemPackage

/// `maven-metadata.xml`: the versions of a module in a repository.
///
///     <metadata>
///       <groupId>com.example</groupId> <artifactId>rally</artifactId>
///       <versioning>
///         <latest>1.4.0</latest>         the last one that was added
///         <release>1.4.0</release>       the last one that is no snapshot
///         <versions> <version>1.3.0</version> <version>1.4.0</version> </versions>
///         <lastUpdated>20261127101500</lastUpdated> </versioning> </metadata>
struct MavenMetadata {
  private let root: XMLTag
  private let versioning: XMLTag?

  init(of module: MavenCoordinates) {
    root = XMLTag("metadata", [XMLTag("groupId", text: module.group), XMLTag("artifactId", text: module.artifact)])
    versioning = nil
  }

  /// Reads the file of a repository. Throws if it is damaged, or of another module.
  init(_ bytes: [UInt8], of module: MavenCoordinates, at path: FilePath) throws(Mistakes) {
    let root: XMLTag
    do throws(XMLProblem) { root = try XMLEvents.read(bytes).plain } catch {
      throw Mistakes(
        "\(path) cannot be read: \(error)", hint: "restore it, or let the repository write it anew")
    }
    func text(_ name: String) -> String { String(root.children.first { $0.name == name }?.text.trimmed ?? "") }
    guard root.name == "metadata" else {
      throw Mistakes("\(path) is no list of versions: its root is <\(root.name)>, not <metadata>")
    }
    guard sameBytes(text("groupId"), module.group), sameBytes(text("artifactId"), module.artifact) else {
      throw Mistakes(
        "\(path) is of \(text("groupId")):\(text("artifactId")), not of \(module.group):\(module.artifact)",
        hint: "name the folder that the repository's groups are in")
    }
    self.root = root
    versioning = root.children.first { $0.name == "versioning" }
  }

  /// The document with a version added. Elements that are not known stay.
  ///
  /// - Parameter date: the last change, in seconds since 1970; without one none is written, as it would be a wrong one.
  func adding(_ module: MavenCoordinates, date: Int?) -> [UInt8] {
    let old = versioning?.children ?? []
    var versions = old.first { $0.name == "versions" }?.children.filter { $0.name == "version" } ?? []
    if !versions.contains(where: { $0.text.trimmed.utf8.elementsEqual(module.version.utf8) }) {
      versions.append(XMLTag("version", text: module.version))
    }
    var release = old.first { $0.name == "release" }
    if !module.isSnapshot { release = XMLTag("release", text: module.version) }
    let known: Set<String> = ["latest", "release", "versions", "lastUpdated"]
    let children =
      [XMLTag("latest", text: module.version)] + (release.map { [$0] } ?? []) + [XMLTag("versions", versions)]
      + (date.map { [XMLTag("lastUpdated", text: MavenMetadata.timestamp($0))] } ?? [])
      + old.filter { !known.contains($0.name) }
    var document = root
    let position = document.children.firstIndex { $0.name == "versioning" }
    if let position {
      document.children[position] = XMLTag("versioning", children)
    } else {
      document.children.append(XMLTag("versioning", children))
    }
    return XMLWriter.write(document)
  }

  /// `20261127101500`, in UTC.
  private static func timestamp(_ date: Int) -> String {
    let text = CivilTime(since1970: date)?.text ?? ""
    return String(decoding: text.utf8.filter { (48...57).contains($0) }, as: UTF8.self)
  }
}

extension XMLTag {
  /// The element and all below it, as readers that know no namespaces see them.
  fileprivate var plain: XMLTag {
    var tag = XMLTag(name, text: text, children.map(\.plain))
    tag.attributes = attributes.filter(\.namespace.isEmpty)
    return tag
  }
}
