import Artifacts
import Findings
import ObjectFiles

/// A dynamic library as a linker sees it: the names that it exports. Those of libraries that it re-exports belong to it if
/// they are in the same text stub.
struct LinkLibrary: Sendable {
  struct Export: Sendable {
    var name: NameTable.ID
    var isWeak: Bool
  }

  var exports: [Export] = []
}

extension LinkFileReading {
  /// `reader`'s window is an image: its export trie, or its symbol table if it has none.
  func library(image reader: borrowing ByteReader) throws(FormatError) -> RawLinkLibrary {
    var library = RawLinkLibrary()
    let file = try MachOFile(reader)
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

  /// Of a text stub's libraries the first is meant; the others count as far as it re-exports them.
  func library(stubs: [TextStub]) -> RawLinkLibrary {
    var library = RawLinkLibrary()
    var wanted = Set(stubs.first.map { [$0.installName] } ?? [])
    var open = stubs
    while let index = open.firstIndex(where: { wanted.contains($0.installName) }) {
      let stub = open.remove(at: index)
      for libraries in stub.reexportedLibraries { wanted.formUnion(libraries.names) }
      for symbol in stub.exports + stub.reexports where !symbol.name.hasPrefix("$ld$") {
        guard symbol.targets.contains(where: { $0.architecture == architecture }) else { continue }
        library.add(Array(symbol.name.utf8), isWeak: symbol.isWeak, seed: seed)
      }
    }
    return library
  }
}
