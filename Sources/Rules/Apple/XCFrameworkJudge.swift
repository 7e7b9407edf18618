import Artifacts
import Documents
import ObjectFiles

/// Finds the defects of an XCFramework: those that Xcode refuses, in its own order, then those that no link takes.
struct XCFrameworkJudge {
  let folder: XCFrameworkFolder
  private(set) var defects: [Defect] = []

  private static let anew = "make it anew with 'xcodebuild -create-xcframework'"

  init(_ folder: XCFrameworkFolder) {
    self.folder = folder
    judge()
  }

  /// `names`: keys and architectures, each with the platform instead of a folder's name, by which a baseline knows the
  /// defect again.
  mutating func add(
    _ names: [String], _ message: String, _ hint: String, _ item: Item? = nil, notes: [String] = []
  ) {
    defects.append(Defect(message, about: names, hint: hint, of: item, notes: notes))
  }

  // MARK: The list

  private mutating func judge() {
    guard let info = folder.items["Info.plist"] else {
      return add(["Info.plist"], "\(folder.name) has no Info.plist: Xcode does not know what is in it", Self.anew)
    }
    guard case .values(let values)? = info.facts(PropertyListFacts.self) else {
      // Another rule reports what cannot be read, and links are not followed.
      guard info.isFile, info.facts(PropertyListFacts.self) == nil, info.damage == nil else { return }
      return add(
        ["Info.plist"],
        "Info.plist of \(folder.name) is no property list with a dictionary at its top, in XML (UTF-8) or binary",
        Self.anew, info)
    }
    judgeVersion(values, info)
    guard let list = values["AvailableLibraries"]?.list else {
      return addMissing("AvailableLibraries", "a list", of: "Info.plist", info)
    }
    if list.isEmpty {
      add(["AvailableLibraries"], "Info.plist of \(folder.name) lists no library", Self.anew, info)
    }
    var libraries: [XCFramework.Library] = []
    for (index, values) in list.enumerated() {
      let texts = ["LibraryIdentifier", "LibraryPath", "SupportedPlatform"]
      if let key = texts.first(where: { values[$0]?.text?.isEmpty ?? true }) {
        addMissing(key, "a text", of: values["LibraryIdentifier"]?.text ?? "library \(index + 1) of Info.plist", info)
      } else if let library = XCFramework.Library(values) {
        libraries.append(library)
      } else {
        addMissing("SupportedArchitectures", "a list", of: values["LibraryIdentifier"]?.text ?? "", info)
      }
    }
    judgeTargets(libraries, info)
    judgeTypes(libraries, info)
    let wanted = libraries.flatMap { library in
      [library.path, library.headersPath, library.debugSymbolsPath].compactMap { $0 }
        .map { XCFrameworkFolder.joined(library.identifier, $0) } + library.binaries
    }
    let present = folder.present(Set(wanted))
    for library in libraries where Self.type(of: library.path) != nil { judgePaths(library, present, info) }
  }

  private mutating func addMissing(_ key: String, _ kind: String, of owner: String, _ info: Item) {
    add(
      ["\(key) of \(owner)"], "\(owner) of \(folder.name) has no \(key) (\(kind)), which Xcode asks for", Self.anew,
      info)
  }

  /// Xcode 15 and later know 1.1, which other tools do not write.
  private mutating func judgeVersion(_ values: PropertyList, _ info: Item) {
    let key = "XCFrameworkFormatVersion"
    guard let version = values[key]?.text else { return addMissing(key, "a text", of: "Info.plist", info) }
    let parts = version.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    let isKnown =
      (1...3).contains(parts.count) && !parts.contains(nil)
      && (parts[0] == 0 || parts[0] == 1 && (parts.count < 2 || parts[1] ?? 0 <= 1))
    if !isKnown {
      add([key], "\(key) of \(folder.name) is '\(version)', and Xcode knows 1.0 and 1.1", Self.anew, info)
    }
  }

  private mutating func judgeTargets(_ libraries: [XCFramework.Library], _ info: Item) {
    var identifiers: Set<String> = []
    var targets: [String: String] = [:]
    for library in libraries {
      let identifier = library.identifier
      if !identifiers.insert(identifier).inserted {
        add([library.target], "Info.plist of \(folder.name) lists '\(identifier)' twice", Self.anew, info)
        continue
      }
      // On systems without fat files there is a library for each architecture.
      let isApple = Slice(platform: library.platform, architecture: "").codePlatform != nil
      let target = library.target + (isApple ? "" : " \(library.architectures.sorted())")
      if let other = targets.updateValue(identifier, forKey: target) {
        add(
          [library.target],
          "'\(other)' and '\(identifier)' of \(folder.name) are both for \(library.target): Xcode refuses it",
          "join the two with 'lipo -create', and list one library for each platform", info)
      } else if Self.mistakenPlatforms.contains(library.platform) || isApple && library.codePlatform == nil {
        add(
          [library.target], "\(identifier) of \(folder.name) is for '\(library.target)', which no build asks for",
          "the platform of an iPhone is ios, and the variant of its simulator is simulator", info)
      }
    }
  }

  /// The names in Xcode's settings of the platforms that XCFrameworks call ios, macos and so on.
  private static let mistakenPlatforms: Set<String> = [
    "iOS", "iphoneos", "iphonesimulator", "macosx", "macOS", "appletvos", "appletvsimulator", "watchsimulator",
    "visionos",
  ]

  private mutating func judgeTypes(_ libraries: [XCFramework.Library], _ info: Item) {
    let types = libraries.map { ($0, Self.type(of: $0.path)) }
    for (library, type) in types where type == nil {
      add(
        ["LibraryPath of \(library.target)"],
        "the LibraryPath '\(library.path)' of \(library.identifier) is no framework or library",
        "a LibraryPath ends with .framework, .a or .dylib", info)
    }
    let known = types.filter { $0.1 != nil }
    guard let first = known.first, let other = known.first(where: { $0.1 != first.1 }) else { return }
    add(
      ["LibraryPath"],
      "\(folder.name) mixes types: '\(first.0.path)' of \(first.0.identifier) and '\(other.0.path)' of "
        + other.0.identifier,
      "make all of its libraries frameworks, all static libraries, or all dynamic ones", info)
  }

  /// Nil for an ending that Xcode does not know.
  private static func type(of path: String) -> String? {
    let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
    return ["framework": "framework", "a": "a", "dylib": "dylib", "so": "dylib"][ending]
  }

  // MARK: The files

  private mutating func judgePaths(_ library: XCFramework.Library, _ present: Set<String>, _ info: Item) {
    let (identifier, target) = (library.identifier, library.target)
    func isThere(_ path: String) -> Bool { present.contains(XCFrameworkFolder.joined(identifier, path)) }
    if !isThere(library.path) {
      add(
        ["LibraryPath of \(target)"],
        "\(folder.name) has no \(identifier)/\(library.path), which its Info.plist lists",
        "put the library there, or make the XCFramework anew", info)
    }
    let isFramework = library.frameworkName != nil
    if isFramework, library.headersPath != nil {
      add(
        ["HeadersPath of \(target)"], "\(identifier) of \(folder.name) is a framework and has a HeadersPath",
        "remove the key: a framework's headers are in the framework", info)
    }
    let extras = [
      ("HeadersPath", isFramework ? nil : library.headersPath), ("DebugSymbolsPath", library.debugSymbolsPath),
    ]
    for (key, path) in extras {
      guard let path, path.isEmpty || !isThere(path) else { continue }
      let message =
        path.isEmpty
        ? "\(key) of \(identifier) of \(folder.name) is empty"
        : "\(folder.name) has no \(identifier)/\(path), which its Info.plist names as the \(key)"
      add(["\(key) of \(target)"], message, "put the folder there, or remove the key", info)
    }
    if isThere(library.path) {
      judgeBinary(library, present, info)
      judgeLinks(library, info)
    }
  }

  private mutating func judgeBinary(_ library: XCFramework.Library, _ present: Set<String>, _ info: Item) {
    let identifier = library.identifier
    guard library.binaries.contains(where: present.contains) else {
      // A framework of stubs has a text stub in place of its code.
      let root = XCFrameworkFolder.joined(identifier, library.path)
      guard let name = library.frameworkName, folder.items[root]?.isLink != true,
        folder.items["\(root)/\(name).tbd"] == nil, folder.items["\(root)/Versions/A/\(name).tbd"] == nil
      else { return }
      return add(
        ["\(name) of \(library.target)"],
        "\(identifier)/\(library.path) of \(folder.name) has no binary '\(name)'",
        "build the framework again: the linker looks for the file with its name", info)
    }
    // The first path may be a link to another. Of copies only one has been read.
    let files = library.binaries.filter { folder.items[$0]?.isLink == false }
    let whole = files.first { folder.items[$0]?.facts(CodeFacts.self) != nil } ?? files.first
    if let whole, let item = folder.items[whole] { judgeCode(library, whole, item) }
  }

  private mutating func judgeCode(_ library: XCFramework.Library, _ path: String, _ item: Item) {
    let target = library.target
    guard let code = item.facts(CodeFacts.self), code.kind != .elf else {
      guard item.facts(CodeFacts.self) != nil || item.facts.isEmpty, item.damage == nil else { return }
      let isFolder = item.isFolder
      return add(
        ["code of \(target)"],
        "\(path) of \(folder.name) \(isFolder ? "is a folder" : "holds no machine code for Apple's systems")",
        "put the library there"
          + (isFolder ? "" : ": what is here may be a pointer of Git LFS, or a page of a failed download"), item)
    }
    let present = code.architectures.map(\.name)
    // Architectures of files that have only bitcode are not known here.
    guard code.errors.isEmpty, !present.isEmpty else { return }
    let missing = library.architectures.filter { !present.contains($0) }
    if !missing.isEmpty {
      add(
        missing.map { "\($0) of \(target)" },
        "\(path) of \(folder.name) has no code for \(missing.joined(separator: ", ")), which its Info.plist promises",
        "build it for these too, or correct SupportedArchitectures and the folder's name", item,
        notes: ["it has \(present.joined(separator: ", "))"])
    }
    guard let platform = library.codePlatform else { return }
    for slice in code.slices where library.architectures.contains(slice.architecture.name) {
      let others = slice.builds.map(\.platform).filter { $0 != platform }
      // Code for no platform in particular goes with any, and code for macOS may be for Catalyst, too.
      guard let other = others.first,
        !(slice.builds.count > others.count && Set(others + [platform]) == [.macOS, .macCatalyst])
      else { continue }
      let isWhole = slice.builds.count == others.count
      guard isWhole || slice.isArchive else { continue }
      return add(
        ["platform of \(target)"],
        "\(path) of \(folder.name) \(isWhole ? "is" : "has members") for \(other), and its Info.plist says \(platform)",
        isWhole
          ? "no app can be linked with it: build it for \(platform), or list it for what it is"
          : "an app that needs them cannot be linked: build all members for \(platform)", item,
        notes: code.slices.count > 1 ? ["its \(slice.architecture.name) slice"] : [])
    }
  }
}

extension SliceFacts {
  fileprivate var isArchive: Bool { if case .archive = form { true } else { false } }
}
