import Artifacts
import Documents

/// `res/raw/keep.xml`: the resources that the shrinker of an app keeps or discards, as lists in attributes of
/// `<resources>` (Android Gradle plugin, `ResourceUsageModel`).
package enum KeepFile {
  package static let path = Array("raw/keep.xml".utf8)

  /// Two such files as one; nil if they want different modes of the shrinker, or one of them is no such file.
  package static func joined(_ first: [UInt8], _ second: [UInt8]) -> [UInt8]? {
    guard let one = try? XMLEvents.read(first), let other = try? XMLEvents.read(second), one.name == "resources",
      other.name == "resources", one.children.isEmpty, other.children.isEmpty
    else { return nil }
    var attributes = one.attributes
    for theirs in other.attributes {
      guard let index = attributes.firstIndex(where: { $0.name == theirs.name && $0.namespace == theirs.namespace })
      else {
        attributes.append(theirs)
        continue
      }
      let ours = attributes[index]
      if sameBytes(ours.value, theirs.value) { continue }
      guard ours.namespace == AndroidManifest.tools, ["keep", "discard"].contains(ours.name) else { return nil }
      attributes[index] = .init(name: ours.name, namespace: ours.namespace, value: "\(ours.value),\(theirs.value)")
    }
    return XMLWriter.write(one.with(attributes: attributes))
  }
}
