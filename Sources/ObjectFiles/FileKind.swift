/// The kind of a file, by its content and never by its name.
package enum FileKind: Hashable, Sendable {
  case machO(MachOFileType)
  case fat
  /// With a 64-bit table.
  case fat64
  /// A static archive (`ar`).
  case archive
  /// A static archive whose members are files of their own.
  case thinArchive
  case elf
  /// LLVM bitcode, raw or in its wrapper.
  case bitcode
  /// WebAssembly belongs to no plugin, and is not read.
  case webAssembly
  /// An object file for Windows, or a name of a DLL in an import library. It belongs to no plugin, and is not read.
  case coff
  case javaClass
  case zip
  case xmlPropertyList
  case binaryPropertyList
  /// Begins with `#!`.
  case script
  case other

  /// This many bytes from a file's start are enough to tell its kind.
  package static let prefixLength = 1024

  /// Whether it is machine code, or a container of it, that a linker or loader takes.
  package var isNativeCode: Bool {
    switch self {
    case .machO, .fat, .fat64, .archive, .thinArchive, .elf, .bitcode: true
    default: false
    }
  }

  /// The name of machine code that is not read, for reports; nil for all other kinds.
  package var foreignCode: String? {
    switch self {
    case .coff: "code for Windows (COFF)"
    case .webAssembly: "WebAssembly"
    default: nil
    }
  }

  /// For the user, with no article.
  package var description: String {
    switch self {
    case .machO(let type): type.description
    case .fat, .fat64: "universal file"
    case .archive: "static library"
    case .thinArchive: "thin static library"
    case .elf: "ELF file"
    case .bitcode: "bitcode file"
    case .webAssembly: "WebAssembly file"
    case .coff: "COFF object file"
    case .javaClass: "Java class"
    case .zip: "zip"
    case .xmlPropertyList, .binaryPropertyList: "property list"
    case .script: "script"
    case .other: "data"
    }
  }
}

extension FileKind: CustomStringConvertible {
  /// Reads a file's bytes, or its first `prefixLength`. It never fails: the parser of each kind reports damage.
  package init(_ reader: borrowing ByteReader) {
    let start = reader.range.lowerBound
    guard let magic = try? reader.integerBig(at: start) else {
      self = reader.starts(with: "#!") ? .script : .other
      return
    }
    switch magic {
    case 0xFEED_FACE, 0xFEED_FACF: self = Self.machO(reader, .big)
    case 0xCEFA_EDFE, 0xCFFA_EDFE: self = Self.machO(reader, .little)
    case 0xCAFE_BABE: self = Self.fatOrJavaClass(reader)
    case 0xCAFE_BABF, 0xBFBA_FECA: self = reader.count >= 8 ? .fat64 : .other
    case 0xBEBA_FECA: self = reader.count >= 8 ? .fat : .other
    case 0x7F45_4C46: self = .elf
    case 0x4243_C0DE, 0xDEC0_170B: self = .bitcode
    case 0x0061_736D: self = .webAssembly
    case 0x504B_0304, 0x504B_0506, 0x504B_0708: self = .zip
    default: self = Self.others(reader)
    }
  }

  private static func machO(_ reader: borrowing ByteReader, _ order: Endianness) -> FileKind {
    guard let big = try? reader.integerBig(at: reader.range.lowerBound + 12) else { return .other }
    return .machO(MachOFileType(rawValue: order == .big ? big : big.byteSwapped))
  }

  /// `CAFEBABE` is followed by the number of slices in a fat file, by the minor and the major version in a class file.
  /// The major version is 45 (JDK 1.0) or more, and there are not as many architectures.
  private static func fatOrJavaClass(_ reader: borrowing ByteReader) -> FileKind {
    guard let word = try? reader.integerBig(at: reader.range.lowerBound + 4) else { return .other }
    if word < 45 { return .fat }
    return word & 0xFFFF >= 45 ? .javaClass : .other
  }

  private static func others(_ reader: borrowing ByteReader) -> FileKind {
    if reader.starts(with: "!<arch>\n") { return .archive }
    if reader.starts(with: "!<thin>\n") { return .thinArchive }
    if reader.starts(with: "bplist0") { return .binaryPropertyList }
    if reader.starts(with: "#!") { return .script }
    if COFFHeader.begins(reader) { return .coff }
    let window = reader.range.lowerBound..<min(reader.range.upperBound, reader.range.lowerBound + prefixLength)
    guard let bytes = try? reader.copy(window, "text") else { return .other }
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
    guard let first = text.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }), first == UInt8(ascii: "<") else {
      return .other
    }
    let plist = Array("<plist".utf8)
    let isPropertyList = text.indices.contains { text[$0...].starts(with: plist) }
    return isPropertyList ? .xmlPropertyList : .other
  }
}

extension ByteReader {
  /// Four bytes as a big-endian integer, whatever the reader's byte order.
  fileprivate func integerBig(at position: Int) throws(FormatError) -> UInt32 {
    let value: UInt32 = try integer(at: position, "magic number")
    return endianness == .big ? value : value.byteSwapped
  }
}

extension FileKind {
  /// A name with its article for a file that cannot be used. It tells more kinds apart than `FileKind` has.
  package static func nature(_ reader: borrowing ByteReader) -> String {
    if reader.count == 0 { return "an empty file" }
    let start = reader.range.lowerBound
    guard let head = try? reader.copy(start..<(start + min(reader.count, prefixLength)), "beginning") else {
      return "data"
    }
    if let name = packed.first(where: { head.dropFirst($0.offset).starts(with: $0.bytes) })?.name { return name }
    let kind = FileKind(reader)
    if kind == .other, isWindowsImage(reader) { return "a program or library for Windows" }
    return kind != .other ? kind.named : isText(head) ? "text" : "data"
  }

  /// Whether `nature` is that of an archive or of compressed data.
  package static func isPacked(_ nature: String) -> Bool { packed.contains { $0.name == nature } }

  /// Whether it is a PE image (EXE, DLL): a program for DOS, whose offset 60 says where the real one begins.
  package static func isWindowsImage(_ reader: borrowing ByteReader) -> Bool {
    let start = reader.range.lowerBound
    guard reader.starts(with: "MZ"),
      let head = try? reader.copy(start..<(start + min(reader.count, prefixLength)), "beginning"),
      head.count >= 64
    else { return false }
    let place = Int(head[60]) | Int(head[61]) << 8
    return head[62] | head[63] == 0 && head.dropFirst(place).starts(with: [0x50, 0x45, 0, 0])
  }

  private static let packed: [(offset: Int, bytes: [UInt8], name: String)] = [
    (257, Array("ustar".utf8), "a tar archive"), (0, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7z archive"),
    (0, Array("Rar!\u{1A}\u{7}".utf8), "a rar archive"), (0, Array("07070".utf8), "a cpio archive"),
    (0, [0xC7, 0x71], "a cpio archive"), (0, Array("xar!".utf8), "a xar archive"), (0, [0x1F, 0x8B], "gzip data"),
    (0, Array("BZh".utf8), "bzip2 data"), (0, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "xz data"),
    (0, [0x28, 0xB5, 0x2F, 0xFD], "zstd data"),
  ]

  /// UTF-8 without control characters; the last character may be cut off.
  private static func isText(_ head: [UInt8]) -> Bool {
    let isPlain = head.allSatisfy { $0 >= 0x20 || [0x09, 0x0A, 0x0C, 0x0D, 0x1B].contains($0) }
    return isPlain
      && (0..<4).contains { head.count > $0 && String(validating: head.dropLast($0), as: UTF8.self) != nil }
  }
}

extension FileKind {
  /// The kind with its article.
  package var named: String {
    switch self {
    case .other: "data of no known kind"
    case .elf, .machO(.object), .machO(.executable): "an \(description)"
    case .machO(.debugSymbols): description
    default: "a \(description)"
    }
  }
}
