import Store
import Synchronization
import SystemPackage
import Testing
import TestSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

@Suite struct OutputFileTests {
  let scratch = Scratch()

  @Test func replacesOnlyWhenCommitted() throws {
    try scratch.write("f", "old")
    let file = try OutputFile.create(scratch("f"))
    try file.write(Array("new".utf8))
    #expect(try scratch.text("f") == "old")
    #expect(try FileSystem.read(file.temporaryPath) == Array("new".utf8))
    try file.commit()
    #expect(try scratch.text("f") == "new")
    #expect(try FileSystem.list(scratch.path).count == 1)
  }

  @Test func leavesNothingWhenDropped() throws {
    try scratch.write("f", "old")
    do {
      let file = try OutputFile.create(scratch("f"))
      try file.write(Array("half".utf8))
    }
    #expect(try scratch.text("f") == "old")
    #expect(try FileSystem.list(scratch.path).count == 1)
  }

  @Test func writesPieceByPiece() throws {
    let file = try OutputFile.create(scratch("f"), executable: true)
    try file.write(Array("head".utf8))
    let tail = Array("tail".utf8)
    unsafe try file.write(tail.span.bytes)
    try file.write(Array("!".utf8))
    try file.commit()
    #expect(try scratch.text("f") == "headtail!")
    #expect(try FileSystem.status(of: scratch("f"))?.executable == true)
  }

  @Test func aFolderInItsPlaceIsAnErrorAndLeavesNothing() throws {
    try scratch.write("f/inside", "x")
    let file = try OutputFile.create(scratch("f"))
    try file.write([1])
    do {
      try file.commit()
      Issue.record("committed over a folder")
    } catch {
      #expect(error.path == scratch("f"))
    }
    #expect(try FileSystem.list(scratch.path).map(\.string) == ["f"])
    #expect(throws: FileError.self) { _ = try OutputFile.create(scratch("missing/f")) }
  }

  @Test func onlyAPlainFileIsAddedTo() throws {
    let folder = try OpenFolder("/dev")
    let error = #expect(throws: FileError.self) { try folder.append("full", [1, 2, 3]) }
    #expect(error?.description == "cannot read /dev/full: it is not a file")
  }

  @Test func aTemporaryFileHasNoName() throws {
    let file = try TemporaryFile(in: OpenFolder(scratch.path))
    #expect(try FileSystem.list(scratch.path).isEmpty)
    try file.file.writeAll(Array("0123456789".utf8))
    #expect(try file.size() == 10)
    #expect(try file.read(at: 7, count: 100) == Array("789".utf8))
  }
}

@Suite struct FileLockTests {
  let scratch = Scratch()
  private var root: OpenFolder { get throws { try OpenFolder(scratch.path) } }

  private func hold(_ waiting: (Int32?) -> Void = { _ in }, _ body: () async throws -> Void) async throws {
    try await FileLock.withLock(scratch("lock"), below: root, waiting: waiting, cleanUp: { _ in }, body)
  }

  private var isFree: Bool { get throws { try FileLock.ifFree(scratch("lock"), below: root) { _ in true } ?? false } }

  private final class Events: Sendable {
    private let all = Mutex<[String]>([])
    var list: [String] { all.withLock { $0 } }
    func add(_ event: String) { all.withLock { $0.append(event) } }
  }

  @Test func oneAtATime() async throws {
    let (events, tests) = (Events(), self)
    let second = Task {
      while try tests.isFree { try await Task.sleep(for: .milliseconds(5)) }
      try await tests.hold({ holder in events.add("waits for \(holder ?? 0)") }) { events.add("second") }
    }
    try await hold({ _ in Issue.record("nobody holds it") }) {
      while events.list.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
      try await Task.sleep(for: .milliseconds(120))
      events.add("first")
    }
    try await second.value
    #expect(events.list == ["waits for \(getpid())", "first", "second"])
  }

  @Test func waitingCanBeCancelled() async throws {
    try await hold {
      let wait = Task { try await hold {} }
      wait.cancel()
      await #expect(throws: CancellationError.self) { try await wait.value }
    }
    #expect(try isFree)
  }

  @Test func anErrorGivesItBack() async throws {
    await #expect(throws: CancellationError.self) { try await hold { throw CancellationError() } }
    #expect(try isFree)
    #expect(FileLock.holder(scratch("lock")) == nil)
  }

  /// The link leads to a file that is there, and to one that is not: neither is touched, and nobody waits.
  @Test(arguments: ["there", "missing"]) func aLinkIsNoLock(_ target: String) async throws {
    try scratch.write("there", "text")
    try scratch.link("lock", to: target)
    await #expect(throws: FileError.self) { try await hold {} }
    #expect(try scratch.text("there") == "text" && !scratch.exists("missing"))
  }
}

/// What is below an open folder, and what is not.
@Suite struct OpenFolderTests {
  let scratch = Scratch()

  /// Every change, at a path whose folder is a link out of the tree.
  @Test(arguments: ["folders", "remove", "rename from", "rename to", "link", "write", "append", "output"])
  func noChangeFollowsALink(_ change: String) throws {
    try scratch.write("outside/f", "text")
    try scratch.write("tree/own", "own")
    try scratch.link("tree/out", to: "../outside")
    let tree = try OpenFolder(scratch("tree"))
    #expect(throws: FileError.self) {
      switch change {
      case "folders": try tree.makeFolders("out/new/deep")
      case "remove": try tree.remove("out/f")
      case "rename from": try tree.rename("out/f", to: "taken")
      case "rename to": try tree.rename("own", to: "out/own")
      case "link": try tree.makeLink("out/link", to: "f")
      case "write": try tree.write("out/f", [1])
      case "append": try tree.append("out/f", [1])
      default: _ = try OutputFile.create("out/f", below: tree)
      }
    }
    #expect(try FileSystem.list(scratch("outside")).map(\.string) == ["f"] && scratch.text("outside/f") == "text")
    #expect(try FileSystem.list(scratch("tree")).map(\.string) == ["out", "own"])
  }

  @Test func whatLeadsOutIsRefused() throws {
    try scratch.write("tree/f", "text")
    let tree = try OpenFolder(scratch("tree"))
    for path in ["../x", "a/../../x", "/etc/x", scratch("x").string] {
      #expect(throws: FileError.self) { try tree.write(FilePath(path), [1]) }
    }
    #expect(try FileSystem.list(scratch.path).map(\.string) == ["tree"])
  }

  /// A link is removed, and a folder with links in it; what they lead to stays.
  @Test func aLinkItselfIsRemoved() throws {
    try scratch.write("outside/f", "text")
    try scratch.link("tree/folder/link", to: "../../outside")
    try scratch.write("tree/folder/deep/f", "text")
    let tree = try OpenFolder(scratch("tree"))
    try tree.remove("folder")
    #expect(try FileSystem.list(scratch("tree")).isEmpty && scratch.text("outside/f") == "text")
  }

  @Test func aSecondNameIsNotAddedTo() async throws {
    try scratch.write("outside", "text")
    try scratch.write("tree/f", "")
    try await Tool.check(["ln", "-f", scratch("outside").string, scratch("tree/log").string])
    #expect(throws: FileError.self) { try OpenFolder(scratch("tree")).append("log", [1]) }
    #expect(try scratch.text("outside") == "text")
  }
}
