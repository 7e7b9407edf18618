package import ObjectFiles

/// New names for the symbols of a whole file: an object file, a static library, or a universal file of these.
///
/// First all definitions are read, because references of one object file lead to those of others. Then the changes of
/// each object file are found by themselves, several at once, and put together.
package struct SymbolRenaming: Sendable {
  /// The new file; empty before `finish`.
  package private(set) var edits = ByteEdits()
  /// How many names change, in the slice where most do.
  package private(set) var count = 0
  /// Names that no prefix changes.
  package private(set) var left = LeftNames()
  /// Names of renamed classes that stand in the code as texts too, by which it may look the classes up.
  package private(set) var risks: Set<String> = []
  /// The names that change, of each slice.
  package var names: [RenamedNames] { slices.map(\.names) }
  /// The object files of all slices.
  package private(set) var units: [Unit] = []

  private var slices: [Slice] = []
  private let fat: FatFile?
  private let name: String
  private let rewrite: SymbolRewrite
  /// False takes debugging information out.
  package var keepsDebug: Bool
  /// The texts of the lists that some name matches.
  private var matched: Set<String> = []

  package var isHiding: Bool { rewrite.kind == .hide }
  /// Listed names that the file does not define.
  package var unmatched: [String] {
    (rewrite.keep.texts + rewrite.only.texts + rewrite.protocols.texts).filter { !matched.contains($0) }
  }

  /// An object file of a slice.
  package struct Unit: Sendable {
    let place: String
    package let range: Range<Int>
    /// Its index among the members of the static library.
    let member: Int?
    /// The index of its slice.
    let slice: Int
    let isApples: Bool
    /// Whether it is linked already.
    package let isImage: Bool
  }

  private struct Slice: Sendable {
    let place: String
    let range: Range<Int>
    let archive: StaticArchive?
    var names: RenamedNames
  }

  /// The changes of an object file.
  package struct Change: Sendable {
    let edits: ByteEdits
    let risks: ObjCRisks
  }

  /// Reads the definitions.
  ///
  /// - Parameters:
  ///   - reader: of the whole file.
  ///   - name: the file's name in errors.
  package init(
    _ reader: borrowing ByteReader, name: String, _ rewrite: SymbolRewrite, keepsDebug: Bool = true
  ) throws(LibraryError) {
    (self.name, self.rewrite, self.keepsDebug) = (name, rewrite, keepsDebug)
    let isFat = [.fat, .fat64].contains(FileKind(reader))
    fat = isFat ? try explained(name) { () throws(FormatError) in try FatFile(reader) } : nil
    if let fat {
      for slice in fat.slices {
        let place = "\(name)(\(slice.architecture))"
        try add(reader.part(slice.range, place), place)
      }
    } else {
      try add(reader, name)
    }
  }

  /// Adds a slice: an object file or a static library.
  private mutating func add(_ reader: borrowing ByteReader, _ place: String) throws(LibraryError) {
    var archive: StaticArchive?
    let first = units.count
    if FileKind(reader) == .archive {
      let read = try explained(place) { () throws(FormatError) in
        let archive = try StaticArchive(reader)
        if let damage = archive.unread(reader).first { throw damage }
        return archive
      }
      for (index, member) in read.members.enumerated() {
        let place = "\(place)(\(member.name))"
        let content = try reader.part(member.range, place)
        if FileKind(content).isNativeCode { try addUnit(content, place, member: index) }
      }
      archive = read
    } else {
      try addUnit(reader, place)
    }
    guard first < units.count else { throw LibraryError("\(place) has no object files in it") }
    var names = RenamedNames(rewrite, isApples: units[first].isApples)
    for unit in units[first...] {
      guard unit.isApples == units[first].isApples else {
        throw LibraryError("\(unit.place) is for another system than \(units[first].place)")
      }
      let content = try reader.part(unit.range, unit.place)
      try explained(unit.place) { () throws(FormatError) in
        if let symbols = try ObjectSymbols(content) { try names.add(symbols, content) }
        if !unit.isApples { for name in try ELFGroups.localSignatures(content) { names.add(signature: name) } }
      }
    }
    if rewrite.classes, !isHiding, names.left.swiftCount > 0 {
      throw LibraryError(
        "\(place) has code of Swift (\(String(decoding: names.left.swiftExample, as: UTF8.self))), whose metadata names "
          + "its module and classes in ways that cannot be changed; leave its Objective-C classes as they are")
    }
    count = max(count, names.count)
    matched.formUnion(names.matched)
    left.formUnion(names.left)
    slices.append(Slice(place: place, range: reader.range, archive: archive, names: names))
  }

  private mutating func addUnit(
    _ reader: borrowing ByteReader, _ place: String, member: Int? = nil
  ) throws(LibraryError) {
    let kind = FileKind(reader)
    let isImage = isHiding && (kind == .machO(.dylib) || kind == .machO(.bundle))
    guard kind == .elf || kind == .machO(.object) || isImage else {
      throw LibraryError("\(place) is \(kind.named), whose symbols cannot be renamed", about: kind)
    }
    units.append(
      Unit(
        place: place, range: reader.range, member: member, slice: slices.count, isApples: kind != .elf, isImage: isImage
      ))
  }

  /// Takes the names of several libraries for those of a slice.
  mutating func use(_ names: RenamedNames, inSlice index: Int) { slices[index].names = names }

  /// The changes of some object files, by their indices in `units`.
  package func changes(_ range: Range<Int>, _ reader: borrowing ByteReader) throws(LibraryError) -> [Change] {
    var changes: [Change] = []
    for unit in units[range] {
      let names = slices[unit.slice].names
      let content = try reader.part(unit.range, unit.place)
      let change = try explained(unit.place) { () throws(FormatError) in
        if isHiding { return Change(edits: try SymbolHiding.edits(content, names), risks: ObjCRisks()) }
        return unit.isApples
          ? Change(
            edits: try MachORenaming.edits(content, names, keepsDebug: keepsDebug), risks: try ObjCRisks(content, names)
          )
          : Change(edits: try ELFRenaming.edits(content, names, keepsDebug: keepsDebug), risks: ObjCRisks())
      }
      changes.append(change)
    }
    return changes
  }

  /// Puts the changes of all object files together.
  package mutating func finish(_ changes: [Change], _ reader: borrowing ByteReader) throws(LibraryError) {
    var edits: [ByteEdits] = []
    for (index, slice) in slices.enumerated() {
      var members = [ByteEdits](repeating: ByteEdits(), count: slice.archive?.members.count ?? 1)
      var found = ObjCRisks()
      for (unit, change) in zip(units, changes) where unit.slice == index {
        members[unit.member ?? 0] = change.edits
        found.formUnion(change.risks)
      }
      try found.check(slice.place)
      risks.formUnion(found.texts)
      let content = try reader.part(slice.range, slice.place)
      edits.append(
        try explained(slice.place) { () throws(FormatError) in
          guard let archive = slice.archive else { return members[0] }
          return try ArchiveRenaming(archive).edits(content, slice.names, members: members)
        })
    }
    self.edits = try explained(name) { () throws(FormatError) in
      try fat.map { fat throws(FormatError) in try FatRenaming(fat).edits(reader, slices: edits) } ?? edits[0]
    }
  }
}

extension LibraryError {
  fileprivate init(_ text: String, about kind: FileKind) {
    switch kind {
    case .bitcode: self.init(text + ": compile it to machine code first")
    case .machO(.dylib), .machO(.bundle), .machO(.executable):
      self.init(text + ": it is linked already; rename those of the static libraries that it is linked from")
    default: self.init(text)
    }
  }
}

extension ByteReader {
  @_lifetime(copy self)
  fileprivate borrowing func part(_ range: Range<Int>, _ place: String) throws(LibraryError) -> ByteReader {
    do throws(FormatError) { return try slice(range, "content") } catch { throw LibraryError("\(place): \(error)") }
  }
}

/// Puts the place in front of an error of a file's bytes.
private func explained<R>(_ place: String, _ body: () throws(FormatError) -> R) throws(LibraryError) -> R {
  do throws(FormatError) { return try body() } catch { throw LibraryError("\(place): \(error)") }
}
