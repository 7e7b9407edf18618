import Findings
package import ObjectFiles

/// The platform and system that a link's output is built for (`-platform_version`).
package struct LinkTarget: Hashable, Sendable {
  package var platform: Platform
  /// Nil: no version is too new.
  package var minimumOS: OSVersion?

  package init(_ platform: Platform, minimumOS: OSVersion? = nil) {
    self.platform = platform
    self.minimumOS = minimumOS
  }

  /// `platform` is a name or a number.
  init(_ platform: String, _ minimumOS: String) throws(Mistakes) {
    guard let known = Self.names[platform] ?? UInt32(platform).map(Platform.init(rawValue:)) else {
      throw Mistakes("no platform is called \(platform)", hint: didYouMean(platform, among: Array(Self.names.keys)))
    }
    self.init(known, minimumOS: try Self.version(minimumOS))
  }

  static let flags: [String: Platform] = [
    "-ios_version_min": .iOS, "-iphoneos_version_min": .iOS, "-ios_simulator_version_min": .iOSSimulator,
    "-macosx_version_min": .macOS, "-macos_version_min": .macOS, "-tvos_version_min": .tvOS,
    "-watchos_version_min": .watchOS, "-maccatalyst_version_min": .macCatalyst,
    "-iosmac_version_min": .macCatalyst, "-uikitformac_version_min": .macCatalyst,
  ]

  private static let names: [String: Platform] = {
    var names: [String: Platform] = ["xros": .visionOS, "xros-simulator": .visionOSSimulator]
    for number in Platform.macOS.rawValue...Platform.visionOSSimulator.rawValue {
      let platform = Platform(rawValue: number)
      names[platform.description.lowercased().split(separator: " ").joined(separator: "-")] = platform
    }
    return names
  }()

  static func version(_ text: String) throws(Mistakes) -> OSVersion {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    guard (1...3).contains(parts.count), let major = parts[0], parts.allSatisfy({ $0 != nil }) else {
      throw Mistakes("\(text) is not a version of a system")
    }
    return OSVersion(major, parts.dropFirst().first.flatMap(\.self) ?? 0, parts.dropFirst(2).first.flatMap(\.self) ?? 0)
  }
}

extension Platform {
  /// The device platform of a simulator; any other platform itself.
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

/// A linker's treatment of files for another platform than the output's (rule 1.19).
package struct PlatformPolicy: Sendable {
  package enum Answer { case take, warn, refuse }

  private struct Answers {
    /// The file is for the device and the output for its simulator, or the other way round.
    var counterpart: Answer
    var other: Answer
  }

  private var objects: Answers
  private var libraries: Answers
  /// For these outputs libraries get the answers of object files.
  private var strictTargets: Set<Platform> = []
  private var catalystRefusesUnmarked = false

  static let ld64 = PlatformPolicy(
    objects: Answers(counterpart: .refuse, other: .refuse), libraries: Answers(counterpart: .warn, other: .warn),
    strictTargets: [.macCatalyst, .iOSSimulator, .tvOSSimulator, .watchOSSimulator, .driverKit],
    catalystRefusesUnmarked: true)
  static let lld = PlatformPolicy(
    objects: Answers(counterpart: .take, other: .refuse), libraries: Answers(counterpart: .take, other: .refuse))

  package func answer(_ builds: [BuildVersion], for target: LinkTarget, isLibrary: Bool) -> Answer {
    if builds.isEmpty, target.platform != .macCatalyst || !catalystRefusesUnmarked { return .take }
    if builds.contains(where: { $0.platform == target.platform }) { return .take }
    let answers = isLibrary && !strictTargets.contains(target.platform) ? libraries : objects
    let isCounterpart = builds.contains { $0.platform.device == target.platform.device }
    return isCounterpart ? answers.counterpart : answers.other
  }

  /// The file's minimum version of the system, if it is newer than the output's.
  func newer(_ builds: [BuildVersion], than target: LinkTarget) -> OSVersion? {
    guard let minimum = target.minimumOS else { return nil }
    let build = builds.first { build in
      build.platform == target.platform
        || objects.counterpart == .take && build.platform.device == target.platform.device
    }
    return build.flatMap { $0.minimumOS > minimum ? $0.minimumOS : nil }
  }
}
