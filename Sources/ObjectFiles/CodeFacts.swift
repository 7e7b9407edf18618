package struct SliceFacts: Hashable, Sendable {
  package enum Form: Hashable, Sendable {
    case machO(MachOFileType)
    /// A static library, with the number of its members that are Mach-O files for this architecture.
    case archive(objects: Int)
    /// A slice of a fat file that is neither.
    case other(FileKind)
  }

  package var architecture: Architecture
  package var form: Form
  /// The platforms it was compiled for, each once, in file order; a library has the highest minimum OS and SDK of its
  /// members.
  package var builds: [BuildVersion]
  /// The whole file, or the slice of the fat file. Slices of a library that mixes architectures all have its range.
  package var range: Range<Int>
  /// The size of the bitcode beside the machine code (`__LLVM` sections), in bytes; of a library that of all its members.
  package var bitcodeSize = 0
  /// The members of a 64-bit static library whose bytes do not begin at a multiple of 8.
  package var misaligned: [Misaligned] = []

  package struct Misaligned: Hashable, Sendable {
    package var member: String
    package var offset: Int
  }
}

/// The facts that any file's bytes give about the code in it. Reading never fails: unreadable parts are in `errors`.
package struct CodeFacts: Hashable, Sendable {
  package var kind: FileKind
  /// One for each slice of a fat file, for each architecture of a library, or for a Mach-O file; none for other kinds
  /// (see `elf`).
  package var slices: [SliceFacts] = []
  package var elf: ELFFile?
  /// The names of architectures, as `lipo` prints them, for which a static library has bitcode and no machine code.
  package var bitcodeOnly: [String] = []
  package var errors: [FormatError] = []

  /// Each once, in file order.
  package var architectures: [Architecture] {
    var seen: Set<Architecture> = []
    return slices.map(\.architecture).filter { seen.insert($0).inserted }
  }
}

extension CodeFacts {
  /// Reads the facts of a file, the whole of which is `reader`'s window.
  package init(_ reader: borrowing ByteReader) {
    kind = FileKind(reader)
    do throws(FormatError) {
      switch kind {
      case .machO: slices = [try Self.machO(reader)]
      case .archive: slices = try archive(reader)
      case .thinArchive: throw UnreadCode.thin(reader)
      case .fat, .fat64: try fat(reader)
      case .elf: elf = try ELFFile(reader)
      default: break
      }
    } catch {
      errors.append(error)
    }
  }

  private static func machO(_ reader: borrowing ByteReader) throws(FormatError) -> SliceFacts {
    let file = try MachOFile(reader)
    return SliceFacts(
      architecture: file.architecture, form: .machO(file.fileType), builds: try file.buildVersions(reader),
      range: file.range, bitcodeSize: file.bitcodeSize(reader))
  }

  /// One for each architecture that a member has, in the order of their first members.
  private mutating func archive(_ reader: borrowing ByteReader) throws(FormatError) -> [SliceFacts] {
    let archive = try StaticArchive(reader)
    errors += archive.unread(reader)
    var result: [SliceFacts] = []
    var bitcode: Set<String> = []
    // There may be as many architectures as members, so a dictionary finds them.
    var indices: [Architecture: Int] = [:]
    for member in archive.members {
      do throws(FormatError) {
        let content = try reader.slice(member.range, "archive member \(member.name)")
        let kind = FileKind(content)
        // Bitcode of a version that is not read, or without a symbol table, does not tell.
        if kind == .bitcode, let symbols = try? BitcodeSymbols(content), !symbols.target.isEmpty {
          bitcode.insert(symbols.architectureName)
        }
        guard case .machO = kind else { continue }
        let facts = try Self.machO(content)
        let index = indices[facts.architecture] ?? result.count
        if index < result.count {
          try result[index].merge(facts)
        } else {
          indices[facts.architecture] = index
          result.append(
            SliceFacts(
              architecture: facts.architecture, form: .archive(objects: 1), builds: facts.builds, range: reader.range,
              bitcodeSize: facts.bitcodeSize))
        }
        if facts.architecture.cpu.is64Bit, !archive.isAligned(member) {
          result[index].misaligned.append(.init(member: member.name, offset: member.range.lowerBound))
        }
      } catch {
        errors.append(FormatError(offset: error.offset, field: "\(member.name): \(error.field)", reason: error.reason))
      }
    }
    bitcodeOnly += bitcode.subtracting(result.map(\.architecture.name)).sorted()
    return result
  }

  private mutating func fat(_ reader: borrowing ByteReader) throws(FormatError) {
    let file = try FatFile(reader, isStrict: false)
    errors += file.damage
    for entry in file.slices {
      // A linker goes by the table, so a slice counts for the architecture that the table gives it.
      var facts = SliceFacts(
        architecture: entry.architecture, form: .other(.other), builds: [], range: entry.range)
      do throws(FormatError) {
        let content = try reader.slice(entry.range, "slice \(entry.architecture)")
        let kind = FileKind(content)
        var found: [SliceFacts] = []
        switch kind {
        case .machO(let type):
          facts.form = .machO(type)
          found = [try Self.machO(content)]
        case .archive:
          facts.form = .archive(objects: 0)
          found = try archive(content)
        default: facts.form = .other(kind)
        }
        for slice in found {
          if slice.architecture == entry.architecture {
            (facts.form, facts.builds, facts.misaligned) = (slice.form, slice.builds, slice.misaligned)
            facts.bitcodeSize = slice.bitcodeSize
          } else {
            errors.append(
              .invalid(
                "slice \(entry.architecture)", at: entry.range.lowerBound, "holds code for \(slice.architecture)"))
          }
        }
      } catch {
        errors.append(error)
      }
      slices.append(facts)
    }
  }
}

extension SliceFacts {
  /// Adds another object of the same library.
  fileprivate mutating func merge(_ object: SliceFacts) throws(FormatError) {
    if case .archive(let objects) = form { form = .archive(objects: objects + 1) }
    bitcodeSize = min(bitcodeSize, .max - object.bitcodeSize) + object.bitcodeSize
    for build in object.builds {
      if let index = builds.firstIndex(where: { $0.platform == build.platform }) {
        builds[index].minimumOS = max(builds[index].minimumOS, build.minimumOS)
        builds[index].sdk = max(builds[index].sdk, build.sdk)
      } else {
        try BuildVersion.refuseTooMany(builds + [build], at: object.range.lowerBound)
        builds.append(build)
      }
    }
  }
}

extension MachOFile {
  /// Bitcode for a compiler of Apple's, as Xcode embedded it up to version 13. A marker of one byte counts for nothing.
  fileprivate func bitcodeSize(_ reader: borrowing ByteReader) -> Int {
    // Sections that are damaged are no matter of these facts.
    guard let sections = try? sections(reader) else { return 0 }
    let sizes = sections.lazy.filter { $0.segment == "__LLVM" && ["__bitcode", "__bundle"].contains($0.name) }.map(
      \.size)
    return sizes.contains { $0 > 1 } ? Int(clamping: sizes.max() ?? 0) : 0
  }
}
