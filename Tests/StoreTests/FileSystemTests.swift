import Store
import SystemPackage
import Testing
import TestSupport

@Suite struct FileSystemTests {
  let scratch = Scratch()

  @Test func statusSaysWhatIsThere() throws {
    try scratch.write("file", "12345")
    try scratch.write("tool", "", executable: true)
    try scratch.link("link", to: "file")
    try scratch.link("dangling", to: "nowhere")
    let file = try #require(try FileSystem.status(of: scratch("file")))
    #expect(file.kind == .regular && file.size == 5 && !file.executable)
    #expect(try FileSystem.status(of: scratch("tool"))?.executable == true)
    #expect(try FileSystem.status(of: scratch("link"))?.kind == .symbolicLink)
    #expect(try FileSystem.status(of: scratch("link"), followingLinks: true) == file)
    #expect(try FileSystem.status(of: scratch("dangling"), followingLinks: true) == nil)
    #expect(try FileSystem.status(of: scratch.path)?.kind == .directory)
    #expect(try FileSystem.status(of: scratch("missing")) == nil)
    #expect(try FileSystem.status(of: scratch("file/below")) == nil)
  }

  @Test func statusAgreesWithStat() async throws {
    let path = try scratch.write("f", "abc")
    let words = try await Tool.check(["stat", "-c", "%s %i %d %Y %Z", path.string])
      .split(separator: "\n")[0].split(separator: " ").compactMap { UInt64($0) }
    let status = try #require(try FileSystem.status(of: path))
    #expect(
      words == [
        3, status.inode, status.device, UInt64(status.modified / 1_000_000_000),
        UInt64(status.changed / 1_000_000_000),
      ])
  }

  /// Composed and decomposed é, and a name that is not UTF-8 at all: three files.
  @Test func listsNamesAsBytes() throws {
    let names: [[UInt8]] = [
      [0xC3, 0xA9], [0x65, 0xCC, 0x81], [0xFF, 0xFE, 0x41], Array("B".utf8), Array("a".utf8), Array("a.b".utf8),
      Array(".hidden".utf8),
    ]
    for name in names {
      let component = try #require(FilePath.Component(nameBytes: name))
      try FileSystem.write(scratch.path.appending(component), name)
    }
    let listed = try FileSystem.list(scratch.path)
    #expect(listed.map(\.nameBytes) == names.sorted { $0.lexicographicallyPrecedes($1) })
    for name in listed { #expect(try FileSystem.read(scratch.path.appending(name)) == name.nameBytes) }
    let path = scratch.path.appending(listed[listed.count - 1])
    #expect(FilePath(pathBytes: path.pathBytes) == path)
  }

  @Test func listsManyNames() throws {
    for index in 0..<2_000 { try FileSystem.write(scratch("f\(index)"), []) }
    #expect(try FileSystem.list(scratch.path).count == 2_000)
  }

  @Test func readsLinks() throws {
    let long = String(repeating: "x/", count: 400) + "end"
    try scratch.link("link", to: long)
    #expect(try FileSystem.linkTarget(scratch("link")).string == long)
    try OpenFolder(scratch.path).makeLink("second", to: "link")
    #expect(try FileSystem.linkTarget(scratch("second")) == "link")
  }

  @Test func makesAndRemovesFolders() throws {
    try FileSystem.makeFolders(scratch("a/b/c"))
    try FileSystem.makeFolders(scratch("a/b/c"))
    try scratch.write("a/b/c/f", "x")
    try scratch.write("kept/f", "x")
    try scratch.link("a/b/out", to: scratch("kept").string)
    try FileSystem.remove(scratch("a"))
    try FileSystem.remove(scratch("a"))
    #expect(!scratch.exists("a"))
    #expect(try scratch.text("kept/f") == "x")
    try scratch.write("file", "x")
    #expect(throws: FileError.self) { try FileSystem.makeFolders(scratch("file/below")) }
    #expect(
      throws: FileError(
        scratch("file"), doing: "make the folder", reason: "a file is in its place", hint: "move or remove that file")
    ) { try FileSystem.makeFolders(scratch("file")) }
  }

  @Test func errorsAreSentences() throws {
    let path = scratch("missing")
    let error = #expect(throws: FileError.self) { try FileSystem.read(path) }
    #expect(error?.description == "cannot open \(path): no such file or directory")
    let folder = #expect(throws: FileError.self) { try FileSystem.read(scratch.path) }
    #expect(folder?.description == "cannot read \(scratch.path): it is a folder")
    try scratch.write("large", "123456")
    #expect(throws: FileError.self) { try FileSystem.read(scratch("large"), limit: 5) }
    #expect(try FileSystem.read(scratch("large"), limit: 6).count == 6)
  }

  /// A size of 0 that is a lie, and a pipe that nobody writes to.
  @Test func survivesOddFiles() async throws {
    #expect(try !FileSystem.read("/proc/self/status").isEmpty)
    try await Tool.check(["mkfifo", scratch("pipe").string])
    #expect(try FileSystem.status(of: scratch("pipe"))?.kind == .fifo)
    #expect(throws: FileError.self) { try FileSystem.digest(of: scratch("pipe")) }
  }

  @Test func setsTheMode() throws {
    try scratch.write("f", "x")
    try FileSystem.setMode(scratch("f"), 0o755)
    #expect(try FileSystem.status(of: scratch("f"))?.executable == true)
    try FileSystem.setMode(scratch("f"), 0o644)
    #expect(try FileSystem.status(of: scratch("f"))?.executable == false)
  }

  @Test func mapsFiles() throws {
    for size in [0, 1, 65_535, 65_536, 300_001] {
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 13) }
      try scratch.write("f", bytes)
      let file = try MappedFile.open(scratch("f"))
      #expect(file.count == size)
      let digest = file.withBytes { span in
        var builder = DigestBuilder()
        builder.update(span)
        return builder.finish()
      }
      #expect(digest == Digest(of: bytes))
    }
    #expect(throws: FileError.self) { _ = try MappedFile.open(scratch.path) }
  }
}
