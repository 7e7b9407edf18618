import Artifacts
import Findings
import ObjectFiles

/// The classes of all libraries of an artifact for one architecture.
struct EntrySlice {
  typealias Found = (item: Item, slice: CodeNames.Slice, found: CodeNames.Class)

  let architecture: String
  /// Paths of the libraries that have code for the architecture.
  private(set) var libraries: Set<[UInt8]> = []
  private(set) var classes: [String: Found] = [:]
  private var added: [String: Set<String>] = [:]

  /// One for each architecture of the libraries, in the libraries' order.
  static func all(of inventory: Inventory) -> [EntrySlice] {
    var all: [EntrySlice] = []
    for (item, names) in inventory.code where inventory.bundle(of: item) == nil {
      for slice in names.slices {
        guard let architecture = slice.architecture?.name else { continue }
        let index = all.firstIndex { $0.architecture == architecture } ?? all.count
        if index == all.count { all.append(EntrySlice(architecture: architecture)) }
        all[index].libraries.insert(item.path)
        for found in slice.classes where all[index].classes[found.name.text] == nil {
          all[index].classes[found.name.text] = (item, slice, found)
        }
        for category in slice.categories {
          all[index].added[category.className, default: []].formUnion(category.methods)
        }
      }
    }
    return all
  }

  private init(architecture: String) { self.architecture = architecture }

  func entry(_ name: EntryClassName) -> Found? { name.candidates.lazy.compactMap { classes[$0] }.first }

  /// Its superclasses in the artifact, then the first one that is not in it.
  func chain(from entry: Found) -> [String] {
    ancestors(from: entry.found.superclass) { classes[$0]?.found.superclass }
  }

  /// Whether all of its superclasses are in the artifact or belong to the system.
  func isKnown(to entry: Found) -> Bool {
    let chain = chain(from: entry)
    guard entry.found.isRead, chain.allSatisfy({ classes[$0]?.found.isRead ?? true }) else { return false }
    return chain.last.map { last in classes[last] != nil || ["NS", "UI"].contains(where: last.hasPrefix) } ?? true
  }

  /// Its own and inherited methods, and those of categories.
  func methods(of entry: Found) -> Set<String> {
    var all: Set<String> = []
    for name in [entry.found.name.text] + chain(from: entry) {
      all.formUnion(classes[name]?.found.methods ?? [])
      all.formUnion(added[name] ?? [])
    }
    return all
  }

  func site(of entry: Found?, in inventory: Inventory) -> Place {
    guard let entry else { return inventory.place }
    let file = inventory.site(entry.item)
    return entry.slice.member(entry.found.name).map(file.inside) ?? file
  }
}

/// A class and its superclasses, each once: a damaged file may name them in a circle.
func ancestors(from first: String?, _ superclass: (String) -> String?) -> [String] {
  var chain: [String] = []
  var next = first
  while let name = next, !chain.contains(name) {
    chain.append(name)
    next = superclass(name)
  }
  return chain
}
