package import Android
package import Findings
import Linking
import ObjectFiles

/// The classes of an app's plugins for Android. Names decide: Android's build refuses a class that is there twice, whatever
/// its bytes, and even in one jar.
package struct JavaClasses: Sendable {
  package struct Site: Hashable, Sendable {
    /// Number of the plugin.
    package var plugin: Int
    /// Number of the jar in the plugin.
    package var jar: Int
    /// `Rally.aar › classes.jar › com/x/A.class`
    package var place: Place
  }

  package struct Duplicate: Hashable, Sendable {
    /// As a developer reads it: `com.x.A$B`.
    package var name: String
    /// In the order of the plugins.
    package var sites: [Site]
    /// Whether all are the same bytes, by their sizes and checksums.
    package var isIdentical: Bool
  }

  /// How many there are in all jars.
  package private(set) var count = 0
  /// In the order of the bytes of their names.
  package private(set) var duplicates: [Duplicate] = []

  package init(_ plugins: [AndroidContents]) {
    var table = NameTable()
    // By number of the name, how often it is there.
    var counts: [Int32] = []
    var numbers: [[NameTable.ID]] = []
    for plugin in plugins {
      count += plugin.classCount
      let names = ByteReader(plugin.names.span)
      var own: [NameTable.ID] = []
      own.reserveCapacity(plugin.classCount)
      for index in 0..<plugin.classCount {
        let id = table.id(plugin.name(of: index), names)
        if id.index == counts.count { counts.append(0) }
        counts[id.index] += 1
        own.append(id)
      }
      numbers.append(own)
    }
    var found: [NameTable.ID: (sites: [Site], content: AndroidContents.Checksum, isIdentical: Bool)] = [:]
    for (number, plugin) in plugins.enumerated() {
      for (jarNumber, jar) in plugin.jars.enumerated() {
        for index in jar.classes where counts[numbers[number][index].index] > 1 {
          let content = plugin.content(of: index)
          let id = numbers[number][index]
          found[id, default: ([], content, true)].sites.append(
            Site(plugin: number, jar: jarNumber, place: plugin.place(of: index, in: jar)))
          if found[id]?.content != content { found[id]?.isIdentical = false }
        }
      }
    }
    duplicates = found.keys.sorted(by: table.precedes).compactMap { id in
      guard let (sites, _, isIdentical) = found[id] else { return nil }
      let name = String(
        decoding: table.text(id).utf8.map { $0 == UInt8(ascii: "/") ? UInt8(ascii: ".") : $0 }, as: UTF8.self)
      return Duplicate(name: name, sites: sites, isIdentical: isIdentical)
    }
  }
}
