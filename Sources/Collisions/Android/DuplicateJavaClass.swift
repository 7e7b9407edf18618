import Android
import Artifacts
package import Findings
import Linking
import ObjectFiles

/// Names decide: Android's build refuses a class that is there twice, whatever its bytes, and even in one jar.
package enum DuplicateJavaClass: CollisionRule, CollisionFamily {
  package static let id: RuleID = "duplicate-java-class"
  package static let noun = (one: "class of the same name", many: "classes of the same names")
  package static let platform: String? = "android"
  package static let name = "java-classes"
  package static var rules: [any CollisionRule.Type] { [Self.self] }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    (
      "the class \(collision.name.text) is there \(collision.times): the Android build fails", [note(collision)],
      "let both plugins depend on one library instead of carrying it, or give the package a name of the plugin's own"
    )
  }

  /// Takes a module out of the build, or the same classes out of the last jar.
  package static func edit(_ all: [Collision]) -> Edit? {
    if let module = all.first?.module?.split(separator: ":").map(String.init), module.count == 2 {
      return Edit(.gradle, "configurations.all { exclude(group = \"\(module[0])\", module = \"\(module[1])\") }")
    }
    guard let first = all.first, let jar = first.sites.last?.artifact, jar.parts.count == 1, jar.lastName.isArchive,
      first.sites.count == 2, let names = all.names(most: 4), all.allSatisfy({ $0.identical == true })
    else { return nil }
    let classes = names.map { "\($0.with("/", for: ".")).class" as Edit.Line }
    return Edit(.shell, "zip -d \(jar.parts[0]) \(classes)")
  }

  /// Sorted by the bytes of the class names.
  package static func judge(_ context: CheckContext) -> Judgement<Collision> {
    let plugins = context.plugins.map(\.android)
    guard plugins.contains(where: { $0.classCount > 0 }) else { return .nothingToCompare }
    // There may be hundreds of thousands of classes and hardly a duplicate, so only duplicates are decoded to strings.
    var table = NameTable()
    var counts: [Int32] = []
    let numbers = plugins.map { plugin in
      let names = ByteReader(plugin.names.span)
      return (0..<plugin.classCount).map { index in
        let id = table.id(plugin.name(of: index), names)
        if id.index == counts.count { counts.append(0) }
        counts[id.index] += 1
        return id
      }
    }
    var found: [NameID: (sites: [Collision.Site], contents: Set<ContentChecksum>)] = [:]
    for (number, numbers) in numbers.enumerated() {
      let plugin = plugins[number]
      for jar in plugin.jars {
        for index in jar.classes where counts[numbers[index].index] > 1 {
          found[numbers[index], default: ([], [])].sites.append(
            site(plugin.place(of: index, in: jar), of: PluginID(number), .objcClass))
          found[numbers[index]]?.contents.insert(plugin.content(of: index))
        }
      }
    }
    let collisions = found.sorted { table.precedes($0.key, $1.key) }.map { id, item in
      let name = table.text(id).utf8.map { $0 == UInt8(ascii: "/") ? UInt8(ascii: ".") : $0 }
      return Collision(
        Self.id, .error, nil, String(decoding: name, as: UTF8.self), item.sites, identical: item.contents.count == 1)
    }
    return .found(collisions)
  }
}
