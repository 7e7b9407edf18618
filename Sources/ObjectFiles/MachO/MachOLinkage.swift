// The libraries that a Mach-O file loads, and its own name (`<mach-o/loader.h>`), a load command each:
//
//   dylib_command           cmd, cmdsize, offset of the name, timestamp, current version, compatibility version    24 bytes
//   dylib_use_command       the same with 1A741800 for the timestamp, then flags: 1 weak, 2 re-exported, 4 upward,
//                           8 loaded late (LC_LOAD_DYLIB, LC_LOAD_WEAK_DYLIB; since macOS 15)                      28 bytes
//   rpath_command           cmd, cmdsize, offset of the path                                                       12 bytes
//   linker_option_command   cmd, cmdsize, count, then so many words, each up to a NUL                              12 bytes
//   uuid_command            cmd, cmdsize, uuid 16                                                                  24 bytes
//
// Offsets count from the command's start. Exports and binds number libraries from 1, over all commands that load one.

/// A dynamic library that a file loads, or that the file is.
package struct MachOLibrary: Hashable, Sendable {
  /// Its install name, as bytes.
  package var name: [UInt8]
  /// The file that loads it exports the library's symbols as its own.
  package var isReexported: Bool
  /// The file is loaded without it if it is missing.
  package var isWeak = false
}

/// The references of a Mach-O file to other files, and its own names. A plain value: it keeps no bytes of the file.
package struct MachOLinkage: Hashable, Sendable {
  /// The libraries that it loads, in the order of their numbers.
  package private(set) var libraries: [MachOLibrary] = []
  /// The name of the file itself, if it is a dynamic library.
  package private(set) var identity: MachOLibrary?
  /// The values of `@rpath`, in order.
  package private(set) var searchPaths: [[UInt8]] = []
  /// The words of each command by which an object file asks its linker for a library: `-framework`, `Foundation`.
  package private(set) var linkerOptions: [[[UInt8]]] = []
  /// 16 bytes.
  package private(set) var uuid: [UInt8]?

  package init(_ file: MachOFile, _ reader: borrowing ByteReader) throws(FormatError) {
    var commands = try file.loadCommands(reader)
    while let command = try commands.next() {
      var fields = try commands.content(of: command)
      switch command.kind {
      case .loadDylib, .loadWeakDylib, .reexportDylib, .lazyLoadDylib, .loadUpwardDylib:
        libraries.append(try MachOLibrary(&fields, command))
      case .identityDylib: identity = try MachOLibrary(&fields, command)
      case .searchPath: searchPaths.append(try fields.text(of: command, "path"))
      case .linkerOption:
        let count: UInt32 = try fields.read("number of words of load command \(command.index)")
        var words: [[UInt8]] = []
        for _ in 0..<count {
          let range = try fields.terminated("word of load command \(command.index)")
          words.append(try fields.copy(range, "word of load command \(command.index)"))
        }
        linkerOptions.append(words)
      case .uuid:
        let place = fields.offset
        try fields.skip(16, "UUID")
        uuid = try fields.copy(place..<fields.offset, "UUID")
      default: continue
      }
    }
  }
}

extension MachOLibrary {
  fileprivate init(_ fields: inout ByteReader, _ command: LoadCommand) throws(FormatError) {
    name = try fields.text(of: command, "name of the library")
    let stamp: UInt32 = try fields.read("timestamp of load command \(command.index)")
    try fields.skip(8, "versions of load command \(command.index)")
    isReexported = command.kind == .reexportDylib
    isWeak = command.kind == .loadWeakDylib
    if stamp == 0x1A74_1800, command.kind == .loadDylib || command.kind == .loadWeakDylib, fields.remaining >= 4 {
      isReexported = try fields.read("flags of load command \(command.index)", as: UInt32.self) & 2 != 0
    }
  }
}

extension ByteReader {
  /// The text whose offset in the command is at the cursor. The NUL is missing if the text fills the command.
  @_lifetime(self: copy self)
  fileprivate mutating func text(of command: LoadCommand, _ name: String) throws(FormatError) -> [UInt8] {
    let place = offset
    let field = "\(name) in load command \(command.index)"
    let start: UInt32 = try read(field)
    guard start >= 12, Int(start) < command.range.count,
      let text = terminatedRange(at: command.range.lowerBound + Int(start), in: command.range)
    else { throw .outOfBounds(field, at: place) }
    return try copy(text, field)
  }
}
