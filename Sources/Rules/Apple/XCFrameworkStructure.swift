package import Artifacts
import Documents
package import Findings
import ObjectFiles

/// An XCFramework is as its `Info.plist` says, and that as Xcode reads it (swiftlang/swift-build, `XCFramework.swift` and
/// `ProcessXCFrameworkTaskAction.swift`). Xcode goes by the list alone, and whether the code is for what it says shows when
/// an app is linked.
package enum XCFrameworkStructure: Rule {
  package static let entry = RuleEntry(
    "xcframework-structure", .error, "an XCFramework has the libraries that its Info.plist lists, for what it says")
  package static let kinds: Set<ArtifactKind>? = .apple
  package static let facts: [any Facts.Type] = [CodeFacts.self, PropertyListFacts.self]

  package static func check(_ inventory: Inventory, _ settings: RuleSettings) -> [Finding] {
    inventory.xcframeworks.flatMap { folder -> [Finding] in
      let judge = XCFrameworkJudge(folder)
      return judge.defects.map { defect in
        let site =
          defect.item.map { inventory.site($0) }
          ?? (folder.path.isEmpty ? inventory.place : inventory.place.inside(folder.path))
        return finding(
          settings, defect.message, about: [defect.name], at: site, notes: defect.notes, hint: defect.hint)
      }
    }
  }
}

/// What is wrong with one of them.
private struct XCFrameworkDefect {
  /// A key, an identifier, an architecture: what a baseline knows it by.
  let name: String
  let message: String
  /// Nil: the folder.
  var item: Item?
  var notes: [String] = []
  let hint: String
}

private struct XCFrameworkJudge {
  let folder: XCFrameworkFolder
  private(set) var defects: [XCFrameworkDefect] = []

  private static let anew = "make it anew with 'xcodebuild -create-xcframework'"

  init(_ folder: XCFrameworkFolder) {
    self.folder = folder
    judge()
  }

  private mutating func judge() {
    guard let info = folder.files["Info.plist"] else {
      return add("Info.plist", "\(folder.name) has no Info.plist: Xcode does not know what is in it", Self.anew)
    }
    guard case .values(let values)? = info.facts(PropertyListFacts.self) else {
      // What cannot be read is another rule's concern.
      guard info.facts(PropertyListFacts.self) == nil, info.damage == nil else { return }
      return add(
        "Info.plist", "Info.plist of \(folder.name) is no property list in XML (UTF-8) or binary", Self.anew, info)
    }
    if values["XCFrameworkFormatVersion"]?.text == nil { addMissing("XCFrameworkFormatVersion", "Info.plist", info) }
    guard let list = values["AvailableLibraries"]?.list else {
      return addMissing("AvailableLibraries", "Info.plist", info)
    }
    if list.isEmpty {
      add("AvailableLibraries", "Info.plist of \(folder.name) lists no library", Self.anew, info)
    }
    var libraries: [XCFramework.Library] = []
    for (index, values) in list.enumerated() {
      if let library = XCFramework.Library(values) {
        libraries.append(library)
      } else {
        let name = values["LibraryIdentifier"]?.text ?? "library \(index + 1) of Info.plist"
        let keys = ["LibraryIdentifier", "LibraryPath", "SupportedPlatform"].filter { values[$0]?.text == nil }
        addMissing((keys + ["SupportedArchitectures"])[0], name, info)
      }
    }
    judge(libraries, info)
  }

  private mutating func add(
    _ name: String, _ message: String, _ hint: String, _ item: Item? = nil, notes: [String] = []
  ) {
    defects.append(.init(name: name, message: message, item: item, notes: notes, hint: hint))
  }

  private mutating func addMissing(_ key: String, _ owner: String, _ info: Item) {
    add("\(key) of \(owner)", "\(owner) of \(folder.name) has no \(key), which Xcode asks for", Self.anew, info)
  }

  private mutating func judge(_ libraries: [XCFramework.Library], _ info: Item) {
    var identifiers: Set<String> = []
    var platforms: [String: String] = [:]
    for library in libraries {
      let identifier = library.identifier
      if !identifiers.insert(identifier).inserted {
        add(identifier, "Info.plist of \(folder.name) lists '\(identifier)' twice", Self.anew, info)
        continue
      }
      let platform = [library.platform, library.variant ?? ""].filter { !$0.isEmpty }.joined(separator: "-")
      if let other = platforms.updateValue(identifier, forKey: platform) {
        add(
          identifier, "'\(other)' and '\(identifier)' of \(folder.name) are both for \(platform): Xcode refuses it",
          "join the two with 'lipo -create', and list one library for each platform", info)
      }
    }
    let types = libraries.map { ($0, Self.type(of: $0.path)) }
    for (library, type) in types where type == nil {
      add(
        library.identifier, "the LibraryPath '\(library.path)' of \(library.identifier) is no framework or library",
        "a LibraryPath ends with .framework, .a or .dylib", info)
    }
    let known = types.filter { $0.1 != nil }
    if let first = known.first, let other = known.first(where: { $0.1 != first.1 }) {
      add(
        other.0.identifier,
        "\(folder.name) mixes types: '\(first.0.path)' of \(first.0.identifier) and '\(other.0.path)' of "
          + other.0.identifier,
        "make all of its libraries frameworks, all static libraries, or all dynamic ones", info)
    }
    let present = folder.present(
      Set(
        libraries.flatMap { library in
          [library.path, library.headersPath, library.debugSymbolsPath].compactMap { $0 }
            .map { XCFrameworkFolder.joined(library.identifier, $0) } + library.binaries
        }))
    for (library, type) in types where type != nil { judge(library, present, info) }
  }

  /// Nil for one that Xcode does not know.
  private static func type(of path: String) -> String? {
    let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
    return ["framework": "framework", "a": "a", "dylib": "dylib", "so": "dylib"][ending]
  }

  private mutating func judge(_ library: XCFramework.Library, _ present: Set<String>, _ info: Item) {
    let identifier = library.identifier
    let isFramework = library.frameworkName != nil
    func isThere(_ path: String) -> Bool { present.contains(XCFrameworkFolder.joined(identifier, path)) }
    if !isThere(library.path) {
      add(
        "LibraryPath of \(identifier)",
        "\(folder.name) has no \(identifier)/\(library.path), which its Info.plist lists",
        "put the library there, or make the XCFramework anew", info)
    }
    if isFramework, library.headersPath != nil {
      add(
        "HeadersPath of \(identifier)", "\(identifier) of \(folder.name) is a framework and has a HeadersPath",
        "remove the key: a framework's headers are in the framework", info)
    }
    let extras = [
      ("HeadersPath", isFramework ? nil : library.headersPath), ("DebugSymbolsPath", library.debugSymbolsPath),
    ]
    for (key, path) in extras {
      guard let path, !isThere(path) else { continue }
      add(
        "\(key) of \(identifier)",
        "\(folder.name) has no \(identifier)/\(path), which its Info.plist names as the \(key)",
        "put the folder there, or remove the key", info)
    }
    guard isThere(library.path) else { return }
    guard let binary = library.binaries.first(where: present.contains) else {
      // A framework of stubs has one in place of its code.
      guard let name = library.frameworkName,
        folder.files["\(identifier)/\(library.path)/\(name).tbd"] == nil
      else { return }
      return add(
        "\(library.path) of \(identifier)", "\(identifier)/\(library.path) of \(folder.name) has no binary '\(name)'",
        "build the framework again: the linker looks for the file with its name", info)
    }
    // The first may be a link to another.
    for case let item? in library.binaries.map({ folder.files[$0] }) where item.kind == .file {
      return judge(library, binary, item)
    }
  }

  private mutating func judge(_ library: XCFramework.Library, _ path: String, _ item: Item) {
    guard let code = item.facts(CodeFacts.self) else {
      guard item.facts.isEmpty, item.damage == nil else { return }
      return add(
        library.identifier, "\(path) of \(folder.name) holds no machine code",
        "put the library there: what is here may be a pointer of Git LFS, or a page of a failed download", item)
    }
    let present = code.architectures.map(\.name)
    guard code.errors.isEmpty, code.kind != .elf, !present.isEmpty else { return }
    let missing = library.architectures.filter { !present.contains($0) }
    if !missing.isEmpty {
      add(
        "\(missing.joined(separator: ", ")) of \(library.identifier)",
        "\(path) of \(folder.name) has no code for \(missing.joined(separator: ", ")), which its Info.plist promises",
        "build it for these too, or correct SupportedArchitectures and the folder's name", item,
        notes: ["it has \(present.joined(separator: ", "))"])
    }
    guard let platform = library.codePlatform else { return }
    // Members that are for no platform in particular go with any.
    let foreign = code.slices.first { slice in
      !slice.builds.isEmpty && !slice.builds.contains { $0.platform == platform }
    }
    if let foreign, let build = foreign.builds.first {
      add(
        "\(foreign.architecture.name) of \(library.identifier)",
        "\(path) of \(folder.name) is for \(build.platform), and its Info.plist says \(platform)",
        "no app can be linked with it: build it for \(platform), or list it for what it is", item,
        notes: code.slices.count > 1 ? ["its \(foreign.architecture.name) slice"] : [])
    }
  }
}

extension XCFrameworkStructure {
  package static let explanation = RuleExplanation(
    why: """
      Xcode takes the library of an XCFramework by the list in its `Info.plist`, and looks into no code.
      What the list names and is not there stops the app's build (`the expected library … was not found`,
      `Missing path … as defined by 'DebugSymbolsPath'`), but only of those who build for that platform:
      often the first one who starts a simulator. An architecture that is promised and missing, or code for
      another platform, fails in the app's link.
      """,
    bad: """
      RallyConnector.xcframework/Info.plist       ios-arm64, ios-arm64_x86_64-simulator
      RallyConnector.xcframework/ios-arm64/libRallyConnector.a
      """,
    good: """
      RallyConnector.xcframework/Info.plist       ios-arm64, ios-arm64_x86_64-simulator
      RallyConnector.xcframework/ios-arm64/libRallyConnector.a
      RallyConnector.xcframework/ios-arm64_x86_64-simulator/libRallyConnector.a
      """,
    mend: """
      Make it with `xcodebuild -create-xcframework` from one library for each platform, and copy it whole:
      with its debug symbols, or without the key `DebugSymbolsPath`. By hand: what a folder is called does
      not matter, what `Info.plist` says of it does.
      """)
}
