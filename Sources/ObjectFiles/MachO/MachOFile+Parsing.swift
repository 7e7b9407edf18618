extension MachOFile {
  /// Reads the header at the start of `reader`'s window; the window is the file.
  ///
  /// Throws if the magic number is not Mach-O's, if the header is cut off, or if the load commands would lie outside.
  package init(_ reader: borrowing ByteReader) throws(FormatError) {
    let start = reader.range.lowerBound
    var header = try reader.slice(reader.range, "Mach-O header", .little)
    let magic: UInt32 = try header.integer(at: start, "magic number")
    switch magic {
    case 0xFEED_FACE: (endianness, is64Bit) = (.little, false)
    case 0xFEED_FACF: (endianness, is64Bit) = (.little, true)
    case 0xCEFA_EDFE: (endianness, is64Bit) = (.big, false)
    case 0xCFFA_EDFE: (endianness, is64Bit) = (.big, true)
    default: throw .invalid("magic number", at: start, "this is not a Mach-O file")
    }
    header.endianness = endianness
    try header.skip(4, "magic number")
    let cpu: UInt32 = try header.read("cputype")
    rawSubtype = try header.read("cpusubtype")
    architecture = Architecture(cpu: CPUType(rawValue: cpu), subtype: rawSubtype)
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
    LoadCommands(try reader.slice(commandRange, "load commands", endianness), count: Int(commandCount))
  }

  /// Whether a linker may take the dynamic library for a static one (`-make_mergeable`).
  package func hasAtomInfo(_ reader: borrowing ByteReader) throws(FormatError) -> Bool {
    try content(of: .atomInfo, reader) != nil
  }

  /// The content of the first load command of a kind, without `cmd` and `cmdsize`; nil if there is none.
  @_lifetime(copy reader)
  package func content(of kind: LoadCommandKind, _ reader: borrowing ByteReader) throws(FormatError) -> ByteReader? {
    var commands = try loadCommands(reader)
    while let command = try commands.next() {
      if command.kind == kind { return try commands.content(of: command) }
    }
    return nil
  }

  /// The platforms it was compiled for: none (no version command), one, or two (macOS and Mac Catalyst in one file).
  ///
  /// They are in `LC_BUILD_VERSION`, or in the older `LC_VERSION_MIN_…`, where x86 code for a device is for its
  /// simulator.
  package func buildVersions(_ reader: borrowing ByteReader) throws(FormatError) -> [BuildVersion] {
    var commands = try loadCommands(reader)
    var result: [BuildVersion] = []
    let isSimulator = architecture.cpu == .i386 || architecture.cpu == .x86_64
    while let command = try commands.next() {
      var fields = try commands.content(of: command)
      let platform: Platform
      switch command.kind {
      case .versionMinMacOS: platform = .macOS
      case .versionMinIOS: platform = isSimulator ? .iOSSimulator : .iOS
      case .versionMinTVOS: platform = isSimulator ? .tvOSSimulator : .tvOS
      case .versionMinWatchOS: platform = isSimulator ? .watchOSSimulator : .watchOS
      case .buildVersion: platform = Platform(rawValue: try fields.read("platform of load command \(command.index)"))
      default: continue
      }
      var build = BuildVersion(
        platform: platform,
        minimumOS: OSVersion(packed: try fields.read("minimum version of load command \(command.index)")),
        sdk: OSVersion(packed: try fields.read("SDK version of load command \(command.index)")))
      if command.kind == .buildVersion { build.tools = try tools(&fields, command.index) }
      result.append(build)
    }
    try BuildVersion.refuseTooMany(result, at: commandRange.lowerBound)
    return result
  }

  /// Tools that the command claims and has no room for are left out: no linker reads them.
  private func tools(_ fields: inout ByteReader, _ index: Int) throws(FormatError) -> [BuildVersion.Tool] {
    let claimed: UInt32 = try fields.read("number of tools of load command \(index)")
    var tools: [BuildVersion.Tool] = []
    for _ in 0..<min(Int(claimed), fields.remaining / 8) {
      let number: UInt32 = try fields.read("tool of load command \(index)")
      let version = OSVersion(packed: try fields.read("version of a tool of load command \(index)"))
      tools.append(BuildVersion.Tool(number: number, version: version))
    }
    return tools
  }
}

extension BuildVersion {
  /// Apple has a dozen platforms. The limit keeps comparisons of each with each cheap.
  static func refuseTooMany(_ builds: [BuildVersion], at place: Int) throws(FormatError) {
    guard builds.count > 16 else { return }
    throw .invalid("versions of the load commands", at: place, "\(builds.count) platforms are more than there are")
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
    guard size >= 8 else { throw .invalid("load command \(number)", at: start + 4, "size \(size) is too small") }
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
