// The places of dyld's tables in a linked Mach-O file (`<mach-o/loader.h>`):
//
//   dyld_info_command       cmd, cmdsize, then offset and size of rebases, binds, weak binds, lazy binds, exports    48 bytes
//   linkedit_data_command   cmd, cmdsize, dataoff, datasize (LC_DYLD_EXPORTS_TRIE, LC_FUNCTION_STARTS)              16 bytes
//   entry_point_command     cmd, cmdsize, entryoff, stacksize (LC_MAIN)                                            24 bytes
//
// Files for iOS 13 and older have the first, newer ones LC_DYLD_CHAINED_FIXUPS and LC_DYLD_EXPORTS_TRIE in its place.

/// The places of the loader's tables. A plain value; every range is in bounds, and empty where there is no table.
package struct MachOLoaderInfo: Hashable, Sendable {
  package private(set) var binds: Range<Int>
  package private(set) var weakBinds: Range<Int>
  package private(set) var lazyBinds: Range<Int>
  package private(set) var exports: Range<Int>
  package private(set) var functionStarts: Range<Int>
  /// The offset of `main` from the start of the image.
  package private(set) var entryPoint: UInt64?
  /// The preferred load address, from which offsets in the image count.
  package let baseAddress: UInt64

  package init(_ file: MachOFile, _ reader: borrowing ByteReader) throws(FormatError) {
    let nothing = reader.range.lowerBound..<reader.range.lowerBound
    (binds, weakBinds, lazyBinds, exports, functionStarts) = (nothing, nothing, nothing, nothing, nothing)
    baseAddress = try file.segments(reader).first { $0.holdsHeader }?.address ?? 0
    var hasInfo = false
    var commands = try file.loadCommands(reader)
    while let command = try commands.next() {
      var fields = try commands.content(of: command)
      switch command.kind {
      case .dyldInfo, .dyldInfoOnly:
        guard !hasInfo else { continue }
        hasInfo = true
        try fields.skip(8, "rebases")
        binds = try reader.table(&fields, "binds")
        weakBinds = try reader.table(&fields, "weak binds")
        lazyBinds = try reader.table(&fields, "lazy binds")
        let trie = try reader.table(&fields, "export trie")
        if !trie.isEmpty { exports = trie }
      case .dyldExportsTrie:
        let trie = try reader.table(&fields, "export trie")
        if exports.isEmpty { exports = trie }
      case .functionStarts: functionStarts = try reader.table(&fields, "starts of functions")
      case .main: entryPoint = try fields.read("entry point")
      default: continue
      }
    }
  }
}

extension MachOLoaderInfo {
  package func allBinds(is64Bit: Bool) -> [MachOBinds] {
    [
      MachOBinds(range: binds, is64Bit: is64Bit), MachOBinds(range: lazyBinds, isLazy: true, is64Bit: is64Bit),
      MachOBinds(range: weakBinds, is64Bit: is64Bit),
    ]
  }
}

extension ByteReader {
  /// The range that the two words at the cursor of `fields` claim: offset from this window's start, and size (or count).
  package func table(
    _ fields: inout ByteReader, _ name: @autoclosure () -> String, entrySize: UInt64 = 1
  ) throws(FormatError) -> Range<Int> {
    let place = fields.offset
    let start: UInt32 = try fields.read("offset of the \(name())")
    let size: UInt32 = try fields.read("size of the \(name())")
    return try claimed(start: UInt64(start), size: UInt64(size) * entrySize, at: place, name())
  }
}
