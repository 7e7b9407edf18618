import Archives
import Foundation
import SystemPackage

struct BenchFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

func zipBench() async throws {
  let corpus = try Corpus.make(in: ".build/bench-corpus")
  let root = corpus.tree.string
  var entries: [Entry] = []
  for name in try FileManager.default.subpathsOfDirectory(atPath: root).sorted() {
    let path = root + "/" + name
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
    let size = attributes[.size] as? Int ?? 0
    entries.append(Entry(path: try EntryPath(name), kind: .file(.file(FilePath(path), size: size), executable: false)))
  }
  let order = Entry.canonicalOrder(entries)
  for workers in [1, 2, 2, 2] {
    let start = ContinuousClock.now
    let summary = try await ZipWriter.write(order, to: "/tmp/ours.zip", options: ZipOptions(workers: workers))
    print(workers, ContinuousClock.now - start, summary.size)
  }
}
