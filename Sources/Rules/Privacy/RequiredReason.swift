/// A category of APIs for which Apple wants a reason in the privacy manifest of the code that uses them.
///
/// Source: Apple, "Describing use of required reason API". The names are those that code has for them: functions,
/// constants and classes as `nm` prints them, and the selectors of the methods that are listed.
package struct RequiredReason: Sendable {
  /// `NSPrivacyAccessedAPICategoryDiskSpace`, the value of `NSPrivacyAccessedAPIType`.
  package let category: String
  /// The values that `NSPrivacyAccessedAPITypeReasons` may have.
  package let reasons: [String]
  /// `_stat`
  let symbols: [String]
  /// Selectors with the class whose method is meant; nil for one whose name tells.
  var selectors: [(name: String, className: String?)] = []

  package static let all: [RequiredReason] = [
    RequiredReason(
      category: "NSPrivacyAccessedAPICategoryFileTimestamp", reasons: ["DDA9.1", "C617.1", "3B52.1", "0A2A.1"],
      symbols: ["_stat", "_fstat", "_fstatat", "_lstat", "_getattrlistbulk"] + attributeLists + [
        "_NSFileCreationDate", "_NSFileModificationDate", "_NSURLCreationDateKey", "_NSURLContentModificationDateKey",
      ], selectors: [("fileModificationDate", nil)]),
    RequiredReason(
      category: "NSPrivacyAccessedAPICategorySystemBootTime", reasons: ["35F9.1", "8FFB.1", "3D61.1"],
      symbols: ["_mach_absolute_time"], selectors: [("systemUptime", "NSProcessInfo")]),
    RequiredReason(
      category: "NSPrivacyAccessedAPICategoryDiskSpace", reasons: ["85F4.1", "E174.1", "7D9E.1", "B728.1"],
      symbols: ["_statfs", "_fstatfs", "_statvfs", "_fstatvfs"] + attributeLists + [
        "_NSFileSystemFreeSize", "_NSFileSystemSize", "_NSURLVolumeAvailableCapacityKey",
        "_NSURLVolumeAvailableCapacityForImportantUsageKey", "_NSURLVolumeAvailableCapacityForOpportunisticUsageKey",
        "_NSURLVolumeTotalCapacityKey",
      ]),
    RequiredReason(
      category: "NSPrivacyAccessedAPICategoryActiveKeyboards", reasons: ["3EC4.1", "54BD.1"], symbols: [],
      selectors: [("activeInputModes", "UITextInputMode")]),
    RequiredReason(
      category: "NSPrivacyAccessedAPICategoryUserDefaults", reasons: ["CA92.1", "1C8F.1", "C56D.1", "AC6B.1"],
      symbols: ["_OBJC_CLASS_$_NSUserDefaults"]),
  ]

  /// They tell dates and space, so that either category may be meant.
  private static let attributeLists = ["_getattrlist", "_fgetattrlist", "_getattrlistat"]

  /// One of the APIs, with the indices of its categories in `all`.
  package struct API: Hashable, Sendable {
    /// `stat`, `NSUserDefaults`, `systemUptime`
    package let name: String
    package let categories: [Int]
  }

  /// By symbol.
  static let apiOfSymbol: [String: API] = table(\.symbols)

  /// By selector.
  static let apiOfSelector: [String: API] = table { $0.selectors.map(\.name) }

  static let classOfSelector: [String: String] = Dictionary(
    all.flatMap(\.selectors).compactMap { selector in selector.className.map { (selector.name, $0) } },
    uniquingKeysWith: { first, _ in first })

  private static func table(_ names: (RequiredReason) -> [String]) -> [String: API] {
    var result: [String: API] = [:]
    for (index, reason) in all.enumerated() {
      for name in names(reason) {
        result[name] = API(name: shown(name), categories: (result[name]?.categories ?? []) + [index])
      }
    }
    return result
  }

  private static func shown(_ symbol: String) -> String {
    for prefix in ["_OBJC_CLASS_$_", "_"] where symbol.hasPrefix(prefix) {
      return String(symbol.dropFirst(prefix.count))
    }
    return symbol
  }
}
