/// The libraries of a link that have a name, in their order.
struct LibraryIndex {
  struct Entry {
    var library: LibraryID
    /// Nil for a dynamic library.
    var member: MemberID?
    var isWeak = false
  }

  /// `next` is the index of the name's next entry.
  private var entries: [(entry: Entry, next: UInt32)] = []
  private var ends = Table<NameTable, (first: UInt32, last: UInt32)>()

  private static let none = UInt32.max

  /// Appends an entry. Only the first entry of a name in a library counts (rule 1.4).
  mutating func add(_ name: NameID, _ entry: Entry) {
    ends.extend(to: name.index + 1, with: (Self.none, Self.none))
    let number = UInt32(entries.count)
    let last = ends[name].last
    if last == Self.none {
      ends[name].first = number
    } else {
      guard entries[Int(last)].entry.library != entry.library else { return }
      entries[Int(last)].next = number
    }
    ends[name].last = number
    entries.append((entry, Self.none))
  }

  func entries(of name: NameID) -> Entries {
    Entries(entries: entries, number: name.index < ends.count ? ends[name].first : Self.none)
  }

  struct Entries: Sequence, IteratorProtocol {
    fileprivate let entries: [(entry: Entry, next: UInt32)]
    fileprivate var number: UInt32

    mutating func next() -> Entry? {
      guard number != LibraryIndex.none else { return nil }
      let (entry, next) = entries[Int(number)]
      number = next
      return entry
    }
  }
}
