import Lanes
import Android
import Artifacts
import Testing
import TestSupport

/// Two folders are of one configuration if aapt2 takes them for one.
@Suite("resource configurations", .tools)
struct ResourceConfigurationTests {
  private static let qualifiers = [
    "", "hdpi", "hdpi-v4", "HDPI", "240dpi", "hdpi-v5", "xhdpi-v4", "xhdpi", "nodpi", "nodpi-v4", "anydpi",
    "anydpi-v21",
    "anydpi-v26", "tvdpi-v4", "213dpi", "sw600dp", "sw600dp-v13", "w320dp-v12", "w320dp", "h720dp", "h720dp-v13",
    "night",
    "night-v8", "notnight-v8", "notnight", "small", "small-v4", "large-v3", "large", "xlarge", "long", "notlong-v4",
    "notlong", "round", "round-v23", "notround-v22", "notround", "land", "land-v1", "land-any", "any", "v0", "v4",
    "v21",
    "ldltr", "ldrtl", "ldrtl-v17", "es", "es-v1", "en-rUS", "EN-rus", "b+en+US", "b+en", "en", "b+es+419",
    "b+sr+Latn", "mcc310-mnc004", "mcc310-mnc4", "car", "car-v8", "desk-v7", "television", "watch-v8", "watch",
    "appliance", "vrheadset", "vrheadset-v26", "widecg-v26", "widecg", "nowidecg", "highdr", "lowdr-v26", "lowdr",
    "land-hdpi", "land-hdpi-v4", "port", "finger", "qwerty", "keyshidden", "1024x768", "es-land-night-xxhdpi",
    "es-land-night-480dpi-v8", "sw0600dp", "normal", "normal-v4", "160dpi", "mdpi-v4", "640dpi", "xxxhdpi-v4",
  ]

  @Test("equal ones are those that aapt2 takes for one")
  func oracle() async throws {
    let scratch = Scratch()
    // A name for each: aapt2 would refuse one that is there twice.
    for (number, text) in Self.qualifiers.enumerated() {
      try scratch.write(
        "res/values\(text.isEmpty ? "" : "-\(text)")/\(number).xml",
        "<resources><string name=\"s\(number)\">x</string></resources>")
    }
    try scratch.write("AndroidManifest.xml", "<manifest package=\"a.b\"/>")
    try await Tool.check(["aapt2", "compile", "--dir", "res", "-o", "res.zip"], in: scratch.path)
    try await Tool.check(
      ["aapt2", "link", "--no-resource-removal", "--manifest", "AndroidManifest.xml", "-o", "a.apk", "res.zip"],
      in: scratch.path)
    let dump = try await Tool.check(["aapt2", "dump", "resources", "a.apk"], in: scratch.path)
    var theirs: [Int: String] = [:]
    var number = -1
    for line in dump.split(separator: "\n") {
      if let found = line.firstMatch(of: /string\/s([0-9]+)/) { number = Int(found.1) ?? -1 }
      if let found = line.firstMatch(of: /^ *\(([^)]*)\) "x"/) { theirs[number] = String(found.1) }
    }
    #expect(theirs.count == Self.qualifiers.count)
    let ours = Self.qualifiers.map { ResourceConfiguration($0.isEmpty ? "" : "-\($0)") }
    for one in ours.indices {
      #expect(ours[one].isStandard == (theirs[one] == ""), "\(Self.qualifiers[one])")
      for other in ours.indices where (ours[one] == ours[other]) != (theirs[one] == theirs[other]) {
        Issue.record(
          "\(Self.qualifiers[one]) and \(Self.qualifiers[other]): aapt2 has \(theirs[one] ?? "?") and \(theirs[other] ?? "?")"
        )
      }
    }
  }
}
