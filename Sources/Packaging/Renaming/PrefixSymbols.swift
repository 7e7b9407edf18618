import Archives
import Artifacts
package import Findings
package import Rewriting
import Store
package import SystemPackage

/// The command `prefix-symbols`: writes a file with new names of its symbols.
package enum PrefixSymbols {
  /// The result tells the user about names that stayed.
  package static func run(
    _ input: FilePath, to output: FilePath, _ rewrite: SymbolRewrite, keepsDebug: Bool
  ) async throws(Mistakes) -> [String] {
    do {
      if try FileSystem.status(of: input, followingLinks: true)?.kind == .directory {
        return try await run(folder: input, to: output, rewrite, keepsDebug: keepsDebug)
      }
      try Project.refuseOther(output)
      try Project.refuse(writing: output, over: [input])
      if try OpenedArtifact(input).isZip {
        return try await run(archive: input, to: output, rewrite, keepsDebug: keepsDebug)
      }
      let file = try await RenamedFile(input, name: input.string, rewrite, keepsDebug: keepsDebug)
      let notes = try PrefixNotes([file], of: input.string)
      let written = try OutputFile.create(output)
      try await file.content.write(to: written)
      // The disk works while the processor reads back.
      let path = written.temporaryPath
      async let synced: Void = FileSystem.sync(file: path)
      try await file.check(path, name: output.string)
      try await synced
      try written.commit()
      return notes.lines
    } catch {
      throw Mistakes(from: error, about: input)
    }
  }

  private static func run(
    archive input: FilePath, to output: FilePath, _ rewrite: SymbolRewrite, keepsDebug: Bool
  ) async throws -> [String] {
    let archive = try await RenamedArchive(
      input, name: input.string, at: Place(input.string), rewrite, keepsDebug: keepsDebug,
      in: try OpenFolder(folderOf: output))
    try await archive.entries.write(to: output, ZipOptions())
    withExtendedLifetime(archive.scratch) {}
    return archive.notes
  }

  private static func run(
    folder input: FilePath, to output: FilePath, _ rewrite: SymbolRewrite, keepsDebug: Bool
  ) async throws -> [String] {
    let folder = try await RenamedFolder(input, name: input.string, rewrite, keepsDebug: keepsDebug)
    let notes = try PrefixNotes(folder.files, of: input.string)
    try await write(folder: output) { try await folder.write(to: $0) }
    return notes.lines + folder.notes
  }

  /// Writes a folder that is not there yet.
  static func write(folder output: FilePath, _ body: (borrowing OutputFolder) async throws -> Void) async throws {
    let parent = output.removingLastComponent()
    guard let name = output.lastComponent, try FileSystem.status(of: output) == nil else {
      throw Mistakes("\(output) is there already", hint: "remove it, or name another folder")
    }
    let place = try FileSystem.realPath(parent.isEmpty ? "." : parent)
    let written = try OutputFolder.create(place.appending(name), below: try OpenFolder(place))
    try await body(written)
    try written.commit()
  }
}

extension [PackedEntry] {
  /// Writes an archive of them.
  func write(to output: FilePath, _ options: ZipOptions) async throws {
    let file = try Store.OutputFile.create(output)
    _ = try await PackedArchive.write(self, to: file.temporaryPath, options: options, in: nil)
    try file.commit()
  }
}

extension OpenFolder {
  /// The folder that a file is to be in.
  convenience init(folderOf file: FilePath) throws {
    let folder = file.removingLastComponent()
    try self.init(try FileSystem.realPath(folder.isEmpty ? "." : folder))
  }
}
