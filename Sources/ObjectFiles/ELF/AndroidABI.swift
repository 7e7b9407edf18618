/// Android's name for a kind of processor, which is also the folder of its libraries below `jni/`.
package enum AndroidABI: String, CaseIterable, Sendable {
  case armv7 = "armeabi-v7a"
  case arm64 = "arm64-v8a"
  case x86
  case x86_64
  case riscv64
  /// NDK 17 dropped this one and the two below.
  case armv5 = "armeabi"
  case mips
  case mips64

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

  /// Whether devices with it can have pages of 16 KB (Android 15 and later).
  package var hasLargePages: Bool { self == .arm64 || self == .x86_64 }

  package func fits(_ file: ELFFile) -> Bool {
    file.machine == machine && file.is64Bit == is64Bit && file.endianness == .little
      && file.system.isAndroids
  }
}
