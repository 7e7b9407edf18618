import Archives
import Foundation
import SystemPackage
import TestSupport

extension Bench {
  /// The zip writer alone on 200 MB of static libraries, against everybody's tools on the same tree.
  mutating func zipWriter(_ corpus: Corpus) async throws {
    let scratch = Scratch()
    let entries = try corpus.entries()
    let zip = scratch("ours.zip")
    func clear(_ name: String) -> FilePath {
      let path = scratch(name)
      try? FileManager.default.removeItem(atPath: path.string)
      return path
    }
    let tree = corpus.tree
    try await compare("zip writer", with: "zip -6 -X", atLeast: 6) {
      _ = try await ZipWriter.write(entries, to: zip)
    } theirs: {
      try await Tool.check(["zip", "-q", "-6", "-X", "-r", clear("six.zip").string, "."], in: tree)
    }
    try await compare("zip writer", with: "bsdtar", rounds: 1) {
      _ = try await ZipWriter.write(entries, to: zip)
    } theirs: {
      try await Tool.check(["bsdtar", "--format", "zip", "-cf", clear("bsdtar.zip").string, "."], in: tree)
    }
    try await compare("zip writer", with: "7z -mx1", rounds: 1) {
      _ = try await ZipWriter.write(entries, to: zip)
    } theirs: {
      try await Tool.check(["7z", "a", "-tzip", "-mx1", "-bso0", "-bsp0", clear("7z.zip").string, "."], in: tree)
    }
    try await Tool.check(["zip", "-q", "-9", "-X", "-r", clear("nine.zip").string, "."], in: tree)
    let sizes = (ours: try fileSize(zip), nine: try fileSize(scratch("nine.zip")))
    report(
      "size: ours \(sizes.ours), zip -9 \(sizes.nine), 7z -mx1 \(try fileSize(scratch("7z.zip")))",
      (sizes.ours <= sizes.nine, "no larger than zip -9"))
  }
}

extension Corpus {
  /// All files, in canonical order.
  func entries() throws -> [Entry] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: tree.string)
    let files = try names.compactMap { name -> Entry? in
      let path = tree.pushing(FilePath(name))
      let attributes = try FileManager.default.attributesOfItem(atPath: path.string)
      guard attributes[.type] as? FileAttributeType == .typeRegular else { return nil }
      let content = Entry.Content.file(path, size: attributes[.size] as? Int ?? 0)
      return Entry(path: try EntryPath(name), kind: .file(content, executable: false))
    }
    return Entry.canonicalOrder(files)
  }
}
