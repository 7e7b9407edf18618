import ObjectFiles

/// The names that matter to a link. A name that one file defines and no file refers to loads nothing and collides
/// with nothing. Most names of most libraries are such, and need no numbers.
///
/// The filter compares hashes: every name that matters passes, and so do a few others.
struct SymbolFilter: Sendable {
  private var repeated: BloomFilter
  private var wanted: BloomFilter
  /// Names with two definitions of which neither yields to the other.
  private var contested: Set<UInt64> = []

  /// `wanted` has hashes of the names on the line.
  init(_ files: [RawLinkFile], wanted names: [UInt64]) {
    var count = names.count
    for file in files { file.forEachObject { count += $0.symbols.count } }
    repeated = BloomFilter(count: count)
    wanted = BloomFilter(count: count)
    for name in names { wanted.insert(name) }
    var seen = BloomFilter(count: count)
    for file in files { countDefinitions(file, &seen) }
    // The filter may be wrong about a repeated name, so the whole hashes of these are compared.
    var strong: [UInt64] = []
    for file in files {
      file.forEachObject { object in
        for (symbol, name) in object.symbols where symbol.kind != .undefined && symbol.kind != .common {
          guard !symbol.isWeak || symbol.kind == .absolute, repeated.mayContain(name.hash) else { continue }
          strong.append(name.hash)
          // An absolute symbol may clash with a weak one, so it counts twice.
          if symbol.kind == .absolute { strong.append(name.hash) }
        }
      }
    }
    strong.sort()
    for index in strong.indices.dropFirst() where strong[index] == strong[index - 1] { contested.insert(strong[index]) }
  }

  private mutating func countDefinitions(_ file: RawLinkFile, _ seen: inout BloomFilter) {
    func add(_ hash: UInt64) {
      if seen.mayContain(hash) { repeated.insert(hash) } else { seen.insert(hash) }
    }
    switch file {
    case .library(let library): for export in library.exports { add(export.name.hash) }
    case .archive(let archive): for hash in archive.alwaysWanted { wanted.insert(hash) }
    case .object, .ignored, .unreadable: break
    }
    file.forEachObject { object in
      for (symbol, name) in object.symbols {
        if symbol.isDefinition { add(name.hash) } else { wanted.insert(name.hash) }
      }
      for target in object.targets { wanted.insert(target.hash) }
      for hash in object.alwaysWanted { wanted.insert(hash) }
    }
  }

  func matters(_ name: NamePlace) -> Bool { wanted.mayContain(name.hash) || repeated.mayContain(name.hash) }

  /// Whether all names of an object file matter: a reference to any of them would load it, and its contested names
  /// would collide.
  func mattersWhole(_ object: RawLinkObject) -> Bool {
    if contested.isEmpty { return false }
    return object.symbols.contains { symbol, name in
      symbol.isDefinition && repeated.mayContain(name.hash) && contested.contains(name.hash)
    }
  }
}

extension RawLinkFile {
  func forEachObject(_ body: (RawLinkObject) -> Void) {
    switch self {
    case .object(let object): body(object)
    case .archive(let archive): for object in archive.objects.elements { body(object) }
    case .library, .ignored, .unreadable: break
    }
  }
}
