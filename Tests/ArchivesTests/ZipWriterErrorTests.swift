import Foundation
import SystemPackage
import Testing
import TestSupport

@testable import Archives

@Suite struct ZipWriterErrorTests {
  let scratch = Scratch()

  private func error(_ entries: [Entry], _ options: ZipOptions = ZipOptions()) async -> ZipError? {
    do {
      _ = try await ZipWriter.write(entries, to: scratch("e.zip"), options: options)
      return nil
    } catch { return error as? ZipError }
  }

  @Test func namesThatCannotStandTogether() async throws {
    let a = try EntryPath("a")
    #expect(await error([try .file("a", "1"), try .file("a", "2")]) == .duplicate(a))
    #expect(await error([try .file("a", "1"), try .folder("a")]) == .duplicate(a))
    #expect(
      await error([try .file("Icon.png", "1"), try .file("icon.png", "2")])
        == .twins(try EntryPath("Icon.png"), try EntryPath("icon.png")))
    #expect(
      await error([try .file("e\u{301}", "1"), try .file("\u{E9}", "2")])
        == .twins(try EntryPath("e\u{301}"), try EntryPath("\u{E9}")))
    // Folders that nobody lists meet as well.
    #expect(
      await error([try .file("Res/a", "1"), try .file("res/b", "2")])
        == .twins(try EntryPath("Res"), try EntryPath("res")))
    #expect(
      await error([try .file("a", "1"), try .file("a/b/c", "2")]) == .fileIsParent(a, of: try EntryPath("a/b/c")))
    #expect(
      await error([try .file("a/b", "2"), try .link("a", to: "x")]) == .fileIsParent(a, of: try EntryPath("a/b")))
    #expect(await error([try .link("a", to: "")]) == .badLinkTarget(a))
    #expect(await error([try .folder("a"), try .file("a/b", "x")]) == nil)
  }

  @Test func aJarMayHaveCaseTwins() async throws {
    let entries = [try Entry.file("a/A.class", "1"), try .file("a/a.class", "2")]
    #expect(await error(entries, ZipOptions(allowsCaseTwins: true)) == nil)
    #expect(await error(entries + [entries[0]], ZipOptions(allowsCaseTwins: true)) == .duplicate(entries[0].path))
  }

  @Test(arguments: [0, 1, 3])
  func aFileThatIsNotWhatItWas(_ change: Int) async throws {
    let file = try scratch.write("big", [UInt8](repeating: 65, count: 10_000))
    let path = try EntryPath("big")
    let entry = Entry(path: path, kind: .file(.file(file, size: 10_000 + [1, -1, 0, 0][change]), executable: false))
    for block in [1 << 20, 999] {
      let found = await error([entry], .small(block: block))
      #expect(found == (change == 3 ? nil : .changed(path)))
    }
    #expect(found(await error([Entry(path: path, kind: .file(.file(scratch("no"), size: 1), executable: false))])))
  }

  private func found(_ error: ZipError?) -> Bool {
    if case .unreadable(_, _, .noSuchFileOrDirectory) = error { true } else { false }
  }

  /// The first read changes the file; what is read later does not belong to it.
  @Test func aFileThatIsWrittenToMeanwhile() async throws {
    let file = try scratch.write("big", [UInt8](repeating: 65, count: 10_000))
    let touch = Entry(
      path: try EntryPath("a"),
      kind: .file(
        .reader(size: 1) { _, _, output in
          output.append(1)
          usleep(20_000)
          try Data(repeating: 66, count: 10_000).write(to: URL(fileURLWithPath: file.string), options: [])
        }, executable: false))
    let entry = Entry(path: try EntryPath("big"), kind: .file(.file(file, size: 10_000), executable: false))
    // Blocks of 100 bytes: the large file is opened for its first bytes before the first job runs.
    var options = ZipOptions.small(block: 100, workers: 1)
    options.blockSize = 100
    _ = await error([touch, entry], options)
    let opened = OpenContent(entry)
    var buffer: [UInt8] = []
    try opened.withBytes(at: 0, count: 10, buffer: &buffer) { _ in }
    usleep(20_000)
    try Data(repeating: 67, count: 10_000).write(to: URL(fileURLWithPath: file.string), options: [])
    #expect(throws: ZipError.changed(entry.path)) { try opened.checkUnchanged() }
  }

  @Test func aReaderThatGivesTooLittle() async throws {
    let entry = Entry(
      path: try EntryPath("r"), kind: .file(.reader(size: 50) { _, _, output in output.append(1) }, executable: false))
    #expect(await error([entry]) == .changed(entry.path))
  }

  @Test func cancelling() async throws {
    let entry = Entry(
      path: try EntryPath("r"),
      kind: .file(
        .reader(size: 1 << 30) { _, count, output in
          usleep(2000)
          for _ in 0..<count { output.append(1) }
        }, executable: false))
    let path = scratch("c.zip")
    let task = Task { try await ZipWriter.write([entry], to: path, options: .small(block: 1000)) }
    try await Task.sleep(for: .milliseconds(100))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
