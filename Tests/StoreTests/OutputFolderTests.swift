import Store
import SystemPackage
import Testing
import TestSupport

@Suite struct OutputFolderTests {
  let scratch = Scratch()

  private func made(_ name: String, _ files: [String]) throws -> OutputFolder {
    let folder = try OutputFolder.create(FilePath(name), below: try OpenFolder(scratch.path))
    for path in files {
      let file = try folder.create(FilePath(path))
      try file.write(Array("new \(path)".utf8))
      try file.commitUnsynced()
    }
    return folder
  }

  @Test func replacesTheWholeFolderWhenCommitted() throws {
    try scratch.write("a/d/old", "old")
    let folder = try made("a/d", ["x", "deep/y"])
    #expect(try scratch.text("a/d/old") == "old")
    try folder.commit()
    #expect(try FileSystem.list(scratch("a/d")).map(\.string) == ["deep", "x"])
    #expect(try scratch.text("a/d/deep/y") == "new deep/y")
    #expect(try FileSystem.list(scratch("a")).map(\.string) == ["d"])
  }

  @Test func makesANewFolder() throws {
    try made("b/c", ["x"]).commit()
    #expect(try FileSystem.list(scratch("b")).map(\.string) == ["c"])
    #expect(try scratch.text("b/c/x") == "new x")
  }

  @Test func leavesNothingWhenDropped() throws {
    try scratch.write("d/old", "old")
    do { _ = try made("d", ["x", "deep/y"]) }
    #expect(try scratch.text("d/old") == "old")
    #expect(try FileSystem.list(scratch.path).map(\.string) == ["d"])
  }

  @Test func aFileOrALinkInItsPlaceIsAnError() throws {
    try scratch.write("file", "x")
    #expect(throws: FileError.self) { try made("file", ["x"]).commit() }
    try scratch.write("other/kept", "x")
    try scratch.link("link", to: "other")
    #expect(throws: FileError.self) { try made("link", ["x"]).commit() }
    #expect(throws: FileError.self) { _ = try made("link/inner", []) }
    #expect(try scratch.text("file") == "x")
    #expect(try FileSystem.list(scratch("other")).map(\.string) == ["kept"])
    #expect(try FileSystem.list(scratch.path).map(\.string) == ["file", "link", "other"])
  }

  /// A signal's handler removes what is being written. The test is a process of its own, because it would remove what all
  /// other tests are writing.
  @Test func isAbandonedWithAllThatIsInIt() async {
    await #expect(processExitsWith: .success) {
      let own = OutputFolderTests()
      let folder = try own.made("d", ["x"])
      #expect(try FileSystem.list(own.scratch.path).count == 1)
      OutputFile.abandonAll {}
      #expect(try FileSystem.list(own.scratch.path).isEmpty)
      _ = consume folder
    }
  }
}
