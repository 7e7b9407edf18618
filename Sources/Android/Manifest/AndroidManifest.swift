package import Artifacts
package import Documents
import Findings

/// The text `AndroidManifest.xml` of an app or a library.
package struct AndroidManifest: Sendable {
  /// The namespace of the system's attributes.
  package static let android = "http://schemas.android.com/apk/res/android"
  /// The namespace of what is meant for the build's tools only; nothing of it is in an app.
  package static let tools = "http://schemas.android.com/tools"

  package let root: XMLTag
  /// What relative class names are relative to, nil if the manifest does not say it.
  package let package: String?

  /// The largest manifests of apps have a few thousand elements; while manifests are merged, of each more is kept than of
  /// other documents.
  private static let limits = {
    var limits = XMLEvents.Limits()
    limits.elements = 100_000
    limits.attributes = 200_000
    return limits
  }()

  package init(_ bytes: [UInt8]) throws(ManifestProblem) {
    // The chunk that compiled XML begins with: type 3 (XML), header of 8 bytes; what stands in an APK.
    guard !bytes.starts(with: [0x03, 0x00, 0x08, 0x00]) else { throw .compiled }
    let root: XMLTag
    do throws(XMLProblem) {
      root = try XMLEvents.read(bytes, limits: AndroidManifest.limits)
    } catch {
      throw .notXML(error)
    }
    try self.init(root: root)
  }

  package init(root: XMLTag) throws(ManifestProblem) {
    guard root.name.utf8.elementsEqual("manifest".utf8), root.namespace.isEmpty else {
      throw .root(root.name, root.position)
    }
    package = root["package"]
    if let package, !Self.isPackage(package) { throw .package(package, root.position) }
    self.root = root
  }

  /// As it is written: a number, or the code name of a preview of the system. A device reads every `<uses-sdk>`, so what a
  /// second one says counts: of several minima the highest, which a code name is above all.
  package var minSDK: String? { minimum?["minSdkVersion", namespace: Self.android] }
  package var targetSDK: String? { last("targetSdkVersion") }
  package var maxSDK: String? { last("maxSdkVersion") }
  /// The one that a build wrote down; nobody writes it by hand.
  package var compileSDK: String? { root["compileSdkVersion", namespace: Self.android] }

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

  private func last(_ name: String) -> String? {
    usesSDKs.compactMap { $0[name, namespace: Self.android] }.last
  }

  /// The API level of such a text, nil if it is none: a code name has no number that is known here.
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

  /// Identifiers of the Java language, joined by dots.
  static func isPackage(_ text: String) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
      guard let first = part.unicodeScalars.first, !reserved.contains(String(part)) else {
        return false
      }
      return (first.properties.isXIDStart || first == "_" || first == "$")
        && part.unicodeScalars.dropFirst().allSatisfy { $0.properties.isXIDContinue || $0 == "$" }
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
    if interest(in: header, of: kind) == .none { return nil }
    let text = try bytes.document()
    do throws(ManifestProblem) { return try AndroidManifest(text) } catch { throw UnreadableEntry("\(error)") }
  }
}

/// Why something is no Android manifest.
package enum ManifestProblem: Error, Hashable, Sendable, CustomStringConvertible {
  case compiled
  case notXML(XMLProblem)
  /// The root element's name.
  case root(String, XMLTag.Position)
  case package(String, XMLTag.Position)

  package var description: String {
    switch self {
    case .compiled:
      "the manifest is compiled, as it is in an APK; an AAR has it as text: take the one that its library was built from"
    case .notXML(let problem): problem.description
    case .root(let name, let position):
      "the root element is <\(printable(name))>, not <manifest>: this is no AndroidManifest.xml (\(Self.at(position)))"
    case .package(let name, let position):
      "package=\"\(printable(name))\" is no name of a Java package: use identifiers joined by dots, such as "
        + "com.example.plugin (\(Self.at(position)))"
    }
  }

  private static func at(_ position: XMLTag.Position) -> String {
    "line \(position.line), column \(position.column)"
  }
}
