// The layout of a static library as `libtool -static -D` writes it for one architecture (llvm-libtool-darwin 19, whose
// results it equals; the fields are those of `StaticArchive`):
//
//   table        "__.SYMDEF" comes first; "__.SYMDEF_64" where a member begins, or a name is, beyond 4 GiB
//   its order    that of the members, and in each that of its symbol table; commons and hidden names are in it
//   names        all of them "#1/N", N such that the content begins at a multiple of 8
//   content      filled with newlines up to a multiple of 8; both fillings count in the size
//   owner        0; mode 644, and 0 for the table
//   date         0; members of one name have 1, 2, 3 …, because debuggers tell members by name and date
//
// A linker goes by the table, which names places: it never takes one of these members for another.

/// The layout of a static library: pieces that are written one after the other, each with a header of its own before
/// bytes that are copied out of an input file, and newlines behind them.
package struct StaticLibrary: Sendable {
  package struct Piece: Sendable {
    /// The table of contents stands before the first member's header.
    package var header: [UInt8]
    /// The input's index in the array that the layout was made from, and its bytes.
    package var input: Int
    package var source: Range<Int>
    /// How many newlines follow.
    package var padding: Int
  }

  package var architecture: Architecture
  package var rawSubtype: UInt32
  package var is64Bit: Bool
  package var pieces: [Piece] = []
  package var size = 0
}

extension StaticLibrary {
  /// A library for each architecture of the inputs, in the order in which these come first.
  package static func all(of inputs: [StaticLibraryInput]) throws(LibraryError) -> [StaticLibrary] {
    var (order, members): ([Architecture], [Architecture: [Member]]) = ([], [:])
    for (number, input) in inputs.enumerated() {
      for object in input.objects {
        guard object.range.count < maxMemberSize, object.name.count < maxMemberSize else {
          throw LibraryError("\(input.name) is too large for a static library, whose members have at most 4.5 GB")
        }
        if members[object.architecture] == nil { order.append(object.architecture) }
        members[object.architecture, default: []].append((object, number))
      }
    }
    return order.compactMap { members[$0].flatMap(StaticLibrary.init) }
  }

  /// In bytes: a size has ten digits, and counts what is filled up.
  private static let maxMemberSize = 4_500_000_000

  /// The layout of a universal file of several; the index of a slice's input is that of its library.
  package static func universal(_ libraries: [StaticLibrary]) throws(LibraryError) -> UniversalLibrary {
    try UniversalLibrary(
      libraries.map { library in
        UniversalInput(
          name: library.architecture.name,
          slices: [
            FatFile.Slice(
              architecture: library.architecture, rawSubtype: library.rawSubtype, range: 0..<library.size,
              alignment: library.is64Bit ? 3 : 2)
          ])
      })
  }

  private typealias Member = (object: StaticLibraryInput.Object, input: Int)

  /// Nil without members.
  private init?(_ members: [Member]) {
    guard let first = members.first?.object else { return nil }
    (architecture, rawSubtype, is64Bit) = (first.architecture, first.rawSubtype, first.is64Bit)
    let names = members.reduce(0) { $0 + $1.object.symbols.count }
    let symbols = members.reduce(0) { $0 + $1.object.symbolPlaces.count }
    var places: [Int] = []
    var isWide = false
    var table = 0
    func place() {
      let width = isWide ? 8 : 4
      table = Self.aligned(2 * width + 2 * width * symbols + names)
      var end = Self.magic.count + Self.headerSize(name: Self.tableName(isWide).count, at: Self.magic.count) + table
      places = members.map { member in
        defer {
          end += Self.headerSize(name: member.object.name.count, at: end) + Self.aligned(member.object.range.count)
        }
        return end
      }
      size = end
    }
    place()
    if max(places.last ?? 0, names) > Int(UInt32.max) {
      isWide = true
      place()
    }
    var header = Self.magic + Self.header(Self.tableName(isWide), date: 0, mode: 0, size: table, at: Self.magic.count)
    header.append(addingCapacity: table + 128) { room in
      let (end, width) = (room.count + table, isWide ? 8 : 4)
      room.append(littleEndian: 2 * width * symbols, bytes: width)
      var offset = 0
      for (member, place) in zip(members, places) {
        for name in member.object.symbolPlaces {
          room.append(littleEndian: offset + name, bytes: width)
          room.append(littleEndian: place, bytes: width)
        }
        offset += member.object.symbols.count
      }
      room.append(littleEndian: names, bytes: width)
      for member in members {
        let names = ByteReader(member.object.symbols.span)
        names.append(0..<names.count, to: &room)
      }
      while room.count < end { room.append(0) }
    }
    let counts = members.reduce(into: [:]) { $0[$1.object.name, default: 0] += 1 }
    var dates: [[UInt8]: Int] = [:]
    for (member, place) in zip(members, places) {
      let (size, name) = (member.object.range.count, member.object.name)
      if counts[name] ?? 0 > 1 { dates[name, default: 0] += 1 }
      header += Self.header(
        name, date: dates[name] ?? 0, mode: 644, size: Self.aligned(size), at: place)
      pieces.append(
        Piece(header: header, input: member.input, source: member.object.range, padding: Self.aligned(size) - size))
      header = []
    }
  }

  private static let magic = Array("!<arch>\n".utf8)
  private static func tableName(_ isWide: Bool) -> [UInt8] { Array((isWide ? "__.SYMDEF_64" : "__.SYMDEF").utf8) }
  private static func aligned(_ size: Int) -> Int { (size + 7) & ~7 }
  private static func headerSize(name: Int, at place: Int) -> Int { aligned(place + 60 + name) - place }

  /// - Parameter size: of the content.
  private static func header(_ name: [UInt8], date: Int, mode: Int, size: Int, at place: Int) -> [UInt8] {
    let whole = headerSize(name: name.count, at: place)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(whole)
    bytes += "#1/".utf8
    bytes.append(field: whole - 60, width: 13)
    bytes.append(field: date, width: 12)
    bytes.append(field: 0, width: 6)
    bytes.append(field: 0, width: 6)
    bytes.append(field: mode, width: 8)
    bytes.append(field: whole - 60 + size, width: 10)
    bytes += "`\n".utf8
    bytes += name
    while bytes.count < whole { bytes.append(0) }
    return bytes
  }
}

extension OutputSpan<UInt8> {
  @inline(__always)
  fileprivate mutating func append(littleEndian value: Int, bytes: Int) {
    for index in 0..<bytes { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
  }
}

extension [UInt8] {
  /// A number that is not negative in decimal digits, filled up with spaces. A header has thousands of siblings, for which
  /// `String(value)` takes as long as the rest of the layout.
  fileprivate mutating func append(field value: Int, width: Int) {
    let start = count
    var rest = value
    repeat {
      insert(UInt8(ascii: "0") + UInt8(rest % 10), at: start)
      rest /= 10
    } while rest > 0
    while count < start + width { append(UInt8(ascii: " ")) }
  }
}
