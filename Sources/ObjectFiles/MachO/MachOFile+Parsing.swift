extension MachOFile {
  /// Reads the header at the start of `reader`'s window; the window is the file.
  ///
  /// Throws if the magic number is not Mach-O's, if the header is cut off, or if the load commands would lie outside.
  package init(_ reader: borrowing ByteReader) throws(FormatError) {
    let start = reader.range.lowerBound
    var header = try reader.slice(reader.range, "Mach-O header")
    header.endianness = .little
    let magic: UInt32 = try header.integer(at: start, "magic number")
    switch magic {
    case 0xFEED_FACE: (endianness, is64Bit) = (.little, false)
    case 0xFEED_FACF: (endianness, is64Bit) = (.little, true)
    case 0xCEFA_EDFE: (endianness, is64Bit) = (.big, false)
    case 0xCFFA_EDFE: (endianness, is64Bit) = (.big, true)
    default: throw FormatError(offset: start, field: "magic number", reason: .invalid("this is not a Mach-O file"))
    }
    header.endianness = endianness
    try header.skip(4, "magic number")
    let cpu: UInt32 = try header.read("cputype")
    rawSubtype = try header.read("cpusubtype")
    architecture = Architecture(rawCPU: cpu, rawSubtype: rawSubtype)
    fileType = MachOFileType(rawValue: try header.read("filetype"))
    commandCount = try header.read("number of load commands")
    let sizeField = header.offset
    let size: UInt32 = try header.read("size of the load commands")
    flags = MachOFlags(rawValue: try header.read("flags"))
    if is64Bit { try header.skip(4, "reserved word of the header") }
    range = reader.range
    commandRange = try reader.claimed(
      start: UInt64(header.offset - start), size: UInt64(size), at: sizeField, "size of the load commands")
  }

  /// The load commands in file order. `reader` must be a reader of the same file as the one given to `init`.
  @_lifetime(copy reader)
  package func loadCommands(_ reader: borrowing ByteReader) throws(FormatError) -> LoadCommands {
    var commands = try reader.slice(commandRange, "load commands")
    commands.endianness = endianness
    return LoadCommands(commands, count: Int(commandCount))
  }

  /// For what the file was compiled: none (an object without a version command), one, or two (macOS and Mac Catalyst in
  /// one file).
  ///
  /// `LC_BUILD_VERSION`, or the older `LC_VERSION_MIN_…`, which have no word for a simulator: code for x86 and a
  /// device's system is for its simulator, as every linker takes it.
  package func buildVersions(_ reader: borrowing ByteReader) throws(FormatError) -> [BuildVersion] {
    var commands = try loadCommands(reader)
    var result: [BuildVersion] = []
    while let command = try commands.next() {
      let platform: Platform
      let isSimulator = architecture.cpu == .i386 || architecture.cpu == .x86_64
      switch command.kind {
      case .versionMinMacOS: platform = .macOS
      case .versionMinIOS: platform = isSimulator ? .iOSSimulator : .iOS
      case .versionMinTVOS: platform = isSimulator ? .tvOSSimulator : .tvOS
      case .versionMinWatchOS: platform = isSimulator ? .watchOSSimulator : .watchOS
      case .buildVersion:
        var fields = try commands.content(of: command)
        platform = Platform(rawValue: try fields.read("platform of load command \(command.index)"))
        result.append(try BuildVersion(platform, &fields, command))
        continue
      default: continue
      }
      var fields = try commands.content(of: command)
      result.append(try BuildVersion(platform, &fields, command))
    }
    try BuildVersion.refuseTooMany(result, at: commandRange.lowerBound)
    return result
  }
}

extension BuildVersion {
  /// Apple has a dozen platforms; who compares each with each relies on it.
  static func refuseTooMany(_ builds: [BuildVersion], at place: Int) throws(FormatError) {
    guard builds.count > 16 else { return }
    throw FormatError(
      offset: place, field: "versions of the load commands",
      reason: .invalid("\(builds.count) platforms are more than there are"))
  }

  /// The two version words that both forms of the command end with.
  fileprivate init(
    _ platform: Platform, _ fields: inout ByteReader, _ command: LoadCommand
  ) throws(FormatError) {
    self.platform = platform
    minimumOS = OSVersion(packed: try fields.read("minimum version of load command \(command.index)"))
    sdk = OSVersion(packed: try fields.read("SDK version of load command \(command.index)"))
  }
}

/// Walks over load commands and always ends: after the last one, and after an error.
package struct LoadCommands: ~Escapable {
  private var reader: ByteReader
  private let count: Int
  private var index = 0

  @_lifetime(copy reader)
  init(_ reader: consuming ByteReader, count: Int) {
    self.reader = reader
    self.count = count
  }

  /// The next command; nil behind the last one. Once it has thrown it only returns nil.
  @_lifetime(self: copy self)
  package mutating func next() throws(FormatError) -> LoadCommand? {
    guard index < count else { return nil }
    let number = index
    let start = reader.offset
    index = count  // for the case that one of the next lines throws
    let kind: UInt32 = try reader.read("load command \(number)")
    let size: UInt32 = try reader.read("size of load command \(number)")
    guard size >= 8 else {
      throw FormatError(
        offset: start + 4, field: "load command \(number)", reason: .invalid("size \(size) is too small"))
    }
    try reader.skip(Int(size) - 8, "load command \(number)")
    index = number + 1
    return LoadCommand(index: number, kind: LoadCommandKind(rawValue: kind), range: start..<reader.offset)
  }

  /// A reader of a command's bytes, its cursor behind `cmd` and `cmdsize`.
  @_lifetime(copy self)
  package func content(of command: LoadCommand) throws(FormatError) -> ByteReader {
    var content = try reader.slice(command.range, "load command \(command.index)")
    try content.skip(8, "load command \(command.index)")
    return content
  }
}
