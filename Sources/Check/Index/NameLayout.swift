import Artifacts
import ObjectFiles

// The names of several artifacts. As bytes, numbers little-endian:
//
//   "NPIF", checksum of all that follows 8, number of slices 4, number of artifacts 4; for each slice: length of its
//   platform, architecture and variant 4 each (FFFF FFFF: none), their texts, number of defined names 4; for each artifact:
//   flags 4 (1: nothing in it is for Android), number of its slices 4, for each the slice's number 4 and the number of names
//   that it defines 4; then for each slice an index of the defined names (`HashIndex`), whose owners are the artifacts; then
//   for each artifact and slice: number of wanted names 4, their hashes of 48 bits: first the upper 4 bytes of all, then the
//   lower 2

/// Where everything is in a record of names.
struct NameLayout: Sendable {
  /// A slice of an artifact.
  struct Part: Sendable {
    let slice: Int
    let definedCount: Int
    /// Where the hashes of the wanted names begin, and how many there are.
    fileprivate(set) var wanted = (start: 0, count: 0)
  }

  struct Entry: Sendable {
    let isForApple: Bool
    fileprivate(set) var parts: [Part]
  }

  private(set) var slices: [Slice] = []
  /// Of the artifacts.
  private(set) var entries: [Entry] = []
  /// By slice.
  private(set) var indexes: [HashIndex] = []

  private static let magic: StaticString = "NPIF"
}

// MARK: - Writing it

extension NameLayout {
  init(_ artifacts: [ArtifactNames], to bytes: inout [UInt8]) {
    var numbers: [Slice: Int] = [:]
    for names in artifacts.lazy.flatMap(\.found) where numbers[names.slice] == nil {
      numbers[names.slice] = slices.count
      slices.append(names.slice)
    }
    var defined = [[(owner: Int, hashes: PartedHashes)]](repeating: [], count: slices.count)
    for (owner, artifact) in artifacts.enumerated() {
      var parts: [Part] = []
      for names in artifact.found {
        guard let slice = numbers[names.slice] else { continue }
        let hashes = names.parted
        defined[slice].append((owner, hashes))
        parts.append(Part(slice: slice, definedCount: hashes.count))
      }
      entries.append(Entry(isForApple: artifact.isForApple, parts: parts))
    }
    bytes = Array("NPIF".utf8) + [UInt8](repeating: 0, count: 8)
    let counts = defined.map { $0.reduce(0) { $0 + $1.hashes.count } }
    writeHead(counts, to: &bytes)
    bytes.reserveCapacity(bytes.count + counts.reduce(64 << 10) { $0 + HashIndex(count: $1).size })
    for (names, count) in zip(defined, counts) {
      indexes.append(HashIndex(start: bytes.count, count: count))
      HashIndex.append(names, to: &bytes)
    }
    for (owner, artifact) in artifacts.enumerated() {
      for (part, names) in artifact.found.enumerated() { writeWanted(names, (owner, part), to: &bytes) }
    }
    let checksum = ByteReader(bytes.span).sum(of: 12..<bytes.count)
    for index in 0..<8 { bytes[4 + index] = UInt8(truncatingIfNeeded: checksum >> UInt64(8 * index)) }
  }

  private func writeHead(_ defined: [Int], to bytes: inout [UInt8]) {
    bytes.add(slices.count)
    bytes.add(entries.count)
    for (slice, count) in zip(slices, defined) {
      let texts = [slice.platform, slice.architecture, slice.variant]
      for text in texts { bytes.add(text.map(\.utf8.count) ?? 0xFFFF_FFFF) }
      for text in texts { bytes += Array((text ?? "").utf8) }
      bytes.add(count)
    }
    for entry in entries {
      bytes.add(entry.isForApple ? 1 : 0)
      bytes.add(entry.parts.count)
      for part in entry.parts {
        bytes.add(part.slice)
        bytes.add(part.definedCount)
      }
    }
  }

  /// Those that the artifact does not define.
  private mutating func writeWanted(_ names: FoundNames, _ place: (entry: Int, part: Int), to bytes: inout [UInt8]) {
    let wanted = names.wanted.map { $0 >> 16 }
    var own: [(hash: UInt64, owner: Int)] = []
    let index = indexes[entries[place.entry].parts[place.part].slice]
    ByteReader(bytes.span).find(wanted[...], in: index, to: &own)
    let defined = Set(own.lazy.filter { $0.owner == place.entry }.map(\.hash))
    let hashes = wanted.filter { !defined.contains($0) }
    bytes.add(hashes.count)
    entries[place.entry].parts[place.part].wanted = (bytes.count, hashes.count)
    for hash in hashes { bytes.add(Int(hash >> 16)) }
    for hash in hashes { bytes += [UInt8(truncatingIfNeeded: hash), UInt8(truncatingIfNeeded: hash >> 8)] }
  }

}

// MARK: - Reading it

extension NameLayout {
  init(_ bytes: RawSpan, isSound: Bool) throws(FormatError) {
    var reader = ByteReader(bytes)
    guard reader.starts(with: Self.magic) else { throw .init("magic number", "no names") }
    try reader.skip(4, "magic number")
    let checksum: UInt64 = try reader.read("checksum")
    guard isSound || checksum == reader.sum(of: reader.offset..<reader.range.upperBound) else {
      throw .init("checksum", "they are damaged")
    }
    let (sliceCount, count) = (try Self.number(&reader), try Self.number(&reader))
    guard count <= NameRecord.limit else { throw .init("number of artifacts", "there are too many") }
    var defined: [Int] = []
    for _ in 0..<sliceCount {
      slices.append(try Self.slice(&reader))
      defined.append(try Self.number(&reader))
    }
    for _ in 0..<count { entries.append(try Self.entry(&reader, sliceCount)) }
    for count in defined {
      let index = HashIndex(start: reader.offset, count: count)
      try reader.skip(index.size, "defined names")
      guard isSound || reader.isSound(index, owners: entries.count) else {
        throw .init("defined names", "they are damaged")
      }
      indexes.append(index)
    }
    for entry in entries.indices {
      for part in entries[entry].parts.indices {
        let count = try Self.number(&reader)
        entries[entry].parts[part].wanted = (reader.offset, count)
        try reader.skip(6 * count, "wanted names")
      }
    }
    guard reader.remaining == 0 else { throw .init("end", "there is more") }
  }

  private static func number(_ reader: inout ByteReader) throws(FormatError) -> Int {
    let number: UInt32 = try reader.read("number")
    return Int(number)
  }

  private static func slice(_ reader: inout ByteReader) throws(FormatError) -> Slice {
    let lengths = (try number(&reader), try number(&reader), try number(&reader))
    let (platform, architecture) = (try text(lengths.0, &reader), try text(lengths.1, &reader))
    return Slice(platform: platform, architecture: architecture ?? "", variant: try text(lengths.2, &reader))
  }

  private static func text(_ length: Int, _ reader: inout ByteReader) throws(FormatError) -> String? {
    if length == 0xFFFF_FFFF { return nil }
    let start = reader.offset
    try reader.skip(length, "text")
    return String(decoding: try reader.copy(start..<(start + length), "text"), as: UTF8.self)
  }

  private static func entry(_ reader: inout ByteReader, _ sliceCount: Int) throws(FormatError) -> Entry {
    let flags = try number(&reader)
    var parts: [Part] = []
    for _ in 0..<(try number(&reader)) {
      let slice = try number(&reader)
      guard slice < sliceCount else { throw .init("slice", "there is none of this number") }
      parts.append(Part(slice: slice, definedCount: try number(&reader)))
    }
    return Entry(isForApple: flags & 1 != 0, parts: parts)
  }
}

extension [UInt8] {
  fileprivate mutating func add(_ number: Int) {
    for shift in stride(from: 0, to: 32, by: 8) { append(UInt8(truncatingIfNeeded: number >> shift)) }
  }
}

extension FormatError {
  fileprivate init(_ field: String, _ problem: String) { self.init(offset: 0, field: field, reason: .invalid(problem)) }
}
