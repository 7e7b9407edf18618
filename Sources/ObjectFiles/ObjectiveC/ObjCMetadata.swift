// The data for the Objective-C runtime (objc4's `objc-runtime-new.h`; P is a pointer). Each section lists pointers:
//
//   __objc_classlist     to classes          isa P (the metaclass), superclass P, cache P, vtable P, data P
//   __objc_catlist       to categories       name P, class P, instance methods P, class methods P, protocols P,
//                                            properties P, class properties P
//   __objc_protolist     to protocols        isa P, name P, protocols P, instance methods P, class methods P,
//                                            optional instance methods P, optional class methods P, properties P,
//                                            size of all this 4, flags 4, types P, name P, class properties P
//   __objc_selrefs       to names of selectors
//   __objc_classrefs     to classes that messages are sent to
//   __objc_superrefs     to the class (of class methods: the metaclass) in whose methods `super` stands
//   __objc_nlclslist, __objc_nlcatlist    to those classes and categories that have a +load
//
// and __objc_imageinfo is   version 4, flags 4 (0x40: categories have room for class properties).
//
//   class data           flags 4 (1 metaclass, 2 root), start 4, size 4, 64-bit: reserved 4, ivar layout P, name P,
//                        methods P, protocols P, ivars P, weak ivar layout P, properties P
//                        The pointer to it has 1 or 2 in its lowest bits if Swift made the class.
//   method list          size of an entry 4 (two flags at the bottom, 16 at the top), count 4, entries:
//                        selector's name P, types P, implementation P
//   … of flag 8000 0000  three offsets of 4 bytes, each from itself: of a pointer to the selector's name, of the types,
//                        of the implementation; of flag 4000 0000 too the first is the name's own
//   ivar list            size of an entry 4, count 4, entries: offset P, name P, type P, alignment 4, size 4
//   property list        size of an entry 4, count 4, entries: name P, attributes P
//   protocol list        count P, pointers to protocols
//
// The metaclass has the class's own methods and properties. A pointer is what its relocation or fixup makes of it: see
// `ObjCPointers`.

/// The parts of the metadata that are read.
package struct ObjCParts: OptionSet, Sendable {
  package var rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let classes = ObjCParts(rawValue: 1 << 3)
  package static let categories = ObjCParts(rawValue: 1 << 4)
  package static let protocols = ObjCParts(rawValue: 1 << 5)
  /// Those of the classes, categories and protocols.
  package static let methods = ObjCParts(rawValue: 1 << 6)
  package static let entities: ObjCParts = [.classes, .categories, .protocols, .methods]
  /// Ivars, properties and adopted protocols: they cost as much again as the rest.
  package static let members = ObjCParts(rawValue: 1)
  /// The classes that code refers to, and the messages that it sends by the linker's stubs.
  package static let references = ObjCParts(rawValue: 2)
  /// The names of messages that code sends.
  package static let selectors = ObjCParts(rawValue: 4)
  /// The pointers to texts that name classes and protocols (`ObjCText`), of classes, categories and protocols.
  package static let texts = ObjCParts(rawValue: 1 << 7)
  package static let all: ObjCParts = [.entities, .members, .references, .selectors]
}

/// The classes, categories, protocols and references of a Mach-O file, in its order; names are ranges. Parts that were
/// not requested are empty.
package struct ObjCMetadata: Hashable, Sendable {
  package var classes: [ObjCClass] = []
  package var categories: [ObjCCategory] = []
  package var protocols: [ObjCProtocol] = []
  package var selectors: [ObjCSelector] = []
  package var classReferences: [ObjCClassReference] = []
  package var texts: [ObjCText] = []
  /// Compilers have set it since 2016; linkers combine categories only if all object files have it.
  package var hasCategoryClassProperties = false

  package var isEmpty: Bool {
    classes.isEmpty && categories.isEmpty && protocols.isEmpty && selectors.isEmpty && classReferences.isEmpty
  }

  /// Reads the Mach-O file that is `reader`'s window; empty for other files. An `unsupported` error means that the
  /// file has such data of a kind that is not read.
  package init(_ reader: borrowing ByteReader, _ parts: ObjCParts = .entities) throws(FormatError) {
    guard case .machO = FileKind(reader) else { return }
    let file = try MachOFile(reader)
    switch file.fileType {
    case .object, .executable, .dylib, .bundle: break
    default: return
    }
    let sections = try file.sections(reader)
    if let old = sections.first(where: { $0.segment == .firstRuntime && $0.name != .firstImageInfo }) {
      throw .unsupported(
        "section \(old.name)", at: file.range.lowerBound, "the Objective-C data of Apple's first runtime is not read")
    }
    if parts.contains(.references), file.fileType == .object { try addStubs(file, reader) }
    let lists = sections.filter { ObjCList($0, parts) != nil && $0.size > 0 && !$0.isZeroFill }
    if lists.isEmpty { return }
    var scan = try ObjCScan(file, sections, parts, reader)
    if let info = sections.first(where: { $0.name == .imageInfo && !$0.isZeroFill && $0.size >= 8 }) {
      hasCategoryClassProperties = try scan.imageFlags(info) & 0x40 != 0
    }
    for section in lists {
      guard let list = ObjCList(section, parts) else { continue }
      try scan.read(section, as: list, into: &self)
    }
    texts = scan.texts
    for index in classes.indices { classes[index].isNonLazy = scan.nonLazy.contains(classes[index].place) }
    for index in categories.indices { categories[index].isNonLazy = scan.nonLazy.contains(categories[index].place) }
  }
}

enum ObjCList {
  case classes, categories, protocols, selectors, classReferences, superReferences, nonLazy

  init?(_ section: MachOSection, _ parts: ObjCParts) {
    guard section.name.hasPrefix(.objcPrefix), let list = ObjCList.byName[section.name] else { return nil }
    let part: ObjCParts =
      switch list {
      case .classes: .classes
      case .categories: .categories
      case .protocols: .protocols
      case .nonLazy: [.classes, .categories]
      case .selectors: .selectors
      case .classReferences, .superReferences: .references
      }
    if parts.isDisjoint(with: part) { return nil }
    self = list
  }

  private static let byName: [FixedName: ObjCList] = [
    .classList: .classes, .categoryList: .categories, .secondCategoryList: .categories,
    .protocolList: .protocols, "__objc_selrefs": .selectors, "__objc_classrefs": .classReferences,
    "__objc_superrefs": .superReferences, "__objc_nlclslist": .nonLazy, "__objc_nlcatlist": .nonLazy,
  ]
}
