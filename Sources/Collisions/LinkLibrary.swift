import Artifacts
import Findings
import ObjectFiles

/// A dynamic library as a linker sees it: the names that it exports. Those of libraries that it re-exports belong to it if
/// they are in the same text stub; otherwise they are files of their own.
struct LinkLibrary: Sendable {
  struct Export: Sendable {
    var name: NameTable.ID
    var isWeak: Bool
  }

  var exports: [Export] = []
  /// Paths of libraries that it re-exports, as their install names have them.
  var reexports: [String] = []
  /// Where `@rpath` leads.
  var searchPaths: [String] = []
  /// A text stub that says nothing for the link's processor.
  private(set) var isForOthers = false
  private var installName = ""

  /// It lies where everybody may link with it: who re-exports it is not looked in for it.
  var isSystems: Bool {
    let folders = installName.split(separator: "/", omittingEmptySubsequences: false)
    if folders.dropLast() == ["", "usr", "lib"] { return true }
    return folders.starts(with: ["", "System", "Library", "Frameworks"]) && folders.count > 5
      && folders[4].prefix { $0 != "." } == folders[folders.count - 1]
  }

  /// `reader`'s window is an image: its export trie, or its symbol table if it has none.
  init(image reader: borrowing ByteReader, _ names: inout NameTable) throws(FormatError) {
    let file = try MachOFile(reader)
    let linkage = try MachOLinkage(file, reader)
    installName = linkage.identity.map { String(decoding: $0.name, as: UTF8.self) } ?? ""
    reexports = linkage.libraries.filter { $0.use.contains(.reexport) }.map { String(decoding: $0.name, as: UTF8.self) }
    searchPaths = linkage.searchPaths.map { String(decoding: $0, as: UTF8.self) }
    let trie = try MachOExports(file, reader)
    if !trie.range.isEmpty {
      try trie.forEach(reader) { (export: MachOExport) throws(FormatError) in
        let name = names.id(0..<export.name.count, ByteReader(export.name.span))
        exports.append(Export(name: name, isWeak: export.flags.contains(.weak)))
      }
      return
    }
    guard let table = try MachOSymbolTable(file, reader) else { return }
    var budget = NameBudget(reader)
    try table.forEach(reader) { (entry: MachOSymbol) throws(FormatError) in
      guard entry.isExternal, !entry.isDebug, !entry.isPrivateExternal, entry.kind != .undefined,
        let range = table.name(at: entry.nameOffset, reader)
      else { return }
      try budget.spend(range)
      exports.append(Export(name: names.id(range, reader), isWeak: entry.isWeakDefinition))
    }
  }

  /// Of a text stub's libraries the first is meant; the others count as far as it re-exports them.
  init(stubs: [TextStub], _ architecture: Architecture, _ names: inout NameTable) {
    installName = stubs.first?.installName ?? ""
    isForOthers = stubs.first.map { stub in !stub.targets.contains { $0.architecture == architecture } } ?? false
    var wanted = Set([installName])
    var open = stubs
    while let index = open.firstIndex(where: { wanted.contains($0.installName) }) {
      let stub = open.remove(at: index)
      for libraries in stub.reexportedLibraries
      where libraries.targets.contains(where: { $0.architecture == architecture }) {
        wanted.formUnion(libraries.names)
        reexports += libraries.names.filter { name in !stubs.contains { $0.installName == name } }
      }
      for symbol in stub.exports + stub.reexports where !symbol.name.hasPrefix("$ld$") {
        guard symbol.targets.contains(where: { $0.architecture == architecture }) else { continue }
        exports.append(Export(name: names.id(symbol.name), isWeak: symbol.isWeak))
      }
    }
  }
}
