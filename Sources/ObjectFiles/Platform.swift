/// An operating system version as Mach-O packs it: `xxxx.yy.zz` in 32 bits.
package struct OSVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  package var major, minor, patch: Int

  package init(_ major: Int, _ minor: Int = 0, _ patch: Int = 0) {
    self.major = major
    self.minor = minor
    self.patch = patch
  }

  /// `7.0`; nil if the text is no version.
  package init?(text: String) {
    let parts = text.split(separator: ".").map { Int($0) }
    guard let major = parts.first ?? nil, !parts.contains(nil) else { return nil }
    self.init(major, parts.count > 1 ? parts[1] ?? 0 : 0, parts.count > 2 ? parts[2] ?? 0 : 0)
  }

  package init(packed: UInt32) { self.init(Int(packed >> 16), Int(packed >> 8 & 0xFF), Int(packed & 0xFF)) }

  package var packed: UInt32 { UInt32(major) << 16 | UInt32(minor & 0xFF) << 8 | UInt32(patch & 0xFF) }

  /// `7.0`, `13.0.1`: the patch only where it is not 0, as otool prints it.
  package var description: String { patch == 0 ? "\(major).\(minor)" : "\(major).\(minor).\(patch)" }

  package static func < (a: Self, b: Self) -> Bool { (a.major, a.minor, a.patch) < (b.major, b.minor, b.patch) }
}

/// A platform of `LC_BUILD_VERSION` (`PLATFORM_…` in `<mach-o/loader.h>`): an open set.
package struct Platform: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  package var rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let macOS = Platform(rawValue: 1)
  package static let iOS = Platform(rawValue: 2)
  package static let tvOS = Platform(rawValue: 3)
  package static let watchOS = Platform(rawValue: 4)
  package static let macCatalyst = Platform(rawValue: 6)
  package static let iOSSimulator = Platform(rawValue: 7)
  package static let tvOSSimulator = Platform(rawValue: 8)
  package static let watchOSSimulator = Platform(rawValue: 9)
  package static let driverKit = Platform(rawValue: 10)
  package static let visionOS = Platform(rawValue: 11)
  package static let visionOSSimulator = Platform(rawValue: 12)

  /// For the user: `iOS`, `iOS simulator`, `platform 99`.
  package var description: String { Platform.names[rawValue] ?? "platform \(rawValue)" }

  private static let names: [UInt32: String] = [
    1: "macOS", 2: "iOS", 3: "tvOS", 4: "watchOS", 5: "bridgeOS", 6: "Mac Catalyst", 7: "iOS simulator",
    8: "tvOS simulator", 9: "watchOS simulator", 10: "DriverKit", 11: "visionOS", 12: "visionOS simulator",
  ]
}

/// The platform that code was compiled for: one of the build-version load commands.
package struct BuildVersion: Hashable, Sendable {
  package var platform: Platform
  package var minimumOS: OSVersion
  package var sdk: OSVersion
  /// The compilers and their versions, in the file's order; empty for the older commands, which do not tell.
  package var tools: [Tool] = []

  /// A tool of `LC_BUILD_VERSION`: 1 is clang, 2 Swift, 3 ld, 4 lld.
  package struct Tool: Hashable, Sendable {
    package var number: UInt32
    package var version: OSVersion
  }
}
