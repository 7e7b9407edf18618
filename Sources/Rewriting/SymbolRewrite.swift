import ObjectFiles

/// A change of a library's own symbols: those of C, C++ and, on request, Objective-C get a prefix or lose it; those of any
/// language can be hidden.
///
/// On Apple's systems the prefix stands behind the underscore that compilers put before every name, so that `_foo` is
/// `_ZZ_foo` and C code calls it `ZZ_foo`. The symbols of an Objective-C class have the prefix before the class's name:
/// `_OBJC_CLASS_$_ZZ_View`.
package struct SymbolRewrite: Sendable {
  package enum Kind: String, Sendable {
    case add, remove
    /// Names stay, and other images do not see them any more.
    case hide
  }

  package let prefix: [UInt8]
  package let kind: Kind
  /// Whether Objective-C classes are renamed too.
  package let classes: Bool
  /// The protocols that are renamed with them. A library also defines every protocol of the system that it adopts, and
  /// nothing in it tells these from its own; several definitions of a protocol are no collision.
  package let protocols: NameList
  package let keep: NameList
  /// The names that change; empty for all that are not kept. A class is listed as `_OBJC_CLASS_$_View`.
  package let only: NameList

  package init(
    _ prefix: String, _ kind: Kind = .add, keep: [String] = [], only: [String] = [], classes: Bool = false,
    protocols: [String] = []
  ) {
    self.prefix = Array(prefix.utf8)
    self.kind = kind
    self.classes = classes
    self.protocols = NameList(protocols)
    self.keep = NameList(keep)
    self.only = NameList(only)
  }

  /// Why a text is no prefix; nil if it is one. It becomes the beginning of names in C.
  package static func fault(in prefix: String) -> String? {
    let letters = prefix.utf8
    guard let first = letters.first else { return "the prefix is empty" }
    let isName = letters.allSatisfy(\.isInName)
    if isName, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) { return nil }
    return "a prefix has letters, digits and underscores, and begins with no digit"
  }

  private init(_ prefix: [UInt8], _ kind: Kind, classes: Bool) {
    (self.prefix, self.kind, self.classes) = (prefix, kind, classes)
    (keep, only, protocols) = (NameList([]), NameList([]), NameList([]))
  }

  /// Hides names of any language.
  package init(hiding only: [String], keep: [String] = []) {
    self.init("", .hide, keep: keep, only: only, classes: true)
  }

  /// How lists spell a symbol of Apple's systems that a prefix changes; nil if no prefix does, or if it is a protocol's.
  package static func listed(_ symbol: [UInt8]) -> (name: [UInt8], isClass: Bool)? {
    let kind = SymbolNameKind(symbol, isApples: true)
    if LookedUpNames.contains(symbol[kind.start...]) { return nil }
    switch kind {
    case .plain: return (symbol, false)
    case .objcClass(let start):
      return (Array("_OBJC_CLASS_$_".utf8) + symbol[start...].prefix { $0 != UInt8(ascii: ".") }, true)
    case .objcProtocol, .swift: return nil
    }
  }

  /// Whether every name changes that can.
  var isForAll: Bool { keep.isEmpty && only.isEmpty }

  /// It takes the change back.
  var opposite: SymbolRewrite { SymbolRewrite(prefix, kind == .add ? .remove : .add, classes: classes) }

  /// The change of a name whose own part begins at `start`; nil if it has no prefix that could be taken off.
  func change(of name: [UInt8], at start: Int) -> NameChange? {
    if kind == .remove {
      guard name[start...].starts(with: prefix), name.count > start + prefix.count else { return nil }
    }
    return NameChange(start: start)
  }

  func applied(_ change: NameChange, to name: [UInt8]) -> [UInt8] {
    let start = change.start
    switch kind {
    case .add: return Array(name[..<start]) + prefix + name[start...]
    case .remove: return Array(name[..<start]) + name[(start + prefix.count)...]
    case .hide: return name
    }
  }

  /// Appends the new form of a name in a file.
  func append(_ name: Range<Int>, _ change: NameChange, _ reader: borrowing ByteReader, to bytes: inout [UInt8]) {
    let start = name.lowerBound + change.start
    reader.append(name.lowerBound..<start, to: &bytes)
    switch kind {
    case .add:
      bytes += prefix
      reader.append(start..<name.upperBound, to: &bytes)
    case .remove: reader.append(start + prefix.count..<name.upperBound, to: &bytes)
    case .hide: reader.append(start..<name.upperBound, to: &bytes)
    }
  }
}

/// How a name changes: the prefix comes, or goes, behind its first `start` bytes.
struct NameChange: Hashable, Sendable {
  let start: Int
}

/// Names that a user lists: whole ones, and patterns with `*`, `?` and `[…]`.
package struct NameList: Sendable {
  package let texts: [String]
  /// The texts that end in the only `*` of theirs, by what is before it, and how long that may be.
  private var beginnings: [ArraySlice<UInt8>: String] = [:]
  private var lengths: [Int] = []
  private var literals: [[UInt8]: String] = [:]
  private var patterns: [(pattern: Pattern, text: String)] = []

  init(_ texts: [String]) {
    self.texts = texts
    for text in texts {
      if !Pattern.isPattern(text) {
        literals[Array(text.utf8)] = text
      } else if text.hasSuffix("*"), !Pattern.isPattern(String(text.dropLast())) {
        beginnings[Array(text.utf8.dropLast())[...]] = text
      } else {
        patterns.append((Pattern(text), text))
      }
    }
    lengths = Set(beginnings.keys.map(\.count)).sorted()
  }

  var isEmpty: Bool { texts.isEmpty }

  /// The first text that a name matches.
  func match(_ name: [UInt8]) -> String? {
    if let text = literals[name] { return text }
    for length in lengths where length <= name.count { if let text = beginnings[name[..<length]] { return text } }
    return patterns.first { $0.pattern.matches(name) }?.text
  }
}

/// The language of a symbol, as far as it decides about its new name.
enum SymbolNameKind: Hashable, Sendable {
  /// C, C++ and assembly. The prefix stands at `start`.
  case plain(start: Int)
  /// A class or its ivar; the class's name begins at `start`.
  case objcClass(start: Int)
  case objcProtocol(start: Int)
  /// The mangled name has the module's and the type's name with their lengths, and the metadata repeats both.
  case swift

  var start: Int {
    switch self {
    case .plain(let start), .objcClass(let start), .objcProtocol(let start): start
    case .swift: 0
    }
  }

  /// - Parameter isApples: whether names have an underscore in front.
  init(_ name: [UInt8], isApples: Bool) {
    guard isApples else {
      // Thread-local variables of old Androids: `__emutls_v.x` is of x, and code asks for that of the new name.
      let emulated = Self.emulated.first { name.starts(with: $0) }?.count ?? 0
      self = Self.isSwift(name[...]) ? .swift : .plain(start: emulated)
      return
    }
    // Apple's linker tells labels of the assembler and of `ld -r` (`l018`) by their first letter.
    let underscore = name.first.map { "_lL".utf8.contains($0) } ?? false ? 1 : 0
    if let marker = Self.classMarkers.first(where: { name.starts(with: $0) }) {
      self = name[marker.count...].starts(with: Self.swiftClass) ? .swift : .objcClass(start: marker.count)
    } else if let marker = Self.protocolMarkers.first(where: { name.starts(with: $0) }) {
      self = name[marker.count...].starts(with: Self.swiftClass) ? .swift : .objcProtocol(start: marker.count)
    } else if Self.isSwift(name[underscore...]) {
      self = .swift
    } else {
      self = .plain(start: underscore)
    }
  }

  /// Where the own part of a name begins whose first bytes say that it is C's or C++'s; nil if they do not.
  static func plainStart(_ range: Range<Int>, _ reader: borrowing ByteReader, isApples: Bool) -> Int? {
    func byte(_ index: Int) -> UInt8 {
      index < range.count ? (try? reader.integer(at: range.lowerBound + index, "name", as: UInt8.self)) ?? 0 : 0
    }
    func mayBeSwifts(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: "$") || byte == UInt8(ascii: "s") || byte == UInt8(ascii: "T")
    }
    let underscore = UInt8(ascii: "_")
    let start = isApples ? 1 : 0
    if isApples, byte(0) != underscore { return nil }
    let (first, second) = (byte(start), byte(start + 1))
    if first == underscore {
      let isOther = mayBeSwifts(second) || second == UInt8(ascii: "O") || !isApples && byte(2) == UInt8(ascii: "e")
      return isOther ? nil : start
    }
    return mayBeSwifts(first) || first == UInt8(ascii: "O") ? nil : start
  }

  /// These stand before the name of a class or protocol in symbols of Apple's runtimes.
  private static let classMarkers = [
    "_OBJC_CLASS_$_", "_OBJC_METACLASS_$_", "_OBJC_IVAR_$_", "_OBJC_EHTYPE_$_", ".objc_class_name_",
    ".objc_category_name_",
  ].map { Array($0.utf8) }
  private static let protocolMarkers = [
    "__OBJC_PROTOCOL_$_", "__OBJC_LABEL_PROTOCOL_$_", "__OBJC_PROTOCOL_REFERENCE_$_", "__OBJC_CLASS_PROTOCOLS_$_",
    // Older compilers made labels of them.
    "l_OBJC_PROTOCOL_$_", "l_OBJC_LABEL_PROTOCOL_$_", "l_OBJC_PROTOCOL_REFERENCE_$_",
  ].map { Array($0.utf8) }
  private static let emulated = ["__emutls_v.", "__emutls_t."].map { Array($0.utf8) }
  private static let swiftClass = Array("_Tt".utf8)
  /// Swift 5, 4.2, Embedded Swift and 4.0, and what its compiler makes besides.
  private static let swiftNames = [
    "$s", "$S", "$e", "_T0", "_Tt", "_swift_FORCE_LOAD_$_", "symbolic ", "_swift_reflection_version",
  ]
  .map { Array($0.utf8) }

  private static func isSwift(_ name: ArraySlice<UInt8>) -> Bool {
    guard let first = name.first, first == UInt8(ascii: "$") || first == UInt8(ascii: "_") || first == UInt8(ascii: "s")
    else { return false }
    return swiftNames.contains { name.starts(with: $0) }
  }
}
