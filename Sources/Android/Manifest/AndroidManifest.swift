package import Artifacts
package import Documents
import Findings

package struct AndroidManifest: Sendable {
  /// The namespace of the system's attributes.
  package static let android = "http://schemas.android.com/apk/res/android"
  /// The namespace of instructions for the build's tools; an app contains none of them.
  package static let tools = "http://schemas.android.com/tools"

  package let root: XMLTag
  /// The base of relative class names; nil if the manifest names none.
  package let package: String?
  /// Whether it is an app's, and no plugin's.
  let isApps: Bool

  /// The largest manifests of apps have a few thousand elements. A merge keeps more of each than other readers.
  private static let limits = {
    var limits = XMLEvents.Limits()
    limits.elements = 100_000
    limits.attributes = 200_000
    return limits
  }()

  package init(_ bytes: [UInt8]) throws(UnreadableEntry) {
    // Compiled XML, as in an APK, begins with this chunk: type 3 (XML), header of 8 bytes.
    if bytes.starts(with: [0x03, 0x00, 0x08, 0x00]) {
      throw UnreadableEntry(
        "the manifest is compiled, as in an APK; an AAR has it as text: take the one that its library was built from")
    }
    let root: XMLTag
    do throws(XMLProblem) {
      root = try XMLEvents.read(bytes, limits: AndroidManifest.limits)
    } catch {
      throw UnreadableEntry("\(error)")
    }
    try self.init(root: root)
  }

  init(root: XMLTag, package: String?, isApps: Bool) {
    (self.root, self.package, self.isApps) = (root, package, isApps)
  }

  package init(root: XMLTag) throws(UnreadableEntry) {
    let place = "(line \(root.position.line), column \(root.position.column))"
    guard root.name.utf8.elementsEqual("manifest".utf8), root.namespace.isEmpty else {
      throw UnreadableEntry(
        "the root element is <\(printable(root.name))>, not <manifest>: this is no AndroidManifest.xml \(place)")
    }
    package = root["package"]
    if let package, !Self.isPackage(package) {
      throw UnreadableEntry(
        "package=\"\(printable(package))\" is no name of a Java package: use identifiers joined by dots, such as "
          + "com.example.plugin \(place)")
    }
    self.root = root
    isApps = false
  }

  /// As it is written: a number, or the code name of a preview of the system. A device reads every `<uses-sdk>`, and
  /// the highest of several minima counts; a code name is higher than any number.
  package var minSDK: String? { minimum?["minSdkVersion", namespace: Self.android] }
  package var targetSDK: String? { usesSDKs.compactMap { $0["targetSdkVersion", namespace: Self.android] }.last }

  private var usesSDKs: [XMLTag] { root.children.filter { $0.name == "uses-sdk" && $0.namespace.isEmpty } }

  /// The only one that Android's manifest merger looks at.
  package var usesSDK: XMLTag? { usesSDKs.first }

  /// The element that asks for the newest system.
  package var minimum: XMLTag? {
    func level(_ tag: XMLTag) -> Int? {
      tag["minSdkVersion", namespace: Self.android].map { Self.level($0) ?? .max }
    }
    return usesSDKs.filter { level($0) != nil }.max { level($0) ?? 0 < level($1) ?? 0 }
  }

  /// The API level of such a text; nil for a code name, whose number is not known here, and for other texts.
  package static func level(_ text: String?) -> Int? {
    guard let text, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
  }

  /// Java's keywords and literals (Java Language Specification, 3.9): none can be the name of a field of `R`.
  package static let reserved: Set<String> = [
    "abstract", "assert", "boolean", "break", "byte", "case", "catch", "char", "class", "const", "continue", "default",
    "do", "double", "else", "enum", "extends", "false", "final", "finally", "float", "for", "goto", "if", "implements",
    "import", "instanceof", "int", "interface", "long", "native", "new", "null", "package", "private", "protected",
    "public", "return", "short", "static", "strictfp", "super", "switch", "synchronized", "this", "throw", "throws",
    "transient", "true", "try", "void", "volatile", "while",
  ]

  /// - Parameter name: in UTF-8.
  static func isReserved(_ name: some Collection<UInt8>) -> Bool {
    name.count <= longestReserved && reserved.contains(String(decoding: name, as: UTF8.self))
  }

  private static let longestReserved = reserved.map(\.utf8.count).max() ?? 0

  /// Identifiers of the Java language, joined by dots.
  static func isPackage(_ text: String) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
      !isReserved(part.utf8) && part.isIdentifier()
    }
  }
}

extension AndroidManifest: Facts {
  package static func interest(in header: EntryHeader, of kind: ArtifactKind) -> Interest {
    kind == .aar && header.path.elementsEqual("AndroidManifest.xml".utf8) ? .document : .none
  }

  package static func read(
    _ header: EntryHeader, of kind: ArtifactKind, _ bytes: EntryBytes
  ) throws(UnreadableEntry) -> AndroidManifest? {
    try AndroidManifest(bytes.document())
  }
}
