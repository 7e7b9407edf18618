package import ObjectFiles

extension CodeNames: Facts {
  package static func interest(inHead head: borrowing ByteReader) -> Interest {
    switch FileKind(head) {
    case .machO, .archive, .fat, .fat64, .bitcode: .content
    default: .none
    }
  }

  /// Unreadable objects have no names here; `CodeFacts` reports them.
  package static func read(_ header: EntryHeader, of kind: ArtifactKind, _ bytes: EntryBytes) -> CodeNames? {
    bytes.withReader { CodeNames($0) }
  }

  package init(_ reader: borrowing ByteReader) {
    let units = ObjectUnits(reader)
    var found: [FoundNames] = []
    for unit in units.units where unit.kind != .elf {
      guard let object = try? reader.slice(unit.range, "object file") else { continue }
      let file = unit.kind == .bitcode ? nil : try? MachOFile(object)
      let architecture = unit.slice ?? file?.architecture
      let index = found.firstIndex { $0.slice.architecture == architecture } ?? found.count
      if index == found.count { found.append(FoundNames(architecture, reader)) }
      found[index].add(unit, file, object, reader)
    }
    slices = found.map { $0.finished() }
  }
}

private struct FoundNames {
  var slice: CodeNames.Slice
  private var budget: NameBudget
  private var seen: Set<UInt64> = []
  /// Hashes of all definitions, those of C++ and Swift included.
  private var definitions: Set<UInt64> = []
  private var undefined: [(hash: UInt64, name: CodeNames.Name)] = []
  private var libraries: Set<String> = []
  /// The member that was added to `slice.members` last, so that each is added once.
  private var lastMember: Range<Int>?

  /// Random in each process, so that no file can be crafted to make two of its names share a hash.
  private static let seed = UInt64.random(in: 1 ... .max)

  init(_ architecture: Architecture?, _ reader: borrowing ByteReader) {
    slice = CodeNames.Slice(architecture: architecture)
    budget = NameBudget(reader)
  }

  func finished() -> CodeNames.Slice {
    var slice = slice
    slice.undefined = undefined.filter { !definitions.contains($0.hash) }.map(\.name)
    return slice
  }

  mutating func add(
    _ unit: ObjectUnit, _ file: MachOFile?, _ object: borrowing ByteReader, _ whole: borrowing ByteReader
  ) {
    // Each part is read on its own: a damaged table does not affect the others.
    var hasEntry = false
    try? addSymbols(unit, object, whole, &hasEntry)
    if let file {
      if slice.platform == nil { slice.platform = (try? file.buildVersions(object))?.first?.platform }
      if file.fileType != .object { slice.isImage = true }
      try? addRequests(unit, file, object, whole)
      try? addSwift(unit, file, object, whole)
    }
    do throws(FormatError) {
      guard file != nil else { throw .unsupported("bitcode", at: object.range.lowerBound, "it has no metadata yet") }
      try addObjC(unit, object, whole, hasEntry)
    } catch {
      try? addClassSymbols(unit, object, whole)
    }
  }

  /// Adds the classes of an object whose metadata cannot be read. Only their names are known.
  private mutating func addClassSymbols(
    _ unit: ObjectUnit, _ object: borrowing ByteReader, _ whole: borrowing ByteReader
  ) throws(FormatError) {
    guard let symbols = try ObjectSymbols(object) else { return }
    var names: [String] = []
    let definitions = SymbolSelection(externalOnly: true, definedOnly: true)
    try symbols.forEach(object, definitions) { (symbol: Symbol) throws(FormatError) in
      guard let range = symbol.name, object.starts(with: "_OBJC_CLASS_$_", at: range.lowerBound) else { return }
      names.append(String(object.text(range).dropFirst("_OBJC_CLASS_$_".count)))
    }
    for name in names {
      var found = CodeNames.Class(CodeNames.Name(name, member: member(unit, whole)), superclass: nil)
      found.isRead = false
      slice.classes.append(found)
    }
  }

  /// `hasEntry` says whether the library's table of contents leads a linker to the object.
  private mutating func addSymbols(
    _ unit: ObjectUnit, _ object: borrowing ByteReader, _ whole: borrowing ByteReader, _ hasEntry: inout Bool
  ) throws(FormatError) {
    guard let symbols = try ObjectSymbols(object) else { return }
    var isDefined = false
    try symbols.forEach(object, SymbolSelection(externalOnly: true)) { (symbol: Symbol) throws(FormatError) in
      guard let range = symbol.name else { return }
      try budget.spend(range)
      let hash = object.hash(of: range, seed: FoundNames.seed)
      if symbol.flags.contains(.undefined) {
        if seen.insert(hash).inserted { undefined.append((hash, name(range, unit, object, whole))) }
        return
      }
      if !isHelper(range, object) { isDefined = true }
      // A weak definition, such as an inline function, may be in every file.
      guard definitions.insert(hash).inserted, !symbol.flags.contains(.weak), isWrittenInC(range, object) else {
        return
      }
      slice.defined.append(name(range, unit, object, whole))
    }
    hasEntry = isDefined
  }

  /// True for `_main`, false for `__Z3fooi`, `_$s4Plug3fooyyF`, `_OBJC_CLASS_$_Foo` and `l007`.
  private func isWrittenInC(_ name: Range<Int>, _ reader: borrowing ByteReader) -> Bool {
    guard reader.starts(with: "_", at: name.lowerBound) else { return false }
    let made: [StaticString] = [
      "__Z", "__T", "_$s", "_$S", "_OBJC_", "_symbolic", "__swift", "___swift", "__OBJC_", "___block", "___copy_",
      "___destroy_", "___clang", "_llvm.", "_associated",
    ]
    return !made.contains { reader.starts(with: $0, at: name.lowerBound) }
  }

  /// Whether compilers put the symbol into each file that needs it: then it is no reason to load a member.
  private func isHelper(_ name: Range<Int>, _ reader: borrowing ByteReader) -> Bool {
    let helpers: [StaticString] = [
      "___copy_helper_block_", "___destroy_helper_block_", "___block_", "___Block_byref_", "__OBJC_PROTOCOL_$_",
      "__OBJC_LABEL_PROTOCOL_$_", "__OBJC_PROTOCOL_REFERENCE_$_", "l_OBJC_", "___clang_call_terminate",
    ]
    return helpers.contains { reader.starts(with: $0, at: name.lowerBound) }
  }

  private mutating func addRequests(
    _ unit: ObjectUnit, _ file: MachOFile, _ object: borrowing ByteReader, _ whole: borrowing ByteReader
  ) throws(FormatError) {
    let linkage = try MachOLinkage(file, object)
    let names = linkage.linkerOptions.map { words in
      words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }
    for text in names where libraries.insert(text).inserted {
      slice.libraries.append(CodeNames.Name(text, member: member(unit, whole)))
    }
  }

  /// Swift's compilers mark their code in the image info of the Objective-C runtime, or with sections of their own.
  private mutating func addSwift(
    _ unit: ObjectUnit, _ file: MachOFile, _ object: borrowing ByteReader, _ whole: borrowing ByteReader
  ) throws(FormatError) {
    guard slice.swift == nil else { return }
    for section in try file.sections(object) where !section.isZeroFill {
      var isSwift = section.name.hasPrefix("__swift")
      if section.name.hasPrefix("__objc_imageinfo"), section.size >= 8 {
        let range = try object.claimed(
          start: UInt64(section.offset), size: 8, at: file.range.lowerBound, "section \(section.name)")
        let bytes = try object.slice(range, "section \(section.name)", file.endianness)
        let flags: UInt32 = try bytes.integer(at: range.lowerBound + 4, "flags of the image info")
        isSwift = flags >> 8 & 0xFF != 0
      }
      guard isSwift else { continue }
      slice.swift = CodeNames.Name(slice.architecture?.name ?? "", member: member(unit, whole))
      return
    }
  }

  private mutating func addObjC(
    _ unit: ObjectUnit, _ object: borrowing ByteReader, _ whole: borrowing ByteReader, _ hasEntry: Bool
  ) throws(FormatError) {
    let data = try ObjCMetadata(object)
    func methods(_ methods: [ObjCMethod]) -> [String] {
      methods.map { ($0.isClassMethod ? "+" : "-") + object.text($0.selector) }
    }
    for item in data.classes {
      var found = CodeNames.Class(
        name(item.name, unit, object, whole), superclass: item.superclass.map { object.text($0.range) },
        methods: methods(item.methods))
      found.isSwift = item.isSwift
      slice.classes.append(found)
    }
    for item in data.categories {
      slice.categories.append(
        CodeNames.Category(
          name(item.name, unit, object, whole), on: object.text(item.className.range), methods: methods(item.methods)))
    }
    if unit.member != nil, !hasEntry, data.classes.isEmpty, let first = data.categories.first {
      let text = "\(object.text(first.name)) on \(object.text(first.className.range))"
      slice.categoryOnly.append(CodeNames.Name(text, member: member(unit, whole)))
    }
  }

  private mutating func name(
    _ range: Range<Int>, _ unit: ObjectUnit, _ object: borrowing ByteReader, _ whole: borrowing ByteReader
  ) -> CodeNames.Name {
    CodeNames.Name(object.text(range), member: member(unit, whole))
  }

  private mutating func member(_ unit: ObjectUnit, _ whole: borrowing ByteReader) -> Int? {
    guard let range = unit.member else { return nil }
    if lastMember != range {
      lastMember = range
      slice.members.append(whole.text(range))
    }
    return slice.members.count - 1
  }
}
