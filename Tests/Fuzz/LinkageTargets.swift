import Artifacts
import ObjectFiles

// What files say about others and about themselves, beyond their symbols. Each reader is called by itself: an error in what
// comes first must not hide the rest.

extension FuzzTarget {
  func loader(_ reader: borrowing ByteReader) -> Bool {
    guard case .machO = FileKind(reader), let file = try? MachOFile(reader) else { return true }
    _ = try? MachOLinkage(file, reader)
    _ = try? file.buildVersions(reader)
    if let symbols = try? MachOSymbols(reader) {
      _ = try? MachOLoaderSymbols(symbols, reader, withFunctions: true)
    }
    guard let info = try? MachOLoaderInfo(file, reader) else { return true }
    for range in [info.binds, info.weakBinds, info.lazyBinds, info.exports, info.functionStarts]
    where !within(range, reader) { return false }
    try? MachOExports(info).forEach(reader) { (_) throws(FormatError) in }
    var isSound = true
    for binds in info.allBinds(is64Bit: file.is64Bit) {
      try? binds.forEach(reader) { (bind: MachOBind) throws(FormatError) in
        if !within(bind.name, reader) { isSound = false }
      }
    }
    return isSound
  }

  /// The input as each table of the loader's at once, in an image that has nothing else: whole images are mostly padding.
  func tables(_ reader: borrowing ByteReader) -> Bool {
    let header: [UInt32] = [0xFEED_FACF, 0x0100_000C, 0, 6, 2, 64, 0, 0]
    let table = [96, UInt32(reader.count)]
    let commands: [UInt32] = [0x8000_0022, 48, 0, 0] + table + table + table + table + [0x26, 16] + table
    var image: [UInt8] = []
    for word in header + commands {
      for byte: UInt32 in 0..<4 { image.append(UInt8(truncatingIfNeeded: word >> (8 * byte))) }
    }
    reader.append(reader.range, to: &image)
    return loader(ByteReader(image.span))
  }

  func objc(_ reader: borrowing ByteReader) -> Bool {
    // What is read with the rest is what is read without it.
    let names = try? ObjCMetadata(reader)
    guard let data = try? ObjCMetadata(reader, .all) else { return true }
    guard let names, names.classes.map(\.methods) == data.classes.map(\.methods),
      names.categories.map(\.methods) == data.categories.map(\.methods), names.classReferences.isEmpty
    else { return false }
    for item in data.classes {
      guard within([item.name] + item.protocols, reader), within(item.methods, item.properties, reader),
        item.ivars.allSatisfy({ within([$0.name, $0.type], reader) && reader.range.contains($0.place) })
      else { return false }
      if let superclass = item.superclass, !within(superclass.range, reader) { return false }
    }
    for item in data.categories {
      guard within([item.name, item.className.range] + item.protocols, reader),
        within(item.methods, item.properties, reader)
      else { return false }
    }
    for item in data.protocols {
      guard within([item.name] + item.protocols, reader), within(item.methods, item.properties, reader) else {
        return false
      }
    }
    return data.selectors.allSatisfy { within($0.name, reader) && reader.range.contains($0.place) }
      && data.classReferences.allSatisfy { within($0.className.range, reader) && reader.range.contains($0.place) }
  }

  private func within(
    _ methods: [ObjCMethod], _ properties: [ObjCProperty], _ reader: borrowing ByteReader
  ) -> Bool {
    methods.allSatisfy { within($0.selector, reader) && reader.range.contains($0.place) }
      && properties.allSatisfy { within([$0.name, $0.attributes], reader) && reader.range.contains($0.place) }
  }

  private func within(_ names: [Range<Int>], _ reader: borrowing ByteReader) -> Bool {
    names.allSatisfy { within($0, reader) }
  }

  /// What rules read of a whole file.
  func code(_ reader: borrowing ByteReader) -> Bool {
    CodeNames(reader).slices.allSatisfy { slice in
      var names = slice.defined + slice.undefined + slice.libraries + slice.categoryOnly
      names += slice.classes.map(\.name) + slice.categories.map(\.name)
      if let swift = slice.swift { names.append(swift) }
      return names.allSatisfy { name in name.member.map { slice.members.indices.contains($0) } ?? true }
    }
  }

  func javaClass(_ reader: borrowing ByteReader) -> Bool {
    guard let file = try? ClassFile(reader) else { return true }
    var names = [file.name] + file.interfaces + file.references
    if let superclass = file.superclass { names.append(superclass) }
    for member in file.fields + file.methods {
      names += [member.name, member.descriptor]
      names += (try? file.annotations(of: member, reader)) ?? []
    }
    names += (try? file.annotations(reader)) ?? []
    for member in (try? file.memberReferences(reader)) ?? [] {
      names += [member.className, member.name, member.descriptor]
    }
    guard names.allSatisfy({ within($0, reader) }) else { return false }
    // Many names may be one long text: what is made of it is looked at once.
    return Set(names).allSatisfy { reader.javaText($0).utf16.count <= $0.count }
  }

  func linkage(_ reader: borrowing ByteReader) -> Bool {
    guard case .elf = FileKind(reader) else { return true }
    _ = try? ELFFile(reader)
    _ = try? BuildID.of(reader)
    var isSound = true
    try? ELFSymbols(reader).forEach(reader, SymbolSelection()) { (symbol: Symbol) throws(FormatError) in
      if let name = symbol.name, !within(name, reader) { isSound = false }
    }
    return isSound
  }
}
