/// One file that goes into a static library: the object files in it, without their bytes. A static library is taken apart,
/// and so is a universal file.
package struct StaticLibraryInput: Sendable {
  package struct Object: Sendable {
    package var architecture: Architecture
    /// The `cpusubtype` field as it stands; 0 for bitcode.
    package var rawSubtype: UInt32
    package var is64Bit: Bool
    /// The member's name, as bytes.
    package var name: [UInt8]
    /// In the input file.
    package var range: Range<Int>
    /// The names that the library's table of contents has for it, each ended by a NUL, in the order of its symbol table.
    package var symbols: [UInt8] = []
    /// The places of these names in `symbols`.
    package var symbolPlaces: [Int] = []
  }

  /// The file's name in errors.
  package var name: String
  package var objects: [Object] = []

  init(name: String) { self.name = name }

  /// Finds the object files of an input file, the whole of which is `reader`'s window.
  ///
  /// - Parameter member: the name of an object file that is a file of its own.
  package init(name: String, member: [UInt8], _ reader: borrowing ByteReader) throws(LibraryError) {
    self.name = name
    var budget = NameBudget(reader)
    switch FileKind(reader) {
    case .fat, .fat64:
      let slices = try Self.reading(name) { () throws(FormatError) in try FatFile(reader).slices }
      for slice in slices {
        let content: ByteReader
        do throws(FormatError) { content = try reader.slice(slice.range, "slice \(slice.architecture)") } catch {
          throw LibraryError("\(name): \(error)")
        }
        try add(content, "\(name)(\(slice.architecture))", member, &budget)
      }
    default: try add(reader, name, member, &budget)
    }
    if objects.isEmpty { throw LibraryError("\(name) has no object files in it") }
  }

  private mutating func add(
    _ reader: borrowing ByteReader, _ place: String, _ name: [UInt8], _ budget: inout NameBudget
  ) throws(LibraryError) {
    guard case .archive = FileKind(reader) else { return try addObject(reader, place, name, &budget) }
    let archive = try Self.reading(place) { () throws(FormatError) in
      let archive = try StaticArchive(reader)
      if let damage = archive.damage.first { throw damage }
      return archive
    }
    for member in archive.members {
      let place = "\(place)(\(member.name))"
      let (content, name): (ByteReader, [UInt8])
      do throws(FormatError) {
        content = try reader.slice(member.range, "archive member \(member.name)")
        name = try reader.copy(member.nameRange, "name of an archive member")
      } catch { throw LibraryError("\(place): \(error)") }
      try addObject(content, place, name, &budget)
    }
  }

  private mutating func addObject(
    _ reader: borrowing ByteReader, _ place: String, _ name: [UInt8], _ budget: inout NameBudget
  ) throws(LibraryError) {
    let object = try Self.reading(place) { () throws(FormatError) -> Object? in
      guard let symbols = try ObjectSymbols(reader),
        var object = Self.object(
          symbols, Object(architecture: .arm64, rawSubtype: 0, is64Bit: true, name: name, range: reader.range))
      else { return nil }
      try symbols.forEach(reader, SymbolSelection(externalOnly: true, definedOnly: true)) {
        (symbol) throws(FormatError) in
        guard let name = symbol.name else { return }
        try budget.spend(name)
        object.symbolPlaces.append(object.symbols.count)
        reader.append(name, to: &object.symbols)
        object.symbols.append(0)
      }
      return object
    }
    guard let object else {
      throw LibraryError(
        "\(place) is \(FileKind(reader).named); a static library is made of object files for Apple's systems")
    }
    objects.append(object)
  }

  /// Nil if it is no object file for Apple's systems.
  private static func object(_ symbols: ObjectSymbols, _ object: Object) -> Object? {
    var object = object
    object.is64Bit = symbols.is64Bit
    switch symbols {
    case .machO(let symbols):
      guard symbols.file.fileType == .object else { return nil }
      (object.architecture, object.rawSubtype) = (symbols.file.architecture, symbols.file.rawSubtype)
    case .bitcode(let symbols):
      guard let architecture = Architecture(name: symbols.architectureName) else { return nil }
      object.architecture = architecture
    case .elf: return nil
    }
    return object
  }

  private static func reading<R>(_ place: String, _ body: () throws(FormatError) -> R) throws(LibraryError) -> R {
    do throws(FormatError) { return try body() } catch { throw LibraryError("\(place): \(error)") }
  }
}
