package import Archives
package import Findings
import ObjectFiles
import Store
package import SystemPackage

extension Inventory {
  /// Reads a folder, an archive or a file. Problems that only the raw directory of a zip shows (duplicates, overlaps,
  /// names that lead out) are in `irregularities`; entries that cannot be read are in `mistakes`, and hide no others.
  ///
  /// - Parameters:
  ///   - facts: the facts to read from its entries.
  ///   - temporary: a folder for content that is too large for memory.
  package init(
    of opened: OpenedArtifact, place: Place, role: Role, facts: [any Facts.Type], temporary: FilePath
  ) async throws {
    self.init(place: place, role: role)
    if ["", ".", ".."].contains(rootName) {
      rootName = (try? FileSystem.realPath(opened.path))?.lastComponent?.string ?? ""
    }
    var attributes: [(path: [UInt8], names: [String])] = []
    // A damaged entry is a mistake even if no facts need it.
    var walk = ArtifactWalk(.success(opened), depth: 0, checksAll: true, temporary: temporary)
    let selection = InventorySelection(role: role, facts: facts)
    // Entries are unpacked while others are read; more tasks than processors would only fill the memory.
    await withTaskGroup(of: (Int, ReadFacts).self) { reading in
      var waiting = 0
      func take(_ read: (index: Int, facts: ReadFacts)?) {
        guard let read else { return }
        waiting -= 1
        items[read.index].facts = read.facts.facts
        items[read.index].damage = read.facts.damage
      }
      while let entry = walk.next(selection) {
        guard entry.opens == nil else { continue }
        var item = Item(entry.header)
        if let path = entry.path { item.attributes = collect(path) }
        item.damage = entry.damage
        if let bytes = entry.bytes {
          if item.metadata != nil {
            attributes.append((item.path, AppleDoubleAttributes(bytes.copy()).names))
          } else {
            while waiting >= HostProcess.processors { take(await reading.next()) }
            let index = items.count
            waiting += 1
            reading.addTask { (index, ReadFacts(entry.header, of: role, facts, bytes)) }
          }
        }
        items.append(item)
      }
      while waiting > 0 { take(await reading.next()) }
    }
    leaveOutCopies()
    if role != .tree, let source = opened.source { try addIrregularities(source) }
    guard !walk.isCut else { throw Mistakes(walk.mistakes) }
    mistakes = walk.mistakes + mistakes
    give(attributes)
  }

  /// The inventory of a zip that was just written, from the results of the check that read each entry back.
  package init(of source: ArchiveBytes, place: Place, role: Role, entries: [ItemReader.Result]) throws {
    self.init(place: place, role: role, items: entries.map(\.item))
    try addIrregularities(source)
    give(entries.compactMap { entry in entry.attributes.map { (entry.item.path, $0) } })
  }

  /// Removes the facts about `X.framework/Versions/A/X` if `X.framework/X` has the same code: tools without links make
  /// copies of them, and all findings would be there several times.
  private mutating func leaveOutCopies() {
    let root = rootName.hasSuffix(".framework") ? rootName + "/" : ""
    let code = Dictionary(facts(CodeFacts.self).map { (root + $0.item.name, $0) }) { first, _ in first }
    for index in items.indices {
      guard let original = (root + items[index].name).originalInFramework.flatMap({ code[$0] }),
        original.item.size == items[index].size, original.facts == items[index].facts(CodeFacts.self)
      else { continue }
      items[index].facts = []
    }
  }

  private mutating func addIrregularities(_ source: ArchiveBytes) throws {
    irregularities = try source.directory().irregularities().filter { $0.isHarmful(in: role) }.map(\.description)
  }

  private mutating func collect(_ path: FilePath) -> [String] {
    do throws(AttributeError) {
      return try ExtendedAttributes.unwanted(of: path).map(ExtendedAttributes.shown)
    } catch {
      mistakes += Mistakes(FileError(path, doing: "list the attributes of", code: error.errno)).all
      return []
    }
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
}

struct ReadFacts: Sendable {
  var facts: [any Facts] = []
  var damage: String?

  init(_ header: EntryHeader, of role: Inventory.Role, _ kinds: [any Facts.Type], _ bytes: EntryBytes) {
    do throws(UnreadableEntry) {
      for kind in kinds where bytes.withReader({ kind.isInterested(in: header, of: role, head: $0) }) {
        if let found = try kind.read(header, of: role, bytes) { facts.append(found) }
      }
    } catch {
      damage = error.reason
    }
  }
}

struct InventorySelection: EntrySelection {
  let role: Inventory.Role
  let facts: [any Facts.Type]

  func interest(in header: EntryHeader) -> Interest {
    guard header.kind == .regular else { return .none }
    // An AppleDouble file names the attributes of another one.
    if header.metadata != nil { return .content }
    return facts.map { $0.interest(in: header, of: role) }.max() ?? .none
  }

  func interest(in header: EntryHeader, head: borrowing ByteReader) -> Interest {
    var interest = Interest.none
    for kind in facts { interest = max(interest, kind.interest(inHead: head)) }
    return interest
  }
}

extension ZipIrregularity {
  /// False for what ordinary tools write into every zip: times, owners, sizes behind the content.
  package func isHarmful(in kind: ArtifactKind) -> Bool {
    switch self {
    case .dataDescriptor, .extraFields, .comment: false
    // bsdtar and Python write them; only Java, which extracts AARs, refuses them.
    case .storedDescriptor: kind == .aar
    // Every zip writer packs a file of one repeated byte as small as it gets.
    case .extremeRatio(_, let ratio): ratio > Deflate.maxRatio
    default: true
    }
  }
}
