import BuildEngine
import Store
import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

// What a build remembers in its tree: read from a file, as always, under a seal that is right.
extension FuzzTarget {
  func isSoundState(_ bytes: [UInt8]) -> Bool {
    do {
      return try StateFile(self).isSound(bytes)
    } catch {
      print(error)
      return false
    }
  }
}

/// Where files of a run lie.
enum FuzzFolder {
  static let path: FilePath = {
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    return FilePath(folder).appending("npi-fuzz-\(getpid())")
  }()
}

private struct StateFile {
  private let target: FuzzTarget
  private let disk: RealDisk
  private let seal = Seal(key: [1, 2, 3])

  private static let root = FuzzFolder.path

  init(_ target: FuzzTarget) throws {
    self.target = target
    try FileSystem.makeFolders(StateFile.root.appending(".npi"))
    disk = try RealDisk(StateFile.root)
  }

  func isSound(_ bytes: [UInt8]) throws -> Bool {
    switch target {
    case .log: return try log(bytes)
    case .state:
      // Once as the decision, once as what is known of files.
      let question = Digest(of: [])
      let records = [question.bytes + bytes, bytes].map { length($0) + seal($0) + $0 }
      try disk.write(".npi/state", Array("npi-pack state 1\n".utf8) + records.joined())
      _ = TreeState.Decision(on: question, disk, seal)?.answerIfSame(disk)
      _ = TreeState(disk, seal: seal, writes: false)
    default: break
    }
    return true
  }

  private func length(_ bytes: [UInt8]) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) }
  }

  /// What was read is written again, by a log of its own, and is the same.
  private func log(_ bytes: [UInt8]) throws -> Bool {
    let header = Array("npi-pack build log 5\n".utf8)
    try disk.write(".npi/log", header + seal(header) + length(bytes) + seal(bytes) + bytes)
    let log = try BuildLog(StateFile.root.appending(".npi/log"), seal: seal, disk: disk)
    guard !log.isForeign else { return false }
    guard let record = log.all.first else { return true }
    var other = try BuildLog(StateFile.root.appending(".npi/other"), seal: seal, disk: disk)
    try other.add(record)
    defer { try? disk.remove(".npi/other") }
    return try BuildLog(StateFile.root.appending(".npi/other"), seal: seal, disk: disk)[record.step] == record
  }
}
