/// An index into the table of a kind of things. `Thing` makes the indices of different kinds different types.
package struct Number<Thing>: Hashable, Strideable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }
  package init(_ index: Int) { rawValue = UInt32(truncatingIfNeeded: index) }

  package var index: Int { Int(rawValue) }

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  package func distance(to other: Self) -> Int { other.index - index }
  package func advanced(by count: Int) -> Self { Self(index + count) }
}

/// Indices in a `LinkSet`.
package typealias FileID = Number<LinkSet.File>
package typealias ObjectID = Number<LinkObject>
package typealias NameID = Number<NameTable>
/// An index in a static library.
package typealias MemberID = Number<LinkArchive.Member>
/// Indices in a link: of a static or dynamic library, and of an object file, which may be loaded twice.
package typealias LibraryID = Number<SymbolResolver.Library>
package typealias LoadID = Number<SymbolResolver.Loaded>
/// An index among the atoms of all object files of a link.
typealias AtomID = Number<ObjectAtoms.Atom>

/// An array with an element for each thing, by the things' numbers.
package struct Table<Thing, Element> {
  package private(set) var elements: [Element]

  init(_ elements: [Element] = []) { self.elements = elements }
  init(repeating element: Element, count: Int) { elements = Array(repeating: element, count: count) }

  var count: Int { elements.count }
  var numbers: Range<Number<Thing>> { Number(0)..<Number(elements.count) }

  package subscript(number: Number<Thing>) -> Element {
    get { elements[number.index] }
    _modify { yield &elements[number.index] }
  }

  @discardableResult mutating func append(_ element: Element) -> Number<Thing> {
    elements.append(element)
    return Number(elements.count - 1)
  }

  mutating func extend(to count: Int, with element: Element) {
    guard count > elements.count else { return }
    elements.append(contentsOf: repeatElement(element, count: count - elements.count))
  }
}

/// A table of the things themselves.
package typealias Numbered<Thing> = Table<Thing, Thing>

extension Table: Sendable where Element: Sendable {}
