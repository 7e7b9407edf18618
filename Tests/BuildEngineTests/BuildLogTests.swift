@testable import BuildEngine
import Findings
import Store
import SystemPackage
import Testing

@Suite struct BuildLogTests {
  let disk = MemoryDisk()
  let path: FilePath = "/log"
  let records = (0..<4).map { number in
    var record = BuildRecord(
      step: "step \(number % 3)", declared: Digest(of: "declared \(number)"),
      discovered: Discovered((0..<number).map { FilePath("inc/\($0).h") }), key: Digest(of: "key \(number)"),
      outputs: (0..<number).map { BuildRecord.Output(path: FilePath("out/\($0)"), digest: Digest(of: "\($0)")) })
    record.lines = [
      KeyLine(label: "word", value: "\(number)"), KeyLine(label: "é", value: "", content: Digest(of: "é")),
    ]
    return record
  }

  private func write() throws -> [UInt8] {
    var log = try BuildLog(path, seal: .test, disk: disk)
    for record in records { try log.add(record) }
    return try #require(disk.raw(path))
  }

  @Test func remembersTheLastOfEachStep() throws {
    _ = try write()
    let log = try BuildLog(path, seal: .test, disk: disk)
    #expect(log["step 0"] == records[3])
    #expect(log["step 1"] == records[1])
    #expect(log["step 2"] == records[2])
    #expect(log["step 3"] == nil)
  }

  /// Whatever is left holds the records before the cut, and takes new ones.
  @Test func survivesBeingCutOffAtEveryByte() throws {
    let whole = try write()
    for length in 0..<whole.count {
      disk.put(path, raw: Array(whole.prefix(length)))
      var log = try BuildLog(path, seal: .test, disk: disk)
      #expect(log["step 0"] != records[3])
      for (number, record) in records.enumerated().dropFirst() where log[record.step] != nil && number < 3 {
        #expect(log[record.step] == record)
      }
      try log.add(records[3])
      #expect(try BuildLog(path, seal: .test, disk: disk)["step 0"] == records[3])
      #expect(try BuildLog(path, seal: .test, disk: disk)["step 1"] == log["step 1"])
    }
  }

  @Test func survivesEveryChangedByte() throws {
    let whole = try write()
    for position in whole.indices {
      var bytes = whole
      bytes[position] ^= 0xFF
      disk.put(path, raw: bytes)
      let log = try BuildLog(path, seal: .test, disk: disk)
      // A record that is given is one that was written.
      for name in ["step 0", "step 1", "step 2"] {
        if let record = log[name] { #expect(records.contains(record)) }
      }
      #expect(log["step 0"] != records[3])
    }
  }

  /// What was refused stands beside the last success, and a later success does not take it away.
  @Test func refusalsAreRememberedBesideSuccesses() throws {
    _ = try write()
    let refusals = (0..<3).map { number in
      Refusal(
        step: "step \(number % 2)", key: Digest(of: "refused \(number)"), message: "it does not pass",
        findings: [Finding("missing-library", .error, "finding \(number)", at: [])])
    }
    for refusal in refusals {
      var log = try BuildLog(path, seal: .test, disk: disk)
      try log.add(refusal)
    }
    let log = try BuildLog(path, seal: .test, disk: disk)
    #expect(log.refusal(of: "step 0") == refusals[2])
    #expect(log.refusal(of: "step 1") == refusals[1])
    #expect(log.refusal(of: "step 2") == nil)
    #expect(log["step 0"] == records[3])
    #expect(log["step 1"] == records[1])
    var rewritten = try BuildLog(path, seal: .test, disk: disk)
    disk.put(path, raw: Array(try #require(disk.raw(path)).dropLast()))
    rewritten = try BuildLog(path, seal: .test, disk: disk)
    try rewritten.add(records[0])
    #expect(try BuildLog(path, seal: .test, disk: disk).refusal(of: "step 1") == refusals[1])
  }

  @Test func doesNotGrowForEver() throws {
    _ = try write()
    var large = records[3]
    large.lines = [KeyLine(label: "x", value: String(repeating: "x", count: 4_000))]
    for _ in 0..<60 {
      var log = try BuildLog(path, seal: .test, disk: disk)
      try log.add(large)
    }
    #expect(try #require(disk.raw(path)).count < 100 << 10)
  }

  @Test func theFolderIsKeptOutOfGit() async throws {
    let world = World()
    world.put("in", "1")
    _ = try await world.ran([join("a", "a", ["in"])])
    #expect(world.text(".npi/.gitignore") == "*\n")
  }
}
