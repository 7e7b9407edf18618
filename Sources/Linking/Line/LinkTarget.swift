import Findings
package import ObjectFiles

/// What a link's output is built for, as `-platform_version` says it.
package struct LinkTarget: Hashable, Sendable {
  package var platform: Platform
  /// Nil: no version is too new.
  package var minimumOS: OSVersion?

  package init(_ platform: Platform, minimumOS: OSVersion? = nil) {
    self.platform = platform
    self.minimumOS = minimumOS
  }

  /// The platform by name or number.
  init(_ platform: String, _ minimumOS: String) throws(Mistakes) {
    guard let known = Self.names[platform] ?? UInt32(platform).map(Platform.init(rawValue:)) else {
      throw Mistakes("no platform is called \(platform)", hint: didYouMean(platform, among: Array(Self.names.keys)))
    }
    self.init(known, minimumOS: try Self.version(minimumOS))
  }

  /// One of `flags`.
  init(flag: String, _ minimumOS: String) throws(Mistakes) {
    guard let platform = Self.flags[flag] else { throw Mistakes("the linker's flag \(flag) is not known") }
    self.init(platform, minimumOS: try Self.version(minimumOS))
  }

  static let flags: [String: Platform] = [
    "-ios_version_min": .iOS, "-iphoneos_version_min": .iOS, "-ios_simulator_version_min": .iOSSimulator,
    "-macosx_version_min": .macOS, "-macos_version_min": .macOS, "-tvos_version_min": .tvOS,
    "-watchos_version_min": .watchOS,
  ]

  private static let names: [String: Platform] = [
    "macos": .macOS, "ios": .iOS, "tvos": .tvOS, "watchos": .watchOS, "bridgeos": .bridgeOS,
    "mac-catalyst": .macCatalyst,
    "ios-simulator": .iOSSimulator, "tvos-simulator": .tvOSSimulator, "watchos-simulator": .watchOSSimulator,
    "driverkit": .driverKit, "xros": .visionOS, "visionos": .visionOS, "xros-simulator": .visionOSSimulator,
    "visionos-simulator": .visionOSSimulator,
  ]

  private static func version(_ text: String) throws(Mistakes) -> OSVersion {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    guard (1...3).contains(parts.count), let major = parts[0], parts.allSatisfy({ $0 != nil }) else {
      throw Mistakes("\(text) is not a version of a system")
    }
    return OSVersion(major, parts.dropFirst().first.flatMap(\.self) ?? 0, parts.dropFirst(2).first.flatMap(\.self) ?? 0)
  }
}

extension Platform {
  /// What code for it runs on, a device or what simulates one.
  var device: Platform {
    switch self {
    case .iOSSimulator: .iOS
    case .tvOSSimulator: .tvOS
    case .watchOSSimulator: .watchOS
    case .visionOSSimulator: .visionOS
    default: self
    }
  }
}

/// Which files of another platform a linker takes (rule 1.19).
package enum LinkPlatforms: Sendable {
  /// No object file; of dynamic libraries some, with a warning.
  case ld64
  /// What runs on the device may be linked for what simulates it, and the other way round.
  case lld

  package enum Answer { case taken, warned, refused }

  /// `builds`: what a file says of itself. One that says nothing is taken.
  package func answer(_ builds: [BuildVersion], for target: LinkTarget, isLibrary: Bool) -> Answer {
    switch self {
    case .lld:
      return builds.isEmpty || builds.contains { $0.platform.device == target.platform.device } ? .taken : .refused
    case .ld64:
      if builds.isEmpty && target.platform != .macCatalyst || builds.contains(where: { $0.platform == target.platform })
      {
        return .taken
      }
      let isStrict: [Platform] = [.macCatalyst, .iOSSimulator, .tvOSSimulator, .watchOSSimulator, .driverKit]
      return isLibrary && !isStrict.contains(target.platform) ? .warned : .refused
    }
  }

  /// The version of a file that is newer than the output may be.
  func newer(_ builds: [BuildVersion], than target: LinkTarget) -> OSVersion? {
    guard let minimum = target.minimumOS else { return nil }
    let build = builds.first { build in
      switch self {
      case .ld64: build.platform == target.platform
      case .lld: build.platform.device == target.platform.device
      }
    }
    return build.flatMap { $0.minimumOS > minimum ? $0.minimumOS : nil }
  }
}
