/// Which libraries of a link have a name, in their order.
struct LibraryIndex {
  struct Entry {
    /// Its number in the link.
    var library: Int
    /// Nil of a dynamic library.
    var member: Int?
    var isWeak = false
  }

  /// The entries of a name are a list: each leads to the next.
  private var entries: [(entry: Entry, next: UInt32)] = []
  /// By number of the name, the first and the last of its list.
  private var ends: [(first: UInt32, last: UInt32)] = []

  private static let none = UInt32.max

  /// Behind those that are there. Of a name that a library has twice the first entry counts (rule 1.4).
  mutating func add(_ name: NameTable.ID, _ entry: Entry) {
    if ends.count <= name.index {
      ends.append(contentsOf: repeatElement((first: Self.none, last: Self.none), count: name.index + 1 - ends.count))
    }
    let number = UInt32(entries.count)
    let last = ends[name.index].last
    if last == Self.none {
      ends[name.index].first = number
    } else {
      guard entries[Int(last)].entry.library != entry.library else { return }
      entries[Int(last)].next = number
    }
    ends[name.index].last = number
    entries.append((entry, Self.none))
  }

  /// The number of the first entry of a name, to go on from with `entry(at:)`.
  func first(_ name: NameTable.ID) -> UInt32? {
    guard name.index < ends.count, ends[name.index].first != Self.none else { return nil }
    return ends[name.index].first
  }

  /// An entry, and the number of the next.
  func entry(at number: UInt32) -> (entry: Entry, next: UInt32?) {
    let (entry, next) = entries[Int(number)]
    return (entry, next == Self.none ? nil : next)
  }
}
