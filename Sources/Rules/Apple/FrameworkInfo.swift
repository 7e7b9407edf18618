package import Artifacts
import Documents
package import Findings
import ObjectFiles

/// The `Info.plist` of a dynamic framework for devices has what the App Store asks of a framework in an app. (Static
/// frameworks are linked, and frameworks for simulators and Macs are not judged by their minimum version.)
package enum FrameworkInfo: Rule {
  package static let id: RuleID = "framework-info"
  package static let kinds: Set<ArtifactKind>? = .apple
  package static let facts: [any Facts.Type] = [CodeFacts.self, PropertyListFacts.self]

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    let root = inventory.rootName.hasSuffix(ending) ? [inventory.rootName] : []
    var infos: [String: Item] = [:]
    var binaries: [(path: String, item: Item, minimum: OSVersion)] = []
    for item in inventory.items where item.isFile && item.metadata == nil {
      let parts = root + item.parts
      // Frameworks for these devices have no `Versions`.
      guard parts.count > 1, case let folder = parts[parts.count - 2], folder.hasSuffix(ending) else { continue }
      let path = parts.dropLast().joined(separator: "/")
      if item.lastPart == "Info.plist" { infos[path] = item }
      if item.lastPart == folder.dropLast(ending.count), let minimum = minimum(of: item) {
        binaries.append((path, item, minimum))
      }
    }
    return binaries.flatMap { path, binary, minimum -> [Finding] in
      let name = path.lastPathPart
      guard let info = infos[path] else {
        let defect = Defect(
          "\(name) has no Info.plist: the App Store refuses an app that embeds it", about: "Info.plist",
          hint: "build it again as a framework: a folder with a library is none", of: binary)
        return [finding(judging, defect, in: inventory, whole: inventory.place)]
      }
      guard case .values(let values)? = info.facts(PropertyListFacts.self) else { return [] }
      return defects(values, info, binary, minimum).map { message, key, hint in
        let defect = Defect("Info.plist of \(name) \(message)", about: key, hint: hint, of: info)
        return finding(judging, defect, in: inventory, whole: inventory.place)
      }
    }
  }

  private static let ending = ".framework"

  /// The minimum version of a dynamic library for devices; nil for any other file. The lowest of its architectures
  /// counts, because compilers raise those of newer ones: watchOS runs on arm64 since 9.0.
  private static func minimum(of item: Item) -> OSVersion? {
    let slices = item.facts(CodeFacts.self)?.slices ?? []
    let builds = slices.flatMap { $0.form == .machO(.dylib) ? $0.builds : [] }
    return builds.filter { devices.contains($0.platform) }.map(\.minimumOS).min()
  }

  private static let devices: Set<Platform> = [.iOS, .tvOS, .watchOS, .visionOS]

  private typealias Found = (message: String, key: String, hint: String)

  private static func defects(
    _ values: PropertyList, _ info: Item, _ binary: Item, _ minimum: OSVersion
  ) -> [Found] {
    var found: [Found] = []
    func check(_ key: String, _ isRight: (String) -> Bool, _ wanted: String, _ hint: String) {
      guard let value = values[key] else { return found.append(("has no \(key)", key, "add it: \(wanted)")) }
      if !isRight(value.shown) { found.append(("has the \(key) '\(value.shown)': \(wanted)", key, hint)) }
    }
    let target = "\(minimum)"
    check(
      "MinimumOSVersion", { OSVersion(text: $0).map { $0 >= minimum } ?? false },
      "\(binary.lastPart) is built for \(target) and later",
      "build with the deployment target that Info.plist names, or write \(target) into it")
    check(
      "CFBundleExecutable", { $0 == binary.lastPart }, "the framework's code is '\(binary.lastPart)'",
      "set it to '\(binary.lastPart)'")
    check("CFBundlePackageType", { $0 == "FMWK" }, "a framework has FMWK", "set it to FMWK")
    check(
      "CFBundleIdentifier", { !$0.isEmpty && $0.utf8.allSatisfy(isOfIdentifier) },
      "letters, digits, dots and hyphens are allowed", "set one such as com.example.\(binary.lastPart)")
    check(
      "CFBundleShortVersionString", { isVersion($0, parts: 3) }, "at most three numbers with dots between them",
      "leave words such as -rc.1 out of it")
    check(
      "CFBundleVersion", { isVersion($0, parts: .max) }, "numbers with dots between them", "leave words out of it")
    if let platforms = values["CFBundleSupportedPlatforms"]?.texts,
      let other = platforms.first(where: { $0.hasSuffix("Simulator") })
    {
      found.append(
        (
          "says in CFBundleSupportedPlatforms that it is for \(other), and its code is for devices",
          "CFBundleSupportedPlatforms", "take the Info.plist of the build for devices"
        ))
    }
    return found
  }

  private static func isOfIdentifier(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (97...122).contains(byte | 0x20) || "-.".utf8.contains(byte)
  }

  private static func isVersion(_ text: String, parts: Int) -> Bool {
    let numbers = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return numbers.count <= parts && numbers.allSatisfy { !$0.isEmpty && $0.allSatisfy { (48...57).contains($0) } }
  }
}
