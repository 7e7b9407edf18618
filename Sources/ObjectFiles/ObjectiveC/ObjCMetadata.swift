// What the Objective-C runtime is told (objc4's `objc-runtime-new.h`; P is a pointer). Each section lists pointers:
//
//   __objc_classlist     to classes          isa P (the metaclass), superclass P, cache P, vtable P, data P
//   __objc_catlist       to categories       name P, class P, instance methods P, class methods P, …
//   __objc_protolist     to protocols        isa P, name P, protocols P, instance methods P, class methods P,
//                                            optional instance methods P, optional class methods P, …
//   __objc_selrefs       to names of selectors
//   __objc_nlclslist, __objc_nlcatlist    to those classes and categories that have a +load
//
// and __objc_imageinfo is   version 4, flags 4 (0x40: categories have room for class properties).
//
//   class data           flags 4 (1 metaclass, 2 root), start 4, size 4, 64-bit: reserved 4, ivar layout P, name P,
//                        methods P, …        The pointer to it has 1 or 2 in its lowest bits if Swift made the class.
//   method list          size of an entry 4 (two flags at the bottom, 16 at the top), count 4, entries:
//                        selector's name P, types P, implementation P
//   … of flag 8000 0000  three offsets of 4 bytes, each from itself: of a pointer to the selector's name, of the types,
//                        of the implementation; of flag 4000 0000 too the first is the name's own
//
// Class methods are the metaclass's methods. A pointer is what its relocation or fixup makes of it: see `ObjCPointers`.

/// The classes, categories, protocols and selector references of a Mach-O file, in its order; names are ranges.
package struct ObjCMetadata: Hashable, Sendable {
  package var classes: [ObjCClass] = []
  package var categories: [ObjCCategory] = []
  package var protocols: [ObjCProtocol] = []
  package var selectors: [ObjCSelector] = []
  /// Compilers of 2016 and later say so; linkers combine categories only if all of them do.
  package var hasCategoryClassProperties = false

  package var isEmpty: Bool { classes.isEmpty && categories.isEmpty && protocols.isEmpty && selectors.isEmpty }

  /// Of the Mach-O file that is `reader`'s window; empty for what is none. An error of the reason `unsupported` says that
  /// the file has such data, and that nobody here reads it: nothing is known of it then.
  package init(_ reader: borrowing ByteReader) throws(FormatError) {
    guard case .machO = FileKind(reader) else { return }
    let file = try MachOFile(reader)
    switch file.fileType {
    case .object, .executable, .dylib, .bundle: break
    default: return
    }
    let sections = try file.sections(reader)
    if let old = sections.first(where: { $0.segment == "__OBJC" && $0.name != "__image_info" }) {
      throw .unsupported(
        "section \(old.name)", at: file.range.lowerBound, "the Objective-C data of Apple's first runtime is not read")
    }
    let lists = sections.filter { ObjCList($0) != nil && $0.size > 0 && !$0.isZeroFill }
    if lists.isEmpty { return }
    var scan = try ObjCScan(file, sections, reader)
    for section in lists {
      guard let list = ObjCList(section) else { continue }
      try scan.read(section, as: list, into: &self)
    }
    for index in classes.indices { classes[index].isNonLazy = scan.nonLazy.contains(classes[index].place) }
    for index in categories.indices { categories[index].isNonLazy = scan.nonLazy.contains(categories[index].place) }
    if let info = sections.first(where: { $0.name == "__objc_imageinfo" && !$0.isZeroFill && $0.size >= 8 }) {
      hasCategoryClassProperties = try scan.imageFlags(info) & 0x40 != 0
    }
  }
}

/// A class that the file defines.
package struct ObjCClass: Hashable, Sendable {
  /// Where it begins in the file.
  package var place: Int
  package var name: Range<Int>
  /// Nil of a root class.
  package var superclass: ObjCClassName?
  /// The instance's, then the class's own.
  package var methods: [ObjCMethod]
  package var isSwift: Bool
  /// `+load`: the runtime calls it before the program begins.
  package var hasLoadMethod: Bool
  /// It is in the list of those with a `+load`.
  package var isNonLazy = false
}

/// Methods that are added to a class, which may be defined elsewhere.
package struct ObjCCategory: Hashable, Sendable {
  package var place: Int
  package var name: Range<Int>
  package var className: ObjCClassName
  package var methods: [ObjCMethod]
  /// Whether the class that it extends is Swift's.
  package var isSwift: Bool
  package var hasLoadMethod: Bool
  /// It is in the list of those with a `+load`.
  package var isNonLazy = false
}

package struct ObjCProtocol: Hashable, Sendable {
  package var place: Int
  package var name: Range<Int>
  /// What it asks for, then what it leaves open; of each the instance's first.
  package var methods: [ObjCMethod]
  package var isSwift: Bool
  /// A protocol that asks for `+load`.
  package var hasLoadMethod: Bool
}

package struct ObjCMethod: Hashable, Sendable {
  /// Of its entry.
  package var place: Int
  package var selector: Range<Int>
  /// `+`, not `-`.
  package var isClassMethod: Bool
  /// Of protocols only.
  package var isOptional = false
}

/// A selector that the file's code sends.
package struct ObjCSelector: Hashable, Sendable {
  /// Of the reference.
  package var place: Int
  package var name: Range<Int>
}

/// Which class is meant.
package struct ObjCClassName: Hashable, Sendable {
  package var range: Range<Int>
  /// The symbol, less its first underscore, of a Swift class of another file: the runtime's name is not there.
  package var isSwiftSymbol = false
}

/// The lists that are read.
enum ObjCList {
  case classes, categories, protocols, selectors, nonLazy

  init?(_ section: MachOSection) {
    switch section.name {
    case "__objc_classlist": self = .classes
    case "__objc_catlist", "__objc_catlist2": self = .categories
    case "__objc_protolist": self = .protocols
    case "__objc_selrefs": self = .selectors
    case "__objc_nlclslist", "__objc_nlcatlist": self = .nonLazy
    default: return nil
    }
  }
}
