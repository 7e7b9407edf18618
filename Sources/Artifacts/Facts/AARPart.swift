/// The entries of an AAR that are what they are by their name.
package enum AARPart: Sendable {
  case manifest, metadata, jar

  /// Nil for everything that is told by its bytes.
  package init?(_ path: [UInt8], in role: Inventory.Role) {
    guard role == .aar else { return nil }
    if path.elementsEqual("AndroidManifest.xml".utf8) {
      self = .manifest
    } else if path.elementsEqual(AARMetadata.path.utf8) {
      self = .metadata
    } else if path.count > 4, path.suffix(4).elementsEqual(".jar".utf8), AARPart.isCode(path) {
      self = .jar
    } else {
      return nil
    }
  }

  /// Elsewhere than at the root and in `libs/`, a jar is data of the library.
  private static func isCode(_ path: [UInt8]) -> Bool {
    !path.contains(UInt8(ascii: "/")) || path.starts(with: "libs/".utf8)
  }

  func content(_ bytes: EntryBytes) -> Item.Content {
    switch self {
    case .jar: return .jar(JarFacts(bytes.zip))
    // No build reads so large a text.
    case .manifest where bytes.count > Allowance.memory, .metadata where bytes.count > Allowance.memory:
      return .damaged("it is far too large")
    case .metadata: return .aarMetadata(AARMetadata(properties: bytes.copy()))
    case .manifest:
      do throws(ManifestProblem) { return .androidManifest(try AndroidManifest(bytes.copy())) } catch {
        return .damaged("\(error)")
      }
    }
  }
}
