package import ObjectFiles

/// Methods of Objective-C categories that replace another method (rule 2.2), among the object files in a link.
package struct CategoryClashes {
  private struct Method: Hashable {
    var isClassMethod: Bool
    var selector: NameID
  }

  /// A category, or the class itself.
  private struct Container {
    var load: LoadID
    var methods: [Method]
    /// It is in the list of those with a `+load`, by which Apple's linker goes.
    var isNonLazy: Bool
  }

  /// Categories by class, in the order in which the linker has them; `classes` in the order of their first category.
  private var classes: [NameID] = []
  private var categories: [NameID: [Container]] = [:]
  /// Those of the object files that one of them was looked for in.
  private var extended: [LoadID: [NameID: Container]] = [:]
  private let link: SymbolResolver
  private let loadName: NameID
  /// The categories of all files have room for class properties.
  private var areOfOneSize = true
  private(set) var all: [LinkVerdict.CategoryClash] = []

  init(_ link: SymbolResolver) throws(FormatError) {
    let isAsked =
      switch link.profile.categories {
      case .always: !link.line.has(.noObjCCategoryMerging)
      case .onRequest: link.line.has(.checkCategoryConflicts)
      }
    try self.init(link, isAsked ? link.profile.categories : nil)
  }

  /// Every clash, even if the linker reports none. Each method is compared with its first definition.
  package static func anyhow(_ link: SymbolResolver) throws(FormatError) -> [LinkVerdict.CategoryClash] {
    try CategoryClashes(link, .onRequest).all
  }

  private init(_ link: SymbolResolver, _ way: LinkerProfile.Categories?) throws(FormatError) {
    self.link = link
    loadName = link.set.names.id("load")
    guard let way else { return }
    // Apple's linker merges in the order of the line, whatever was loaded first.
    let order = way == .always ? link.order.sorted { link.loaded[$0].position < link.loaded[$1].position } : link.order
    for load in order where link.set.objects[link.loaded[load].object].hasCategories {
      let found = try read(load) { data, reader in
        if !data.categories.isEmpty, !data.hasCategoryClassProperties { areOfOneSize = false }
        return data.categories.map {
          (link.set.names.id($0.className.range, reader), container(load, $0.methods, $0.isNonLazy, reader))
        }
      }
      for (className, category) in found ?? [] {
        if categories[className] == nil { classes.append(className) }
        categories[className, default: []].append(category)
      }
    }
    for className in classes {
      let categories = categories[className] ?? []
      let objcClass = try classInLink(className)
      switch way {
      case .onRequest: compareWithFirst(className, objcClass, categories)
      case .always: compareAll(className, objcClass, categories)
      }
    }
  }

  // MARK: lld

  /// Compares each method with its first definition: the class's own, or the first category's. `+load` replaces
  /// nothing.
  private mutating func compareWithFirst(
    _ className: NameID, _ objcClass: Container?, _ categories: [Container]
  ) {
    var first: [Method: (load: LoadID, isClass: Bool)] = [:]
    for (container, isClass) in [objcClass].compactMap({ $0 }).map({ ($0, true) }) + categories.map({ ($0, false) }) {
      for method in container.methods where !(method.isClassMethod && method.selector == loadName) {
        if let other = first[method] {
          add(className, method, container.load, other.load, other.isClass ? .objcClass : .category)
        } else {
          first[method] = (container.load, isClass)
        }
      }
    }
  }

  // MARK: ld64

  /// The linker reports clashes as it merges categories into their class. If the class is elsewhere, or several of them have a
  /// `+load`, it merges the categories without one with each other (`passes/objc.cpp` of ld64-951.9).
  private mutating func compareAll(_ className: NameID, _ objcClass: Container?, _ categories: [Container]) {
    let loads = (categories + [objcClass].compactMap { $0 }).count { $0.isNonLazy }
    let isMerged = objcClass != nil && loads < 2
    guard isMerged || areOfOneSize else { return }
    let ofClass = Set(isMerged ? objcClass?.methods ?? [] : [])
    var ofCategories: [Method: LoadID] = [:]
    for category in categories where isMerged || !category.isNonLazy {
      for method in category.methods {
        if let objcClass, ofClass.contains(method) {
          add(className, method, category.load, objcClass.load, .objcClass)
        }
        if let other = ofCategories[method] {
          add(className, method, category.load, other, .category)
        } else {
          ofCategories[method] = category.load
        }
      }
    }
  }

  private mutating func add(
    _ className: NameID, _ method: Method, _ load: LoadID, _ other: LoadID, _ kind: LinkVerdict.CategoryClash.Other
  ) {
    let names = link.set.names
    all.append(
      LinkVerdict.CategoryClash(
        className: names.text(className), method: (method.isClassMethod ? "+" : "-") + names.text(method.selector),
        other: kind, category: link.place(load), otherPlace: link.place(other)))
  }

  // MARK: Reading

  /// The class, if an object file of the link defines it. If several do, it is the one that its symbol is bound to.
  private mutating func classInLink(_ className: NameID) throws(FormatError) -> Container? {
    let set = link.set
    let resolution = link.resolution(set.names.id("_OBJC_CLASS_$_\(set.names.text(className))"))
    guard resolution.state == .defined else { return nil }
    let load = resolution.load
    if let known = extended[load] { return known[className] }
    var found: [NameID: Container] = [:]
    _ = try read(load) { data, reader in
      for item in data.classes {
        let name = set.names.id(item.name, reader)
        guard categories[name] != nil, found[name] == nil else { continue }
        found[name] = container(load, item.methods, item.isNonLazy, reader)
      }
    }
    extended[load] = found
    return found[className]
  }

  private func container(
    _ load: LoadID, _ methods: [ObjCMethod], _ isNonLazy: Bool, _ reader: borrowing ByteReader
  ) -> Container {
    let set = link.set
    return Container(
      load: load,
      methods: methods.map { Method(isClassMethod: $0.isClassMethod, selector: set.names.id($0.selector, reader)) },
      isNonLazy: isNonLazy)
  }

  /// Nil if it is no Mach-O file.
  private func read<Result>(
    _ load: LoadID, _ body: (ObjCMetadata, borrowing ByteReader) -> Result
  ) throws(FormatError) -> Result? {
    try link.set.withReader(of: link.loaded[load].object) { (reader) throws(FormatError) in
      guard case .machO = FileKind(reader) else { return nil }
      return body(try ObjCMetadata(reader, [.classes, .categories, .methods]), reader)
    }
  }
}
