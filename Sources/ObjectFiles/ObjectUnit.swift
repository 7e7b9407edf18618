/// One object file, library or executable: a file, a slice of a fat file, a member of a static library in either.
package struct ObjectUnit: Hashable, Sendable {
  /// The slice of the fat file that it is in; nil outside of one.
  package var slice: Architecture?
  /// The member's name as bytes of the file; nil outside of a static library.
  package var member: Range<Int>?
  package var range: Range<Int>
  package var kind: FileKind
}

/// Everything with symbols in a file of code, in the file's order, and the tables of contents of its static libraries.
package struct ObjectUnits: Sendable {
  package var kind: FileKind
  package var units: [ObjectUnit] = []
  /// The number of slices of a fat file; else 0.
  package var sliceCount = 0
  /// The static libraries: the file itself, or slices of it.
  package var archives: [(slice: Architecture?, archive: StaticArchive)] = []
  package var errors: [FormatError] = []

  /// Whether it is machine code, even of a kind that is not read.
  package var isCode: Bool { kind.isNativeCode || kind.foreignCode != nil }

  /// Reading never fails: unreadable parts are in `errors`.
  package init(_ reader: borrowing ByteReader) {
    kind = FileKind(reader)
    do throws(FormatError) {
      switch kind {
      case .fat, .fat64:
        let file = try FatFile(reader, isStrict: false)
        errors += file.damage
        sliceCount = file.slices.count
        for slice in file.slices {
          let content = try reader.slice(slice.range, "slice \(slice.architecture)")
          add(content, slice: slice.architecture)
        }
      default: add(reader, slice: nil)
      }
    } catch {
      errors.append(error)
    }
  }

  private mutating func add(_ reader: borrowing ByteReader, slice: Architecture?) {
    let kind = FileKind(reader)
    switch kind {
    case .machO, .elf, .bitcode: units.append(ObjectUnit(slice: slice, member: nil, range: reader.range, kind: kind))
    case .archive:
      do throws(FormatError) {
        let archive = try StaticArchive(reader)
        errors += archive.unread(reader)
        archives.append((slice, archive))
        for member in archive.members {
          let content = try reader.slice(member.range, "archive member \(member.name)")
          let kind = FileKind(content)
          switch kind {
          case .machO, .elf, .bitcode:
            units.append(ObjectUnit(slice: slice, member: member.nameRange, range: member.range, kind: kind))
          default: break
          }
        }
      } catch {
        errors.append(error)
      }
    case .thinArchive: errors.append(UnreadCode.thin(reader))
    default:
      if let error = UnreadCode.error(in: reader, slice: slice) { errors.append(error) }
    }
  }
}
