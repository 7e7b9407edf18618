import Android
import Archives
import Artifacts
import Documents
import Store

/// `annotations.xml` of a package, in the format of IntelliJ's external annotations: `<root>` with an `<item>` for each
/// annotated name.
enum AnnotationsFile {
  /// Two files of one package as one, with each item once; nil if one of them is no such file.
  static func joined(_ first: JarContents.Member, _ second: JarContents.Member) -> JarContents.Member? {
    guard first.path.components.last?.elementsEqual("annotations.xml".utf8) == true, var root = root(first),
      let other = Self.root(second)
    else { return nil }
    var known: Set<[UInt8]> = []
    root.children = (root.children + other.children).filter { known.insert(XMLWriter.write($0)).inserted }
    let bytes = XMLWriter.write(root)
    return JarContents.Member(
      path: first.path, kind: first.kind, content: .bytes(bytes), digest: Digest(of: bytes), place: first.place)
  }

  private static func root(_ member: JarContents.Member) -> XMLTag? {
    guard member.content.size <= AARBuilder.maxTextSize, let bytes = try? member.content.bytes(),
      let root = try? XMLEvents.read(bytes), root.name == "root"
    else { return nil }
    return root
  }
}
