// Static archives (`ar`): "!<arch>\n", then members at even offsets: a header of 60 bytes in ASCII, data, perhaps "\n":
//
//   name 16   date 12   uid 6   gid 6   mode 8 (octal)   size 10 (decimal)   "`\n" 2
//
// The name field has dialects, and all of them are read:
//
//   what                      BSD, Darwin                          GNU, SysV                  COFF
//   short name                "a.o" and spaces                     "a.o/" and spaces          as GNU
//   long name                 "#1/N": the first N bytes of data,   "/N": at offset N of the   "/N", ended by a
//                             NULs at their end                    member "//", ended "/\n"   NUL in the table
//   symbol table              "__.SYMDEF", "__.SYMDEF SORTED"      "/"                        "/" twice
//   symbol table, 64 bit      "__.SYMDEF_64", "… SORTED"           "/SYM64/"
//
// A thin archive ("!<thin>\n", GNU) has headers for members that lie in files of their own: no data but the tables'.

/// The members of a static archive: a plain value of names and ranges, which keeps no bytes.
package struct StaticArchive: Hashable, Sendable {
  package struct Member: Hashable, Sendable {
    /// The name for the user. Bytes that are not UTF-8 are replaced: identity is in the bytes of `nameRange`.
    package var name: String
    package var nameRange: Range<Int>
    package var headerOffset: Int
    /// The member's content, without a BSD long name. Empty in a thin archive.
    package var range: Range<Int>
  }

  /// Whether a member's content begins at a multiple of 8 bytes of the library, as Apple's linker requires of 64-bit
  /// Mach-O (reported for Xcode 16 to 26). Apple's `libtool` drops members that do not.
  package func isAligned(_ member: Member) -> Bool { (member.range.lowerBound - start).isMultiple(of: 8) }

  /// A table of contents, which only `ArchiveMap` parses.
  package struct SymbolTable: Hashable, Sendable {
    package enum Dialect: Hashable, Sendable {
      case bsd, bsd64, gnu, gnu64
    }
    package var dialect: Dialect
    package var headerOffset: Int
    package var range: Range<Int>
  }

  /// The table of contents counts from here.
  package var start: Int
  package var isThin: Bool
  /// The object files and other content, in file order, without the tables.
  package var members: [Member] = []
  package var symbolTables: [SymbolTable] = []
  /// The errors of damaged members. The member behind one is found by the damaged one's size, or else by the next
  /// readable header.
  package var damage: [FormatError] = []
}

extension StaticArchive {
  private static let headerSize = 60

  /// Reads the headers of an archive, the whole of which is `reader`'s window. Throws only if it is no archive.
  package init(_ reader: borrowing ByteReader) throws(FormatError) {
    start = reader.range.lowerBound
    if reader.starts(with: "!<arch>\n") {
      isThin = false
    } else if reader.starts(with: "!<thin>\n") {
      isThin = true
    } else {
      throw .invalid("magic number", at: reader.range.lowerBound, "this is not a static archive")
    }
    let end = reader.range.upperBound
    var offset = reader.range.lowerBound + 8
    var names: Range<Int>?
    var budget = NameBudget(reader, "names of the archive's members")
    while offset < end {
      do throws(FormatError) {
        let header = try Header(reader, at: offset)
        let dataStart = offset + Self.headerSize
        let isTable = header.name == "/" || header.name == "//" || header.name == "/SYM64/"
        let size = isThin && !isTable ? 0 : header.size
        guard size <= end - dataStart else {
          let name = try? Self.resolve(header, dataStart..<end, names, reader).name
          throw .truncated(
            "size of archive member \(Self.text(name ?? header.nameRange, reader))", at: offset + 48, needed: size,
            available: end - dataStart)
        }
        let data = dataStart..<(dataStart + size)
        guard add(header, data, &names, &budget, reader) else { return }
        offset = data.upperBound + (data.upperBound - reader.range.lowerBound) % 2
      } catch {
        damage.append(error)
        guard let next = Self.nextHeader(reader, after: offset) else { return }
        offset = next
      }
    }
  }

  /// Adds a member or a table; false if the rest of the archive is not worth reading.
  private mutating func add(
    _ header: Header, _ data: Range<Int>, _ names: inout Range<Int>?, _ budget: inout NameBudget,
    _ reader: borrowing ByteReader
  ) -> Bool {
    switch header.name {
    case "//":
      names = data
      return true
    case "/", "/SYM64/":
      symbolTables.append(
        SymbolTable(dialect: header.name == "/" ? .gnu : .gnu64, headerOffset: header.offset, range: data))
      return true
    default: break
    }
    var nameRange = header.nameRange
    var content = data
    do throws(FormatError) {
      (nameRange, content) = try Self.resolve(header, data, names, reader)
    } catch {
      damage.append(error)  // the member keeps the name of its header
    }
    do throws(FormatError) { try budget.spend(nameRange) } catch {
      damage.append(error)
      return false
    }
    let name = Self.text(nameRange, reader)
    switch name {
    case "__.SYMDEF", "__.SYMDEF SORTED":
      symbolTables.append(SymbolTable(dialect: .bsd, headerOffset: header.offset, range: content))
    case "__.SYMDEF_64", "__.SYMDEF_64 SORTED":
      symbolTables.append(SymbolTable(dialect: .bsd64, headerOffset: header.offset, range: content))
    default:
      members.append(Member(name: name, nameRange: nameRange, headerOffset: header.offset, range: content))
    }
    return true
  }

  /// The ranges of a member's name and content, by the table at the top of this file.
  private static func resolve(
    _ header: Header, _ data: Range<Int>, _ names: Range<Int>?, _ reader: borrowing ByteReader
  ) throws(FormatError) -> (name: Range<Int>, content: Range<Int>) {
    if header.name.hasPrefix("#1/"), let length = Int(header.name.dropFirst(3)), length >= 0 {
      guard length <= data.count else {
        throw .invalid(
          "name of an archive member", at: header.offset, "a name of \(length) bytes in a member of \(data.count)")
      }
      let content = (data.lowerBound + length)..<data.upperBound
      return (reader.trimmed(data.lowerBound..<content.lowerBound, of: 0), content)
    }
    if header.name.hasPrefix("/"), let start = Int(header.name.dropFirst()), start >= 0 {
      guard let names, start < names.count else {
        throw .invalid(
          "name of an archive member", at: header.offset, "the table of long names has nothing at \(start)")
      }
      let first = names.lowerBound + start
      var end = first
      while end < names.upperBound {
        let byte: UInt8 = try reader.integer(at: end, "name")
        if byte == UInt8(ascii: "\n") || byte == 0 { break }
        end += 1
      }
      return (reader.trimmed(first..<end, of: UInt8(ascii: "/"), most: 1), data)
    }
    let name = header.nameRange
    return (name.count > 1 ? reader.trimmed(name, of: UInt8(ascii: "/"), most: 1) : name, data)
  }

  private static func text(_ name: Range<Int>, _ reader: borrowing ByteReader) -> String {
    String(decoding: (try? reader.copy(name, "name of an archive member")) ?? [], as: UTF8.self)
  }

  /// The next offset behind a damaged header at which another header can be read.
  private static func nextHeader(_ reader: borrowing ByteReader, after damaged: Int) -> Int? {
    let end = reader.range.upperBound
    var offset = damaged + 2
    while end - offset >= headerSize {
      if Header.isTerminated(reader, at: offset), (try? Header(reader, at: offset)) != nil { return offset }
      offset += 2
    }
    return nil
  }
}

extension StaticArchive {
  private struct Header {
    var offset: Int
    var name: String
    var nameRange: Range<Int>
    var size: Int

    static func isTerminated(_ reader: borrowing ByteReader, at offset: Int) -> Bool {
      let end: UInt16? = try? reader.integer(at: offset + 58, "header of an archive member")
      return end == (reader.endianness == .little ? 0x0A60 : 0x600A)
    }

    init(_ reader: borrowing ByteReader, at offset: Int) throws(FormatError) {
      let available = reader.range.upperBound - offset
      guard available >= headerSize else {
        throw .truncated("header of an archive member", at: offset, needed: headerSize, available: available)
      }
      guard Self.isTerminated(reader, at: offset) else {
        throw .invalid(
          "header of an archive member", at: offset + 58,
          "does not end as a header must, so a member's size before it may be wrong")
      }
      self.offset = offset
      nameRange = reader.trimmed(offset..<(offset + 16), of: UInt8(ascii: " "))
      name = String(decoding: try reader.copy(nameRange, "name of an archive member"), as: UTF8.self)
      // At most ten decimal digits, padded with spaces, so the number cannot overflow.
      size = 0
      var digits = 0
      var ended = false
      for position in (offset + 48)..<(offset + 58) {
        let byte: UInt8 = try reader.integer(at: position, "size of archive member \(name)")
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9") where !ended:
          size = size * 10 + Int(byte - UInt8(ascii: "0"))
          digits += 1
        case UInt8(ascii: " "): ended = true
        default: digits = -16
        }
      }
      guard digits > 0 else {
        throw .invalid("size of archive member \(name)", at: offset + 48, "is not a decimal number")
      }
    }
  }
}

extension ByteReader {
  /// A part of the window without the padding at its end, of which at most `most` bytes are removed.
  fileprivate func trimmed(_ part: Range<Int>, of filling: UInt8, most: Int = .max) -> Range<Int> {
    var end = part.upperBound
    while end > part.lowerBound, part.upperBound - end < most, load(at: end - 1, as: UInt8.self) == filling { end -= 1 }
    return part.lowerBound..<end
  }
}
