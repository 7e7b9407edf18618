import Store
import Synchronization
import SystemPackage
import TestSupport
import Testing

@Suite struct OutputFileTests {
  let scratch = Scratch()

  @Test func replacesOnlyWhenCommitted() throws {
    try scratch.write("f", "old")
    var file = try OutputFile.create(scratch("f"))
    try file.write(Array("new".utf8))
    #expect(file.position == 3)
    #expect(try scratch.text("f") == "old")
    #expect(try FileSystem.read(file.temporaryPath) == Array("new".utf8))
    try file.commit()
    #expect(try scratch.text("f") == "new")
    #expect(try FileSystem.list(scratch.path).count == 1)
  }

  @Test func leavesNothingWhenDropped() throws {
    try scratch.write("f", "old")
    do {
      var file = try OutputFile.create(scratch("f"))
      try file.write(Array("half".utf8))
    }
    #expect(try scratch.text("f") == "old")
    #expect(try FileSystem.list(scratch.path).count == 1)
  }

  @Test func writesAtOffsets() throws {
    var file = try OutputFile.create(scratch("f"), executable: true)
    try file.write(Array("....tail".utf8))
    try file.write(Array("head".utf8), at: 0)
    try file.write(Array("!".utf8))
    try file.commit()
    #expect(try scratch.text("f") == "headtail!")
    #expect(try FileSystem.status(of: scratch("f"))?.executable == true)
  }

  @Test func aFolderInItsPlaceIsAnErrorAndLeavesNothing() throws {
    try scratch.write("f/inside", "x")
    var file = try OutputFile.create(scratch("f"))
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

  @Test func aFullDiskIsAClearError() throws {
    let error = #expect(throws: FileError.self) { try FileSystem.append("/dev/full", [1, 2, 3]) }
    #expect(error?.description == "cannot write /dev/full: no space left on device")
    #expect(error?.hint == "make room on the disk and run again")
  }

  @Test func aTemporaryFileHasNoName() throws {
    let file = try TemporaryFile.create(in: scratch.path)
    #expect(try FileSystem.list(scratch.path).isEmpty)
    try file.file.writeAll(Array("0123456789".utf8))
    #expect(try file.size() == 10)
    #expect(try file.read(at: 7, count: 100) == Array("789".utf8))
  }
}

@Suite struct FileLockTests {
  let scratch = Scratch()

  @Test func oneAtATime() async throws {
    let path = scratch("lock")
    let first = try await FileLock.acquire(path) { _ in Issue.record("nobody holds it") }
    #expect(try !isFree(path))
    let told = Mutex<[Int32?]>([])
    let wait = Task {
      let lock = try await FileLock.acquire(path) { holder in told.withLock { $0.append(holder) } }
      return lock.path
    }
    while told.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(5)) }
    #expect(told.withLock { $0 } == [FileLock.holder(path)])
    release(first)
    #expect(try await wait.value == path)
  }

  @Test func waitingCanBeCancelled() async throws {
    let path = scratch("lock")
    let first = try await FileLock.acquire(path) { _ in Issue.record("nobody holds it") }
    let wait = Task { _ = try await FileLock.acquire(path) { _ in } }
    wait.cancel()
    await #expect(throws: CancellationError.self) { try await wait.value }
    release(first)
    #expect(try isFree(path))
  }

  private func isFree(_ path: FilePath) throws -> Bool {
    switch try FileLock.tryAcquire(path) {
    case .some: true
    case .none: false
    }
  }

  private func release(_ lock: consuming FileLock) {}
}
