package import ObjectFiles

/// The selectors, literals and libraries that the code for Apple's systems in one file uses, slice by slice.
package struct CodeUses: Facts {
  package var slices: [Slice] = []

  /// The objects of one architecture.
  package struct Slice: Sendable {
    package var architecture: Architecture?
    /// Nil if no object names one.
    package var platform: Platform?
    package var isDynamicLibrary = false
    /// Linked for app extensions (`-application_extension`); a linker writes it into dynamic libraries.
    package var isExtensionSafe = false
    /// Each once, with the member that has it first.
    package var selectors: [String: String?] = [:]
    /// Literals that begin with a URL's scheme or with `group.`.
    package var literals: Set<String> = []
    /// Install names of the dynamic libraries that it loads.
    package var loads: [String] = []
    package var searchPaths: [String] = []
  }

  package static func interest(inHead head: borrowing ByteReader) -> Interest {
    switch FileKind(head) {
    case .machO, .archive, .fat, .fat64: .content
    default: .none
    }
  }

  package static func read(_ header: EntryHeader, of kind: ArtifactKind, _ bytes: EntryBytes) -> CodeUses? {
    bytes.withReader { CodeUses($0) }
  }

  /// Unreadable parts are left out; `CodeFacts` reports them.
  package init(_ reader: borrowing ByteReader) {
    for unit in ObjectUnits(reader).units where unit.kind != .elf && unit.kind != .bitcode {
      guard let object = try? reader.slice(unit.range, "object file"), let file = try? MachOFile(object) else {
        continue
      }
      let architecture = unit.slice ?? file.architecture
      let index = slices.firstIndex { $0.architecture == architecture } ?? slices.count
      if index == slices.count { slices.append(Slice(architecture: architecture)) }
      slices[index].add(file, object, member: unit.member.map { reader.text($0) })
    }
  }
}

extension CodeUses.Slice {
  /// In bytes; longer literals are prose.
  private static let maxLiteralLength = 1024

  fileprivate mutating func add(_ file: MachOFile, _ object: borrowing ByteReader, member: String?) {
    if platform == nil { platform = (try? file.buildVersions(object))?.first?.platform }
    isDynamicLibrary = isDynamicLibrary || file.fileType == .dylib
    isExtensionSafe = file.flags.contains(.extensionSafe)
    if let linkage = try? MachOLinkage(file, object) {
      loads += linkage.libraries.map { String(decoding: $0.name, as: UTF8.self) }
      searchPaths += linkage.searchPaths.map { String(decoding: $0, as: UTF8.self) }
    }
    if let data = try? ObjCMetadata(object, .selectors) {
      for selector in data.selectors {
        let name = object.text(selector.name)
        if selectors[name] == nil { selectors[name] = .some(member) }
      }
    }
    for section in (try? file.sections(object)) ?? [] where section.name.hasPrefix("__cstring") && !section.isZeroFill {
      guard
        let range = try? object.claimed(
          start: UInt64(section.offset), size: section.size, at: file.range.lowerBound, "section \(section.name)")
      else { continue }
      addLiterals(object, range)
    }
  }

  private mutating func addLiterals(_ object: borrowing ByteReader, _ range: Range<Int>) {
    var start = range.lowerBound
    while start < range.upperBound {
      let text = object.terminatedRange(at: start, in: range) ?? start..<range.upperBound
      if !text.isEmpty, text.count <= Self.maxLiteralLength {
        let isGroup = object.starts(with: "group.", at: text.lowerBound)
        if isGroup || holdsScheme(object, text) { literals.insert(object.text(text)) }
      }
      start = text.upperBound + 1
    }
  }

  private func holdsScheme(_ object: borrowing ByteReader, _ text: Range<Int>) -> Bool {
    var place = text.lowerBound
    while place < text.upperBound, let byte = try? object.integer(at: place, "literal", as: UInt8.self) {
      if byte == UInt8(ascii: ":") { return place > text.lowerBound && object.starts(with: "://", at: place) }
      let isOfScheme = URLScheme.holds(byte)
      guard isOfScheme else { return false }
      place += 1
    }
    return false
  }
}

/// RFC 3986, section 3.1.
package enum URLScheme {
  /// A letter, then letters, digits and `+-.`.
  static func isOne(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first, (0x61...0x7A).contains(first | 0x20) else { return false }
    return bytes.allSatisfy(holds)
  }

  static func holds(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
    default: false
    }
  }

  /// `miso` of `miso://shows/view`; nil if there is none.
  package static func of(_ text: String) -> String? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), text[colon...].hasPrefix("://") else { return nil }
    return isOne(Array(text[..<colon].utf8)[...]) ? String(text[..<colon]) : nil
  }
}
