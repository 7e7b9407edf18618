import Linking

/// The definitions in the files of a line, whether or not a linker loads them.
struct Definitions {
  struct Site {
    var object: ObjectID
    var symbol: Int
  }

  /// Names with more than one definition, in the order of the first ones; sites in the order of the line.
  private(set) var shared: [(name: NameID, sites: [Site])] = []
  /// Names that one object file and a dynamic library define.
  private(set) var exported: [(name: NameID, site: Site)] = []
  /// The number of definitions by name, up to 255; exports of dynamic libraries count.
  private var counts: [UInt8] = []
  private var files: [FileID] = []

  /// `files` are in the order of the line. Every member of a static library is read.
  init(_ files: [FileID], of set: LinkSet) {
    var seen: Set<FileID> = []
    self.files = files.filter { seen.insert($0).inserted }
    for file in self.files {
      for object in set.objects(of: file) {
        for symbol in set.symbols(of: object) where symbol.isDefinition { count(symbol.name) }
      }
      if case .library(let library) = set.content(of: file) {
        for export in library.exports { count(export.name) }
      }
    }
    var places = [Int?](repeating: nil, count: counts.count)
    for file in self.files {
      for object in set.objects(of: file) {
        for (index, symbol) in set.symbols(of: object).enumerated() where symbol.isDefinition {
          guard counts[symbol.name.index] > 1 else { continue }
          let place = places[symbol.name.index] ?? shared.count
          if place == shared.count {
            places[symbol.name.index] = place
            shared.append((symbol.name, []))
          }
          shared[place].sites.append(Site(object: object, symbol: index))
        }
      }
    }
    exported = shared.filter { $0.sites.count == 1 }.map { ($0.name, $0.sites[0]) }
    shared.removeAll { $0.sites.count < 2 }
  }

  /// Whether exactly one file defines a name.
  func isUnique(_ name: NameID) -> Bool { name.index < counts.count && counts[name.index] == 1 }

  private mutating func count(_ name: NameID) {
    while counts.count <= name.index { counts.append(0) }
    if counts[name.index] < .max { counts[name.index] += 1 }
  }
}
