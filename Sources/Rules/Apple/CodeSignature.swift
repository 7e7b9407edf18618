package import Artifacts
import Documents
package import Findings

/// Nothing was changed in an XCFramework after it was signed: Xcode 15 and later compare its files with its signature
/// before they use it. (Frameworks in it are signed again when an app embeds them, and `xcodebuild
/// -create-xcframework` takes files out of them.)
package enum CodeSignature: HostRule {
  package static let id: RuleID = "code-signature"
  package static let kinds: Set<ArtifactKind>? = .apple
  package static let facts: [any Facts.Type] = [PropertyListFacts.self]

  private static let folder = "_CodeSignature/"
  private static let list = Array("_CodeSignature/CodeResources".utf8)
  private static let signed = Array(".xcframework/_CodeSignature/CodeResources".utf8)

  package static func furtherFacts(holding entries: [[UInt8]]) -> [any Facts.Type] {
    // The artifact may be the XCFramework itself.
    let isSigned = entries.contains { $0 == list || $0.suffix(signed.count).elementsEqual(signed) }
    return isSigned ? [SealedContent.self] : []
  }

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    inventory.xcframeworks.compactMap { framework in
      guard let signature = framework.items[folder + "CodeResources"],
        case .values(let values)? = signature.facts(PropertyListFacts.self), let files = values["files2"]?.map
      else { return nil }
      let notes = [
        ("changed", changed(framework.items, files)), ("missing", missing(framework.items, files)),
        ("added", added(framework.items, files)),
      ].compactMap { what, names in
        names.isEmpty ? nil : "\(what): \(listed(Set(names).sorted(), limit: maxNames))"
      }
      guard !notes.isEmpty else { return nil }
      return finding(
        judging, "\(framework.name) was changed after it was signed", at: inventory.site(signature), notes: notes,
        hint: "sign it when nothing else is to be changed, as 'sign' of the kind xcframework does")
    }
  }

  private static let maxNames = 6

  /// Files that are marked as optional, as those of languages are, may be removed.
  private static func missing(_ items: [String: Item], _ files: [String: PropertyList]) -> [String] {
    files.compactMap { name, seal in items[name] == nil && seal["optional"] != .flag(true) ? name : nil }
  }

  private static func changed(_ items: [String: Item], _ files: [String: PropertyList]) -> [String] {
    let listed = files.compactMap { name, seal -> String? in
      guard case .data(let digest)? = seal["hash2"] else { return nil }
      return differs(items[name], digest) ? name : nil
    }
    // The list itself and Info.plist are sealed by the code directories: there is one for each kind of digest, and
    // codesign calls the second one CodeRequirements-1.
    let seals = items.filter { $0.key.hasPrefix(folder) }.compactMap { $0.value.facts(SealedContent.self)?.seals }
    return listed
      + seals.flatMap { seal in
        [("Info.plist", seal.info), (folder + "CodeResources", seal.resources)].compactMap { name, digest in
          // A slot of zeros seals nothing.
          digest.contains { $0 != 0 } && differs(items[name], digest) ? name : nil
        }
      }
  }

  private static func differs(_ item: Item?, _ digest: [UInt8]) -> Bool {
    item?.facts(SealedContent.self).map { $0.digest != digest } ?? false
  }

  /// The rules in a signature leave these two and the Finder's files out, and names of languages.
  private static func added(_ items: [String: Item], _ files: [String: PropertyList]) -> [String] {
    items.compactMap { name, item in
      let isLeftOut =
        item.isFolder || item.metadata != nil || name.hasPrefix(folder) || ["Info.plist", "PkgInfo"].contains(name)
        || item.lastPart == "locversion.plist"
      return isLeftOut || files[name] != nil ? nil : name
    }
  }
}
