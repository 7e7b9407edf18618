@testable import Store
import SystemPackage
import Testing
import TestSupport

@Suite struct ContentStoreTests {
  let scratch = Scratch()
  var store: ContentStore { ContentStore(scratch("store"), limit: 100 << 20) }

  /// Sizes around a block of the copy, which is 256 KB.
  static let sizes = [0, 1, 4096, 262_143, 262_144, 262_145, 1_000_003]

  /// Pages that differ from each other, and from those of another seed.
  static func content(_ size: Int, seed: Int = 1) -> [UInt8] {
    var bytes: [UInt8] = []
    var page = samplePage
    while bytes.count < size {
      page[0] = UInt8(truncatingIfNeeded: bytes.count / 4096)
      page[1] = UInt8(truncatingIfNeeded: seed)
      page[2] = UInt8(truncatingIfNeeded: seed >> 8)
      bytes += page
    }
    bytes.removeLast(bytes.count - size)
    return bytes
  }

  private static let samplePage = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  func blob(_ digest: Digest) -> FilePath {
    scratch("store/cas").appending(String(digest.hex.prefix(2))).appending(digest.hex)
  }

  func record(_ key: Digest) -> FilePath {
    scratch("store/ac").appending(String(key.hex.prefix(2))).appending(key.hex)
  }

  // MARK: Round trips

  @Test(arguments: sizes) func filesComeBack(size: Int) async throws {
    let bytes = ContentStoreTests.content(size)
    let file = try scratch.write("in", bytes)
    let digest = Digest(of: bytes)
    #expect(!store.contains(digest))
    try store.keep(file: file, digest: digest)
    #expect(store.contains(digest))
    #expect(try store.keep(file: file) == digest)
    #expect(try store.restore(digest, to: scratch("new/folders/out"), executable: false))
    try await Tool.check(["cmp", file.string, scratch("new/folders/out").string])
    #expect(store.bytes(digest, limit: size) == bytes)
    #expect(store.bytes(digest, limit: size - 1) == nil)
    #expect(store.contains(digest))
    // The blob's name is what everybody else's SHA-256 says, and nothing is left half-written.
    let sum = try await Tool.check(["sha256sum", blob(digest).string])
    #expect(sum.hasPrefix(digest.hex))
    #expect(try FileSystem.list(scratch("store/tmp")).isEmpty)
    #expect(try FileSystem.list(scratch("new/folders")).map(\.string) == ["out"])
  }

  @Test func bytesAndResultsComeBack() throws {
    let digest = try store.keep([1, 2, 3])
    #expect(digest == Digest(of: [1, 2, 3]))
    #expect(store.bytes(digest, limit: 100) == [1, 2, 3])
    let key = Digest(of: "key")
    #expect(store.result(of: key) == nil)
    try store.keep(result: [], of: key)
    #expect(store.result(of: key) == [])
    try store.keep(result: Array("second".utf8), of: key)
    #expect(store.result(of: key) == Array("second".utf8))
    #expect(!store.contains(key))
  }

  @Test func whatIsNotThereIsAMissAndMakesNothing() async throws {
    let digest = Digest(of: "x")
    #expect(try !store.restore(digest, to: scratch("out"), executable: false))
    #expect(store.bytes(digest, limit: 10) == nil && store.result(of: digest) == nil)
    let file = RestoredFile(digest: digest, size: 1, path: scratch("a/out"))
    #expect(try await store.restore(many: [file], below: scratch.path) == [digest])
    #expect(try store.trim() == Trimmed() && store.removeAll() == Trimmed())
    #expect(try FileSystem.list(scratch.path).isEmpty)
  }

  @Test func theModeFollowsTheUmask() async throws {
    let mask = try #require(Int(try await Tool.check(["sh", "-c", "umask"]).prefix { $0 != "\n" }, radix: 8))
    let file = try scratch.write("in", "text", executable: true)
    let digest = try store.keep(file: file)
    try scratch.write("tool", "old")
    #expect(try store.restore(digest, to: scratch("plain"), executable: false))
    #expect(try store.restore(digest, to: scratch("tool"), executable: true))
    let modes = try await Tool.check(["stat", "-c", "%a", scratch("plain").string, scratch("tool").string])
    #expect(modes == "\(String(0o666 & ~mask, radix: 8))\n\(String(0o777 & ~mask, radix: 8))\n")
    #expect(try scratch.text("tool") == "text")
  }

  @Test func aRestoredFileIsACopy() throws {
    let file = try scratch.write("in", ContentStoreTests.content(500_000))
    let digest = try store.keep(file: file)
    #expect(try store.restore(digest, to: scratch("out"), executable: false))
    try scratch.write("in", "changed")
    try scratch.write("out", "changed")
    #expect(store.bytes(digest, limit: 500_000) == ContentStoreTests.content(500_000))
  }

  @Test func manyComeBackAtOnce() async throws {
    var files: [RestoredFile] = []
    func restore() async throws -> [Digest] { try await store.restore(many: files, below: scratch.path) }
    for index in 0..<120 {
      let bytes = ContentStoreTests.content(index == 7 ? 3_000_000 : index * 97, seed: index)
      let file = try scratch.write("in/\(index % 7)/f\(index)", bytes, executable: index % 5 == 0)
      let path = scratch("out/\(index % 7)/f\(index)")
      files.append(
        RestoredFile(
          digest: try store.keep(file: file), size: Int64(bytes.count), path: path, mode: index % 5 == 0 ? 0o755 : 0o640
        ))
    }
    #expect(try await restore().isEmpty)
    try await Tool.check(["diff", "-r", scratch("in").string, scratch("out").string])
    for file in files { #expect(try FileSystem.access(of: file.path)?.mode == file.mode) }
    // One is missing: then nothing is written at all.
    try scratch.remove("out")
    try FileSystem.remove(blob(files[50].digest))
    #expect(try await restore() == [files[50].digest])
    #expect(!scratch.exists("out"))
    #expect(try await store.restore(many: [], below: scratch.path).isEmpty)
  }

  // MARK: Damage

  enum Damage: CaseIterable { case flipped, cut, longer, empty, folder }

  func damage(_ path: FilePath, _ kind: Damage) throws {
    var bytes = try FileSystem.read(path)
    try FileSystem.remove(path)
    switch kind {
    case .flipped: bytes[bytes.count / 2] ^= 1
    case .cut: bytes.removeLast()
    case .longer: bytes.append(0)
    case .empty: bytes = []
    case .folder: return try FileSystem.makeFolders(path)
    }
    try FileSystem.write(path, bytes)
  }

  @Test(arguments: Damage.allCases, [10, 600_000]) func aDamagedBlobIsAMiss(kind: Damage, size: Int) async throws {
    let bytes = ContentStoreTests.content(size)
    let file = try scratch.write("in", bytes)
    let digest = try store.keep(file: file)
    try scratch.write("out", "old")
    try damage(blob(digest), kind)
    #expect(try !store.restore(digest, to: scratch("out"), executable: false))
    #expect(try scratch.text("out") == "old")
    #expect(try FileSystem.list(scratch.path).map(\.string) == ["in", "out", "store"])
    #expect(!store.contains(digest))
    if kind == .folder { return }
    // It is removed, and can be kept again.
    #expect(try FileSystem.status(of: blob(digest)) == nil)
    try store.keep(file: file, digest: digest)
    try damage(blob(digest), kind)
    #expect(store.bytes(digest, limit: size + 1) == nil && !store.contains(digest))
    try store.keep(file: file, digest: digest)
    try damage(blob(digest), kind)
    let other = try store.keep(Array("other".utf8))
    let files = [(other, 5), (digest, size)].map { digest, size in
      RestoredFile(digest: digest, size: Int64(size), path: scratch("many").appending(digest.hex))
    }
    #expect(try await store.restore(many: files, below: scratch.path) == [digest])
    #expect(try store.keep(bytes) == digest && store.bytes(digest, limit: size) == bytes)
  }

  /// A blob of the wrong length is seen for what it is when the content is kept again.
  @Test(arguments: [Damage.cut, .longer, .empty]) func keepingMendsABlobOfTheWrongLength(kind: Damage) throws {
    let bytes = ContentStoreTests.content(5000)
    let digest = try store.keep(bytes)
    try damage(blob(digest), kind)
    #expect(try store.keep(bytes) == digest)
    #expect(store.bytes(digest, limit: 5000) == bytes)
  }

  @Test(arguments: Damage.allCases) func aDamagedResultIsAMiss(kind: Damage) throws {
    let key = Digest(of: "key")
    try store.keep(result: Array("what the action made".utf8), of: key)
    try damage(record(key), kind)
    #expect(store.result(of: key) == nil)
    if kind == .folder { return }
    #expect(try FileSystem.status(of: record(key)) == nil)
    try store.keep(result: [1], of: key)
    #expect(store.result(of: key) == [1])
  }

  @Test func aResultUnderAnothersNameIsAMiss() throws {
    let (one, two) = (Digest(of: "one"), Digest(of: "two"))
    try store.keep(result: [1], of: one)
    try FileSystem.makeFolders(record(two).removingLastComponent())
    try FileSystem.rename(record(one), to: record(two))
    #expect(store.result(of: two) == nil && store.result(of: one) == nil)
  }

  // MARK: What cannot be kept

  /// Nothing is hashed again, and nothing wrong comes out.
  @Test func aFileThatWasChangedIsNotRestored() throws {
    let file = try scratch.write("in", "new")
    let (old, new) = (Digest(of: "old"), Digest(of: "new"))
    try store.keep(file: file, digest: new)
    try #expect(store.restore(new, to: scratch("out"), executable: false))
    try store.keep(file: file, digest: old)
    try #expect(!store.restore(old, to: scratch("out"), executable: false))
    #expect(!store.contains(old) && store.contains(new))
  }

  #if os(Linux)
    /// What the system gives while it is read is more than it said before, and not the same each time.
    @Test func aChangingFileIsNotKept() throws {
      let file: FilePath = "/proc/self/status"
      let error = #expect(throws: FileError.self) { try store.keep(file: file, digest: Digest(of: "old")) }
      #expect(error?.description == "cannot keep \(file): it was changed while it was being read")
      #expect(!store.contains(Digest(of: "old")))
      #expect(try FileSystem.list(scratch("store/tmp")).isEmpty)
    }
  #endif

  @Test func oddFilesAreErrors() async throws {
    #expect(throws: FileError.self) { _ = try store.keep(file: scratch("missing")) }
    #expect(throws: FileError.self) { _ = try store.keep(file: scratch.path) }
    try await Tool.check(["mkfifo", scratch("pipe").string])
    #expect(throws: FileError.self) { _ = try store.keep(file: scratch("pipe")) }
    let small = ContentStore(scratch("small"), limit: 1000)
    #expect(throws: FileError.self) { _ = try small.keep(ContentStoreTests.content(1001)) }
    #expect(throws: FileError.self) {
      _ = try small.keep(file: try scratch.write("f", ContentStoreTests.content(1001)))
    }
  }

  @Test func aPlaceThatCannotBeWrittenIsAnError() throws {
    let digest = try store.keep([1])
    try scratch.write("folder/inside", "x")
    let error = #expect(throws: FileError.self) { try store.restore(digest, to: scratch("folder"), executable: false) }
    #expect(error?.path == scratch("folder"))
    #expect(throws: FileError.self) { try store.restore(digest, to: scratch("folder/inside/x"), executable: false) }
    #expect(try FileSystem.list(scratch.path).map(\.string) == ["folder", "store"])
  }

  @Test func anotherVersionsStoreIsLeftAlone() throws {
    try scratch.write("store/version", "npi-pack store 999\n")
    let digest = Digest(of: "x")
    try FileSystem.makeFolders(blob(digest).removingLastComponent())
    try FileSystem.write(blob(digest), Array("x".utf8))
    #expect(!store.contains(digest) && store.bytes(digest, limit: 9) == nil)
    let error = #expect(throws: FileError.self) { try store.keep([1]) }
    #expect(error?.reason == "another version of npi-pack made it")
    #expect(try store.removeAll() == Trimmed() && store.trim(above: 0, to: 0) == Trimmed())
    #expect(try FileSystem.read(blob(digest)) == Array("x".utf8))
  }

  @Test func aStoreThatSomebodyRemovedIsMadeAgain() throws {
    let store = store
    let digest = try store.keep([1, 2])
    try scratch.remove("store")
    #expect(store.bytes(digest, limit: 9) == nil)
    _ = try store.keep([1, 2])
    #expect(self.store.bytes(digest, limit: 9) == [1, 2])
    try scratch.remove("store/tmp")
    _ = try store.keep([3])
  }

  @Test func theFolderIsTheUsers() {
    func folder(_ variables: [String: String]) -> String? {
      UserFolders.store { name in variables[name].map { Array($0.utf8) } }?.string
    }
    #if canImport(Darwin)
      let usual = "/home/u/Library/Caches/npi-pack"
    #else
      let usual = "/home/u/.cache/npi-pack"
      #expect(folder(["HOME": "/home/u", "XDG_CACHE_HOME": "/caches"]) == "/caches/npi-pack")
      #expect(folder(["XDG_CACHE_HOME": "/caches"]) == "/caches/npi-pack")
    #endif
    #expect(folder(["HOME": "/home/u", "XDG_CACHE_HOME": "", "NPI_PACK_STORE": ""]) == usual)
    #expect(folder(["HOME": "/home/u", "XDG_CACHE_HOME": "relative"]) == usual)
    #expect(folder(["HOME": "/home/u", "XDG_CACHE_HOME": "/caches", "NPI_PACK_STORE": "/s"]) == "/s")
    #expect(folder(["HOME": "relative"]) == nil && folder([:]) == nil)
  }
}
