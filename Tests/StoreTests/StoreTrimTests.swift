@testable import Store
import SystemPackage
import Testing
import TestSupport

@Suite struct StoreTrimTests {
  let scratch = Scratch()
  let store: ContentStore

  init() { store = ContentStore(scratch("store"), limit: 100 << 20) }

  private func path(_ digest: Digest, in area: String = "cas") -> FilePath {
    scratch("store/\(area)").appending(String(digest.hex.prefix(2))).appending(digest.hex)
  }

  /// Says when a file was used last, as `touch -d` reads it.
  private func use(_ path: FilePath, _ time: String) async throws {
    try await Tool.check(["touch", "-d", time, path.string])
  }

  /// Blobs of two blocks each.
  private func keep(_ count: Int) throws -> [Digest] {
    try (0..<count).map { try store.keep(ContentStoreTests.content(5000, seed: $0 * 7)) }
  }

  @Test func theLeastRecentlyUsedGoFirst() async throws {
    let blobs = try keep(10)
    for (index, digest) in blobs.enumerated() { try await use(path(digest), "2020-01-\(10 + (index * 7) % 10)") }
    let key = Digest(of: "key")
    try store.keep(result: [1], of: key)
    try await use(path(key, in: "ac"), "2020-01-12 12:00")
    let done = try store.trim(above: 5 * 8192, to: 5 * 8192)
    // Days 10, 11 and 12, the result, days 13 and 14 went.
    let gone = Set(blobs.indices.filter { ($0 * 7) % 10 < 5 })
    #expect(done.files == 6 && done.bytes == 5 * 8192 + 4096 && done.remaining == 5 * 8192 && !done.isBusy)
    for (index, digest) in blobs.enumerated() { #expect(store.contains(digest) == !gone.contains(index)) }
    #expect(store.result(of: key) == nil)
    let sizes = try await Tool.check(["find", scratch("store/cas").string, "-type", "f", "-size", "+0"])
    #expect(sizes.split(separator: "\n").count == 5)
    #expect(try store.trim(above: 5 * 8192, to: 5 * 8192).files == 0)
    #expect(try store.trim().files == 0)
  }

  @Test func whatWasUsedStays() async throws {
    let blobs = try keep(4)
    let key = Digest(of: "key")
    try store.keep(result: [1], of: key)
    for digest in blobs { try await use(path(digest), "2020-01-01") }
    try await use(path(key, in: "ac"), "2020-01-01")
    // Each way to use one.
    #expect(try store.restore(blobs[0], to: scratch("out"), executable: false))
    #expect(store.bytes(blobs[1], limit: 5000) != nil)
    #expect(try store.keep(ContentStoreTests.content(5000, seed: 14)) == blobs[2])
    #expect(store.result(of: key) == [1])
    #expect(try store.trim(above: 3 * 8192 + 4096, to: 3 * 8192 + 4096).files == 1)
    #expect(blobs.map { store.contains($0) } == [true, true, true, false])
    #expect(store.result(of: key) == [1])
  }

  /// A use within the hour is not written down.
  @Test func aHotStoreIsNotWritten() async throws {
    let digest = try keep(1)[0]
    let before = try FileSystem.status(of: path(digest))
    _ = store.bytes(digest, limit: 5000)
    #expect(try store.restore(digest, to: scratch("out"), executable: false))
    #expect(try FileSystem.status(of: path(digest)) == before)
  }

  @Test func aTimeInTheFutureDoesNotKeepABlobForEver() async throws {
    let blobs = try keep(2)
    try await use(path(blobs[0]), "2100-01-01")
    #expect(try store.trim(above: 8192, to: 8192).files == 1)
    #expect(blobs.map { store.contains($0) } == [false, true])
  }

  @Test func theLimitHoldsByItself() async throws {
    let limit: Int64 = 64 * 8192
    let store = ContentStore(scratch("store"), limit: limit)
    var last = Digest(of: "")
    for index in 0..<300 { last = try store.keep(ContentStoreTests.content(5000, seed: index * 7)) }
    let files = try await Tool.check(["find", scratch("store/cas").string, "-type", "f"]).split(separator: "\n").count
    #expect(files <= 64 && files >= 40)
    #expect(store.contains(last))
    let whole = try ContentStore(scratch("store"), limit: limit).trim()
    #expect(whole.files == 0 && whole.remaining == Int64(files) * 8192)
    // Another one, which has never looked, knows from the size file.
    for index in 300..<330 {
      _ = try ContentStore(scratch("store"), limit: limit).keep(ContentStoreTests.content(5000, seed: index * 7))
    }
    #expect(try store.trim().files == 0)
  }

  /// Rubbish in the size file costs a walk and nothing else.
  @Test(arguments: [("", 1), ("no number\n\n", 1), ("99999999999999999999999999\n1", 1), ("1\n", 200_000)])
  func theSizeFileIsOnlyAnEstimate(text: String, times: Int) async throws {
    let blobs = try keep(3)
    try scratch.write("store/size", String(repeating: text, count: times))
    let other = ContentStore(scratch("store"), limit: 100 << 20)
    let digest = try other.keep([1])
    #expect((blobs + [digest]).allSatisfy { other.contains($0) })
    // Too much or too long: it was walked, and the truth stands there now.
    if times > 1 || text.hasPrefix("9") { #expect(try scratch.text("store/size") == "\(3 * 8192 + 4096)\n") }
  }

  @Test func onlyOneTrims() async throws {
    let blobs = try keep(2)
    try await locked("store/lock") {
      var busy = Trimmed()
      busy.isBusy = true
      let done = try store.trim(above: 0, to: 0)
      #expect(done == busy && store.contains(blobs[0]))
    }
    #expect(try !store.trim(above: 0, to: 0).isBusy)
    #expect(!store.contains(blobs[0]))
  }

  @Test func leftoversGoAndLivingWritersStay() async throws {
    let digest = try keep(1)[0]
    for name in [".1-1.npi-tmp", ".2-1.npi-tmp", ".3-1.npi-tmp", "notes"] {
      try scratch.write("store/tmp/\(name)", "half")
    }
    // As a writer does: the second is locked, the third is too young to have been.
    try await locked("store/tmp/.2-1.npi-tmp") {
      for name in [".1-1.npi-tmp", ".2-1.npi-tmp", "notes"] {
        try await use(scratch("store/tmp/\(name)"), "2020-01-01")
      }
      try await use(scratch("store/tmp/.3-1.npi-tmp"), "2037-01-01")
      _ = try store.trim()
      let left = try FileSystem.list(scratch("store/tmp")).map(\.string)
      #expect(left == [".2-1.npi-tmp", ".3-1.npi-tmp", "notes"])
      #expect(store.contains(digest))
    }
  }

  private func locked(_ file: String, _ body: () async throws -> Void) async throws {
    try await FileLock.withLock(
      scratch(file), below: OpenFolder(scratch.path), waiting: { _ in Issue.record("somebody holds it") },
      cleanUp: { _ in }, body)
  }

  @Test func allCanBeRemovedButNothingElse() async throws {
    let blobs = try keep(5)
    try store.keep(result: [1], of: Digest(of: "key"))
    let foreign = [
      "store/mine", "store/cas/mine", "store/cas/ab/mine", "store/cas/zz/\(blobs[0].hex)",
      "store/cas/00/\(blobs[0].hex.uppercased())", "store/ac/deep/er/file",
    ]
    for name in foreign { try scratch.write(name, "mine") }
    let done = try store.removeAll()
    #expect(done.files == 6 && done.bytes == 5 * 8192 + 4096 && done.remaining == 0)
    #expect(blobs.allSatisfy { !store.contains($0) })
    for name in foreign { #expect(try scratch.text(name) == "mine") }
    #expect(try store.removeAll().files == 0)
    #expect(try keep(5) == blobs && blobs.allSatisfy { store.contains($0) })
  }
}
