package import Findings
import ObjectFiles

// What an artifact defines and wants, by hashes of the names: enough to tell which artifacts have to do with each other,
// small enough to be kept for a thousand of them. As bytes, numbers little-endian:
//
//   "NPIF", number of slices 4; for each slice: length of its platform, architecture and variant 4 each (FFFF FFFF: none),
//   their texts, number of defined names 4, number of wanted names 4; then for each slice the hashes, 8 bytes each: of the
//   defined names, sorted, as often as they are defined; of the wanted names, sorted, each once

/// The names of an artifact, slice by slice.
package struct NameFacts: Sendable {
  package struct Names: Sendable {
    package var slice: Slice
    /// Of the names that other files of a link see, and of the methods of Objective-C classes and categories. Sorted; a
    /// name that is defined twice is there twice.
    package var defined: [UInt64] = []
    /// Sorted, each once.
    package var wanted: [UInt64] = []
  }

  /// In the order in which the artifact has them.
  package private(set) var slices: [Names] = []
  /// Files whose names could not be read; of no interest to whoever keeps the bytes, as such facts are not kept.
  package private(set) var mistakes: [Mistake] = []

  /// It only needs to be the same for everybody: who makes names of one hash gets them looked at.
  private static let seed: UInt64 = 0x9E37_79B9_7F4A_7C15

  package init(_ artifact: Artifact) {
    for code in artifact.code where code.file.isLinked {
      for slice in code.slices {
        let index = slices.firstIndex { $0.slice == slice } ?? slices.count
        if index == slices.count { slices.append(Names(slice: slice)) }
        mistakes += slices[index].add(code.file, slice)
      }
    }
    for (_, stub) in artifact.stubs {
      for index in slices.indices { slices[index].add(stub) }
    }
    for index in slices.indices { slices[index].finish() }
  }

  fileprivate static func hash(_ range: Range<Int>, _ reader: borrowing ByteReader) -> UInt64 {
    reader.hash(of: range, seed: seed)
  }

  fileprivate static func hash(_ text: String) -> UInt64 {
    let bytes = Array(text.utf8)
    return hash(0..<bytes.count, ByteReader(bytes.span))
  }
}

extension NameFacts.Names {
  /// What could not be read; the rest was.
  fileprivate mutating func add(_ file: CodeFile, _ slice: Slice) -> [Mistake] {
    file.withReader { reader in
      var mistakes: [Mistake] = []
      for unit in file.units.units where unit.slice == nil || unit.slice?.name == slice.architecture {
        do throws(FormatError) {
          try add(try reader.slice(unit.range, "object file"), slice)
        } catch {
          // Metadata that nobody reads hides no name.
          if case .unsupported = error.reason { continue }
          mistakes.append(Mistake("\(error)", at: file.place(of: unit)))
        }
      }
      return mistakes
    }
  }

  private mutating func add(_ reader: borrowing ByteReader, _ slice: Slice) throws(FormatError) {
    guard let symbols = try ObjectSymbols(reader) else { return }
    if case .machO(let symbols) = symbols, symbols.file.architecture.name != slice.architecture { return }
    let selection = SymbolSelection(externalOnly: true)
    var defined = defined
    var wanted = wanted
    try symbols.forEach(reader, selection) { (symbol: Symbol) throws(FormatError) in
      guard let name = symbol.name else { return }
      if symbol.flags.contains(.undefined) {
        wanted.append(NameFacts.hash(name, reader))
      } else {
        defined.append(NameFacts.hash(name, reader))
      }
    }
    for symbol in try symbols.loaderSymbols(reader, selection) where !symbol.symbol.flags.contains(.undefined) {
      defined.append(NameFacts.hash(0..<symbol.name.count, ByteReader(symbol.name.span)))
    }
    self.defined = defined
    self.wanted = wanted
    try addMethods(reader)
  }

  /// Two categories of one method clash, though they share no symbol.
  private mutating func addMethods(_ reader: borrowing ByteReader) throws(FormatError) {
    let data = try ObjCMetadata(reader)
    func hash(_ className: Range<Int>, _ method: ObjCMethod) -> UInt64 {
      let own = NameFacts.hash(className, reader) &* (method.isClassMethod ? 3 : 5)
      return own ^ NameFacts.hash(method.selector, reader)
    }
    for item in data.classes { defined += item.methods.map { hash(item.name, $0) } }
    for item in data.categories { defined += item.methods.map { hash(item.className.range, $0) } }
  }

  fileprivate mutating func add(_ stub: TextStub) {
    for symbol in stub.exports + stub.reexports
    where symbol.targets.contains(where: { $0.architecture?.name == slice.architecture }) {
      defined.append(NameFacts.hash(symbol.name))
    }
  }

  fileprivate mutating func finish() {
    defined = sortedHashes(defined)
    var last: UInt64?
    wanted = sortedHashes(wanted).filter { hash in
      defer { last = hash }
      return hash != last
    }
  }
}

/// Hashes are spread evenly: by their upper bits each comes near to its place at once.
private func sortedHashes(_ hashes: [UInt64]) -> [UInt64] {
  guard hashes.count > 64 else { return hashes.sorted() }
  let bits = min(16, UInt64(hashes.count.bitWidth - hashes.count.leadingZeroBitCount) - 2)
  var places = [Int](repeating: 0, count: (1 << bits) + 1)
  for hash in hashes { places[Int(hash >> (64 - bits)) + 1] += 1 }
  for index in places.indices.dropFirst() { places[index] += places[index - 1] }
  let ends = places
  var sorted = [UInt64](repeating: 0, count: hashes.count)
  for hash in hashes {
    let part = Int(hash >> (64 - bits))
    sorted[places[part]] = hash
    places[part] += 1
  }
  for part in 0..<(1 << bits) where ends[part + 1] - ends[part] > 1 {
    let range = ends[part]..<ends[part + 1]
    if range.count > 32 {
      // Somebody has seen to it that they are not.
      sorted[range].sort()
      continue
    }
    for index in range.dropFirst() {
      let hash = sorted[index]
      var place = index
      while place > range.lowerBound, sorted[place - 1] > hash {
        sorted[place] = sorted[place - 1]
        place -= 1
      }
      sorted[place] = hash
    }
  }
  return sorted
}

// MARK: - As bytes

extension NameFacts {
  package var bytes: [UInt8] {
    var bytes = Array("NPIF".utf8)
    func add(_ number: Int) {
      for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
    add(slices.count)
    for names in slices {
      let texts = [names.slice.platform, names.slice.architecture, names.slice.variant]
      for text in texts { add(text.map(\.utf8.count) ?? 0xFFFF_FFFF) }
      for text in texts { bytes += Array((text ?? "").utf8) }
      add(names.defined.count)
      add(names.wanted.count)
    }
    let count = slices.reduce(0) { $0 + $1.defined.count + $1.wanted.count }
    bytes.reserveCapacity(bytes.count + 8 * count)
    for hashes in slices.flatMap({ [$0.defined, $0.wanted] }) {
      bytes.append(addingCapacity: 8 * hashes.count) { (room: inout OutputSpan<UInt8>) in
        for hash in hashes {
          for shift in 0..<8 { room.append(UInt8(truncatingIfNeeded: hash >> (8 * UInt64(shift)))) }
        }
      }
    }
    return bytes
  }

  /// Nil if a part of `bytes` is not what `bytes` gives.
  package init?(_ bytes: [UInt8], at part: Range<Int>) {
    do throws(FormatError) {
      try self.init(reading: try ByteReader(bytes.span).slice(part, "facts"))
    } catch {
      return nil
    }
  }

  private init(reading reader: consuming ByteReader) throws(FormatError) {
    guard reader.starts(with: "NPIF") else {
      throw FormatError(offset: 0, field: "magic number", reason: .invalid("no facts"))
    }
    try reader.skip(4, "magic number")
    let count: UInt32 = try reader.read("number of slices")
    var sizes: [(defined: UInt32, wanted: UInt32)] = []
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
      slices.append(Names(slice: Slice(platform: texts[0], architecture: texts[1] ?? "", variant: texts[2])))
      sizes.append((try reader.read("number of names"), try reader.read("number of names")))
    }
    for (index, size) in sizes.enumerated() {
      slices[index].defined = try NameFacts.hashes(Int(size.defined), &reader)
      slices[index].wanted = try NameFacts.hashes(Int(size.wanted), &reader)
    }
    guard reader.remaining == 0 else {
      throw FormatError(offset: reader.offset, field: "end", reason: .invalid("there is more"))
    }
  }

  private static func hashes(_ count: Int, _ reader: inout ByteReader) throws(FormatError) -> [UInt64] {
    let hashes = try reader.integers(at: reader.offset, count: count, "hashes")
    try reader.skip(8 * count, "hashes")
    return hashes
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
