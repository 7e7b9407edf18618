import Store
import SystemPackage

/// Suggests files for a pattern that matches nothing and was probably mistyped.
struct NearestFiles {
  let view: DiskView
  let hidden: Set<FilePath>

  /// At most this many files are compared, those of outer folders first.
  private static let maxFiles = 1_000
  /// Longer paths, in bytes, are not compared.
  private static let longest = 120

  /// The nearest first. A file must have the folder or the ending of the pattern, or half of its letters.
  func nearest(_ count: Int, to glob: Glob, without outputs: [FilePath]) -> [FilePath] {
    let pattern = Array(glob.text.utf8.prefix(NearestFiles.longest))
    let isWild = { (byte: UInt8) in "*?[]{},".utf8.contains(byte) }
    let start = pattern.prefix { !isWild($0) }
    let folder = start.lastIndex(of: UInt8(ascii: "/")).map { pattern[...$0] } ?? []
    let ending = pattern.lastIndex(of: UInt8(ascii: ".")).map { pattern[$0...] } ?? []
    func isNear(_ path: [UInt8], _ edits: Int) -> Bool {
      2 * edits <= pattern.count { !isWild($0) } || !folder.isEmpty && path.starts(with: folder)
        || !ending.isEmpty && path.suffix(ending.count) == ending
    }
    return files(without: outputs).map { (path: $0, edits: NearestFiles.edits(pattern, $0.pathBytes)) }
      .filter { isNear($0.path.pathBytes, $0.edits) }
      .sorted { ($0.edits, $0.path.string) < ($1.edits, $1.path.string) }
      .prefix(count).map(\.path)
  }

  private func files(without outputs: [FilePath]) -> [FilePath] {
    var found: [FilePath] = []
    var open: [FilePath] = ["."]
    var next = 0
    while next < open.count, found.count < NearestFiles.maxFiles {
      let folder = open[next]
      next += 1
      for name in (try? view.list(folder)) ?? [] where !Glob.isHidden(name.nameBytes) {
        let path = folder == "." ? FilePath(root: nil, [name]) : folder.appending(name)
        if hidden.contains(path) || outputs.contains(path) { continue }
        switch (try? view.status(path))??.kind {
        case .directory: if open.count < NearestFiles.maxFiles { open.append(path) }
        case .regular where path.pathBytes.count <= NearestFiles.longest: found.append(path)
        default: break
        }
      }
    }
    return found
  }

  /// The number of bytes to insert, delete or replace until the pattern matches; case is ignored.
  private static func edits(_ pattern: [UInt8], _ path: [UInt8]) -> Int {
    func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
    var row = Array(0...path.count)
    for (index, sign) in pattern.enumerated() {
      let isStar = sign == UInt8(ascii: "*")
      // `**/` also matches no folder at all.
      let isEmpty = isStar || sign == UInt8(ascii: "/") && pattern[..<index].suffix(2) == [0x2A, 0x2A]
      var next = [isEmpty ? row[0] : row[0] + 1]
      // A single star does not match a slash.
      let isDeep = isStar && (pattern[..<index].last == sign || pattern[(index + 1)...].first == sign)
      for (column, byte) in path.enumerated() {
        let isStood = isStar && (isDeep || byte != UInt8(ascii: "/"))
        let isSame = isStood || sign == UInt8(ascii: "?") || lowered(sign) == lowered(byte)
        let inserted = next[column] + (isStood ? 0 : 1)
        next.append(min(row[column] + (isSame ? 0 : 1), row[column + 1] + (isEmpty ? 0 : 1), inserted))
      }
      row = next
    }
    return row.last ?? 0
  }
}
