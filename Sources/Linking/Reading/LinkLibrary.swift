import ObjectFiles

/// A dynamic library as a linker sees it: its exports, with those of libraries it re-exports in the same text stub.
package struct LinkLibrary: Sendable {
  package struct Export: Sendable {
    package var name: NameID
    package var isWeak: Bool
  }

  package var exports: [Export] = []
  /// Classes in the Objective-C metadata, exported or not. Empty for a text stub, which only has exports.
  package internal(set) var classes: [String] = []
  /// The install names of the libraries that it re-exports.
  var reexports: [String] = []
  /// The values of `@rpath`.
  var searchPaths: [String] = []
  /// It is a text stub without the link's architecture.
  var isForOthers = false
  package var installName = ""
  /// The platforms that it was built for; a text stub has none.
  var builds: [BuildVersion] = []

  /// It is a public library of the system: the output refers to it, and not to a library that re-exports it.
  var isSystems: Bool {
    let folders = installName.split(separator: "/", omittingEmptySubsequences: false)
    if folders.dropLast() == ["", "usr", "lib"] { return true }
    return folders.starts(with: ["", "System", "Library", "Frameworks"]) && folders.count > 5
      && folders[4].prefix { $0 != "." } == folders[folders.count - 1]
  }
}

extension LinkFileReading {
  /// Reads the export trie of an image, or the symbol table if it has none. The image is `reader`'s window.
  func library(image reader: borrowing ByteReader) throws(FormatError) -> RawLinkLibrary {
    var library = RawLinkLibrary()
    let file = try MachOFile(reader)
    let linkage = try MachOLinkage(file, reader)
    library.library.installName = linkage.identity.map { String(decoding: $0.name, as: UTF8.self) } ?? ""
    library.library.builds = try file.buildVersions(reader)
    library.library.reexports = linkage.libraries.filter { $0.isReexported }
      .map { String(decoding: $0.name, as: UTF8.self) }
    library.library.searchPaths = linkage.searchPaths.map { String(decoding: $0, as: UTF8.self) }
    // Classes in damaged metadata are left out: the runtime does not get them either.
    if let data = try? ObjCMetadata(reader, .classes) {
      for item in data.classes {
        library.library.classes.append(String(decoding: try reader.copy(item.name, "name of a class"), as: UTF8.self))
      }
    }
    let trie = try MachOExports(file, reader)
    if !trie.range.isEmpty {
      try trie.forEach(reader) { (export: MachOExport) throws(FormatError) in
        library.add(export.name, isWeak: export.flags.contains(.weak), seed: seed)
      }
      return library
    }
    guard let table = try MachOSymbolTable(file, reader) else { return library }
    var budget = NameBudget(reader)
    try table.forEach(reader) { (entry: MachOSymbol) throws(FormatError) in
      guard entry.isExternal, !entry.isDebug, !entry.isPrivateExternal, entry.kind != .undefined,
        let range = table.name(at: entry.nameOffset, reader)
      else { return }
      try budget.spend(range)
      library.add(try reader.copy(range, "name"), isWeak: entry.isWeakDefinition, seed: seed)
    }
    return library
  }

  /// The first stub is the library itself; the others count if it re-exports them.
  func library(stubs: [TextStub]) -> RawLinkLibrary {
    var library = RawLinkLibrary()
    library.library.installName = stubs.first?.installName ?? ""
    library.library.isForOthers = stubs.first.map { stub in !isMeant(stub.targets) } ?? false
    var wanted = Set([library.library.installName])
    var open = stubs
    while let index = open.firstIndex(where: { wanted.contains($0.installName) }) {
      let stub = open.remove(at: index)
      for libraries in stub.reexportedLibraries where isMeant(libraries.targets) {
        wanted.formUnion(libraries.names)
        library.library.reexports += libraries.names.filter { name in !stubs.contains { $0.installName == name } }
      }
      for symbol in stub.exports + stub.reexports where !symbol.name.hasPrefix("$ld$") {
        guard isMeant(symbol.targets) else { continue }
        library.add(Array(symbol.name.utf8), isWeak: symbol.isWeak, seed: seed)
      }
    }
    return library
  }

  private func isMeant(_ targets: [TextStub.Target]) -> Bool {
    targets.contains { $0.architecture == architecture }
  }
}
