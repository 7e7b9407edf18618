package import Findings
import ObjectFiles

// What an artifact defines and wants, by hashes of the names: enough to tell which artifacts have to do with each other,
// small enough to be kept for a thousand of them. As bytes, numbers little-endian:
//
//   "NPIF", checksum of all that follows 8, flags 4 (1: nothing in it is for Android), number of slices 4; for each slice:
//   length of its platform, architecture and variant 4 each (FFFF FFFF: none), their texts, number of defined names 4,
//   number of wanted names 4; then for each slice two runs of hashes of 48 bits: of the defined names, as often as they are
//   defined; of the wanted names, each once. A run is in the order of the uppermost bytes, else in the files' own; first the
//   upper 4 bytes of all, then the lower 2

/// The names of an artifact, slice by slice.
package struct NameFacts: Sendable {
  package struct Names: Sendable {
    package let slice: Slice
    /// Of the names that other files of a link see, and of the methods of Objective-C classes and categories. A name
    /// that is defined twice is there twice.
    package let defined: HashRun
    /// Each once.
    package let wanted: HashRun
  }

  /// In the order in which the artifact has them.
  package private(set) var slices: [Names] = []
  /// Files whose names could not be read; of no interest to whoever keeps the bytes, as such facts are not kept.
  package private(set) var mistakes: [Mistake] = []
  /// It has nothing for Android.
  package private(set) var isForApple = false
  /// What it is read from, and where in it.
  package let source: HashSource
  package let range: Range<Int>

  package init(_ artifact: Artifact, isForApple: Bool) {
    var found: [FoundNames] = []
    for code in artifact.code where code.file.isLinked {
      for slice in code.slices {
        let index = found.firstIndex { $0.slice == slice } ?? found.count
        if index == found.count { found.append(FoundNames(slice: slice)) }
        mistakes += found[index].add(code.file)
      }
    }
    for (_, stub) in artifact.stubs {
      for index in found.indices { found[index].add(stub) }
    }
    for index in found.indices { found[index].finish() }
    let bytes = NameFacts.bytes(of: found, isForApple: isForApple)
    range = 0..<bytes.count
    source = HashSource(bytes)
    do throws(FormatError) { try read() } catch { mistakes.append(Mistake("\(error)", at: artifact.place)) }
  }

  /// Nil if a part of `source` is not what was kept.
  package init?(_ source: HashSource, at range: Range<Int>) {
    self.source = source
    self.range = range
    do throws(FormatError) { try read() } catch { return nil }
  }
}

// MARK: - As bytes

extension NameFacts {
  private static let magic: StaticString = "NPIF"

  private static func bytes(of found: [FoundNames], isForApple: Bool) -> [UInt8] {
    var bytes = Array("NPIF".utf8) + [UInt8](repeating: 0, count: 8)
    func add(_ number: Int) {
      for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
    add(isForApple ? 1 : 0)
    add(found.count)
    for names in found {
      let texts = [names.slice.platform, names.slice.architecture, names.slice.variant]
      for text in texts { add(text.map(\.utf8.count) ?? 0xFFFF_FFFF) }
      for text in texts { bytes += Array((text ?? "").utf8) }
      add(names.defined.count)
      add(names.wanted.count)
    }
    bytes.reserveCapacity(bytes.count + found.reduce(0) { $0 + 6 * ($1.defined.count + $1.wanted.count) })
    for hashes in found.flatMap({ [$0.defined, $0.wanted] }) {
      bytes.append(addingCapacity: 6 * hashes.count) { (room: inout OutputSpan<UInt8>) in
        for hash in hashes {
          for shift in stride(from: UInt64(32), to: 64, by: 8) { room.append(UInt8(truncatingIfNeeded: hash >> shift)) }
        }
        for hash in hashes {
          for shift in stride(from: UInt64(16), to: 32, by: 8) { room.append(UInt8(truncatingIfNeeded: hash >> shift)) }
        }
      }
    }
    let checksum = ByteReader(bytes.span).sum(of: 12..<bytes.count)
    for index in 0..<8 { bytes[4 + index] = UInt8(truncatingIfNeeded: checksum >> UInt64(8 * index)) }
    return bytes
  }

  private mutating func read() throws(FormatError) {
    let (slices, isForApple) = try source.withReader { (all) throws(FormatError) in
      var reader = try all.slice(range, "facts")
      guard reader.starts(with: NameFacts.magic) else {
        throw FormatError(offset: range.lowerBound, field: "magic number", reason: .invalid("no facts"))
      }
      try reader.skip(4, "magic number")
      let checksum: UInt64 = try reader.read("checksum")
      guard checksum == reader.sum(of: reader.offset..<range.upperBound) else {
        throw FormatError(offset: range.lowerBound, field: "checksum", reason: .invalid("they are damaged"))
      }
      let flags: UInt32 = try reader.read("flags")
      return (try NameFacts.slices(&reader, source), flags & 1 != 0)
    }
    self.slices = slices
    self.isForApple = isForApple
  }

  private static func slices(_ reader: inout ByteReader, _ source: HashSource) throws(FormatError) -> [Names] {
    let count: UInt32 = try reader.read("number of slices")
    var found: [(slice: Slice, defined: UInt32, wanted: UInt32)] = []
    for _ in 0..<count {
      var lengths: [Int?] = []
      for _ in 0..<3 {
        let length: UInt32 = try reader.read("length of a text")
        lengths.append(length == .max ? nil : Int(length))
      }
      var texts: [String?] = []
      for length in lengths {
        guard let length else {
          texts.append(nil)
          continue
        }
        let start = reader.offset
        try reader.skip(length, "text")
        texts.append(String(decoding: try reader.copy(start..<(start + length), "text"), as: UTF8.self))
      }
      let slice = Slice(platform: texts[0], architecture: texts[1] ?? "", variant: texts[2])
      found.append((slice, try reader.read("number of names"), try reader.read("number of names")))
    }
    var slices: [Names] = []
    for (slice, defined, wanted) in found {
      let first = reader.offset
      try reader.skip(6 * Int(defined), "hashes")
      let second = reader.offset
      try reader.skip(6 * Int(wanted), "hashes")
      slices.append(
        Names(
          slice: slice, defined: HashRun(source: source, start: first, count: Int(defined)),
          wanted: HashRun(source: source, start: second, count: Int(wanted))))
    }
    guard reader.remaining == 0 else {
      throw FormatError(offset: reader.offset, field: "end", reason: .invalid("there is more"))
    }
    return slices
  }
}

extension CodeFile {
  /// Whether a linker of an app takes it: no executable, no debug symbols.
  package var isLinked: Bool {
    if !units.archives.isEmpty { return true }
    guard let unit = units.units.first else { return false }
    switch unit.kind {
    case .machO(.object), .machO(.dylib), .machO(.dylibStub), .bitcode: return true
    default: return false
    }
  }
}
