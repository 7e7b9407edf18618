// Mach-O, the object file format of Apple's systems (`<mach-o/loader.h>`):
//
//   mach_header      magic FEEDFACE, cputype, cpusubtype, filetype, ncmds, sizeofcmds, flags      28 bytes
//   mach_header_64   magic FEEDFACF, the same, reserved                                           32 bytes
//   load commands    ncmds of them in sizeofcmds bytes: cmd, cmdsize, then what the command wants
//   the rest         whatever the load commands point to, offsets counted from the header
//
// Every integer is in the byte order in which the magic number reads right.

/// A Mach-O file type (`MH_OBJECT` …): an open set.
package struct MachOFileType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  package var rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let object = MachOFileType(rawValue: 1)
  package static let executable = MachOFileType(rawValue: 2)
  package static let dylib = MachOFileType(rawValue: 6)
  package static let bundle = MachOFileType(rawValue: 8)
  package static let dylibStub = MachOFileType(rawValue: 9)
  package static let debugSymbols = MachOFileType(rawValue: 10)
  package static let kernelExtension = MachOFileType(rawValue: 11)

  /// For the user, with no article: `object file`, `dynamic library`.
  package var description: String { MachOFileType.names[rawValue] ?? "Mach-O file of type \(rawValue)" }

  private static let names: [UInt32: String] = [
    1: "object file", 2: "executable", 4: "core file", 6: "dynamic library", 7: "dynamic linker", 8: "loadable bundle",
    9: "dynamic library stub", 10: "debug symbols", 11: "kernel extension",
  ]
}

/// The flags of a Mach-O header. Only those that are used have names.
package struct MachOFlags: OptionSet, Hashable, Sendable {
  package var rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let subsectionsViaSymbols = MachOFlags(rawValue: 0x2000)
  /// The symbol table lacks symbols that dyld's export trie has.
  package static let symbolsOutOfSync = MachOFlags(rawValue: 0x0400_0000)
  /// A dynamic library that uses only APIs that app extensions may use.
  package static let extensionSafe = MachOFlags(rawValue: 0x0200_0000)
}

/// The header of one Mach-O file and the place of its load commands. A plain value: it keeps no bytes.
package struct MachOFile: Hashable, Sendable {
  /// The bytes that the file was read from: the whole file, a slice of a fat file or a member of an archive.
  package var range: Range<Int>
  package var is64Bit: Bool
  package var endianness: Endianness
  package var architecture: Architecture
  /// The `cpusubtype` field as it stands, capability bits included.
  package var rawSubtype: UInt32
  package var fileType: MachOFileType
  package var flags: MachOFlags
  /// The number that the header claims.
  package var commandCount: UInt32
  /// In bounds.
  package var commandRange: Range<Int>
}

/// The kinds of load commands (`LC_…`) that are read.
package enum LoadCommandKind: UInt32, Sendable {
  case segment = 0x1, segment64 = 0x19
  case symbolTable = 0x2, dynamicSymbolTable = 0xB, functionStarts = 0x26, dataInCode = 0x29
  case loadDylib = 0xC, identityDylib = 0xD, lazyLoadDylib = 0x20, loadWeakDylib = 0x8000_0018
  case reexportDylib = 0x8000_001F, loadUpwardDylib = 0x8000_0023
  case searchPath = 0x8000_001C, linkerOption = 0x2D, uuid = 0x1B, main = 0x8000_0028
  case encryption = 0x21, encryption64 = 0x2C
  case dyldInfo = 0x22, dyldInfoOnly = 0x8000_0022, dyldExportsTrie = 0x8000_0033, chainedFixups = 0x8000_0034
  case versionMinMacOS = 0x24, versionMinIOS = 0x25, versionMinTVOS = 0x2F, versionMinWatchOS = 0x30
  case buildVersion = 0x32, atomInfo = 0x36
}

/// One load command: its place, not its content.
package struct LoadCommand: Hashable, Sendable {
  /// Its number, from 0, as `otool -l` counts.
  package var index: Int
  /// Nil for a kind that is not read.
  package var kind: LoadCommandKind?
  /// The whole command, its eight bytes of `cmd` and `cmdsize` included. In bounds, at least eight bytes long.
  package var range: Range<Int>
}
