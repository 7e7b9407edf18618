import BuildEngine
import Documents
import Findings
import ObjectFiles
import Store
import SystemPackage

extension InfoPlist {
  /// The `Info.plist` of a framework, with the keys that the App Store asks for.
  ///
  /// - Parameter identifier: the bundle identifier; nil for the module's name.
  static func ofFramework(_ module: String, identifier: String?, version: String, _ code: SliceCode) -> PropertyList {
    // A version in a bundle is at most three numbers. Words of a prerelease are refused.
    let numbers = version.utf8.drop { !(48...57).contains($0) }.prefix {
      (48...57).contains($0) || $0 == UInt8(ascii: ".")
    }
    .split(separator: UInt8(ascii: ".")).prefix(3).map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
    var list: [String: PropertyList] = [
      "CFBundleDevelopmentRegion": .text("en"),
      "CFBundleExecutable": .text(module),
      "CFBundleIdentifier": .text(identifier ?? InfoPlist.identifier(module)),
      "CFBundleInfoDictionaryVersion": .text("6.0"),
      "CFBundleName": .text(module),
      "CFBundlePackageType": .text("FMWK"),
      "CFBundleShortVersionString": .text(numbers.isEmpty ? "1.0" : numbers),
      "CFBundleSupportedPlatforms": .list([.text(code.platform.bundleName)]),
      "CFBundleVersion": .text(numbers.isEmpty ? "1" : numbers),
    ]
    if let minimum = code.minimumMacOS {
      list["LSMinimumSystemVersion"] = .text(minimum.description)
    } else {
      list["MinimumOSVersion"] = .text(code.minimumOS.description)
    }
    let families = code.platform.deviceFamilies
    if !families.isEmpty { list["UIDeviceFamily"] = .list(families.map(PropertyList.integer)) }
    return .map(list)
  }

  /// Letters, digits, hyphens and dots are allowed in an identifier, and underscores are not.
  private static func identifier(_ module: String) -> String {
    String(decoding: module.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }, as: UTF8.self)
  }

  /// The `Info.plist` of a bundle, which must be one.
  static func read(_ input: ResolvedInput, at place: Place, _ context: ActionContext) throws -> PropertyList {
    let bytes = try FileSystem.read(context.absolute(input.path), limit: 4 << 20)
    do throws(PropertyList.Damage) {
      if let list = try PropertyList.read(bytes), list.map != nil { return list }
    } catch {
      throw Mistakes("\(input.path) is damaged: \(error.reason)", at: place)
    }
    throw Mistakes("\(input.path) is no property list with a dictionary at its top", at: place)
  }
}

extension SliceCode {
  /// The minimum version of macOS; nil for other systems. Code for Mac Catalyst has the version of iOS, and these two
  /// go together since iOS 13.
  fileprivate var minimumMacOS: OSVersion? {
    switch platform {
    case .macOS: return minimumOS
    case .macCatalyst:
      if minimumOS.major >= 26 { return OSVersion(minimumOS.major, minimumOS.minor) }
      return minimumOS.major < 14 ? OSVersion(10, 15) : OSVersion(minimumOS.major - 3)
    default: return nil
    }
  }
}

extension Platform {
  /// Its name in `CFBundleSupportedPlatforms`.
  var bundleName: String {
    switch self {
    case .iOS: "iPhoneOS"
    case .iOSSimulator: "iPhoneSimulator"
    case .tvOS: "AppleTVOS"
    case .tvOSSimulator: "AppleTVSimulator"
    case .watchOS: "WatchOS"
    case .watchOSSimulator: "WatchSimulator"
    case .visionOS: "XROS"
    case .visionOSSimulator: "XRSimulator"
    case .driverKit: "DriverKit"
    default: "MacOSX"
    }
  }

  /// The numbers of `UIDeviceFamily`.
  fileprivate var deviceFamilies: [Int] {
    switch self {
    case .iOS, .iOSSimulator: [1, 2]
    case .macCatalyst: [2]
    case .tvOS, .tvOSSimulator: [3]
    case .watchOS, .watchOSSimulator: [4]
    case .visionOS, .visionOSSimulator: [7]
    default: []
    }
  }
}
