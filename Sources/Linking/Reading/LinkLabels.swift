import ObjectFiles

/// Which names that others see a linker makes something of (rules 1.16 to 1.18). What it makes nothing of defines nothing,
/// though a table of contents lists it: one that is wanted loads its member and stays undefined.
package enum LinkLabels: Sendable {
  /// Parts of strings, pointers and lists that are put together anew are labels for one file only, and `ld -r` leaves
  /// hundreds of them behind.
  case ld64
  case lld

  enum Kept {
    case all
    /// But those that begin with `l`, which assemblers call private to the linker.
    case butLinkerPrivate
    case none
  }

  func kept(_ section: MachOSection) -> Kept {
    // What is in no image: embedded bitcode and the words of the command that made it; debugging information; frames.
    if section.segment == Names.llvm { return .none }
    if section.segment == Names.dwarf, section.flags & 0x0200_0000 != 0 { return .none }
    if section.segment == Names.text, section.name == Names.frames { return .none }
    switch self {
    case .lld: return section.segment == Names.data && section.name == Names.imageInfo ? .none : .all
    case .ld64: return keptByLD64(section)
    }
  }

  private func keptByLD64(_ section: MachOSection) -> Kept {
    switch section.type {
    // `S_CSTRING_LITERALS`; `S_4BYTE_`, `S_8BYTE_`, `S_16BYTE_LITERALS`
    case 0x2, 0x3, 0x4, 0xE: return .butLinkerPrivate
    // `S_LITERAL_POINTERS`, `S_NON_LAZY_`, `S_LAZY_SYMBOL_POINTERS`, `S_SYMBOL_STUBS`, `S_THREAD_LOCAL_VARIABLE_POINTERS`
    case 0x5, 0x6, 0x7, 0x8, 0x14: return .none
    default: break
    }
    if section.segment == Names.objc, section.name == Names.firstImageInfo { return .none }
    guard section.segment == Names.data else { return .all }
    if section.name == Names.strings || section.name == Names.categories { return .none }
    guard section.name.hasPrefix(Names.objcPrefix) else { return .all }
    return Names.lists.contains { section.name.hasPrefix($0) } ? .none : .all
  }

  /// Whether a symbol without a section counts. `hasClasses`: the file has classes of the first Objective-C runtime, whose
  /// atoms are named so.
  func keepsAbsolute(_ name: Range<Int>, _ reader: borrowing ByteReader, hasClasses: Bool) -> Bool {
    guard case .ld64 = self else { return true }
    if reader.starts(with: ".objc_class_name_", at: name.lowerBound) { return hasClasses }
    if reader.starts(with: ".objc_category_name_", at: name.lowerBound) { return false }
    return name.count < 3 || !reader.starts(with: ".eh", at: name.upperBound - 3)
  }

  static func isOfFirstClasses(_ section: MachOSection) -> Bool {
    section.segment == Names.objc && section.name == Names.firstClasses && section.size > 0
  }

  private enum Names {
    static let (llvm, dwarf, text, data, objc): (FixedName, FixedName, FixedName, FixedName, FixedName) =
      ("__LLVM", "__DWARF", "__TEXT", "__DATA", "__OBJC")
    static let (frames, strings, categories): (FixedName, FixedName, FixedName) =
      ("__eh_frame", "__cfstring", "__objc_catlist")
    static let (imageInfo, firstImageInfo, firstClasses): (FixedName, FixedName, FixedName) =
      ("__objc_imageinfo", "__image_info", "__class")
    static let objcPrefix: FixedName = "__objc_"
    static let lists: [FixedName] = [
      "__objc_classrefs", "__objc_classlist", "__objc_nlclslist", "__objc_nlcatlist", "__objc_imageinfo",
    ]
  }
}
