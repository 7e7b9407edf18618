extension ZipDirectory {
  /// Everything irregular, in a fixed order: the file, then by entry in the directory's order, then by place.
  package func irregularities() -> [ZipIrregularity] {
    var found: [ZipIrregularity] = []
    if prefixLength > 0 { found.append(.prefix(length: prefixLength)) }
    if trailingLength > 0 { found.append(.trailing(length: trailingLength)) }
    if commentLength > 0 { found.append(.comment(length: commentLength)) }
    if claimedCount != records.count { found.append(.wrongCount(claimed: claimedCount, found: records.count)) }
    names(&found)
    var pieces: [Piece] = []
    for record in records {
      if let piece = headers(of: record, &found) { pieces.append(piece) }
      content(of: record, &found)
    }
    places(pieces, &found)
    return found
  }

  /// Where an entry is, header and content.
  private struct Piece {
    let name: [UInt8]
    let range: Range<Int>
    let hasDataDescriptor: Bool
  }

  // MARK: names

  private func names(_ found: inout [ZipIrregularity]) {
    var kinds: [[UInt8]: Record] = [:]
    var keys: [String: [UInt8]] = [:]
    var folders: Set<[UInt8]> = []
    for record in records {
      // A folder's slash is no part of its name; a second one is.
      let name = record.name.last == UInt8(ascii: "/") ? Array(record.name.dropLast()) : record.name
      var key = String(decoding: name, as: UTF8.self)
      do throws(EntryPathError) {
        let path = try EntryPath(name)
        key = path.collisionKey
      } catch {
        found.append(.unsafeName(error))
      }
      if kinds.updateValue(record, forKey: name) != nil {
        found.append(.duplicateName(name))
      } else if let other = keys.updateValue(name, forKey: key) {
        found.append(.twins(other, name))
      }
    }
    for record in records {
      var name = record.name[...]
      if name.last == UInt8(ascii: "/") { name.removeLast() }
      while let slash = name.lastIndex(of: UInt8(ascii: "/")) {
        name = name[..<slash]
        let parent = Array(name)
        if let above = kinds[parent], above.isSymbolicLink {
          found.append(.throughLink(entry: record.name, link: parent))
        } else if let above = kinds[parent], !above.isDirectory {
          found.append(.fileIsParent(parent, of: record.name))
        } else if folders.insert(parent).inserted {
          // Folders that are only implied can be twins as well.
          let key = (try? EntryPath(parent))?.collisionKey ?? String(decoding: parent, as: UTF8.self)
          if let other = keys.updateValue(parent, forKey: key), other != parent { found.append(.twins(other, parent)) }
        } else {
          break
        }
      }
    }
  }

  // MARK: records

  private func headers(of record: Record, _ found: inout [ZipIrregularity]) -> Piece? {
    let local: LocalHeader
    do throws(ZipFormatError) {
      local = try localHeader(of: record)
    } catch {
      found.append(error.reason == .outsideFile ? .outOfRange(record.name) : .localMismatch(record.name, .header))
      return nil
    }
    func differ(_ field: ZipIrregularity.Field) { found.append(.localMismatch(record.name, field)) }
    if local.name != record.name { differ(.name) }
    if local.method != record.method { differ(.method) }
    if local.flags != record.flags { differ(.flags) }
    // With a data descriptor the local header may leave these 0.
    let isOpen = local.flags & 1 << 3 != 0
    if local.crc32 != record.crc32, !(isOpen && local.crc32 == 0) { differ(.crc32) }
    if local.compressedSize != record.compressedSize, !(isOpen && local.compressedSize == 0) { differ(.compressedSize) }
    if local.uncompressedSize != record.uncompressedSize, !(isOpen && local.uncompressedSize == 0) {
      differ(.uncompressedSize)
    }
    if isOpen || record.hasDataDescriptor { found.append(.dataDescriptor(record.name)) }
    let extra = Set(record.extraFields + local.extraFields).subtracting([1])
    if !extra.isEmpty { found.append(.extraFields(record.name, ids: extra.sorted())) }
    let end = local.contentOffset + record.compressedSize
    if end > range.lowerBound {
      found.append(.outOfRange(record.name))
      return nil
    }
    return Piece(
      name: record.name, range: record.headerOffset..<end, hasDataDescriptor: isOpen || record.hasDataDescriptor)
  }

  private func content(of record: Record, _ found: inout [ZipIrregularity]) {
    if record.isEncrypted { found.append(.encrypted(record.name)) }
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
    // PATH_MAX of Linux: no longer target can be made.
    guard let target = try? contents(of: record, limit: 4096), !target.isEmpty else {
      found.append(.unreadableLink(record.name))
      return
    }
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
    var end = prefixLength
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
  }
}
