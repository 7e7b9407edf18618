package import ObjectFiles

/// Methods of Objective-C categories that replace another's (section 2), among the object files that are in a link.
package struct CategoryClashes {
  /// A method by its class, its kind and its selector.
  private struct Key: Hashable {
    var className: NameTable.ID
    var isClassMethod: Bool
    var selector: NameTable.ID
  }

  private struct Method {
    var isClassMethod: Bool
    var selector: NameTable.ID
  }

  /// A category, or the class itself.
  private struct Container {
    var owner: Int
    var methods: [Method]
    /// It is in the list of those with a `+load`, which is what Apple's linker goes by.
    var isNonLazy: Bool
  }

  /// Categories by class, in the order in which the linker has them; `classes` in the order of their first category.
  private var classes: [NameTable.ID] = []
  private var categories: [NameTable.ID: [Container]] = [:]
  private let run: LinkRun
  /// Each file with categories says that they have room for class properties.
  private var areOfOneSize = true
  private(set) var all: [LinkVerdict.CategoryClash] = []

  /// What the run's linker says.
  init(_ run: LinkRun) throws(FormatError) {
    let isAsked =
      switch run.profile.categories {
      case .always: !run.line.has(.noObjCCategoryMerging)
      case .onRequest: run.line.has(.checkCategoryConflicts)
      }
    try self.init(run, isAsked ? run.profile.categories : nil)
  }

  /// All that there are, whether or not a linker says so: each with the first of its method.
  package static func anyhow(_ run: LinkRun) throws(FormatError) -> [LinkVerdict.CategoryClash] {
    try CategoryClashes(run, .onRequest).all
  }

  private init(_ run: LinkRun, _ way: LinkerProfile.Categories?) throws(FormatError) {
    self.run = run
    guard let way else { return }
    // Apple's linker merges in the order of the line, whatever was loaded first.
    let order = way == .always ? run.order.sorted { run.loaded[$0].position < run.loaded[$1].position } : run.order
    for owner in order where run.set.objects[run.loaded[owner].object].hasCategories {
      let found = try read(owner) { data, reader in
        if !data.categories.isEmpty, !data.hasCategoryClassProperties { areOfOneSize = false }
        return data.categories.map {
          (run.set.names.id($0.className.range, reader), container(owner, $0.methods, $0.isNonLazy, reader))
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

  /// Each with the first of its method: the class's own, or the first category's. `+load` is nobody's to replace.
  private mutating func compareWithFirst(
    _ className: NameTable.ID, _ objcClass: Container?, _ categories: [Container]
  ) {
    var first: [Key: (owner: Int, isClass: Bool)] = [:]
    for (container, isClass) in [objcClass].compactMap({ $0 }).map({ ($0, true) }) + categories.map({ ($0, false) }) {
      for method in container.methods where !(method.isClassMethod && isLoad(method)) {
        let key = Key(className: className, isClassMethod: method.isClassMethod, selector: method.selector)
        if let other = first[key] {
          add(key, container.owner, other.owner, other.isClass ? .objcClass : .category)
        } else {
          first[key] = (container.owner, isClass)
        }
      }
    }
  }

  // MARK: ld64

  /// It says what it sees as it merges categories into their class. Of a class that is elsewhere, or if several of them have
  /// a `+load`, it merges those without one with each other (`passes/objc.cpp` of ld64-951.9).
  private mutating func compareAll(_ className: NameTable.ID, _ objcClass: Container?, _ categories: [Container]) {
    let loads = (categories + [objcClass].compactMap { $0 }).count { $0.isNonLazy }
    let isMerged = objcClass != nil && loads < 2
    guard isMerged || areOfOneSize else { return }
    var ofClass: [Key: Int] = [:]
    var ofCategories: [Key: Int] = [:]
    if isMerged, let objcClass {
      for method in objcClass.methods {
        ofClass[Key(className: className, isClassMethod: method.isClassMethod, selector: method.selector)] =
          objcClass.owner
      }
    }
    for category in categories where isMerged || !category.isNonLazy {
      for method in category.methods {
        let key = Key(className: className, isClassMethod: method.isClassMethod, selector: method.selector)
        if let owner = ofClass[key] { add(key, category.owner, owner, .objcClass) }
        if let owner = ofCategories[key] { add(key, category.owner, owner, .category) }
        ofCategories[key] = ofCategories[key] ?? category.owner
      }
    }
  }

  private mutating func add(_ key: Key, _ owner: Int, _ other: Int, _ kind: LinkVerdict.CategoryClash.Other) {
    let names = run.set.names
    all.append(
      LinkVerdict.CategoryClash(
        className: names.text(key.className), method: (key.isClassMethod ? "+" : "-") + names.text(key.selector),
        other: kind, category: run.place(owner), otherPlace: run.place(other)))
  }

  private func isLoad(_ method: Method) -> Bool { run.set.names.text(method.selector) == "load" }

  // MARK: Reading

  /// The class, if an object file of the link defines it: of several the one that its symbol is bound to.
  private func classInLink(_ className: NameTable.ID) throws(FormatError) -> Container? {
    let symbol = run.set.names.id("_OBJC_CLASS_$_\(run.set.names.text(className))")
    let resolution = run.resolution(symbol)
    guard resolution.state == .defined else { return nil }
    let (set, owner) = (run.set, Int(resolution.owner))
    return try read(owner) { data, reader in
      data.classes.first { set.names.id($0.name, reader) == className }
        .map { container(owner, $0.methods, $0.isNonLazy, reader) }
    } ?? nil
  }

  private func container(
    _ owner: Int, _ methods: [ObjCMethod], _ isNonLazy: Bool, _ reader: borrowing ByteReader
  ) -> Container {
    let set = run.set
    return Container(
      owner: owner,
      methods: methods.map { Method(isClassMethod: $0.isClassMethod, selector: set.names.id($0.selector, reader)) },
      isNonLazy: isNonLazy)
  }

  /// Nil if it is no Mach-O file.
  private func read<Result>(
    _ owner: Int, _ body: (ObjCMetadata, borrowing ByteReader) -> Result
  ) throws(FormatError) -> Result? {
    try run.set.withReader(of: run.loaded[owner].object) { (reader) throws(FormatError) in
      guard case .machO = FileKind(reader) else { return nil }
      return body(try ObjCMetadata(reader), reader)
    }
  }
}
