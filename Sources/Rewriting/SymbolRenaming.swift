package import ObjectFiles

/// New names for the symbols of a whole file: an object file, a static library, or a universal file of these.
package struct SymbolRenaming: Sendable {
  /// The new file.
  package private(set) var edits = ByteEdits()
  /// How many names change, in the slice where most do.
  package private(set) var count = 0
  /// Names that no prefix changes.
  package private(set) var left = LeftNames()
  /// Names of renamed classes that stand in the code as texts too, by which it may look the classes up.
  package private(set) var risks: Set<String> = []

  /// The names that change, of each slice.
  package private(set) var names: [RenamedNames] = []
  private let prefix: SymbolPrefix
  private let keepsDebug: Bool
  /// The texts of the prefix's lists that some name matches.
  private var matched: Set<String> = []

  /// Listed names that the file does not define.
  package var unmatched: [String] { (prefix.keep.texts + prefix.protocols.texts).filter { !matched.contains($0) } }

  /// - Parameters:
  ///   - reader: of the whole file.
  ///   - name: the file's name in errors.
  ///   - keepsDebug: false takes debugging information out.
  package init(
    _ reader: borrowing ByteReader, name: String, _ prefix: SymbolPrefix, keepsDebug: Bool = true
  ) throws(LibraryError) {
    self.prefix = prefix
    self.keepsDebug = keepsDebug
    guard [.fat, .fat64].contains(FileKind(reader)) else {
      edits = try renamed(reader, name)
      return
    }
    let fat = try explained(name) { () throws(FormatError) in try FatFile(reader) }
    var slices: [ByteEdits] = []
    for slice in fat.slices {
      let place = "\(name)(\(slice.architecture))"
      slices.append(try renamed(reader.part(slice.range, place), place))
    }
    edits = try explained(name) { () throws(FormatError) in try FatRenaming(fat).edits(reader, slices: slices) }
  }

  /// An object file of a slice.
  private struct Unit {
    let place: String
    let range: Range<Int>
    /// Its index among the members of the static library.
    let member: Int?
    let isApples: Bool

    init(_ reader: borrowing ByteReader, _ place: String, member: Int? = nil) throws(LibraryError) {
      let kind = FileKind(reader)
      guard kind == .elf || kind == .machO(.object) else {
        throw LibraryError("\(place) is \(kind.named), whose symbols cannot be renamed", about: kind)
      }
      (self.place, range, self.member, isApples) = (place, reader.range, member, kind != .elf)
    }
  }

  /// The edits of one slice: an object file or a static library.
  private mutating func renamed(_ reader: borrowing ByteReader, _ place: String) throws(LibraryError) -> ByteEdits {
    var archive: StaticArchive?
    if FileKind(reader) == .archive {
      archive = try explained(place) { () throws(FormatError) in
        let archive = try StaticArchive(reader)
        if let damage = archive.unread(reader).first { throw damage }
        return archive
      }
    }
    let units = try units(reader, archive, place)
    guard let first = units.first else { throw LibraryError("\(place) has no object files in it") }
    var names = RenamedNames(prefix, isApples: first.isApples)
    for unit in units {
      guard unit.isApples == first.isApples else {
        throw LibraryError("\(unit.place) is for another system than \(first.place)")
      }
      let content = try reader.part(unit.range, unit.place)
      try explained(unit.place) { () throws(FormatError) in
        if let symbols = try ObjectSymbols(content) { try names.add(symbols, content) }
      }
    }
    if prefix.classes, names.left.swiftCount > 0 {
      throw LibraryError(
        "\(place) has code of Swift (\(String(decoding: names.left.swiftExample, as: UTF8.self))), whose metadata names "
          + "its module and classes in ways that cannot be changed; leave its Objective-C classes as they are")
    }
    self.names.append(names)
    count = max(count, names.count)
    matched.formUnion(names.matched)
    left.formUnion(names.left)
    var risks = ObjCRisks(names)
    var members = [ByteEdits](repeating: ByteEdits(), count: archive?.members.count ?? 1)
    for unit in units {
      let content = try reader.part(unit.range, unit.place)
      members[unit.member ?? 0] = try explained(unit.place) { () throws(FormatError) in
        if unit.isApples { try risks.add(content) }
        return unit.isApples
          ? try MachORenaming.edits(content, names, keepsDebug: keepsDebug)
          : try ELFRenaming.edits(content, names, keepsDebug: keepsDebug)
      }
    }
    try risks.check(place)
    self.risks.formUnion(risks.texts)
    guard let archive else { return members[0] }
    return try explained(place) { () throws(FormatError) in
      try ArchiveRenaming(archive).edits(reader, names, members: members)
    }
  }

  /// The object files of a slice; members without code are left out.
  private func units(
    _ reader: borrowing ByteReader, _ archive: StaticArchive?, _ place: String
  ) throws(LibraryError) -> [Unit] {
    guard let archive else { return [try Unit(reader, place)] }
    var units: [Unit] = []
    for (index, member) in archive.members.enumerated() {
      let place = "\(place)(\(member.name))"
      let content = try reader.part(member.range, place)
      if FileKind(content).isNativeCode { units.append(try Unit(content, place, member: index)) }
    }
    return units
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
