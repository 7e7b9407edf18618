import Findings

/// The kind of a jar's entry, by its name (JAR File Specification).
package enum JarEntry: Hashable, Sendable {
  case manifest
  /// `META-INF/INDEX.LIST`: the packages of the jar. Repacking the jar makes it wrong.
  case index
  /// A signature of the manifest: without it, or with another manifest, the jar is not signed.
  case signature
  case moduleInfo
  /// Below `META-INF/versions/`: another form of a class or file for newer Java, which Android never reads.
  case versioned
  /// `META-INF/maven/`: how the jar was built.
  case maven
  /// A class that the app's build makes from `R.txt`.
  case rClass
  case classFile
  /// A text that is complete only together with its namesakes of other jars: services by name, licences.
  case joined
  /// Below `META-INF/proguard/` or `META-INF/com.android.tools/`: rules for shrinking an app that contains the jar.
  case shrinkerRules
  /// `META-INF/*.kotlin_module`: the functions and values of Kotlin outside of classes. All such files are read.
  case kotlinModule
  case resource

  package init(_ path: [UInt8]) {
    let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let name = parts.last.map { String(decoding: $0, as: UTF8.self) } ?? ""
    if name == "module-info.class" {
      self = .moduleInfo
      return
    }
    if parts.count > 1, String(decoding: parts[0], as: UTF8.self).uppercased() == "META-INF" {
      self = JarEntry.inMetaInf(parts.dropFirst().map { String(decoding: $0, as: UTF8.self) })
    } else if name.hasSuffix(".class") {
      self = name == "R.class" || name.hasPrefix("R$") ? .rClass : .classFile
    } else {
      self = .resource
    }
  }

  private static func inMetaInf(_ parts: [String]) -> JarEntry {
    // The specification compares these names without case.
    let name = parts[0].uppercased()
    guard parts.count == 1 else {
      switch name {
      case "VERSIONS": return .versioned
      case "MAVEN": return .maven
      case "PROGUARD", "COM.ANDROID.TOOLS": return .shrinkerRules
      case "SERVICES": return parts.count == 2 ? .joined : .resource
      default: return parts.last?.hasSuffix(".class") == true ? .classFile : .resource
      }
    }
    if name == "MANIFEST.MF" { return .manifest }
    if name == "INDEX.LIST" { return .index }
    if name.hasPrefix("SIG-") || [".SF", ".RSA", ".DSA", ".EC"].contains(where: name.hasSuffix) { return .signature }
    if name.hasSuffix(".KOTLIN_MODULE") { return .kotlinModule }
    let stem = name.split(separator: ".").first ?? ""
    return ["LICENSE", "NOTICE", "DEPENDENCIES"].contains(stem) ? .joined : .resource
  }

  package var isClass: Bool { self == .classFile || self == .rClass || self == .moduleInfo }

  /// `com/example/A$B.class` as a developer reads it: `com.example.A$B`.
  package static func className(_ path: [UInt8]) -> String {
    String(decoding: path.dropLast(".class".utf8.count), as: UTF8.self).pathParts.joined(separator: ".")
  }

  /// The package of a class: `com.example`.
  package static func package(_ path: [UInt8]) -> String {
    let folders = String(decoding: path, as: UTF8.self).pathParts.dropLast()
    return folders.isEmpty ? "the unnamed package" : folders.joined(separator: ".")
  }
}
