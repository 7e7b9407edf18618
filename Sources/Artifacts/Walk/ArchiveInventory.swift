import Archives
package import Findings
import ObjectFiles
import Store
package import SystemPackage

extension Inventory {
  /// Up to here a member is looked at in memory, above in a mapped temporary file.
  private static let largestInMemory = 64 << 20

  /// The inventory of an archive. What only the raw directory of a zip shows (duplicates, overlaps, names that lead out)
  /// is in `irregularities`; an entry that cannot be read is in `mistakes`, and hides no other.
  ///
  /// - Parameter temporary: a folder for what is too large for memory.
  package static func archive(
    _ path: FilePath, place: Place, role: Role, temporary: FilePath
  ) throws -> Inventory {
    var inventory = Inventory(place: place, role: role)
    var attributes: [(path: [UInt8], names: [String])] = []
    let size = (try? PositionalFile(path))?.size ?? 0
    var allowances = (content: Allowance.content(size: size), documents: Allowance.documents(size: size))
    // What is what it is by its name is read once: a second entry of that name is an irregularity.
    var parts: Set<[UInt8]> = []
    var reader = try EntryReader(path: path)
    while let header = try reader.next() {
      var item = Item(path: header.path, kind: header.itemKind, size: header.size ?? 0)
      item.metadata = AppleMetadata.classify(path: item.path)
      item.attributes = header.attributes.map { ExtendedAttributes.shown(String(decoding: $0, as: UTF8.self)) }
      if item.kind == .file {
        let part = AARPart(item.path, in: role).flatMap { parts.insert(item.path).inserted ? $0 : nil }
        do {
          if item.metadata == nil {
            item.content = try content(&reader, part, &allowances, temporary)
          } else {
            attributes.append((item.path, AppleDoubleAttributes(try head(&reader, &allowances)).names))
          }
        } catch {
          inventory.mistakes.append(try Mistake(ofEntry: inventory.site(item), in: place, error))
          item.content = .damaged("\(error)")
        }
      }
      inventory.items.append(item)
    }
    inventory.give(attributes)
    inventory.irregularities = try irregularities(of: path)
    return inventory
  }

  private typealias Allowances = (content: Allowance, documents: Allowance)

  private static func content(
    _ reader: inout EntryReader, _ part: AARPart?, _ allowances: inout Allowances, _ temporary: FilePath
  ) throws -> Item.Content {
    var bytes: [UInt8] = []
    var spool: Spool?
    // What is of no kind that is known by its first bytes, or by its name, is not kept.
    var isWanted = part.map { _ in true }
    var isDocument = part != nil
    try reader.forEachChunk { chunk in
      let part = ByteReader(chunk)
      if isWanted == nil {
        isWanted = Item.Content.isWorthReading(part)
        isDocument = Item.Content.isDocument(part)
      }
      try allowances.content.spend(part.count)
      guard isWanted == true else { return }
      if isDocument { try allowances.documents.spend(part.count) }
      if spool == nil, bytes.count + part.count <= largestInMemory {
        bytes += try part.copy(part.range, "content")
        return
      }
      if spool == nil {
        let file = try Spool(in: OpenFolder(temporary))
        try file.append(bytes)
        bytes = []
        spool = file
      }
      try spool?.append(chunk)
    }
    if let part {
      if let spool { return part == .jar ? .jar(JarFacts(try spool.zip())) : .damaged("it is far too large") }
      return part.content(bytes)
    }
    if let spool { return try spool.content() }
    return bytes.isEmpty ? .other : Item.Content(ByteReader(bytes.span))
  }

  /// Enough of an AppleDouble file to name its attributes.
  private static func head(_ reader: inout EntryReader, _ allowances: inout Allowances) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try reader.forEachChunk { chunk in
      let part = ByteReader(chunk)
      try allowances.content.spend(part.count)
      guard bytes.count < 64 << 10 else { return }
      try allowances.documents.spend(part.count)
      bytes += try part.copy(part.range, "AppleDouble file")
    }
    return bytes
  }

  /// Attributes belong to the file beside the AppleDouble file, or to its namesake outside of `__MACOSX`.
  private mutating func give(_ attributes: [(path: [UInt8], names: [String])]) {
    if attributes.isEmpty { return }
    let places = Dictionary(items.indices.map { (items[$0].path, $0) }, uniquingKeysWith: { first, _ in first })
    for (path, names) in attributes where !names.isEmpty {
      var parts = path.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual("__MACOSX".utf8) }
      if let last = parts.popLast() { parts.append(last.dropFirst(2)) }
      let owner = Array(parts.joined(separator: [UInt8(ascii: "/")]))
      if let index = places[owner] { items[index].attributes += names }
    }
  }

  private static func irregularities(of path: FilePath) throws -> [String] {
    try ZipDirectory(ZipSource(try PositionalFile(path))).irregularities().filter(\.isHarmful).map(\.description)
  }
}

extension ArchiveHeader {
  /// The name without the slash of a folder.
  fileprivate var path: [UInt8] { name.last == UInt8(ascii: "/") ? name.dropLast() : name }

  fileprivate var itemKind: Item.Kind {
    switch kind {
    case .directory: .folder
    case .symbolicLink, .hardLink: .link
    case .file, .other: .file
    }
  }
}

extension ZipIrregularity {
  /// What ordinary tools leave in every zip they write (times, owners, sizes behind the content) does no harm.
  fileprivate var isHarmful: Bool {
    switch self {
    case .dataDescriptor, .extraFields, .comment: false
    default: true
    }
  }
}
