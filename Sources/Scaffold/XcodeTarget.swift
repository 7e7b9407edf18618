import Documents
import Findings

/// A target of an Xcode project that makes a library for iOS, according to the project's property list.
struct XcodeTarget: Sendable {
  /// The project's path: `ios/Rally.xcodeproj`.
  let project: String
  let name: String
  /// `libRally.a`, `Rally.framework`.
  let product: String
  /// `MARKETING_VERSION`, if it is plain text.
  let version: String?

  /// Whether the project also makes an application, of which the library may be a part.
  let isBesideApplication: Bool
  /// Whether other targets are built for it.
  let needsOthers: Bool

  /// More targets are not examined.
  private static let most = 100

  /// Whether the product cannot contain resources.
  var isStatic: Bool { PathText.ending(product) == "a" }

  /// The targets of a project for iOS, or the reason why there are none that can be built by themselves.
  static func all(of project: String, in tree: SourceTree) -> (targets: [XcodeTarget], left: [LeftOut]) {
    let file = PathText.join(project, "project.pbxproj")
    let folder = PathText.folder(project)
    func none(_ reason: String) -> ([XcodeTarget], [LeftOut]) { ([], [LeftOut(project, reason)]) }
    guard tree.isFile(file) else { return none("it has no project.pbxproj") }
    let list: PropertyList
    do throws(PropertyList.Damage) { list = try PropertyList.read(openStep: tree.bytes(file)) } catch {
      return none("its project.pbxproj cannot be read: \(error.reason)")
    }
    let objects = Objects(list)
    let libraries = objects.libraries
    guard !libraries.isEmpty else {
      return none(
        objects.hasApplications ? "an application is what it makes" : "none of its targets makes a library for iOS")
    }
    for manager in ["Podfile", "Cartfile"] where tree.isFile(PathText.join(folder, manager)) {
      return none("\(PathText.join(folder, manager)) brings other code into its build")
    }
    guard !objects.hasPackages else { return none("Swift packages from elsewhere are in its build") }
    let targets = libraries.prefix(XcodeTarget.most).compactMap { target -> XcodeTarget? in
      guard objects.isForPhones(target), let name = target["name"]?.text, !name.isEmpty, printable(name) == name,
        let product = objects[target["productReference"]]?["path"]?.text, isPlainName(product)
      else { return nil }
      let version = objects.setting("MARKETING_VERSION", of: target)
      let isPlain = version.map { !$0.utf8.contains(UInt8(ascii: "$")) } ?? false
      return XcodeTarget(
        project: project, name: name, product: product, version: isPlain ? version : nil,
        isBesideApplication: objects.hasApplications, needsOthers: target["dependencies"]?.list?.isEmpty == false)
    }
    return targets.isEmpty ? none("nothing says that a target of it is for iOS") : (targets, [])
  }

  /// Whether it is the name of one file without variables of Xcode.
  private static func isPlainName(_ name: String) -> Bool {
    let ending = PathText.ending(name)
    return (ending == "a" || ending == "framework") && !name.utf8.contains(where: "/$*?[{\\".utf8.contains)
      && Identity.isName(name)
  }

  // MARK: - The step

  /// The path at which the step leaves the product.
  var output: String { PathText.join(PathText.folder(project), "build/device/\(product)") }

  /// Xcode itself replaces `$(SRCROOT)` with the project's folder.
  func step(inputs: [String]) -> YAMLValue {
    .map([
      YAMLValue.Member(
        "run",
        .texts([
          "xcodebuild", "-project", project, "-target", name, "-configuration", "Release", "-sdk", "iphoneos",
          "CONFIGURATION_BUILD_DIR=$(SRCROOT)/build/device",
        ])),
      YAMLValue.Member("inputs", .texts(["\(project)/project.pbxproj"] + inputs)),
      YAMLValue.Member("outputs", .texts([output])),
    ])
  }

  private static let endings: Set<String> = [
    "h", "hh", "hpp", "hxx", "inc", "pch", "m", "mm", "c", "cc", "cpp", "cxx", "s", "swift", "xcconfig", "modulemap",
    "plist",
    "xib", "storyboard", "strings", "xcprivacy", "inl", "ipp", "tcc", "metal", "a", "def",
  ]

  /// Patterns of the possible inputs of a build: every file of the tree that compilers read, except outputs of builds.
  /// A folder above the project's is matched without its inner folders, so that no pattern includes the build's own
  /// folder.
  static func inputs(of project: String, _ files: [SourceTree.File]) -> [String] {
    let folder = PathText.folder(project)
    var patterns: [String: Set<String>] = [:]
    for file in files where !file.isFolder && endings.contains(file.ending) {
      guard file.standing == .own || file.standing == .dependency else { continue }
      // The first folder on the way to the file that does not contain the project.
      var top = ""
      for part in PathText.names(file.folder) where PathText.isBelow(folder, top) {
        top = PathText.join(top, part)
      }
      let isAbove = PathText.isBelow(folder, top)
      patterns[isAbove ? PathText.join(top, "*") : PathText.join(top, "**/*"), default: []].insert(file.rawEnding)
    }
    return patterns.sorted { $0.key < $1.key }.map { pattern, endings in
      let list = endings.sorted().joined(separator: ",")
      return endings.count == 1 ? "\(pattern).\(list)" : "\(pattern).{\(list)}"
    }
  }
}

/// The objects of a project by identifier.
private struct Objects {
  private let objects: [String: PropertyList]
  private let project: PropertyList?

  /// The release settings of each list of configurations.
  private let settings: [String: PropertyList]

  init(_ list: PropertyList) {
    let objects = list["objects"]?.map ?? [:]
    settings = objects.compactMapValues { object in
      guard let identifiers = object["buildConfigurations"]?.list else { return nil }
      let all = identifiers.lazy.compactMap { $0.text.flatMap { objects[$0] } }
      return (all.first { $0["name"]?.text == "Release" } ?? all.first)?["buildSettings"]
    }
    self.objects = objects
    project = list["rootObject"]?.text.flatMap { [objects] in objects[$0] }
  }

  subscript(_ identifier: PropertyList?) -> PropertyList? { identifier?.text.flatMap { objects[$0] } }

  private func all(_ list: PropertyList?) -> [PropertyList] { (list?.list ?? []).compactMap { self[$0] } }

  private func targets(where isMeant: (String) -> Bool) -> [PropertyList] {
    all(project?["targets"]).filter { target in
      target["isa"]?.text == "PBXNativeTarget" && isMeant(target["productType"]?.text ?? "")
    }
  }

  /// Library targets except those for tests, judged by their names.
  var libraries: [PropertyList] {
    targets { $0 == "com.apple.product-type.library.static" || $0.hasPrefix("com.apple.product-type.framework") }
      .filter { FolderStanding.serves(tests: $0["name"]?.text ?? "") == false }
  }

  var hasApplications: Bool { !targets { $0.hasPrefix("com.apple.product-type.application") }.isEmpty }

  var hasPackages: Bool { project?["packageReferences"]?.list?.isEmpty == false }

  /// From the target's release configuration, or else the project's. Configuration files (`.xcconfig`) are not read.
  func setting(_ key: String, of target: PropertyList) -> String? {
    [target, project].lazy.compactMap { owner in
      owner?["buildConfigurationList"]?.text.flatMap { self.settings[$0] }?[key]?.text
    }.first
  }

  func isForPhones(_ target: PropertyList) -> Bool {
    guard let platforms = setting("SUPPORTED_PLATFORMS", of: target) else {
      return setting("SDKROOT", of: target) == "iphoneos"
    }
    return platforms.utf8.split(separator: UInt8(ascii: " ")).contains { $0.elementsEqual("iphoneos".utf8) }
  }
}
