// The names are Apple's, underscores and all.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// A Mach-O CPU type (`cputype` in `<mach/machine.h>`): an open set, any value may stand in a file.
package struct CPUType: RawRepresentable, Hashable, Sendable {
  package var rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let i386 = CPUType(rawValue: 7)
  package static let x86_64 = CPUType(rawValue: 7 | abi64)
  package static let arm = CPUType(rawValue: 12)
  package static let arm64 = CPUType(rawValue: 12 | abi64)
  package static let arm64_32 = CPUType(rawValue: 12 | abi64_32)
  package static let powerPC = CPUType(rawValue: 18)
  package static let powerPC64 = CPUType(rawValue: 18 | abi64)

  /// False for arm64_32, whose pointers have 32 bits.
  package var is64Bit: Bool { rawValue & CPUType.abi64 != 0 }

  private static let abi64: UInt32 = 0x0100_0000
  private static let abi64_32: UInt32 = 0x0200_0000
}

/// The processor that a slice of code is for. Two architectures are equal when a fat file cannot hold both: the
/// capability bits of the subtype (its top byte: arm64e's ABI version, x86_64's "64-bit libraries") do not count, and
/// are only in the header.
package struct Architecture: Hashable, Sendable, CustomStringConvertible {
  package var cpu: CPUType
  /// Its meaning depends on the CPU.
  package var subtype: UInt32

  /// `subtype` is the header's field, with its capability bits (`CPU_SUBTYPE_MASK`).
  init(cpu: CPUType, subtype: UInt32) {
    self.cpu = cpu
    self.subtype = subtype & 0x00FF_FFFF
  }

  /// Finds an architecture by the name that `lipo` takes and prints; nil for a name that is not in the table.
  package init?(name: String) {
    guard let row = Self.named.first(where: { $0.name == name || $0.alias == name }) else { return nil }
    self = row.architecture
  }

  /// The name that `llvm-lipo` prints: `arm64`, `armv7s`, `x86_64h`; `unknown(12,99)` if it has none.
  package var name: String {
    Self.named.first { $0.architecture == self }?.name ?? "unknown(\(cpu.rawValue),\(subtype))"
  }

  /// The name in the headings of `nm`, which is Apple's for Cortex-M; nil if it has none, and the heading then has no
  /// name.
  package var headingName: String? {
    guard let row = Self.named.first(where: { $0.architecture == self }) else { return nil }
    return row.name.hasPrefix("thumb") ? row.alias : row.name
  }

  package var description: String { name }

  package static let arm64 = Architecture(cpu: .arm64, subtype: 0)
  package static let arm64e = Architecture(cpu: .arm64, subtype: 2)
  package static let arm64_32 = Architecture(cpu: .arm64_32, subtype: 1)
  package static let armv7 = Architecture(cpu: .arm, subtype: 9)
  package static let armv7s = Architecture(cpu: .arm, subtype: 11)
  package static let armv7k = Architecture(cpu: .arm, subtype: 12)
  package static let i386 = Architecture(cpu: .i386, subtype: 3)
  package static let x86_64 = Architecture(cpu: .x86_64, subtype: 3)
  package static let x86_64h = Architecture(cpu: .x86_64, subtype: 8)

  /// Every architecture with a name, as `llvm-lipo` 19 spells it; `alias` is Apple's spelling, for look-ups only.
  private static let named: [(name: String, alias: String?, architecture: Architecture)] = [
    ("arm64", nil, .arm64), ("arm64e", nil, .arm64e), ("arm64_32", nil, .arm64_32),
    ("armv7", nil, .armv7), ("armv7s", nil, .armv7s), ("armv7k", nil, .armv7k),
    ("i386", nil, .i386), ("x86_64", nil, .x86_64), ("x86_64h", nil, .x86_64h),
    ("armv4t", nil, arm(5)), ("armv6", nil, arm(6)), ("armv5e", "armv5", arm(7)), ("xscale", nil, arm(8)),
    ("armv6m", nil, arm(14)), ("thumbv7m", "armv7m", arm(15)), ("thumbv7em", "armv7em", arm(16)),
    ("ppc", nil, Architecture(cpu: .powerPC, subtype: 0)),
    ("ppc64", nil, Architecture(cpu: .powerPC64, subtype: 0)),
  ]

  private static func arm(_ subtype: UInt32) -> Architecture { Architecture(cpu: .arm, subtype: subtype) }
}
