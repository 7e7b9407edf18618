import Artifacts
import BuildEngine
import Documents
import Findings
import ObjectFiles
import Store
import SystemPackage

/// A system of Apple's, as package managers name it.
enum AppleSystem: String, CaseIterable {
  case iOS, macCatalyst, macOS, tvOS, watchOS, visionOS

  /// Nil for a slice of no such system.
  init?(slice: String) {
    switch (slice.prefix { $0 != "-" }, slice.hasSuffix("-maccatalyst")) {
    case ("ios", true): self = .macCatalyst
    case ("ios", false): self = .iOS
    case ("macos", _): self = .macOS
    case ("tvos", _): self = .tvOS
    case ("watchos", _): self = .watchOS
    case ("xros", _): self = .visionOS
    default: return nil
    }
  }
}

/// The zip of an XCFramework or framework that another deliverable made, for a package manager.
struct PackedFramework {
  /// The name in it: `X` of `X.xcframework`.
  let name: String
  /// `X.xcframework`
  let folder: String
  /// The zip's name.
  let file: String
  /// SHA-256, as hexadecimal digits.
  let checksum: String
  /// The lowest version that each system needs. A simulator's counts where there is no device.
  let systems: [AppleSystem: OSVersion]

  /// - Parameter record: the record of the deliverable, which lists its entries.
  init(_ zip: ResolvedInput, record: ResolvedInput, _ context: ActionContext) throws {
    let record = try DeliverableRecord.read(try context.disk.read(context.absolute(record.path)))
    let top = record.entries.first?.path.pathParts.first.map(String.init) ?? ""
    guard let dot = top.utf8.lastIndex(of: UInt8(ascii: ".")) else {
      throw StepFailure("there is no framework in \(zip.path)")
    }
    (folder, name) = (top, String(top[..<dot]))
    file = zip.path.lastComponent?.string ?? ""
    checksum = zip.digest?.hex ?? ""
    var lowest: [AppleSystem: (version: OSVersion, isSimulator: Bool)] = [:]
    for slice in record.slices ?? [] {
      guard let system = AppleSystem(slice: slice.name), let version = slice.minimumOS.flatMap({ OSVersion(text: $0) })
      else { continue }
      let isSimulator = slice.name.hasSuffix("-simulator")
      if let known = lowest[system] {
        if known.isSimulator == isSimulator ? known.version <= version : isSimulator { continue }
      }
      lowest[system] = (version, isSimulator)
    }
    systems = lowest.mapValues(\.version)
  }

  /// The keys of what an app links besides.
  static let linkKeys = [
    Key("frameworks", .oneOrMany(.text), "system frameworks that the app links"),
    Key("libraries", .oneOrMany(.text), "system libraries that the app links, without 'lib'"),
  ]

  /// Checks an address with `{version}` and `{file}`, under which `count` zips are found. Managers take only https.
  static func address(_ node: Node?, of count: Int) throws(Mistakes) -> String? {
    guard let node, let url = node.text else { return nil }
    guard url.hasPrefix("https://") else {
      throw Mistakes(
        "'\(url)' does not begin with https://, and package managers take nothing else", at: node.place)
    }
    let isOfEach = url.contains("{file}")
    guard isOfEach || url.hasSuffix(".zip") else {
      throw Mistakes(
        "'\(url)' is no address of a zip", at: node.place, hint: "end it with {file}, which is the zip's name")
    }
    guard isOfEach || count == 1 else {
      throw Mistakes(
        "'\(url)' is the address of \(count) XCFrameworks", at: node.place,
        hint: "put {file} where the zip's name belongs")
    }
    return url
  }

  func address(_ pattern: String, version: String) -> String {
    pattern.replacingText("{version}", with: percentEncoded(version))
      .replacingText("{file}", with: percentEncoded(file))
  }
}
