/// Names that are not a source file's own: those that compilers add to object files, and those of the C++ standard
/// library's headers. Sources of the spellings: Clang's code generation (blocks, protocols, `@available`, outlined and
/// cold parts), GCC's exception tables and `.eh` names, Swift's mangling (outlined copies, lazy witness tables,
/// metadata of imported types), and the Itanium C++ ABI's `<unscoped-name>` and `<substitution>` for `std`.
enum CompilerName {
  /// Whether no plugin's source has it, so that each object file may have its own version. Protocols count, as
  /// `ProtocolCopies` compares them.
  static func isNobodys(_ name: String) -> Bool {
    isMade(name) || isStandardLibrary(name) || objectiveCProtocol(name) != nil
  }

  private static func isMade(_ name: String) -> Bool {
    if name.hasSuffix(".eh") || isPart(name) { return true }
    let bytes = name.utf8
    // Mangled names of C++ are most of those that many files define, and begin as none of these does.
    if bytes.starts(with: "__Z".utf8) { return false }
    return helpers.contains { bytes.starts(with: $0.utf8) } || isSwift(name)
  }

  /// The protocol's name if the symbol holds an Objective-C protocol, else nil.
  static func objectiveCProtocol(_ name: String) -> String? {
    for prefix in protocolPrefixes where name.utf8.starts(with: prefix.utf8) {
      return String(name.dropFirst(prefix.count))
    }
    return nil
  }

  private static let protocolPrefixes = ["__OBJC_PROTOCOL_$_", "l_OBJC_PROTOCOL_$_", "_OBJC_PROTOCOL_$_"]

  private static let helpers = [
    "___copy_helper_block_", "___destroy_helper_block_", "___Block_byref_object_copy_",
    "___Block_byref_object_dispose_", "___block_descriptor_", "___block_literal_",
    "___clang_at_available_requires_core_foundation_framework", "___clang_call_terminate", "___cxx_global_",
    "__GLOBAL__", "_OUTLINED_FUNCTION_", "GCC_except_table", "_GCC_except_table", "DW.ref.", "_llvm.",
    "__OBJC_LABEL_PROTOCOL_$_", "l_OBJC_LABEL_PROTOCOL_$_", "__OBJC_PROTOCOL_REFERENCE_$_",
    "l_OBJC_PROTOCOL_REFERENCE_$_", "___swift_", "__swift_FORCE_LOAD_", "_symbolic ", "_associated conformance ",
    "_default associated conformance",
  ]

  /// `f.cold`, `f.cold.1`, `f.part.0`, `f.llvm.123`: a part of a function that was split.
  private static func isPart(_ name: String) -> Bool {
    guard name.utf8.contains(UInt8(ascii: ".")) else { return false }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst()
    return parts.contains { ["cold", "part", "llvm", "outlined"].contains($0) }
  }

  /// Whether the name is of no Swift module but the system's, or stands for a thing that the compiler made: it ends
  /// with `T…` (thunks and specialisations: `TR`, `Tg5`, `Tf4nnd_n`), `WO…` (outlined), `Wl`, `WL` (lazy witness
  /// tables), or `Ma`–`Mn` (imported metadata).
  private static func isSwift(_ name: String) -> Bool {
    guard name.hasPrefix("_$s") || name.hasPrefix("_$S") else { return false }
    let rest = name.utf8.dropFirst(3)
    // A name begins with its module, and `S`, `s` and `I` stand for those that every module has.
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard let count = Int(String(decoding: digits, as: UTF8.self)) else { return true }
    let module = String(decoding: rest.dropFirst(digits.count).prefix(count), as: UTF8.self)
    if systemModules.contains(module) { return true }
    let bytes = Array(rest)
    let last = bytes.suffix(2)
    if ["Wl", "WL", "Ma", "ML", "Mn", "MF", "MR", "Mf"].contains(where: { $0.utf8.elementsEqual(last) }) {
      return true
    }
    if bytes.suffix(3).starts(with: "WO".utf8) { return true }
    // `T` and a letter, followed by a letter for each argument, or by the number of the pass.
    let kind = bytes.lastIndex { $0 == UInt8(ascii: "T") } ?? bytes.endIndex
    guard kind + 1 < bytes.endIndex, "AGRWOCDQYXfgmopjt".utf8.contains(bytes[kind + 1]) else { return false }
    return bytes[(kind + 2)...].allSatisfy { "nxdgovierlspc_0123456789".utf8.contains($0) }
  }

  private static let systemModules: Set<String> = [
    "Combine", "CoreData", "CoreFoundation", "CoreGraphics", "CoreLocation", "CoreMedia", "Darwin", "Dispatch",
    "Foundation", "ObjectiveC", "SwiftUI", "UIKit", "WebKit", "os",
  ]

  /// Virtual tables, construction tables, and tables of such tables.
  static func isVirtualTable(_ name: String) -> Bool {
    ["__ZTV", "__ZTC", "__ZTT"].contains { name.utf8.starts(with: $0.utf8) }
  }

  /// Whether it is in namespace `std` or in one that implementations of the library keep beside it.
  static func isStandardLibrary(_ name: String) -> Bool {
    var rest = name.utf8[...]
    // One underscore is Mach-O's.
    guard rest.starts(with: "__Z".utf8) || rest.starts(with: "_Z".utf8) else { return false }
    rest = rest.drop { $0 == UInt8(ascii: "_") }.dropFirst()
    // Skips prefixes of local entities and their guards, virtual tables, type information, and thunks with offsets.
    while let prefix = specialNames.first(where: { rest.starts(with: $0.utf8) }) {
      rest = rest.dropFirst(prefix.utf8.count)
      if prefix == "Th" || prefix == "Tv" || prefix == "Tc" {
        rest = rest.drop { $0 == UInt8(ascii: "n") || $0 == UInt8(ascii: "_") || (0x30...0x39).contains($0) }
        if prefix == "Tc" { rest = rest.drop { "hv".utf8.contains($0) || "n_0123456789".utf8.contains($0) } }
      }
    }
    // Skips `N` and the qualifiers of member functions.
    if rest.first == UInt8(ascii: "N") { rest = rest.dropFirst().drop { "rVKRO".utf8.contains($0) } }
    return standardNames.contains { rest.starts(with: $0.utf8) }
  }

  private static let specialNames = ["Z", "GV", "GR", "TV", "TT", "TI", "TS", "Th", "Tv", "Tc"]
  /// `St` is `std`; the others: its `allocator`, `basic_string`, `string`, `istream`, `ostream`, `iostream`.
  private static let standardNames = ["St", "Sa", "Sb", "Ss", "Si", "So", "Sd", "9__gnu_cxx", "10__cxxabiv1"]
}
