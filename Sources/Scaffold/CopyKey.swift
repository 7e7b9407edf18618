/// A key that copies of one library share: its name without versions, architectures and configurations. `libFoo-1.0.a`,
/// `libFoo-arm64.a` and `Foo_debug.framework` are copies of one library.
enum CopyKey {
  static func of(_ path: String) -> String {
    let stem = PathText.stem(path).lowercased()
    let words = FolderStanding.words(PathText.stem(path)).filter { !isVariant($0) }
    return words.isEmpty ? stem : words.joined(separator: " ")
  }

  private static func isVariant(_ word: String) -> Bool {
    let digits = word.utf8.first == UInt8(ascii: "v") ? word.utf8.dropFirst() : word.utf8[...]
    return variants.contains(word) || !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
      || word.hasPrefix("rc") && word.utf8.dropFirst(2).allSatisfy { (0x30...0x39).contains($0) }
  }

  private static let variants: Set<String> = [
    "release", "debug", "alpha", "beta", "snapshot", "final", "arm64", "arm64e", "armv6", "armv7", "armv7s", "armeabi",
    "v7a",
    "v8a", "i386", "x86", "x8664", "universal", "fat", "device", "simulator", "iphoneos", "iphonesimulator", "ios",
    "static",
    "dynamic",
  ]
}
