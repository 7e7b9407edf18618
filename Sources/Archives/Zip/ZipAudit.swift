extension ZipDirectory {
  /// All irregularities in a fixed order: of the file, then by entry in the directory's order, then by offset. Throws only
  /// if the file cannot be read, which says nothing of the archive.
  package func irregularities() throws(ZipFormatError) -> [ZipIrregularity] {
    var found: [ZipIrregularity] = []
    if end.prefixLength > 0 { found.append(.prefix(length: end.prefixLength)) }
    if end.trailingLength > 0 { found.append(.trailing(length: end.trailingLength)) }
    if end.commentLength > 0 { found.append(.comment(length: end.commentLength)) }
    if end.hasSecondEnd { found.append(.secondEnd) }
    if end.hasOtherDisks { found.append(.otherDisks) }
    if end.count != records.count { found.append(.wrongCount(claimed: end.count, found: records.count)) }
    names(&found)
    var pieces: [Piece] = []
    // In a sound archive no byte is read twice.
    var budget = range.lowerBound
    for record in records {
      if budget < 0 {
        found.append(.tangle(from: record.name))
        break
      }
      if let piece = try headers(of: record, &budget, &found) { pieces.append(piece) }
      try content(of: record, &budget, &found)
    }
    places(pieces, &found)
    return found
  }

  /// The range of an entry's header and content.
  private struct Piece {
    let name: [UInt8]
    let range: Range<Int>
    let hasDataDescriptor: Bool
  }

  // MARK: names

  private func names(_ found: inout [ZipIrregularity]) {
    var tree = PathTree()
    var kinds: [PathTree.Node: Record] = [:]
    /// Nodes by their folded nodes.
    var keys: [PathTree.Node: PathTree.Node] = [:]
    var nodes: [PathTree.Node?] = []
    /// Names that occur more than once are reported once each.
    var (repeated, times): ([PathTree.Node], [PathTree.Node: Int]) = ([], [:])
    for record in records {
      // A folder's final slash is not part of its name; a second one is.
      let name = record.name.last == UInt8(ascii: "/") ? Array(record.name.dropLast()) : record.name
      nodes.append(nil)
      do throws(EntryPathError) { _ = try EntryPath(name) } catch {
        found.append(.unsafeName(error))
        switch error {
        case .tooLong, .tooDeep: continue
        default: break
        }
      }
      if name.contains(where: { $0 < 0x20 && $0 != 0 || $0 == 0x7F }) { found.append(.controlCharacters(name)) }
      if name.count > 1, name[1] == UInt8(ascii: ":"), Self.isASCIILetter(name[0]) { found.append(.drive(name)) }
      if let other = record.otherName { found.append(.otherName(name, unicode: other)) }
      let node = tree.enter(name)
      nodes[nodes.count - 1] = node
      if kinds.updateValue(record, forKey: node) != nil {
        if times.updateValue((times[node] ?? 1) + 1, forKey: node) == nil { repeated.append(node) }
      } else if let other = keys.updateValue(node, forKey: tree.folded(node)) {
        found.append(.twins(tree.path(other), name))
      }
    }
    for node in repeated { found.append(.duplicateName(tree.path(node), times[node] ?? 2)) }
    var folders: Set<PathTree.Node> = []
    for (index, record) in records.enumerated() {
      guard var node = nodes[index] else { continue }
      var name = record.name[...]
      if name.last == UInt8(ascii: "/") { name.removeLast() }
      while let slash = name.lastIndex(of: UInt8(ascii: "/")) {
        name = name[..<slash]
        node = tree.parent(node)
        if let above = kinds[node], above.isSymbolicLink || !above.isDirectory {
          found.append(
            above.isSymbolicLink
              ? .throughLink(entry: record.name, link: Array(name)) : .fileIsParent(Array(name), of: record.name))
          // The entry of that parent reports the folders above it.
          break
        }
        guard folders.insert(node).inserted else { break }
        // Folders that are only implied can be twins as well.
        if let other = keys.updateValue(node, forKey: tree.folded(node)), other != node {
          found.append(.twins(tree.path(other), Array(name)))
        }
      }
    }
  }

  private static func isASCIILetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }

  // MARK: records

  private func headers(
    of record: Record, _ budget: inout Int, _ found: inout [ZipIrregularity]
  ) throws(ZipFormatError) -> Piece? {
    let (local, contentOffset): (Record, Int)
    do throws(ZipFormatError) {
      (local, contentOffset) = try localHeader(of: record)
      budget -= contentOffset - record.headerOffset
    } catch {
      if case .unreadable = error.reason { throw error }
      found.append(error.reason == .outsideFile ? .outOfRange(record.name) : .localMismatch(record.name, .header))
      return nil
    }
    func differ(_ field: ZipIrregularity.Field) { found.append(.localMismatch(record.name, field)) }
    if local.name != record.name { differ(.name) }
    if local.method != record.method { differ(.method) }
    if local.flags != record.flags { differ(.flags) }
    // The local header may leave these 0 if there is a data descriptor.
    let isOpen = local.hasDataDescriptor
    if local.crc32 != record.crc32, !(isOpen && local.crc32 == 0) { differ(.crc32) }
    if local.compressedSize != record.compressedSize, !(isOpen && local.compressedSize == 0) { differ(.compressedSize) }
    if local.uncompressedSize != record.uncompressedSize, !(isOpen && local.uncompressedSize == 0) {
      differ(.uncompressedSize)
    }
    if isOpen || record.hasDataDescriptor {
      found.append(record.method == .stored ? .storedDescriptor(record.name) : .dataDescriptor(record.name))
    }
    let extra = Set(record.extraFields + local.extraFields).subtracting([1])
    if !extra.isEmpty { found.append(.extraFields(record.name, ids: extra.sorted())) }
    let end = contentOffset + record.compressedSize
    if end > range.lowerBound {
      found.append(.outOfRange(record.name))
      return nil
    }
    return Piece(
      name: record.name, range: record.headerOffset..<end, hasDataDescriptor: isOpen || record.hasDataDescriptor)
  }

  private func content(
    of record: Record, _ budget: inout Int, _ found: inout [ZipIrregularity]
  ) throws(ZipFormatError) {
    if record.isEncrypted { found.append(.encrypted(record.name)) }
    if record.isDirectory, record.uncompressedSize > 0 { found.append(.folderWithContent(record.name)) }
    switch record.mode & 0o170000 {
    case 0, 0o040000, 0o120000: break
    case 0o100000: if record.mode & 0o6000 != 0 { found.append(.setUserID(record.name)) }
    default: found.append(.specialFile(record.name))
    }
    switch record.method {
    case .stored:
      if record.compressedSize != record.uncompressedSize { found.append(.storedSizes(record.name)) }
    case .deflated:
      let ratio = record.uncompressedSize / max(1, record.compressedSize)
      if ratio > 100, record.uncompressedSize >= 1 << 20 {
        found.append(.extremeRatio(record.name, ratio: ratio))
      }
    default: found.append(.unsupportedMethod(record.name, record.method.rawValue))
    }
    guard record.isSymbolicLink else { return }
    budget -= min(record.compressedSize, 1 << 16)
    // Linux makes no link with a longer target (PATH_MAX).
    var target: [UInt8] = []
    do throws(ZipFormatError) { target = try contents(of: record, limit: 4096) } catch {
      if case .unreadable = error.reason { throw error }
    }
    if target.isEmpty { return found.append(.unreadableLink(record.name)) }
    if Self.leavesRoot(target, from: record.name) { found.append(.escapingLink(record.name, target: target)) }
  }

  /// Whether a link's target is outside the folder that the link's name starts in.
  package static func leavesRoot(_ target: [UInt8], from link: [UInt8]) -> Bool {
    let slash = UInt8(ascii: "/")
    if target.first == slash { return true }
    var depth = link.split(separator: slash).count - 1
    for part in target.split(separator: slash) {
      if part.elementsEqual("..".utf8) { depth -= 1 } else if !part.elementsEqual(".".utf8) { depth += 1 }
      if depth < 0 { return true }
    }
    return false
  }

  // MARK: places

  private func places(_ pieces: [Piece], _ found: inout [ZipIrregularity]) {
    var end = self.end.prefixLength
    var last: Piece?
    func gap(_ next: Int) {
      // Up to 24 bytes behind a piece may be its data descriptor.
      let length = next - end
      if length > (last?.hasDataDescriptor == true ? 24 : 0) { found.append(.unclaimed(offset: end, length: length)) }
    }
    for piece in pieces.sorted(by: {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }) {
      if let last, piece.range.lowerBound < end { found.append(.overlap(last.name, piece.name)) }
      gap(piece.range.lowerBound)
      if piece.range.upperBound >= end {
        end = piece.range.upperBound
        last = piece
      }
    }
    if pieces.count == records.count { gap(range.lowerBound) }
    let behind = self.end.offset - range.upperBound
    if behind > 0 { found.append(.unclaimed(offset: range.upperBound, length: behind)) }
  }
}
