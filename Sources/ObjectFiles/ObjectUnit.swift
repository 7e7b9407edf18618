/// One object file, shared library or executable in a file: the file itself, a slice of a fat file, a member of a static
/// library in either.
package struct ObjectUnit: Hashable, Sendable {
  /// The slice of the fat file that it is in; nil outside of one.
  package var slice: Architecture?
  /// The member's name as bytes of the file; nil outside of a static library.
  package var member: Range<Int>?
  /// Its own bytes.
  package var range: Range<Int>
  package var kind: FileKind
}

/// Everything with symbols in a file of code, in the file's order, and the tables of contents of its static libraries.
package struct ObjectUnits: Sendable {
  package var kind: FileKind
  package var units: [ObjectUnit] = []
  /// Of a fat file, how many slices it has; else 0.
  package var sliceCount = 0
  /// Static libraries: the file itself, or slices.
  package var archives: [(slice: Architecture?, archive: StaticArchive)] = []
  package var errors: [FormatError] = []

  /// Reading never fails: what could not be read is in `errors`.
  package init(_ reader: borrowing ByteReader) {
    kind = FileKind(reader)
    do throws(FormatError) {
      switch kind {
      case .fat, .fat64:
        let slices = try FatFile(reader).slices
        sliceCount = slices.count
        for slice in slices {
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
        errors += archive.damage
        archives.append((slice, archive))
        var isPassedOver = false
        for member in archive.members {
          let content = try reader.slice(member.range, "archive member \(member.name)")
          switch FileKind(content) {
          case .machO, .elf, .bitcode:
            units.append(
              ObjectUnit(slice: slice, member: member.nameRange, range: member.range, kind: FileKind(content)))
          case .webAssembly where !isPassedOver:
            isPassedOver = true
            errors.append(
              FormatError(
                offset: member.range.lowerBound, field: "member of a static library",
                reason: .unsupported("WebAssembly, which is not read")))
          default: break
          }
        }
      } catch {
        errors.append(error)
      }
    case .thinArchive:
      errors.append(
        FormatError(
          offset: reader.range.lowerBound, field: "static library",
          reason: .unsupported("a thin archive, which only names its object files and does not hold them")))
    default: break
    }
  }
}
