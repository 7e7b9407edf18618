import ObjectFiles

/// The kinds of Android resources, in the order in which `R.txt` lists them (Android's Gradle plugin, `SymbolIo`).
package enum ResourceType: String, CaseIterable, Sendable {
  case anim, animator, array, attr, bool, color, dimen, drawable, font, fraction, id, integer, interpolator
  case layout, menu, mipmap, navigation, plurals, raw, string, style, styleable, transition, xml

  /// Whether files of `res/<type>/` are resources of this type.
  package var hasFolder: Bool {
    switch self {
    case .anim, .animator, .color, .drawable, .font, .interpolator, .layout, .menu, .mipmap, .navigation, .raw,
      .transition, .xml:
      true
    default: false
    }
  }
}

/// A name as Java spells it: dots, colons and dashes are underscores. Compared by bytes, as Java and devices do.
package struct ResourceName: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The first eight bytes, padded with zeros, as a number with the same order. It mostly decides the order of two
  /// names without access to their bytes elsewhere in memory.
  private let head: UInt64
  package let bytes: [UInt8]

  package init(_ text: some StringProtocol) { self.init(text.utf8) }

  init(_ text: some Collection<UInt8>) {
    bytes = text.map { byte in
      switch byte {
      case UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "-"): UInt8(ascii: "_")
      default: byte
      }
    }
    head = (0..<8).reduce(0) { [bytes] head, index in head << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0) }
  }

  package var description: String { String(decoding: bytes, as: UTF8.self) }

  package static func < (one: Self, other: Self) -> Bool {
    one.head == other.head ? one.bytes.lexicographicallyPrecedes(other.bytes) : one.head < other.head
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ByteReader(bytes.span).hash(of: bytes.indices, seed: Self.seed))
  }

  /// It is random, so that no library can be made whose names all have one hash.
  static let seed = UInt64.random(in: 0 ... .max)
}

/// The names that the resources of one library define.
package struct SymbolTable: Equatable, Sendable {
  /// All but the styleables.
  package private(set) var names: [ResourceType: Set<ResourceName>] = [:]
  /// Each with its children in the order of their declaration, `android_text` for `android:text`.
  package private(set) var styleables: [ResourceName: [ResourceName]] = [:]
  /// The names that the library declares public; nil if it declares none.
  package private(set) var publicNames: [ResourceType: Set<ResourceName>]?

  package init() {}

  package mutating func insert(_ type: ResourceType, _ name: ResourceName) {
    if type == .styleable { styleables[name, default: []] += [] } else { names[type, default: []].insert(name) }
  }

  /// A child that is there already keeps its place.
  package mutating func insert(styleable name: ResourceName, children: [ResourceName]) {
    var list = styleables[name] ?? []
    var known = Set(list)
    for child in children where known.insert(child).inserted { list.append(child) }
    styleables[name] = list
  }

  package mutating func makePublic(_ type: ResourceType, _ name: ResourceName) {
    publicNames = publicNames ?? [:]
    publicNames?[type, default: []].insert(name)
  }

  /// `<public/>` without a name: only names that are declared elsewhere are public.
  package mutating func makePrivate() { publicNames = publicNames ?? [:] }

  /// The same names, each of them declared public.
  package var allPublic: SymbolTable {
    var table = self
    table.publicNames = names
    return table
  }

  package func contains(_ type: ResourceType, _ name: ResourceName) -> Bool {
    type == .styleable ? styleables[name] != nil : names[type]?.contains(name) ?? false
  }

  package mutating func merge(_ other: SymbolTable) {
    names.merge(other.names) { $0.union($1) }
    for (name, children) in other.styleables { insert(styleable: name, children: children) }
    if let theirs = other.publicNames {
      publicNames = (publicNames ?? [:]).merging(theirs) { $0.union($1) }
    }
  }

  /// The text of `R.txt`: UTF-8, lines end with LF. Every id is 0x0, because the app's build numbers them anew.
  package var rText: [UInt8] {
    var text = ""
    for type in ResourceType.allCases {
      if type == .styleable {
        for (name, children) in styleables.sorted(by: { $0.key < $1.key }) {
          let ids = children.map { _ in "0x0" }.joined(separator: ", ")
          text += "int[] styleable \(name) { \(ids) }\n"
          for (index, child) in children.enumerated() { text += "int styleable \(name)_\(child) \(index)\n" }
        }
      } else {
        for name in names[type, default: []].sorted() { text += "int \(type.rawValue) \(name) 0x0\n" }
      }
    }
    return Array(text.utf8)
  }

  /// The text of `public.txt`, a type and a name on each line; nil if the library declares nothing public.
  package var publicText: [UInt8]? {
    guard let publicNames else { return nil }
    let lines = ResourceType.allCases.flatMap { type in
      publicNames[type, default: []].sorted().map { "\(type.rawValue) \($0)\n" }
    }
    return Array(lines.joined().utf8)
  }
}
