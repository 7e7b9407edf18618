package import ObjectFiles

/// The target of a piece of code: a platform, an architecture and a variant, spelled as in XCFrameworks: `ios-arm64`,
/// `ios-arm64-simulator`, `android-arm64-v8a`.
package struct Slice: Hashable, Sendable {
  /// `ios`, `macos`, `tvos`, `watchos`, `xros`, `android`. Nil if it is not known; such a slice goes with all
  /// platforms.
  package var platform: String?
  /// As `lipo` names it; for Android the ABI. Empty for files that go with all architectures.
  package var architecture: String
  /// `simulator`, `maccatalyst`.
  package var variant: String?

  package init(platform: String?, architecture: String, variant: String? = nil) {
    self.platform = platform
    self.architecture = architecture
    self.variant = variant
  }

  package init(_ architecture: Architecture, _ platform: Platform?) {
    self.init(platform: platform?.identifier, architecture: architecture.name, variant: platform?.variant)
  }

  /// An ELF file does not say that it is Android's; one of its `folders` that is named after its ABI does.
  package init(_ file: ELFFile, in folders: some Sequence<String>) {
    if let abi = folders.lazy.compactMap(AndroidABI.init(rawValue:)).first(where: { $0.fits(file) }) {
      self.init(platform: "android", architecture: abi.rawValue)
    } else {
      self.init(platform: nil, architecture: file.machine.description)
    }
  }

  /// The slice of a target triple: `arm64-apple-ios13.0.0-simulator`, `aarch64-unknown-linux-android21`.
  package init(_ bitcode: BitcodeSymbols) {
    let parts = bitcode.target.split(separator: "-").map(String.init)
    architecture = bitcode.architectureName
    if parts.contains(where: { $0.hasPrefix("android") }) {
      platform = "android"
      let abis = ["aarch64": "arm64-v8a", "armv7": "armeabi-v7a", "armv7a": "armeabi-v7a", "i686": "x86"]
      architecture = abis[architecture] ?? architecture
    } else if parts.count > 2, parts[1] == "apple" {
      let system = String(parts[2].prefix { "a"..."z" ~= $0 })
      platform = system == "macosx" ? "macos" : system
      variant = parts.count < 4 ? nil : parts[3] == "macabi" ? "maccatalyst" : parts[3]
    }
  }

  /// The platform as Mach-O files name it; nil if it is not one of Apple's.
  package var codePlatform: Platform? {
    (1...12).map(Platform.init(rawValue:)).first { $0.identifier == platform && $0.variant == variant }
  }

  /// Whether code for the one can be linked with code for the other.
  package func goes(with other: Slice) -> Bool {
    guard architecture == other.architecture else { return false }
    return platform == nil || other.platform == nil || platform == other.platform && variant == other.variant
  }
}

extension Slice: CustomStringConvertible, Comparable {
  package var description: String {
    [platform, architecture, variant].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "-")
  }

  package static func < (a: Slice, b: Slice) -> Bool { a.description < b.description }
}

extension Platform {
  /// As `SupportedPlatform` and `SupportedPlatformVariant` of an XCFramework spell them.
  fileprivate var identifier: String {
    switch self {
    case .macOS: "macos"
    case .iOS, .iOSSimulator, .macCatalyst: "ios"
    case .tvOS, .tvOSSimulator: "tvos"
    case .watchOS, .watchOSSimulator: "watchos"
    case .visionOS, .visionOSSimulator: "xros"
    case .driverKit: "driverkit"
    default: "platform\(rawValue)"
    }
  }

  fileprivate var variant: String? {
    switch self {
    case .macCatalyst: "maccatalyst"
    case .iOSSimulator, .tvOSSimulator, .watchOSSimulator, .visionOSSimulator: "simulator"
    default: nil
    }
  }
}
