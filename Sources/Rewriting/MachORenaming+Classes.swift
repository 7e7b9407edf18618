import ObjectFiles

// A class's name stands in the metadata once more, as text that the runtime looks classes up by. Its section is full, so
// new texts get a section of their own, behind all others, and the pointers to the old ones lead there:
//
//   __TEXT,__objc_classname   a second section of this name; linkers put both together
//   a pointer                 its relocation was for a symbol, and is for the new section
//   LC_SEGMENT                one section more, and the size

extension MachORenaming {
  @_lifetime(self: copy self)
  mutating func renameClasses() throws(FormatError) {
    guard names.rewrite.classes else { return }
    let metadata = try ObjCMetadata(reader, [.entities, .members, .texts])
    let objc = ObjCNames(names: names)
    var texts: [UInt8] = []
    var known: [[UInt8]: Int] = [:]
    var pointers: [Int: Int] = [:]
    for text in metadata.texts where pointers[text.place] == nil {
      guard let new = objc.text(try reader.copy(text.range, "name of a class"), text.kind) else { continue }
      if known[new] == nil {
        known[new] = texts.count
        texts += new + [0]
      }
      pointers[text.place] = known[new]
    }
    guard !pointers.isEmpty else { return }
    texts.pad(over: 0, toMultipleOf: 16)
    let sections = try file.placedSections(reader)
    guard let last = sections.last, sections.count < 255 else {
      throw .unsupported("sections", at: file.range.lowerBound, "there is no room for another one")
    }
    let address = freeAddress()
    for placed in sections {
      try redirect(pointers, in: placed, to: address, section: sections.count + 1)
    }
    try addSection(texts, behind: last, at: address)
  }

  /// Lets the pointers of a section lead to the new texts.
  ///
  /// - Parameter pointers: the offset of the new text, by the pointer's place.
  @_lifetime(self: copy self)
  private mutating func redirect(
    _ pointers: [Int: Int], in placed: PlacedSection, to address: UInt64, section: Int
  ) throws(FormatError) {
    guard placed.section.segment != .dwarf, placed.section.relocationCount > 0 else { return }
    let content = try placed.content(reader)
    var own = pointers.filter { content.contains($0.key) }
    guard !own.isEmpty else { return }
    let relocations = try MachORelocations(placed.section, file, reader)
    var entry = relocations.range.lowerBound
    let width = placed.isWide ? 8 : 4
    try relocations.forEach(reader) { (relocation) throws(FormatError) in
      defer { entry += 8 }
      let place = content.lowerBound + Int(relocation.address)
      guard relocation.type == 0, !relocation.isRelative, let offset = own.removeValue(forKey: place) else { return }
      // The number of a section, the size of the pointer, type 0: the pointer itself has the address.
      let fields = UInt64(section) | UInt64(placed.isWide ? 3 : 2) << 25
      put(UInt64(relocation.address) | fields << 32, at: entry, bytes: 8)
      put(address &+ UInt64(offset), at: place, bytes: width)
    }
    if let place = own.keys.min() {
      throw .unsupported("name of a class", at: place, "no relocation leads to it, so that it cannot be changed")
    }
  }

  @_lifetime(self: copy self)
  private mutating func put(_ value: UInt64, at place: Int, bytes: Int) {
    let bytes = (0..<bytes).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    edits.append(.init(range: place..<place + bytes.count, bytes: bytes))
  }

  /// Adds a section of texts to the last segment.
  @_lifetime(self: copy self)
  private mutating func addSection(
    _ texts: [UInt8], behind last: PlacedSection, at address: UInt64
  ) throws(FormatError) {
    let width = last.isWide ? 8 : 4
    let header = last.segmentPlace
    let field = header + 24 + 2 * width
    let start = try reader.address(at: field, is64Bit: last.isWide, "offset of a segment")
    let size = try reader.address(at: field + width, is64Bit: last.isWide, "size of a segment")
    let end = try reader.claimed(start: start, size: size, at: field, "segment").upperBound
    edits.append(.init(range: end..<end, bytes: texts))
    cover(address &+ UInt64(texts.count), header, isWide: last.isWide)

    let count = header + (last.isWide ? 64 : 48)
    let sections: UInt32 = try reader.integer(at: count, "number of sections")
    let old: UInt32 = try reader.integer(at: header + 4, "size of a load command")
    let own = last.isWide ? 80 : 68
    commands.put(UInt64(sections) + 1, at: count, bytes: 4)
    commands.put(UInt64(old) + UInt64(own), at: header + 4, bytes: 4)
    newSection = NewSection(
      place: last.place + own, end: end, size: texts.count, address: address, isWide: last.isWide)
  }
}

/// A section that the file gets. Its header is written when the place of its content is known.
struct NewSection {
  let place: Int
  /// The content is inserted here.
  let end: Int
  let size: Int
  let address: UInt64
  let isWide: Bool

  /// For content at an offset of the new file.
  func header(offset: Int) -> ByteEdits.Edit {
    var bytes = FixedName("__objc_classname").field + FixedName.text.field
    func add(_ value: UInt64, _ count: Int) {
      for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
    }
    add(address, isWide ? 8 : 4)
    add(UInt64(size), isWide ? 8 : 4)
    add(UInt64(offset), 4)
    // No alignment, no relocations, a section of strings (`S_CSTRING_LITERALS`).
    for value: UInt64 in [0, 0, 0, 2, 0, 0] { add(value, 4) }
    if isWide { add(0, 4) }
    return .init(range: place..<place, bytes: bytes)
  }
}

extension FixedName {
  /// The 16 bytes of the field.
  fileprivate var field: [UInt8] { bytes + [UInt8](repeating: 0, count: 16 - bytes.count) }
}
