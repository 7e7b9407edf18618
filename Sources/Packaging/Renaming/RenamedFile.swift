import Findings
import ObjectFiles
import Rewriting
import Store
import SystemPackage

/// An object file or library whose symbols get new names: what changes, and the file that it is read from.
struct RenamedFile: Sendable {
  private let source: SourceFile
  private var renaming: SymbolRenaming
  /// The file's name in errors.
  private let name: String

  /// - Parameters:
  ///   - path: opens the file.
  ///   - name: the file's name in errors.
  ///   - keepsDebug: false leaves debugging information out.
  init(_ path: FilePath, name: String, _ rewrite: SymbolRewrite, keepsDebug: Bool) async throws {
    try self.init(definitionsOf: path, name: name, rewrite, keepsDebug: keepsDebug)
    try await findChanges()
  }

  /// Reads the definitions, as far as they are known without those of other files.
  init(definitionsOf path: FilePath, name: String, _ rewrite: SymbolRewrite, keepsDebug: Bool) throws {
    self.name = name
    let source = try SourceFile(path)
    self.source = source
    renaming = try Self.explained {
      try source.read { reader throws(LibraryError) in
        try SymbolRenaming(reader, name: name, rewrite, keepsDebug: keepsDebug)
      }.get()
    }
  }

  private static func explained<R>(_ body: () throws -> R) throws -> R {
    do { return try body() } catch let error as LibraryError { throw Mistakes(error.description) }
  }

  /// Libraries of one link change alike.
  static func join(_ files: inout [RenamedFile]) throws {
    var renamings = files.map(\.renaming)
    let sources = files.map(\.source)
    try JoinedNames.join(&renamings) { index, body in
      try sources[index].read { reader throws(FormatError) in try body(reader) }.get()
    }
    for index in files.indices { files[index].renaming = renamings[index] }
  }

  mutating func findChanges() async throws {
    do {
      renaming = try await Self.changed(renaming, source)
    } catch let error as LibraryError {
      var bare = renaming
      bare.keepsDebug = false
      let isReadable = renaming.keepsDebug ? (try? await Self.changed(bare, source)) != nil : false
      throw Mistakes(
        error.description,
        hint: isReadable ? "leave debugging information out: --drop-debug, or debug: drop in a step" : nil)
    }
  }

  private static func changed(_ first: SymbolRenaming, _ source: SourceFile) async throws -> SymbolRenaming {
    var changes: [SymbolRenaming.Change] = []
    try await inParts(Array(first.units.indices), of: part(of: first)) { indices in
      try source.read { reader throws(LibraryError) in
        try first.changes(indices[indices.startIndex]..<indices[indices.endIndex - 1] + 1, reader)
      }.get()
    } _: {
      changes += $0
    }
    return try source.read { reader throws(LibraryError) in
      var all = first
      try all.finish(changes, reader)
      return all
    }.get()
  }

  /// How many object files are read at a time, by each of several tasks.
  private static func part(of renaming: SymbolRenaming) -> Int {
    max(16, renaming.units.count / (4 * HostProcess.processors))
  }

  /// Whether names are hidden, and do not change.
  var isHiding: Bool { renaming.isHiding }
  /// Whether it is linked already.
  var isImage: Bool { renaming.units.contains(where: \.isImage) }
  /// How many names change.
  var count: Int { renaming.count }
  /// Names that no prefix changes.
  var left: LeftNames { renaming.left }
  /// The names that change, of each slice.
  var names: [RenamedNames] { renaming.names }
  /// Renamed classes whose old names are texts in the code too.
  var risks: Set<String> { renaming.risks }
  /// Listed names that the file does not have.
  var unmatched: [String] { renaming.unmatched }

  /// The file with its new names.
  var content: AssembledFile { get throws(FileError) { try AssembledFile(source, renaming.edits) } }

  /// Reads the written file back. Throws unless it has the old symbols with their new names, and no others.
  func check(_ path: FilePath, name: String) async throws {
    let written = try SourceFile(path)
    let (source, renaming) = (source, renaming)
    do {
      let proof = try written.read { new throws(LibraryError) in try RenamingProof(renaming, new: new) }.get()
      try await inParts(Array(renaming.units.indices), of: Self.part(of: renaming)) { indices in
        let part = indices[indices.startIndex]..<indices[indices.endIndex - 1] + 1
        try source.read { old throws(any Error) in
          try written.read { new throws(LibraryError) in try proof.check(part, old, new) }.get()
        }.get()
      } _: { (_: Void) in
      }
    } catch let error as LibraryError {
      throw Mistakes("\(name) is not written, because it would not be as it should: \(error)")
    }
  }
}
