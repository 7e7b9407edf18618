import Artifacts
package import Findings
package import Store

/// The resources that the AARs of a plugin define: `string/app_name`, `drawable/icon (hdpi-v4)`. An app has one of each
/// name for a configuration; styleables are united and ids have no value, so neither is here.
package struct ResourceTable: Sendable {
  package private(set) var table = ContentTable()
  /// The index in `files` of each.
  private var origins: [Int32] = []
  /// `Rally.aar › res/values/values.xml`; files of one folder and ending share `res/drawable-hdpi/*.png`.
  private var files: [Place] = []

  package init() {}

  package var count: Int { table.count }

  package func place(of index: Int) -> Place {
    let place = files[Int(origins[index])]
    let parts = (place.parts.last ?? "").utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
    guard parts.count == 2 else { return place }
    let name = table.name(of: index).drop { $0 != UInt8(ascii: "/") }.dropFirst().prefix { $0 != UInt8(ascii: " ") }
    let path = Array(parts[0]) + name + Array(parts[1])
    return Place(parts: place.parts.dropLast() + [String(decoding: path, as: UTF8.self)])
  }

  /// Adds the values of a file.
  mutating func add(_ values: ContentTable, at place: Place) {
    guard values.count > 0 else { return }
    let range = table.add(values)
    origins += repeatElement(origin(place), count: range.count)
  }

  /// Adds a file that is a resource by itself.
  mutating func add(_ name: [UInt8], _ content: ContentChecksum, at place: Place) {
    table.add(name, content)
    origins.append(origin(place.ofFolderAndEnding))
  }

  /// Neighbours of one folder and ending share one.
  private mutating func origin(_ place: Place) -> Int32 {
    if files.last != place { files.append(place) }
    return Int32(truncatingIfNeeded: files.count - 1)
  }
}

extension Place {
  /// `Rally.aar › res/drawable-hdpi/*.png` for `Rally.aar › res/drawable-hdpi/icon.png`.
  fileprivate var ofFolderAndEnding: Place {
    let path = Array((parts.last ?? "").utf8)
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return self }
    let file = Array(path[(slash + 1)...])
    let ending = file.dropFirst(AndroidResources.name(ofFile: file).count)
    return Place(parts: parts.dropLast() + [String(decoding: path[...slash] + Array("*".utf8) + ending, as: UTF8.self)])
  }
}

extension ResourceTable {
  package func write(to writer: inout RecordWriter, below path: String) {
    table.write(to: &writer)
    writer.add(origins) { $0.add(Int($1)) }
    writer.add(files) { $0.add($1, below: path) }
  }

  /// Nil if the bytes are no such record.
  package init?(_ reader: inout RecordReader, below path: String) {
    guard let table = ContentTable(&reader),
      let origins = reader.list({ $0.number().map(Int32.init(truncatingIfNeeded:)) }),
      let files = reader.list({ $0.place(below: path) }),
      origins.count == table.count, origins.allSatisfy({ files.indices.contains(Int($0)) })
    else { return nil }
    (self.table, self.origins, self.files) = (table, origins, files)
  }
}
