import ObjectFiles

/// Reasons why a linker may make no atom for an external name (rules 1.16 and 1.18). Such a name defines nothing,
/// though a table of contents lists it: if it is wanted, its member is loaded and the name stays undefined.
package struct AtomlessKind: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `L…`, which assemblers call private to the file.
  static let localLabel = Self(rawValue: 1)
  /// `l…`, private to the linker, in sections of strings and constants, which linkers rebuild; `ld -r` leaves
  /// hundreds of them.
  static let literalLabel = Self(rawValue: 1 << 1)
  /// Linkers rebuild sections of pointers and stubs, and Objective-C's lists, too.
  static let pointerSection = Self(rawValue: 1 << 2)
  static let metadataSection = Self(rawValue: 1 << 3)
  /// Sections that are in no image: frames, embedded bitcode and the command line that made it, debugging
  /// information.
  static let notInImage = Self(rawValue: 1 << 4)
  static let imageInfo = Self(rawValue: 1 << 5)
  /// Absolute symbols by which old compilers named frames, classes and categories.
  static let absoluteLabel = Self(rawValue: 1 << 6)

  static let lld: Self = [.notInImage, .imageInfo]
  static let ld64: Self = [
    .localLabel, .literalLabel, .pointerSection, .metadataSection, .notInImage, .absoluteLabel,
  ]

  /// The reasons for the names in a section; `literalLabel` applies to those that begin with `l`.
  init(_ section: MachOSection) {
    self = []
    if section.segment == .llvm || section.segment == .dwarf && section.flags.contains(.debug)
      || section.segment == .text && section.name == .frames
    {
      insert(.notInImage)
    }
    if section.segment == .data, section.name == .imageInfo { insert(.imageInfo) }
    if section.isOfLiterals {
      insert(.literalLabel)
    } else if section.isAny(of: .literalPointers, .nonLazyPointers, .lazyPointers, .stubs, .threadLocalPointers) {
      insert(.pointerSection)
    } else if section.segment == .firstRuntime && section.name == .firstImageInfo
      || section.segment == .data && Names.isList(section.name)
    {
      insert(.metadataSection)
    }
  }

  /// The reasons for an absolute name. With `hasFirstClasses`, names of classes are atoms of the first Objective-C
  /// runtime.
  init(absolute name: Range<Int>, _ reader: borrowing ByteReader, hasFirstClasses: Bool) {
    let isOld =
      reader.starts(with: ".objc_class_name_", at: name.lowerBound)
      ? !hasFirstClasses
      : reader.starts(with: ".objc_category_name_", at: name.lowerBound)
        || name.count > 2 && reader.starts(with: ".eh", at: name.upperBound - 3)
    self = isOld ? .absoluteLabel : []
  }

  static func isOfFirstClasses(_ section: MachOSection) -> Bool {
    section.segment == .firstRuntime && section.name == Names.firstClasses && section.size > 0
  }

  private enum Names {
    static let firstClasses: FixedName = "__class"
    static let lists: [FixedName] = [
      "__objc_classrefs", .classList, "__objc_nlclslist", "__objc_nlcatlist", .imageInfo,
    ]

    static func isList(_ name: FixedName) -> Bool {
      name == .strings || name == .categoryList || lists.contains { name.hasPrefix($0) }
    }
  }
}
