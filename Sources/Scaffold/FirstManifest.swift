import Documents
import Findings
import Packaging

/// The manifest for the results of a survey: nodes for libyaml's emitter, with comments above the keys.
struct FirstManifest {
  private let survey: Survey
  private var steps: [YAMLValue.Member] = []
  private var stepComments: [String] = []
  private var deliverables: [YAMLValue.Member] = []
  private let privacy: FirstPrivacyManifest?

  /// Throws if nothing would be packed.
  init(_ survey: Survey) throws {
    self.survey = survey
    privacy = try FirstPrivacyManifest(survey.apple.taken, survey.tree)
    guard !survey.isEmpty else { throw FirstManifest.nothing(survey) }
    addApple()
    addAndroid()
  }

  func proposal() throws -> Scaffold.Proposal {
    let identity = survey.identity
    let name = YAMLValue.Member("name", .text(identity.name))
    let version = identity.version.map { YAMLValue.Member("version", .text($0)) }
    var blocks = [
      YAMLEmitter.Block([
        "yaml-language-server: $schema=npi.schema.json",
        "(npi-pack schema > npi.schema.json writes that schema, with which an editor checks and completes this file.)",
      ]),
      YAMLEmitter.Block([identity.nameComment], name),
      YAMLEmitter.Block([identity.versionComment] + (version == nil ? ["version: 1.0.0"] : []), version),
      YAMLEmitter.Block([
        "The host platform, with what it wants and accepts: npi-pack recipes lists them.", "extends: mobilesmith",
      ]),
    ]
    var members = [name] + [version].compactMap(\.self)
    if !steps.isEmpty {
      let member = YAMLValue.Member("steps", .map(steps))
      members.append(member)
      blocks.append(YAMLEmitter.Block(stepComments, member))
    } else if survey.left.contains(where: \.isUnbuilt) {
      blocks.append(YAMLEmitter.Block(FirstManifest.example))
    }
    let member = YAMLValue.Member("deliverables", .map(deliverables))
    members.append(member)
    blocks.append(YAMLEmitter.Block(["npi-pack makes these in dist/."] + (privacy?.comments ?? []), member))
    let left = FirstManifest.lines(survey.left)
    if !left.isEmpty { blocks.append(YAMLEmitter.Block(["Not packed:"] + left)) }
    let missing = identity.version == nil ? ["no version is written. \(identity.versionComment)"] : []
    return Scaffold.Proposal(
      text: try YAMLEmitter.text(blocks), privacy: privacy?.text, value: .map(members),
      notes: missing + (privacy?.comments ?? []) + left.map { "not packed: \($0)" })
  }

  // MARK: - Packed parts

  private mutating func addApple() {
    var items = survey.apple.taken.map(\.path)
    if let target = survey.target {
      stepComments.append("Xcode builds \(target.product) for devices: it needs a Mac with Xcode.")
      if target.needsOthers {
        stepComments.append("Other targets are built for it, and only its own product is packed.")
      }
      steps.append(
        YAMLValue.Member("xcode", target.step(inputs: XcodeTarget.inputs(of: target.project, survey.tree.files))))
      items.append(target.output)
    }
    guard !items.isEmpty else { return }
    let all =
      (items + survey.bundles).map { YAMLValue.text($0) }
      + (privacy == nil ? [] : [FirstPrivacyManifest.item(of: survey.identity.name)])
    deliverables.append(
      YAMLValue.Member(
        "ios",
        .map([
          YAMLValue.Member("kind", .text("ios-zip")), YAMLValue.Member("items", .list(all)),
        ])))
  }

  private mutating func addAndroid() {
    let android = survey.android
    func aar(_ path: String) -> [YAMLValue.Member] {
      [YAMLValue.Member("kind", .text("aar")), YAMLValue.Member("embed", .text(path))]
    }
    if let module = android.module {
      stepComments.append("Gradle builds the AAR: it needs an Android SDK (env: {ANDROID_HOME: /path/to/sdk}).")
      if module.needsOthers {
        stepComments.append("The module is compiled with others, whose code is in no AAR but their own.")
      }
      steps.append(YAMLValue.Member("gradle", module.step(inputs: module.inputs(survey.tree.files))))
      deliverables.append(YAMLValue.Member("android", .map(aar(module.output))))
    } else if let loose = android.loose {
      deliverables.append(YAMLValue.Member("android", .map(loose.members)))
    }
    let archives = android.archives
    for (index, path) in archives.enumerated() {
      let stem = PathText.stem(path)
      let isName = Identity.isName(stem) && !stem.hasPrefix("-") && !stem.utf8.contains(UInt8(ascii: " "))
      let suffix = isName ? stem : "\(index + 1)"
      let name = isName ? PathText.name(path) : "\(survey.identity.name)-\(index + 1).aar"
      deliverables.append(
        archives.count == 1
          ? YAMLValue.Member("android", .map(aar(path)))
          : YAMLValue.Member("android-\(suffix)", .map(aar(path) + [YAMLValue.Member("name", .text(name))])))
    }
  }

  // MARK: - Parts left out

  private static let maxListed = 24

  private static func lines(_ left: [LeftOut]) -> [String] {
    let lines = left.prefix(maxListed).map { "\(printable($0.path)): \(printable($0.reason))" }
    return lines + (left.count > maxListed ? ["and \(left.count - maxListed) more"] : [])
  }

  /// An example of a step that the user has to write.
  private static let example = [
    "A step for what nothing here builds looks like this; its output is an item of a deliverable.", "steps:",
    "  library:", "    run: [make, -C, src]", "    inputs: [\"src/**\"]", "    outputs: [src/libPlugin.a]",
  ]

  private static func nothing(_ survey: Survey) -> Refusal {
    let builds = survey.files.filter { buildFiles[$0.name] != nil }.prefix(8).map { file in
      "\(printable(file.path)): \(buildFiles[file.name] ?? "") builds it: a step has to say for which system, and what comes of it"
    }
    let downloads = survey.files.filter { $0.name == "Package.swift" && $0.folder.isEmpty }.filter { file in
      PlainValues(survey.tree.bytes(file.path)).hasLine(with: ["https://", ".zip"])
    }.map { "\($0.path): its binaries are downloads: fetch them, and unpack them here" }
    let applications = survey.android.applications.prefix(8).map {
      "\(printable($0.isEmpty ? "build.gradle" : $0)): Gradle makes an application of it"
    }
    let found = lines(survey.left) + downloads + builds + applications
    return Refusal(
      "nothing here can be packed as it is",
      notes: found.isEmpty ? ["there is no library, framework, AAR or build of one"] : found,
      hint:
        "write npi.yml with a step that builds the library: npi-pack schema describes it, and npi-pack recipes lists "
        + "kinds that need no code")
  }

  private static let buildFiles: [String: String] = [
    "CMakeLists.txt": "CMake", "Makefile": "make", "makefile": "make", "Android.mk": "ndk-build",
    "configure": "a configure script", "configure.ac": "a configure script",
    "SConstruct": "SCons", "Package.swift": "Swift's package manager", "meson.build": "Meson", "BUILD": "Bazel",
    "BUILD.bazel": "Bazel",
  ]
}
