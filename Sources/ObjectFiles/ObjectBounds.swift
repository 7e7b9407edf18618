/// The parts of an object file that lie outside of its bytes. Reading the symbols alone would not find them, and a
/// linker refuses the file.
package struct ObjectBounds {
  /// The first few errors, in the file's order; empty if the file is whole.
  package private(set) var errors: [FormatError] = []
  private var more = 0

  /// A file that is cut off lacks everything behind the cut, and the first errors say enough.
  private static let maxErrors = 4

  /// `reader`'s window is the object file, `slice` its architecture in the table of a fat file.
  package init(_ reader: borrowing ByteReader, slice: Architecture? = nil) {
    collect { bounds throws(FormatError) in
      switch FileKind(reader) {
      case .machO: try bounds.check(try MachOFile(reader), slice, reader)
      case .elf: try bounds.check(try ELFFile(reader), reader)
      default: break
      }
    }
    guard more > 0 else { return }
    errors.append(
      .invalid("object file", at: reader.range.lowerBound, "\(more) more of its parts lie outside of it"))
  }

  private mutating func collect(_ check: (inout ObjectBounds) throws(FormatError) -> Void) {
    do throws(FormatError) { try check(&self) } catch {
      if errors.count < ObjectBounds.maxErrors { errors.append(error) } else { more += 1 }
    }
  }

  /// Adds an error if the claimed range lies outside of the file.
  private mutating func check(
    start: UInt64, size: UInt64, at place: Int, _ field: @autoclosure () -> String, _ reader: borrowing ByteReader
  ) {
    collect { _ throws(FormatError) in _ = try reader.claimed(start: start, size: size, at: place, field()) }
  }

  // MARK: Mach-O

  private mutating func check(
    _ file: MachOFile, _ slice: Architecture?, _ reader: borrowing ByteReader
  ) throws(FormatError) {
    if let slice, slice != file.architecture {
      collect { _ throws(FormatError) in
        throw .invalid("slice \(slice)", at: reader.range.lowerBound, "holds code for \(file.architecture)")
      }
    }
    // Debug symbols and stubs keep the section headers of the file that they were made from.
    let hasContent = file.fileType != .debugSymbols && file.fileType != .dylibStub
    for segment in try file.segments(reader) {
      var place = segment.sectionRange.lowerBound
      check(
        start: segment.offset, size: segment.fileSize, at: place, "segment of load command \(segment.index)", reader)
      guard hasContent else { continue }
      for section in try file.sections(of: segment, reader) {
        collect { _ throws(FormatError) in try ObjectBounds.check(section, at: place, reader) }
        place += segment.isWide ? 80 : 68
      }
    }
    collect { _ throws(FormatError) in _ = try MachOSymbolTable(file, reader) }
    collect { _ throws(FormatError) in _ = try file.buildVersions(reader) }
  }

  /// `place` is that of the section's header.
  private static func check(
    _ section: MachOSection, at place: Int, _ reader: borrowing ByteReader
  ) throws(FormatError) {
    if !section.isZeroFill, section.size > 0 {
      _ = try reader.claimed(
        start: UInt64(section.offset), size: section.size, at: place, "section \(section.segment),\(section.name)")
    }
    _ = try reader.claimed(
      start: UInt64(section.relocationOffset), size: 8 * UInt64(section.relocationCount), at: place,
      "relocations of section \(section.segment),\(section.name)")
  }

  // MARK: ELF

  private mutating func check(_ file: ELFFile, _ reader: borrowing ByteReader) throws(FormatError) {
    let sections = try ELFSections(file, reader)
    // A file without section headers still has its segments.
    if sections.all.isEmpty {
      for (index, segment) in file.segments.enumerated() where segment.isLoaded {
        check(
          start: segment.offset, size: segment.fileSize, at: reader.range.lowerBound, "program header \(index)", reader)
      }
    }
    // `ELFSymbols` throws these errors for other callers too, and an error with the same words is reported once.
    collect { _ throws(FormatError) in _ = try ELFSymbols(reader) }
    let symbols = sections.all.firstIndex { $0.kind == .symbolTable }
    let names = symbols.map { Int(sections.all[$0].link) }
    for (index, section) in sections.all.enumerated()
    where section.kind != ELFSection.Kind.none && !section.isZeroFill && index != symbols && index != names {
      check(
        start: section.offset, size: section.size, at: sections.place(of: index),
        "section \(index)\(sections.name(of: section, reader).map { " (\($0))" } ?? "")", reader)
    }
  }
}
