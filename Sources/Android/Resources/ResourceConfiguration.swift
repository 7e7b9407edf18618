/// The demands of a resource folder's qualifiers on a device, spelled in one way: `-HDPI`, `-240dpi` and `-hdpi-v4` are
/// one configuration, and an app has one value of each resource for it (aapt2, `ConfigDescription`). Unknown qualifiers
/// stay as they are: whether a folder may have the name is not judged.
package struct ResourceConfiguration: Hashable, Sendable, CustomStringConvertible {
  private let bytes: [UInt8]

  /// The configuration that is used where no other fits better.
  package static let standard = ResourceConfiguration("")

  /// `qualifiers` is the part behind the type in a folder's name, with or without the dash: `-es-v21`.
  package init(_ qualifiers: some StringProtocol) {
    var parts: [String] = []
    var version = 0
    for part in qualifiers.lowercased().split(separator: "-").map(String.init) where part != "any" {
      if let number = Self.number(part, behind: "v") {
        version = max(version, number)
      } else {
        parts.append(Self.spelled(part))
        version = max(version, Self.impliedVersion(parts[parts.count - 1]))
      }
    }
    if version > 0 { parts.append("v\(version)") }
    bytes = Array(parts.joined(separator: "-").utf8)
  }

  package var isStandard: Bool { bytes.isEmpty }
  package var description: String { String(decoding: bytes, as: UTF8.self) }

  /// `21` of `v21`, and `600` of `sw600dp`.
  private static func number(_ text: String, behind start: String, before end: String = "") -> Int? {
    guard text.hasPrefix(start), text.hasSuffix(end) else { return nil }
    let digits = text.utf8.dropFirst(start.utf8.count).dropLast(end.utf8.count)
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self))
  }

  private static let densities = [
    120: "ldpi", 160: "mdpi", 213: "tvdpi", 240: "hdpi", 320: "xhdpi", 480: "xxhdpi", 640: "xxxhdpi",
  ]

  private static func spelled(_ part: String) -> String {
    if let density = number(part, behind: "", before: "dpi") { return densities[density] ?? "\(density)dpi" }
    if let network = number(part, behind: "mnc") { return "mnc\(network)" }
    for start in ["sw", "w", "h"] {
      if let size = number(part, behind: start, before: "dp") { return "\(start)\(size)dp" }
    }
    guard part.hasPrefix("b+") else { return part }
    // A tag with only a language and a region is equal to the older form.
    let tags = part.split(separator: "+").dropFirst()
    guard let language = tags.first, let region = tags.dropFirst().first else { return String(tags.first ?? "") }
    let isRegion = region.utf8.count == 2 || (region.utf8.count == 3 && Int(region) != nil)
    return tags.count == 2 && isRegion ? "\(language)-r\(region)" : part
  }

  /// The first Android that knows the qualifier: older ones would take its values for any device.
  private static func impliedVersion(_ part: String) -> Int {
    switch part {
    case "vrheadset", "widecg", "nowidecg", "highdr", "lowdr": 26
    case "round", "notround": 23
    case "anydpi": 21
    case "car", "desk", "television", "appliance", "watch", "night", "notnight": 8
    case "small", "normal", "large", "xlarge", "long", "notlong", "nodpi": 4
    case _ where densities.values.contains(part): 4
    case _ where number(part, behind: "", before: "dpi") != nil: 4
    case _ where ["sw", "w", "h"].contains { number(part, behind: $0, before: "dp") != nil }: 13
    default: 0
    }
  }
}
