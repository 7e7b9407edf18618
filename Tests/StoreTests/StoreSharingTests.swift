import Lanes
@testable import Store
import SystemPackage
import Testing
import TestSupport

/// Many at once, and disks that refuse.
@Suite struct StoreSharingTests {
  let scratch = Scratch()

  /// Reads all blobs over and over with its own SHA-256, removes every seventh new file, and damages every eleventh: a
  /// file under a blob's name must be whole unless it was damaged here. Ends with 1 if one was not. Most files stay,
  /// however slow the writers are.
  private static let adversary = """
    import hashlib, os, sys, time
    top, stop = os.path.join(sys.argv[1], "cas"), sys.argv[2]
    damaged, seen, rounds, parent = set(), set(), 0, os.getppid()
    # Tests that were killed leave nobody who makes the file.
    while not os.path.exists(stop) and os.getppid() == parent:
      rounds += 1
      for folder, _, names in os.walk(top):
        for name in names:
          path = os.path.join(folder, name)
          try:
            with open(path, "rb") as file:
              status = os.fstat(file.fileno())
              whole = hashlib.sha256(file.read()).hexdigest() == name
          except FileNotFoundError:
            continue
          if not whole and status.st_ino not in damaged: sys.exit("half a blob: " + path)
          # A number is used again when its file is gone.
          version = (status.st_ino, status.st_ctime_ns)
          if version in seen: continue
          seen.add(version)
          try:
            if len(seen) % 7 == 0: os.remove(path)
            elif len(seen) % 11 == 0:
              copy = os.path.join(sys.argv[1], "copy")
              with open(copy, "wb") as file:
                file.write(b"damaged")
                damaged.add(os.fstat(file.fileno()).st_ino)
              os.rename(copy, path)
          except FileNotFoundError:
            pass
    print(rounds, len(seen))
    """

  /// Eight writers and readers with stores of their own on one folder, somebody who trims all the time, somebody who
  /// removes all, and a foreign process that removes, damages and checks.
  @Test(.tools) func manyShareAFolder() async throws {
    let folder = scratch("store")
    let contents = (0..<40).map { ContentStoreTests.content($0 % 10 == 0 ? 400_000 : $0 * 301, seed: $0) }
    let files = try contents.enumerated().map { try scratch.write("in/f\($0.offset)", $0.element) }
    let digests = contents.map { Digest(of: $0) }
    let stop = scratch("stop")
    let adversary = Task {
      try await Tool.check(["python3", "-c", StoreSharingTests.adversary, folder.string, stop.string])
    }
    let hits = try await withThrowingTaskGroup(of: Int.self) { group in
      for worker in 0..<8 {
        group.addTask {
          var hits = 0
          for round in 0..<200 {
            let store = ContentStore(folder, limit: 900_000)
            let index = (round / 5 * 7 + worker * 5) % contents.count
            // Somebody may remove the store's folders at any moment: that is an error to report, and no more.
            switch round % 5 {
            case 0: try? store.keep(file: files[index], digest: digests[index])
            case 1: _ = try? store.keep(contents[index])
            case 2:
              try? store.keep(result: contents[index], of: digests[index])
              if let found = store.result(of: digests[index]) { #expect(found == contents[index]) }
            case 3:
              if let found = store.bytes(digests[index], limit: 1 << 20) {
                #expect(found == contents[index])
                hits += 1
              }
              await Task.yield()
            default:
              let out = scratch("out-\(worker)")
              if try store.restore(digests[index], to: out, executable: false) {
                #expect(try FileSystem.read(out) == contents[index])
                hits += 1
              }
            }
          }
          return hits
        }
      }
      group.addTask {
        for round in 0..<100 {
          let store = ContentStore(folder, limit: 900_000)
          _ = try? round % 25 == 24 ? store.removeAll() : store.trim(above: 500_000, to: 500_000)
          await Task.yield()
        }
        return 0
      }
      return try await group.reduce(0, +)
    }
    try scratch.write("stop", "")
    _ = try await adversary.value
    #expect(hits > 20)
    // Whatever has happened, the store works.
    let store = ContentStore(folder, limit: 100 << 20)
    for (index, file) in files.enumerated() {
      _ = store.bytes(digests[index], limit: 1 << 20)
      try store.keep(file: file, digest: digests[index])
      #expect(store.bytes(digests[index], limit: 1 << 20) == contents[index])
    }
    #expect(try FileSystem.list(scratch("store/tmp")).isEmpty)
  }

  /// All at once on a store that is not there yet.
  @Test func manyMakeTheStore() async throws {
    for round in 0..<20 {
      let folder = scratch("s\(round)/deep/store")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 0..<8 {
          group.addTask {
            let store = ContentStore(folder, limit: 1 << 20)
            let digest = try store.keep([UInt8(worker / 2)])
            #expect(store.bytes(digest, limit: 1) == [UInt8(worker / 2)])
          }
        }
        try await group.waitForAll()
      }
    }
  }

  // MARK: Disks that refuse

  /// Where nobody can make a folder, root neither.
  @Test func aPlaceForNoStoreIsAnError() async throws {
    try scratch.write("file", "x")
    for folder in [scratch("file/store"), scratch("file")] {
      let store = ContentStore(folder, limit: 1 << 20)
      #expect(throws: FileError.self) { _ = try store.keep([1]) }
      #expect(throws: FileError.self) { try store.keep(result: [1], of: Digest(of: "k")) }
      #expect(store.bytes(Digest(of: [1]), limit: 1) == nil && store.result(of: Digest(of: "k")) == nil)
      #expect(try !store.restore(Digest(of: [1]), to: scratch("out"), executable: false))
      #expect(try store.trim() == Trimmed() && store.removeAll() == Trimmed())
    }
    #expect(try scratch.text("file") == "x")
  }

  private static var isRoot: Bool { (try? Tool.runSync(["id", "-u"]).out) == "0\n" }

  /// For root a folder without the permission to write is none: `aFullAndAReadOnlyDisk` has a disk for that.
  @Test(.enabled(if: !isRoot)) func aReadOnlyFolderIsReadable() async throws {
    let digest = try ContentStore(scratch("store"), limit: 1 << 20).keep([1, 2, 3])
    try await Tool.check(["chmod", "-R", "a-w", scratch("store").string])
    try expectReadOnly(ContentStore(scratch("store"), limit: 1 << 20), digest, .permissionDenied)
  }

  private func expectReadOnly(_ store: ContentStore, _ digest: Digest, _ code: Errno) throws {
    #expect(try store.restore(digest, to: scratch("out"), executable: false))
    #expect(try scratch.read("out") == [1, 2, 3])
    #expect(store.bytes(digest, limit: 3) == [1, 2, 3])
    // Kept already: nothing is to be written.
    #expect(try store.keep([1, 2, 3]) == digest)
    #expect(#expect(throws: FileError.self) { try store.keep([77]) }?.code == code)
    #expect(#expect(throws: FileError.self) { try store.keep(result: [9], of: digest) }?.code == code)
    #expect(#expect(throws: FileError.self) { try store.trim() }?.code == code)
    #expect(#expect(throws: FileError.self) { try store.removeAll() }?.code == code)
    #expect(store.contains(digest))
  }

  /// Root in a container may not.
  private static let canMount: Bool = {
    let probe = Scratch()
    guard (try? Tool.runSync(["mount", "-t", "tmpfs", "none", probe.path.string]).status) == 0 else { return false }
    return (try? Tool.runSync(["umount", probe.path.string]).status) == 0
  }()

  /// A disk of 1 MB, which only root can have.
  @Test(.enabled(if: canMount)) func aFullAndAReadOnlyDisk() async throws {
    try FileSystem.makeFolders(scratch("disk"))
    try await Tool.check(["mount", "-t", "tmpfs", "-o", "size=1m", "none", scratch("disk").string])
    let result: Result<Void, any Error>
    do {
      result = .success(try await onSmallDisk())
    } catch {
      result = .failure(error)
    }
    try await Tool.check(["umount", scratch("disk").string])
    try result.get()
  }

  private func onSmallDisk() async throws {
    let store = ContentStore(scratch("disk/store"), limit: 100 << 20)
    let small = try store.keep([1, 2, 3])
    let file = try scratch.write("in", ContentStoreTests.content(3_000_000))
    let error = #expect(throws: FileError.self) { _ = try store.keep(file: file) }
    #expect(error?.code == .noSpace)
    #expect(error?.description == "cannot write in the store \(scratch("disk/store")): no space left on device")
    #expect(error?.hint == "make room on the disk and run again")
    #expect(
      #expect(throws: FileError.self) { _ = try store.keep(ContentStoreTests.content(2_000_000)) }?.code == .noSpace)
    #expect(try FileSystem.list(scratch("disk/store/tmp")).isEmpty)
    #expect(store.bytes(small, limit: 3) == [1, 2, 3])
    // The place of the output is full: the old one stays.
    let other = ContentStore(scratch("store"), limit: 100 << 20)
    let digest = try other.keep(file: file)
    try scratch.write("disk/out", "old")
    let full = #expect(throws: FileError.self) { try other.restore(digest, to: scratch("disk/out"), executable: false) }
    #expect(full?.description == "cannot write \(scratch("disk/out")): no space left on device")
    await #expect(throws: FileError.self) {
      let size = try FileSystem.status(of: file)?.size ?? 0
      return try await other.restore(
        many: [RestoredFile(digest: digest, size: size, path: scratch("disk/out"))], below: scratch.path)
    }
    #expect(try scratch.text("disk/out") == "old")
    #expect(try FileSystem.list(scratch("disk")).map(\.string) == ["out", "store"])
    #expect(other.contains(digest))
    // Full to the last byte.
    _ = try await Tool.run(["dd", "if=/dev/zero", "of=\(scratch("disk/fill").string)", "bs=4096"])
    #expect(#expect(throws: FileError.self) { try store.keep([9]) }?.code == .noSpace)
    #expect(#expect(throws: FileError.self) { try store.keep(result: [9], of: digest) }?.code == .noSpace)
    #expect(try store.trim().remaining == 4096)
    try scratch.remove("disk/fill")
    _ = try store.keep([9])
    // A program that another test has just started may hold a file of the disk for a moment.
    let remount = "for i in $(seq 100); do mount -o remount,ro \"$0\" 2> /dev/null && exit; sleep 0.3; done; exit 1"
    try await Tool.check(["sh", "-c", remount, scratch("disk").string])
    try expectReadOnly(ContentStore(scratch("disk/store"), limit: 1 << 20), small, .readOnlyFileSystem)
  }
}
