import Foundation
import Store
import SystemPackage
import TestSupport

extension Bench {
  /// Restoring a build's outputs from the store, against `cp -r` of the same files: 200 MB, 45 libraries of up to 60 MB
  /// and 500 small files. What `cp` needs to start is taken off its time: the store runs in this process.
  mutating func store(_ corpus: Corpus) async throws {
    let scratch = Scratch()
    let tree = scratch("tree")
    try await Tool.check(["cp", "-r", corpus.tree.string, tree.string])
    var random = Seeded(seed: 11)
    for index in 0..<500 {
      let size = Int(random.next() % 12_000) + 100
      try scratch.write(
        "tree/classes/p\(index % 20)/C\(index).class", (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
      )
    }
    try FileManager.default.createDirectory(atPath: scratch("empty").string, withIntermediateDirectories: true)
    let store = ContentStore(scratch("store"), limit: 4 << 30)
    var files: [RestoredFile] = []
    var bytes = 0
    let keeping = try await Bench.seconds {
      for name in try FileManager.default.subpathsOfDirectory(atPath: tree.string) {
        let path = tree.pushing(FilePath(name))
        guard try FileSystem.status(of: path)?.kind == .regular else { continue }
        let size = try fileSize(path)
        bytes += size
        let digest = try FileSystem.digest(of: path)
        try store.keep(file: path, digest: digest)
        files.append(RestoredFile(digest: digest, size: Int64(size), path: scratch("ours").pushing(FilePath(name))))
      }
    }
    report("store: kept \(files.count) files, \(bytes >> 20) MB in \(Bench.text(keeping)) s", nil)
    for cold in [false, true] {
      var ratios: [Double] = []
      var times: (ours: [Double], theirs: [Double]) = ([], [])
      for _ in 0..<5 {
        for name in ["ours", "theirs", "none"] { try? FileManager.default.removeItem(atPath: scratch(name).string) }
        if cold { try await forget(scratch("store")) }
        times.ours.append(
          try await Bench.seconds {
            guard try await store.restore(many: files, below: scratch.path).isEmpty else {
              throw ToolError("the store has lost a blob")
            }
          })
        if cold { try await forget(tree) }
        let start = try await Bench.seconds {
          try await Tool.check(["cp", "-r", scratch("empty").string, scratch("none").string])
        }
        let copy = try await Bench.seconds {
          try await Tool.check(["cp", "-r", tree.string, scratch("theirs").string])
        }
        times.theirs.append(copy - start)
        ratios.append(times.ours[times.ours.count - 1] / (copy - start))
      }
      try await Tool.check(["diff", "-r", scratch("ours").string, scratch("theirs").string])
      let numbers = "\(Bench.text(Bench.median(times.ours))) s, cp -r \(Bench.text(Bench.median(times.theirs))) s"
      let ratio = Bench.median(ratios)
      report(
        "store: restore \(cold ? "cold" : "warm"): \(numbers): \(Bench.text(ratio)) times",
        (ratio <= 1.5, "at most 1.50"))
    }
  }

  /// Drops the files below a folder from the page cache, where the system lets a user ask for that (Linux).
  private func forget(_ folder: FilePath) async throws {
    let program = """
      import os, sys
      for top, _, names in os.walk(sys.argv[1]):
        for name in names:
          file = os.open(os.path.join(top, name), os.O_RDONLY)
          os.fsync(file)
          if hasattr(os, "posix_fadvise"): os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
          os.close(file)
      """
    try await Tool.check(["python3", "-c", program, folder.string])
  }
}
