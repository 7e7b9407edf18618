import Store
import SystemPackage
import Testing
import TestSupport

/// Small results share one file, which several processes add to.
@Suite struct SmallResultsTests {
  let scratch = Scratch()
  /// Anew each time, as another process has it: what is known of the file is not kept.
  var store: ContentStore { ContentStore(scratch("store"), limit: 100 << 20) }
  var file: FilePath { scratch("store/small") }

  private func key(_ number: Int) -> Digest { Digest(of: Array("key \(number)".utf8)) }
  private func content(_ number: Int) -> [UInt8] {
    Array(String(repeating: "NPIR \(number) ", count: number % 50).utf8)
  }

  @Test func theLastOneIsFound() throws {
    #expect(store.record(of: key(1)) == nil)
    try store.keep([], of: key(1))
    #expect(store.record(of: key(1)) == [])
    try store.keep([1, 2, 3], of: key(1))
    try store.keep([4], of: key(2))
    #expect(store.record(of: key(1)) == [1, 2, 3])
    #expect(store.record(of: key(2)) == [4])
    #expect(try store.contents().files == 1)
    _ = try store.removeAll()
    #expect(store.record(of: key(1)) == nil)
    #expect(try store.contents().files == 0)
  }

  @Test func largerOnesHaveFiles() throws {
    let sizes = [32 << 10, (32 << 10) + 1]
    for (index, size) in sizes.enumerated() {
      try store.keep([UInt8](repeating: 7, count: size), of: key(index))
      #expect(store.record(of: key(index))?.count == size)
      #expect(try store.contents().files == index + 1)
    }
    // What was kept last is found, whichever is larger.
    for (index, size) in sizes.reversed().enumerated() {
      try store.keep([UInt8](repeating: 8, count: size), of: key(index))
      #expect(store.record(of: key(index)) == [UInt8](repeating: 8, count: size))
    }
  }

  /// What was cut off is lost, and what is added behind it is not.
  @Test func cutOffAnywhere() throws {
    for number in 0..<4 { try store.keep(content(number), of: key(number)) }
    let whole = try FileSystem.read(file)
    for length in 0..<whole.count {
      try scratch.write("store/small", Array(whole[..<length]))
      try store.keep([9], of: key(9))
      let store = store
      #expect(store.record(of: key(9)) == [9])
      for number in 0..<4 { #expect([nil, content(number)].contains(store.record(of: key(number)))) }
    }
  }

  @Test func damagedAnywhere() throws {
    for number in 0..<4 { try store.keep(content(number), of: key(number)) }
    let whole = try FileSystem.read(file)
    for place in whole.indices {
      var bytes = whole
      bytes[place] ^= 0x21
      try scratch.write("store/small", bytes)
      let store = store
      let found = (0..<4).filter { store.record(of: key($0)) == content($0) }
      #expect(found.count == 3, "byte \(place)")
      for number in 0..<4 { #expect([nil, content(number)].contains(store.record(of: key(number)))) }
    }
  }

  @Test func severalAtOnce() async throws {
    let folder = scratch("store")
    let (content, key) = (content, key)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for part in 0..<8 {
        group.addTask {
          let store = ContentStore(folder, limit: 100 << 20)
          for number in 0..<50 { try store.keep(content(50 * part + number), of: key(50 * part + number)) }
        }
      }
      try await group.waitForAll()
    }
    let store = store
    for number in 0..<400 { #expect(store.record(of: key(number)) == content(number)) }
  }

  /// The file has an end: what was used last stays.
  @Test func theOldestGo() throws {
    let large = [UInt8](repeating: 7, count: 32 << 10)
    let store = store
    try store.keep([1], of: key(1))
    try store.keep([2], of: key(2))
    for number in 0..<600 { try store.keep(large, of: key(1000 + number)) }
    // They wait for each other.
    try store.flush()
    #expect(self.store.record(of: key(1)) == [1])
    for number in 600..<1_100 { try store.keep(large, of: key(1000 + number)) }
    try store.flush()
    #expect(self.store.record(of: key(1)) == [1])
    #expect(self.store.record(of: key(2)) == nil)
    #expect(self.store.record(of: key(2_099)) == large)
    #expect(try FileSystem.read(file).count < 40 << 20)
  }
}
