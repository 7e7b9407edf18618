/// What Android calls a kind of processor: the folder below `jni/` that holds its libraries.
package enum AndroidABI: String, CaseIterable, Sendable {
  case armv7 = "armeabi-v7a"
  case arm64 = "arm64-v8a"
  case x86
  case x86_64
  case riscv64
  /// These three are history, since NDK 17.
  case armv5 = "armeabi"
  case mips
  case mips64

  /// The machine of its libraries.
  package var machine: ELFMachine {
    switch self {
    case .armv5, .armv7: .arm
    case .arm64: .aarch64
    case .x86: .i386
    case .x86_64: .x86_64
    case .riscv64: .riscv
    case .mips, .mips64: .mips
    }
  }

  package var is64Bit: Bool { [.arm64, .x86_64, .riscv64, .mips64].contains(self) }

  /// Whether a device can have pages of 16 KB for it (Android 15 and later).
  package var hasLargePages: Bool { self == .arm64 || self == .x86_64 }

  /// Whether a library is for it.
  package func fits(_ file: ELFFile) -> Bool {
    file.machine == machine && file.is64Bit == is64Bit && file.endianness == .little
      && file.system.isAndroids
  }
}
