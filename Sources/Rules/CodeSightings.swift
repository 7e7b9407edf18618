import Artifacts
import Findings
import ObjectFiles
import OrderedCollections

/// A name in the code of a file, with all slices that have it.
struct CodeSighting {
  let text: String
  let item: Item
  /// The first member of the static library that has it.
  let member: String?
  fileprivate(set) var slices: [String]
  fileprivate let isEverywhere: Bool

  /// `libA.a › a.o`; `libA.a(armv7) › a.o` if not all slices have it.
  func site(in inventory: Inventory) -> Place {
    let isWhole = slices.isEmpty || isEverywhere
    let place = inventory.site(item, slices: isWhole ? "" : "(\(slices.joined(separator: ", ")))")
    return member.map(place.inside) ?? place
  }
}

extension Inventory {
  /// Code for iOS, without the files that the Finder left. An XCFramework also has slices for other systems, which have
  /// other frameworks and other limits.
  var code: [(item: Item, names: CodeNames)] {
    items.compactMap { item in
      guard item.metadata == nil, let names = item.facts(CodeNames.self) else { return nil }
      let slices = names.slices.filter { $0.platform?.isIOS ?? true }
      return slices.isEmpty ? nil : (item, CodeNames(slices: slices))
    }
  }

  /// The names that `select` finds in each slice, each text once a file, in the order in which it was found.
  func sightings(_ select: (CodeNames.Slice) -> [CodeNames.Name]) -> [CodeSighting] {
    code.flatMap { item, names -> [CodeSighting] in
      var found: OrderedDictionary<String, (member: String?, slices: [String])> = [:]
      for slice in names.slices {
        for name in select(slice) {
          let member = found[name.text]?.member
          var slices = found[name.text]?.slices ?? []
          if let architecture = slice.architecture?.name, slices.last != architecture { slices.append(architecture) }
          found[name.text] = (member ?? slice.member(name), slices)
        }
      }
      return found.map { text, seen in
        let isEverywhere = seen.slices.count == names.slices.count
        return CodeSighting(
          text: text, item: item, member: seen.member, slices: seen.slices, isEverywhere: isEverywhere)
      }
    }
  }

  /// Names that code uses and nothing in the artifact defines for the same processor. `inImages` includes dynamic
  /// libraries and executables.
  func unresolved(inImages: Bool = true, _ isMeant: (String) -> Bool) -> [CodeSighting] {
    func wanted(_ slice: CodeNames.Slice) -> [CodeNames.Name] {
      slice.isImage && !inImages ? [] : slice.undefined.filter { isMeant($0.text) }
    }
    let slices = code.flatMap(\.names.slices)
    guard slices.contains(where: { !wanted($0).isEmpty }) else { return [] }
    var defined: [Architecture?: Set<String>] = [:]
    for slice in slices {
      let classes = slice.classes.map { "_OBJC_CLASS_$_" + $0.name.text }
      defined[slice.architecture, default: []].formUnion(slice.defined.map(\.text) + classes)
    }
    return sightings { slice in wanted(slice).filter { defined[slice.architecture]?.contains($0.text) != true } }
  }
}

extension [CodeSighting] {
  /// Grouped by file and key, in this order; a name with several keys is in several groups.
  func grouped(
    by keys: (CodeSighting) -> [String] = { _ in [""] }
  ) -> [(key: String, first: CodeSighting, names: [String])] {
    var groups: [[String]: [CodeSighting]] = [:]
    for use in self { for key in keys(use) { groups[[use.item.name, key], default: []].append(use) } }
    return groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { ($0[1], $1[0], $1.map(\.text)) }
  }
}

extension CodeSighting {
  var shown: String { text.shownSymbol }
}

extension String {
  /// The symbol as C spells it: a Mach-O symbol has an underscore more.
  var shownSymbol: String {
    if let name = classOfSymbol { return name }
    return String(unicodeScalars.first == "_" ? unicodeScalars.dropFirst() : unicodeScalars[...])
  }

  /// The class of a symbol: `UIView` of `_OBJC_CLASS_$_UIView`, and of `.objc_class_name_UIView`.
  var classOfSymbol: String? {
    for prefix in ["_OBJC_CLASS_$_", ".objc_class_name_"] where hasPrefix(prefix) {
      return String(dropFirst(prefix.count))
    }
    return nil
  }
}

extension CodeNames {
  /// Nil if all slices have it, empty if none has, and otherwise the first slice that lacks it: ` for arm64`.
  func lack(_ isThere: (Slice) -> Bool) -> String? {
    let without = slices.filter { !isThere($0) }
    guard let first = without.first else { return nil }
    return without.count == slices.count ? "" : " for \(first.architecture?.name ?? "one architecture")"
  }
}
